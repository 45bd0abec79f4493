//! XML as the Query protocol writes it: elements and text, and one attribute at the root.

/// A document under way. Names come from the models and are written as they are.
#[derive(Default)]
pub(super) struct Xml(String);

impl Xml {
    pub(super) fn root(&mut self, name: &str, xmlns: &str) {
        self.0.extend(["<", name, " xmlns=\"", xmlns, "\">"]);
    }

    pub(super) fn open(&mut self, name: &str) {
        self.0.extend(["<", name, ">"]);
    }

    pub(super) fn close(&mut self, name: &str) {
        self.0.extend(["</", name, ">"]);
    }

    pub(super) fn leaf(&mut self, name: &str, text: &str) {
        self.open(name);
        self.text(text);
        self.close(name);
    }

    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // Bare, it would be read as a line feed.
                '\r' => self.0.push_str("&#xD;"),
                '\t' | '\n' => self.0.push(character),
                // XML 1.0 has no way to write these.
                '\0'..' ' | '\u{fffe}' | '\u{ffff}' => self.0.push(char::REPLACEMENT_CHARACTER),
                _ => self.0.push(character),
            }
        }
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.0.into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_so_that_it_reads_as_it_was() {
        let mut xml = Xml::default();
        xml.leaf("a", "<b>&\"'\r\n\t\u{1}\u{fffe}\u{1f600}");
        let text = String::from_utf8(xml.into_bytes()).expect("text");
        assert_eq!(text, "<a>&lt;b&gt;&amp;&quot;'&#xD;\n\t\u{fffd}\u{fffd}\u{1f600}</a>");
    }
}
