//! XML read as a tree of elements, without attributes and namespaces.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::model::MAX_DEPTH;

/// An element. Its text is what stands directly in it, between its children.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) children: Vec<Element>,
}

impl Element {
    /// The root of a document; nothing of one that is broken, or nested too deeply.
    pub(super) fn root(document: &[u8]) -> Option<Self> {
        let mut reader = Reader::from_reader(document);
        // What is open, outermost first, below a place for the root.
        let mut open = vec![Self::default()];
        loop {
            match reader.read_event().ok()? {
                Event::Start(start) if open.len() <= MAX_DEPTH => open.push(Self::named(&start)),
                Event::Start(_) => return None,
                Event::Empty(start) => open.last_mut()?.children.push(Self::named(&start)),
                Event::End(_) => {
                    let closed = open.pop()?;
                    open.last_mut()?.children.push(closed);
                }
                Event::Eof => break,
                event => {
                    if let Some(text) = text(&event) {
                        open.last_mut()?.text.push_str(&text);
                    }
                }
            }
        }
        let only = open.pop().filter(|_| open.is_empty())?;
        only.children.into_iter().next()
    }

    fn named(start: &BytesStart<'_>) -> Self {
        let name = String::from_utf8_lossy(start.local_name().as_ref()).into_owned();
        Self { name, ..Self::default() }
    }

    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }
}

/// What text, a reference or a CDATA section stands for.
fn text(event: &Event<'_>) -> Option<String> {
    match event {
        Event::Text(text) => Some(text.decode().ok()?.into_owned()),
        Event::CData(text) => Some(text.decode().ok()?.into_owned()),
        Event::GeneralRef(reference) => match reference.resolve_char_ref().ok()? {
            Some(character) => Some(character.to_string()),
            None => quick_xml::escape::resolve_xml_entity(&reference.decode().ok()?).map(str::to_owned),
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_read_with_its_references_and_sections() {
        let root = Element::root(
            b"<?xml version=\"1.0\"?><r xmlns=\"u\"><a>x &lt; &#xD;<![CDATA[&]]></a><b/><a>2</a></r>",
        );
        let root = root.expect("a document");
        let texts: Vec<_> = root.all("a").map(|element| element.text.as_str()).collect();
        assert_eq!((root.name.as_str(), texts), ("r", vec!["x < \r&", "2"]));
        assert_eq!(root.child("b"), Some(&Element { name: "b".into(), ..Element::default() }));
    }

    #[test]
    fn what_is_broken_or_bottomless_is_no_document() {
        let deep = format!("{}{}", "<a>".repeat(1_000), "</a>".repeat(1_000));
        for document in ["", "text", "<a>", "<a></b>", "</a>", &deep] {
            assert_eq!(Element::root(document.as_bytes()), None);
        }
    }
}
