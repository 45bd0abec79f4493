//! Message attributes: what SNS takes as one, and its texts for what it does not.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_pattern::AttributeValue;
use havoq_wire::{CommonError, ServiceError, SnsError};
use serde::Deserialize;

use super::filter;
use crate::sqs::AttributeInput;

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct MessageAttributeInput {
    pub(crate) data_type: Option<String>,
    pub(crate) string_value: Option<String>,
    pub(crate) binary_value: Option<String>,
}

/// One that is sound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MessageAttribute {
    pub(super) data_type: String,
    /// Base64 if it is binary.
    pub(super) value: String,
}

impl MessageAttribute {
    fn is_binary(&self) -> bool {
        kind(&self.data_type) == "Binary"
    }

    /// As an attribute of an SQS message (semantics 2.1).
    pub(super) fn for_queue(&self) -> AttributeInput {
        let value = Some(self.value.clone());
        let (string_value, binary_value) = if self.is_binary() { (None, value) } else { (value, None) };
        AttributeInput {
            data_type: self.data_type.clone(),
            string_value,
            binary_value,
            ..AttributeInput::default()
        }
    }

    pub(super) fn for_filter(&self) -> AttributeValue<'_> {
        filter::value(&self.data_type, kind(&self.data_type), &self.value)
    }

    /// Its part of the message's size, which counts the name.
    pub(super) fn size(&self, name: &str) -> usize {
        let value = if self.is_binary() { self.value.len() / 4 * 3 } else { self.value.len() };
        name.len() + self.data_type.len() + value
    }
}

/// A plain text as an attribute of an SQS message.
pub(super) fn text_for_queue(text: &str) -> AttributeInput {
    AttributeInput {
        data_type: "String".to_owned(),
        string_value: Some(text.to_owned()),
        ..AttributeInput::default()
    }
}

fn kind(data_type: &str) -> &str {
    data_type.split('.').next().unwrap_or_default()
}

/// Checks the attributes of one message; `path` is where they are in the call.
pub(super) fn check(
    inputs: BTreeMap<String, MessageAttributeInput>,
    path: &str,
) -> Result<BTreeMap<String, MessageAttribute>, ServiceError> {
    let checked = inputs.into_iter().map(|(name, input)| {
        let attribute = attribute(&name, input, path)?;
        Ok((name, attribute))
    });
    checked.collect()
}

fn attribute(name: &str, input: MessageAttributeInput, path: &str) -> Result<MessageAttribute, ServiceError> {
    let data_type = input.data_type.ok_or_else(|| {
        CommonError::ValidationError.with(format!(
            "1 validation error detected: Value null at '{path}messageAttributes.{name}.member.dataType' failed to \
             satisfy constraint: Member must not be null"
        ))
    })?;
    check_name(name)?;
    let kind = kind(&data_type);
    let is_known =
        matches!(kind, "String" | "Number" | "Binary") && data_type.strip_prefix(kind) != Some(".");
    if !is_known {
        return Err(wrong(format!(
            "The message attribute '{name}' has an invalid message attribute type, the set of supported type \
             prefixes is Binary, Number, and String."
        )));
    }
    let (own, other, field) = match kind {
        "Binary" => (input.binary_value, input.string_value, "Binary"),
        _ => (input.string_value, input.binary_value, "String"),
    };
    if own.is_none() && other.is_some() {
        return Err(wrong(format!(
            "The message attribute '{name}' with type '{data_type}' must use field '{field}'."
        )));
    }
    let value = own.filter(|value| !value.is_empty()).ok_or_else(|| {
        wrong(format!(
            "The message attribute '{name}' must contain non-empty message attribute value for message attribute \
             type '{data_type}'."
        ))
    })?;
    check_value(name, kind, &value)?;
    Ok(MessageAttribute { data_type, value })
}

fn check_value(name: &str, kind: &str, value: &str) -> Result<(), ServiceError> {
    let sound = match kind {
        "Number" => value.trim().parse::<f64>().is_ok_and(f64::is_finite),
        "Binary" => STANDARD.decode(value).is_ok(),
        _ => true,
    };
    if sound {
        return Ok(());
    }
    Err(wrong(format!("Could not cast message attribute '{name}' value to {}.", kind.to_lowercase())))
}

