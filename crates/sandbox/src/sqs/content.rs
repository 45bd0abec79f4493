//! What a message may be (semantics 1.6): its characters, its ids and its attributes, with AWS's
//! own complaints. Of a queue it knows nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_wire::{CommonError, ServiceError, SqsError};
use serde::Deserialize;

use super::errors::{invalid_parameter, invalid_value};
use super::message::{Attribute, AttributeValue};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AttributeInput {
    pub(crate) data_type: String,
    pub(crate) string_value: Option<String>,
    pub(crate) binary_value: Option<String>,
    pub(crate) string_list_values: Vec<String>,
    pub(crate) binary_list_values: Vec<String>,
}

/// The characters of a body.
pub(crate) fn check_characters(text: &str) -> Result<(), ServiceError> {
    // Nearly all text is this, and it is told in a fraction of the time.
    let plain = |byte: u8| byte.is_ascii() && (byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r'));
    if text.bytes().fold(true, |all, byte| all & plain(byte)) {
        return Ok(());
    }
    match text.chars().find(|character| !is_legal(*character)) {
        None => Ok(()),
        Some(character) => Err(SqsError::InvalidMessageContents.with(format!(
            "Invalid binary character '#x{:X}' was found in the message body, the set of allowed characters is \
             #x9 | #xA | #xD | #x20 to #xD7FF | #xE000 to #xFFFD | #x10000 to #x10FFFF",
            u32::from(character)
        ))),
    }
}

fn is_legal(character: char) -> bool {
    matches!(character, '\t' | '\n' | '\r' | '\u{20}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' | '\u{10000}'..)
}

/// A group id, a deduplication id or the id of a receive attempt.
pub(crate) fn fifo_id(parameter: &str, id: &str) -> Result<Arc<str>, ServiceError> {
    if (1..=128).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Ok(Arc::from(id));
    }
    let reason =
        format!("{parameter} can only include alphanumeric and punctuation characters. 1 to 128 in length.");
    Err(invalid_value(id, parameter, &reason))
}

/// The one system attribute that can be sent.
pub(crate) fn trace_header(
    attributes: BTreeMap<String, AttributeInput>,
) -> Result<Option<String>, ServiceError> {
    let mut header = None;
    for (name, input) in attributes {
        if name != "AWSTraceHeader" {
            return Err(invalid_parameter(format!("Message system attribute name '{name}' is invalid.")));
        }
        match attribute(&name, input)? {
            Attribute { data_type, value: AttributeValue::Text(text) } if data_type == "String" => {
                header = Some(text);
            }
            _ => {
                return Err(invalid_parameter(
                    "Message system attribute 'AWSTraceHeader' must be of type 'String'.",
                ));
            }
        }
    }
    Ok(header)
}

pub(crate) fn attributes(
    inputs: BTreeMap<String, AttributeInput>,
) -> Result<BTreeMap<String, Attribute>, ServiceError> {
    if inputs.len() > 10 {
        let count = inputs.len();
        return Err(invalid_parameter(format!(
            "Number of message attributes [{count}] exceeds the allowed maximum [10]."
        )));
    }
    let checked = inputs.into_iter().map(|(name, input)| {
        check_name(&name)?;
        let attribute = attribute(&name, input)?;
        Ok((name, attribute))
    });
    checked.collect()
}

fn check_name(name: &str) -> Result<(), ServiceError> {
    let lower = name.to_ascii_lowercase();
    let legal = |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-' | '.');
    if name.is_empty() {
        return Err(invalid_parameter("The request must contain non-empty message (user) attribute names."));
    }
    if name.len() > 256 {
        return Err(invalid_parameter("Message (user) attribute name must be shorter than 256 bytes."));
    }
    if lower.starts_with("aws.") || lower.starts_with("amazon.") {
        return Err(invalid_parameter(
            "You can't use message attribute names beginning with 'AWS.' or 'Amazon'. These strings are reserved for \
             internal use.",
        ));
    }
    if let Some(character) = name.chars().find(|character| !legal(*character)) {
        return Err(invalid_parameter(format!(
            "Invalid non-alphanumeric character '#x{:X}' was found in the message attribute name. Can only include \
             alphanumeric characters, hyphens, underscores, or dots.",
            u32::from(character)
        )));
    }
    if name.starts_with('.') || name.ends_with('.') || name.contains("..") {
        return Err(invalid_parameter(format!(
            "Invalid message attribute name '{name}'. It can't start or end with a dot, nor have two dots in succession."
        )));
    }
    Ok(())
}

fn attribute(name: &str, input: AttributeInput) -> Result<Attribute, ServiceError> {
    let AttributeInput { data_type, string_value, binary_value, string_list_values, binary_list_values } =
        input;
    if !string_list_values.is_empty() || !binary_list_values.is_empty() {
        return Err(invalid_parameter(
            "Message attribute list values in SendMessage operation are not supported.",
        ));
    }
    if string_value.is_none() && binary_value.is_none() {
        return Err(invalid_parameter(format!(
            "The message (user) attribute '{name}' must contain a non-empty message attribute value."
        )));
    }
    let kind = checked_kind(name, &data_type)?;
    let empty = || {
        invalid_parameter(format!(
            "Message (user) attribute '{name}' must contain a non-empty value of type '{kind}'."
        ))
    };
    let value = if kind == "Binary" {
        let text = binary_value.filter(|text| !text.is_empty()).ok_or_else(empty)?;
        let bytes =
            STANDARD.decode(text).map_err(|error| CommonError::Serialization.with(error.to_string()))?;
        AttributeValue::Binary(bytes)
    } else {
        let text = string_value.filter(|text| !text.is_empty()).ok_or_else(empty)?;
        check_text(name, kind, &text)?;
        AttributeValue::Text(text)
    };
    Ok(Attribute { data_type, value })
}

/// The part of a data type before its custom suffix.
fn checked_kind<'a>(name: &str, data_type: &'a str) -> Result<&'a str, ServiceError> {
    if data_type.is_empty() {
        return Err(invalid_parameter(format!(
            "The message (user) attribute '{name}' must contain a non-empty message attribute type."
        )));
    }
    if data_type.len() > 256 {
        return Err(invalid_parameter("Message (user) attribute type must be shorter than 256 bytes."));
    }
    match data_type.split('.').next() {
        Some(kind @ ("String" | "Number" | "Binary")) if data_type[kind.len()..] != *"." => Ok(kind),
        _ => Err(invalid_parameter(format!(
            "The type of message (user) attribute '{name}' is invalid. You must use only the following supported type \
             prefixes: Binary, Number, String."
        ))),
    }
}

/// Of up to 38 digits, those of the exponent and zeros around them aside.
fn is_number(text: &str) -> bool {
    let mantissa = text.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.replace(|character: char| !character.is_ascii_digit(), "");
    let fits = |number: f64| (-1e128..=1e126).contains(&number);
    digits.trim_matches('0').len() <= 38 && text.parse().is_ok_and(fits)
}

fn check_text(name: &str, kind: &str, text: &str) -> Result<(), ServiceError> {
    if kind == "Number" && !is_number(text) {
        return Err(invalid_parameter(format!(
            "Can't cast the value of message (user) attribute '{name}' to a number."
        )));
    }
    if !text.chars().all(is_legal) {
        return Err(invalid_parameter(format!(
            "Invalid characters in the value of message (user) attribute '{name}'."
        )));
    }
    Ok(())
}
