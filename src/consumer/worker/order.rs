//! What the worker expects in a message.

use serde::Deserialize;
use thiserror::Error;

/// An order as the envelope carries it. Fields that it does not know are left alone.
#[derive(Debug, Deserialize)]
struct Envelope {
    id: String,
    #[serde(default = "first_version")]
    version: u64,
    data: Data,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Data {
    order_id: String,
}

fn first_version() -> u64 {
    1
}

/// Why a message is no order.
#[derive(Debug, Error)]
pub enum Invalid {
    #[error("the body is no order: {0}")]
    Body(serde_json::Error),
    #[error("version {0} is not supported")]
    Version(u64),
}

/// A valid order.
#[derive(Debug)]
pub(super) struct Order {
    /// What the marks and the Idempotency-Key are about.
    pub id: String,
    pub order_id: String,
}

pub(super) fn parse(body: &str, rejects_next_version: bool) -> Result<Order, Invalid> {
    let envelope: Envelope = serde_json::from_str(body).map_err(Invalid::Body)?;
    if rejects_next_version && envelope.version > 1 {
        return Err(Invalid::Version(envelope.version));
    }
    Ok(Order { id: envelope.id, order_id: envelope.data.order_id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_next_version_is_an_order_unless_it_is_rejected() {
        let body = r#"{"id": "a", "version": 2, "data": {"orderId": "a", "added": true}}"#;
        assert_eq!(parse(body, false).expect("an order").order_id, "a");
        assert!(matches!(parse(body, true), Err(Invalid::Version(2))));
    }

    #[test]
    fn poison_is_no_order() {
        for body in ["{\"id\": \"a", "plain text", r#"{"id": "a", "data": ["a"]}"#, r#"{"data": {}}"#] {
            assert!(matches!(parse(body, false), Err(Invalid::Body(_))), "{body}");
        }
    }
}