fn check_name(name: &str) -> Result<(), ServiceError> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    if name.is_empty() {
        return Err(wrong("Message attribute name must not be empty."));
    }
    if is_reserved(name) {
        return Err(wrong(
            "Message attribute names beginning with 'AWS.' or 'Amazon.' are reserved for internal use.",
        ));
    }
    if name.len() > 256 {
        return Err(wrong("Length of message attribute name must be less than 256 bytes."));
    }
    if name.starts_with('.') {
        return Err(wrong("Invalid message attribute name starting with character '.' was found."));
    }
    if name.ends_with('.') {
        return Err(wrong("Invalid message attribute name ending with character '.' was found."));
    }
    if let Some(bad) = name.chars().find(|character| !u8::try_from(*character).is_ok_and(legal)) {
        return Err(wrong(format!(
            "Invalid non-alphanumeric character '#x{:X}' was found in the message attribute name. Can only include \
             alphanumeric characters, hyphens, underscores, or dots.",
            u32::from(bad)
        )));
    }
    if name.contains("..") {
        return Err(wrong("Message attribute name can not have successive '.' character."));
    }
    Ok(())
}

/// Those that AWS documents for phones and devices are for callers.
fn is_reserved(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    let for_callers = ["AWS.SNS.", "AWS.MM."].iter().any(|prefix| name.starts_with(prefix));
    (lower.starts_with("aws.") || lower.starts_with("amazon.")) && !for_callers
}

fn wrong(what: impl Into<String>) -> ServiceError {
    SnsError::InvalidParameterValue.with(what)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn error(name: &str, input: Value) -> ServiceError {
        let input = serde_json::from_value(input).expect("an input");
        check(BTreeMap::from([(name.to_owned(), input)]), "").expect_err("refused")
    }

    #[test]
    fn values_must_fit_their_types() {
        let text = |input| error("attr1", input).message;
        let empty = "The message attribute 'attr1' must contain non-empty message attribute value for message attribute type 'String'.";
        assert_eq!(text(json!({ "DataType": "String", "StringValue": "" })), empty);
        assert_eq!(text(json!({ "DataType": "String" })), empty);
        for (kind, field, other) in [
            ("String", "String", "BinaryValue"),
            ("Number", "String", "BinaryValue"),
            ("Binary", "Binary", "StringValue"),
        ] {
            assert_eq!(
                text(json!({ "DataType": kind, other: "YQ==" })),
                format!("The message attribute 'attr1' with type '{kind}' must use field '{field}'.")
            );
        }
        for kind in ["String.", "Stringprefixed", "InvalidType"] {
            let error = error("attr1", json!({ "DataType": kind, "StringValue": "a" }));
            assert_eq!(error.query_code, "ParameterValueInvalid");
            assert!(error.message.contains("has an invalid message attribute type"), "{kind}");
        }
        let null = error("attr1", json!({ "StringValue": "a" }));
        assert_eq!(null.query_code, "ValidationError");
        assert!(null.message.contains("Value null at 'messageAttributes.attr1.member.dataType'"));
    }

    #[test]
    fn names_are_words_with_single_dots_inside() {
        let text = |name: &str| error(name, json!({ "DataType": "String", "StringValue": "a" })).message;
        assert_eq!(text(&"a".repeat(257)), "Length of message attribute name must be less than 256 bytes.");
        assert!(text("a^b").starts_with("Invalid non-alphanumeric character '#x5E' was found"));
        assert_eq!(text(".a"), "Invalid message attribute name starting with character '.' was found.");
        assert_eq!(text("a."), "Invalid message attribute name ending with character '.' was found.");
        assert_eq!(text(""), "Message attribute name must not be empty.");
        for name in ["AWS.x", "aws.x", "Amazon.x", "amazon.x"] {
            assert!(text(name).contains("are reserved for internal use"), "{name}");
        }
        assert!(check_name("AWS.SNS.SMS.SenderID").is_ok());
        assert_eq!(text("a..b"), "Message attribute name can not have successive '.' character.");
    }

    #[test]
    fn custom_types_and_arrays_are_taken() {
        for kind in ["String.prefixed", "String.  prefixed.", "String.Array", "Number.int"] {
            let input = MessageAttributeInput {
                data_type: Some(kind.to_owned()),
                string_value: Some("1".to_owned()),
                binary_value: None,
            };
            assert!(check(BTreeMap::from([("a".to_owned(), input)]), "").is_ok(), "{kind}");
        }
    }
}
