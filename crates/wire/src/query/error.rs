//! Reading the code and the message out of an error answer.

use super::document::Element;

/// The `Code` and the `Message` of the `Error` in a document: below its root, or one further down, as
/// EC2 and old services have it.
pub(crate) fn read_error(body: &[u8]) -> (Option<String>, Option<String>) {
    let root = Element::root(body).unwrap_or_default();
    let within = |element: &Element| element.child("Error").map(fields);
    within(&root).or_else(|| root.children.iter().find_map(within)).unwrap_or_else(|| fields(&root))
}

fn fields(error: &Element) -> (Option<String>, Option<String>) {
    let text = |name: &str| error.child(name).map(|child| child.text.clone());
    (text("Code"), text("Message"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_and_message_are_read_wherever_services_put_them() {
        for document in [
            "<ErrorResponse><Error><Code>A.B</Code><Message>no &amp; no</Message></Error></ErrorResponse>",
            "<Response><Errors><Error><Code>A.B</Code><Message>no &amp; no</Message></Error></Errors></Response>",
            "<Error><Code>A.B</Code><Message>no &amp; no</Message></Error>",
        ] {
            assert_eq!(read_error(document.as_bytes()), (Some("A.B".into()), Some("no & no".into())));
        }
        assert_eq!(read_error(b"<html><p>Bad Gateway</p></html>"), (None, None));
        assert_eq!(read_error(b"<ErrorResponse><Error><Code>X"), (None, None));
    }
}
