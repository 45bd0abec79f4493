//! Reading the code and the message out of an error answer.

use quick_xml::Reader;
use quick_xml::events::Event;

/// The first `Code` and `Message` in an XML document.
pub(crate) fn read_error(body: &[u8]) -> (Option<String>, Option<String>) {
    fields(body).unwrap_or_default()
}

fn fields(body: &[u8]) -> Option<(Option<String>, Option<String>)> {
    let mut reader = Reader::from_reader(body);
    let (mut code, mut message) = (None, None);
    let mut within = Vec::new();
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => within = start.local_name().as_ref().to_vec(),
            Event::End(_) => within.clear(),
            Event::Eof => break,
            event => {
                let field = match within.as_slice() {
                    b"Code" => &mut code,
                    b"Message" => &mut message,
                    _ => continue,
                };
                if let Some(text) = text(&event) {
                    field.get_or_insert_with(String::new).push_str(&text);
                }
            }
        }
    }
    Some((code, message))
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
    fn code_and_message_are_read_with_their_references() {
        let body = b"<?xml version=\"1.0\"?>\n<ErrorResponse xmlns=\"u\"><Error><Type>Sender</Type><Code>A.B</Code>\
            <Message>a &lt; b &#xD; <![CDATA[& c]]></Message><Detail/></Error><RequestId>r</RequestId></ErrorResponse>";
        assert_eq!(read_error(body), (Some("A.B".into()), Some("a < b \r & c".into())));
        assert_eq!(read_error(b"<a><Code>X</Code></a>"), (Some("X".into()), None));
    }

    #[test]
    fn what_is_no_error_document_has_no_code() {
        for body in
            [&b""[..], b"<html><p>Bad Gateway</p></html>", b"<a><Code>", b"<a></b>", b"text", b"\xff<&>"]
        {
            assert_eq!(read_error(body).0, None);
        }
    }
}
