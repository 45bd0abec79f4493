//! What the worker expects in a message.

use serde_json::Value;
use thiserror::Error;

/// Why a message is no order.
#[derive(Debug, Error)]
pub enum Invalid {
    #[error("the body is not JSON: {0}")]
    NotJson(serde_json::Error),
    #[error("{0} is missing or not a text")]
    NotText(&'static str),
    #[error("version {0} is not supported")]
    Version(Value),
}

/// A valid order.
#[derive(Debug)]
pub(super) struct Order {
    /// What the marks and the Idempotency-Key are about.
    pub id: String,
    pub order_id: String,
}

/// Reads an order; fields that it does not know are left alone.
pub(super) fn parse(body: &str, rejects_next_version: bool) -> Result<Order, Invalid> {
    let envelope: Value = serde_json::from_str(body).map_err(Invalid::NotJson)?;
    let text = |value: &Value, what| value.as_str().map(str::to_owned).ok_or(Invalid::NotText(what));
    let id = text(&envelope["id"], "id")?;
    let order_id = text(&envelope["data"]["orderId"], "data.orderId")?;
    let version = &envelope["version"];
    if rejects_next_version && version.as_u64() != Some(1) {
        return Err(Invalid::Version(version.clone()));
    }
    Ok(Order { id, order_id })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_next_version_is_an_order_unless_it_is_rejected() {
        let body = r#"{"id": "a", "version": 2, "data": {"orderId": "a", "added": true}}"#;
        assert_eq!(parse(body, false).expect("an order").order_id, "a");
        assert!(matches!(parse(body, true), Err(Invalid::Version(_))));
    }

    #[test]
    fn poison_is_no_order() {
        for body in ["{\"id\": \"a", "plain text", r#"{"id": "a", "data": ["a"]}"#, r#"{"data": {}}"#] {
            assert!(parse(body, false).is_err(), "{body}");
        }
    }
}
