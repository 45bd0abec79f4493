//! MessageStructure: one text for all protocols, or one a protocol.

use std::collections::BTreeMap;

use havoq_wire::ServiceError;
use serde_json::Value;

use super::errors::invalid;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Texts {
    default: String,
    of_protocols: BTreeMap<String, String>,
}

impl Texts {
    pub(super) fn parse(message: String, structure: Option<&str>) -> Result<Self, ServiceError> {
        match structure {
            None | Some("") => Ok(Self { default: message, of_protocols: BTreeMap::new() }),
            Some("json") => Self::parse_json(&message),
            Some(_) => Err(invalid("MessageStructure")),
        }
    }

    /// Members that are no strings count as absent.
    fn parse_json(message: &str) -> Result<Self, ServiceError> {
        let wrong = |what: &str| invalid(format_args!("Message Structure - {what}"));
        let Ok(Value::Object(members)) = serde_json::from_str(message) else {
            return Err(wrong("JSON message body failed to parse"));
        };
        let texts = members.into_iter().filter_map(|(protocol, text)| match text {
            Value::String(text) => Some((protocol, text)),
            _ => None,
        });
        let mut of_protocols: BTreeMap<_, _> = texts.collect();
        let default = of_protocols.remove("default");
        Ok(Self {
            default: default.ok_or_else(|| wrong("No default entry in JSON message body"))?,
            of_protocols,
        })
    }

    pub(super) fn of(&self, protocol: &str) -> &str {
        self.of_protocols.get(protocol).unwrap_or(&self.default)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(message: &str) -> Result<Texts, String> {
        Texts::parse(message.to_owned(), Some("json")).map_err(|error| error.message)
    }

    #[test]
    fn a_protocol_without_a_text_of_its_own_gets_the_default() {
        let texts = json(r#"{"default": "d", "sqs": "s", "http": 1}"#).expect("valid");
        assert_eq!((texts.of("sqs"), texts.of("http"), texts.of("email")), ("s", "d", "d"));
    }

    #[test]
    fn bad_structures_have_the_texts_of_sns() {
        let no_default = "Invalid parameter: Message Structure - No default entry in JSON message body";
        for message in [r#"{"sqs": "s"}"#, r#"{"default": {"a": 1}}"#] {
            assert_eq!(json(message).expect_err("refused"), no_default);
        }
        assert_eq!(
            json("{x}").expect_err("refused"),
            "Invalid parameter: Message Structure - JSON message body failed to parse"
        );
    }
}
