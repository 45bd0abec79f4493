//! Texts with a form of their own: regular expressions and addresses.

use std::net::SocketAddr;

use serde_json::{Value, json};

use super::super::problem::Log;
use super::super::yaml::Node;
use super::{Decode, Text};

/// A regular expression.
#[derive(Clone, Debug)]
pub(in crate::scenario) struct Pattern(pub(in crate::scenario) String);

impl Decode for Pattern {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        let Text(text) = Text::decode(node, log)?;
        match regex::bytes::Regex::new(&text) {
            Err(error) => {
                // The last line says what is wrong, the others show where.
                let why = error.to_string();
                let why = why.lines().last().unwrap_or_default().trim_start_matches("error: ");
                log.report(node.span, format!("this is no regular expression: {why}"));
                None
            }
            Ok(pattern) if pattern.is_match(b"") => {
                log.report(node.span, "this matches every line, also an empty one")
                    .hint("name something that only a consumer that is ready writes");
                None
            }
            Ok(_) => Some(Self(text)),
        }
    }
    fn schema() -> Value {
        json!({ "type": "string" })
    }
}

/// An address on loopback, with a port.
#[derive(Clone, Copy, Debug)]
pub(in crate::scenario) struct Loopback(pub(in crate::scenario) SocketAddr);

impl Decode for Loopback {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        // A bare port is a number.
        let text = node.text().filter(|_| node.tag.is_none()).unwrap_or_default();
        match text.parse::<SocketAddr>() {
            Ok(address) if !address.ip().is_loopback() => {
                log.report(node.span, format!("{} is not on loopback", address.ip()))
                    .hint(format!("`127.0.0.1:{}`?", address.port()));
                None
            }
            Ok(address) if address.port() == 0 => {
                log.report(node.span, "the port must be known beforehand").hint("`127.0.0.1:4700`?");
                None
            }
            Ok(address) => Some(Self(address)),
            Err(_) => {
                let port = text.rsplit(':').next().unwrap_or_default().parse::<u16>().unwrap_or(4700);
                log.report(node.span, format!("expected an address with a port, found {}", node.kind()))
                    .hint(format!("`127.0.0.1:{port}`?"));
                None
            }
        }
    }
    fn schema() -> Value {
        json!({ "type": "string", "pattern": "^(127\\.[0-9.]+|\\[::1\\]):[0-9]+$" })
    }
}
