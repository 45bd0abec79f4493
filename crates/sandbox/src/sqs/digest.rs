//! The MD5 sums of semantics 1.8, and the SHA-256 of a body that stands for a deduplication id.

use std::collections::BTreeMap;

use md5::{Digest, Md5};
use serde::{Serialize, Serializer};
use sha2::Sha256;

use super::message::{Attribute, AttributeValue};

/// An MD5 sum, kept as its bytes; clients see it in hex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sum([u8; 16]);

impl std::fmt::Display for Sum {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

impl Serialize for Sum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hex(&self.0))
    }
}

pub(crate) fn of_text(text: &str) -> Sum {
    Sum(Md5::digest(text.as_bytes()).into())
}

/// Content-based deduplication (semantics 1.13).
pub(crate) fn sha256_of_text(text: &str) -> String {
    hex(&Sha256::digest(text.as_bytes()))
}

/// MD5OfMessageAttributes; the map gives the order by name that it asks for.
pub(crate) fn of_attributes<'a>(
    attributes: impl IntoIterator<Item = (&'a String, &'a Attribute)>,
) -> Option<Sum> {
    let mut sum = Md5::new();
    let mut any = false;
    for (name, attribute) in attributes {
        any = true;
        add(&mut sum, name.as_bytes());
        add(&mut sum, attribute.data_type.as_bytes());
        match &attribute.value {
            AttributeValue::Text(text) => {
                sum.update([1]);
                add(&mut sum, text.as_bytes());
            }
            AttributeValue::Binary(bytes) => {
                sum.update([2]);
                add(&mut sum, bytes);
            }
        }
    }
    any.then(|| Sum(sum.finalize().into()))
}

/// MD5OfMessageSystemAttributes of the one system attribute that can be sent.
pub(crate) fn of_trace_header(header: &str) -> Option<Sum> {
    let value = AttributeValue::Text(header.to_owned());
    of_attributes(&BTreeMap::from([(
        "AWSTraceHeader".to_owned(),
        Attribute { data_type: "String".to_owned(), value },
    )]))
}

fn add(sum: &mut Md5, bytes: &[u8]) {
    sum.update((bytes.len() as u32).to_be_bytes());
    sum.update(bytes);
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(bytes.len() * 2);
    for byte in bytes {
        text.push(char::from(DIGITS[usize::from(byte >> 4)]));
        text.push(char::from(DIGITS[usize::from(byte & 15)]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(data_type: &str, value: &str) -> Attribute {
        Attribute { data_type: data_type.into(), value: AttributeValue::Text(value.into()) }
    }

    #[test]
    fn md5_of_the_body_is_hex_of_its_utf_8() {
        assert_eq!(hex(&of_text("hello world").0), "5eb63bbbe01eeed093cb22bb8f5acdc3");
    }

    #[test]
    fn md5_of_attributes_covers_name_type_and_value_with_their_lengths() {
        // The known sums of boto's and localstack's own tests for these attributes.
        let one = BTreeMap::from([("timestamp".to_owned(), text("Number", "1493147359900"))]);
        assert_eq!(serde_json::json!(of_attributes(&one)), "235c5c510d26fb653d073faed50ae77c");
        assert_eq!(of_attributes(&BTreeMap::new()), None);
    }

    #[test]
    fn binary_and_custom_types_are_told_apart() {
        let of = |attribute| of_attributes(&BTreeMap::from([("a".to_owned(), attribute)]));
        let binary = Attribute { data_type: "Binary".into(), value: AttributeValue::Binary(b"x".to_vec()) };
        assert_ne!(of(binary), of(text("Binary", "x")));
        assert_ne!(of(text("Number", "1")), of(text("Number.int", "1")));
    }
}
