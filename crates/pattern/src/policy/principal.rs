//! The elements `Principal` and `NotPrincipal`.

use serde_json::Value;

use super::bad::BadPolicy;
use super::element;
use super::request::Principal;

/// One of those whom a statement is about.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Named {
    Everyone,
    /// A whole account: its number, or the ARN of its root.
    Account(String),
    /// One user or role. There are no wildcards in it.
    Arn(String),
    Service(String),
    AnyService,
    /// Federated and canonical users, who never call here.
    Stranger,
}

pub(super) fn parse(value: &Value) -> Result<Vec<Named>, BadPolicy> {
    if value == "*" {
        return Ok(vec![Named::Everyone]);
    }
    let kinds = value.as_object().ok_or_else(|| BadPolicy::new("Principal must be \"*\" or an object"))?;
    if kinds.is_empty() {
        return Err(BadPolicy::new("Principal must not be empty"));
    }
    let mut named = Vec::new();
    for (kind, value) in kinds {
        for text in element::texts(value, "Principal")? {
            named.push(match kind.as_str() {
                "AWS" => aws(text)?,
                "Service" if text == "*" => Named::AnyService,
                "Service" => Named::Service(text.to_owned()),
                "Federated" | "CanonicalUser" => Named::Stranger,
                other => return Err(BadPolicy::new(format!("unknown kind of principal {other:?}"))),
            });
        }
    }
    Ok(named)
}

fn aws(text: &str) -> Result<Named, BadPolicy> {
    let is_account = |text: &str| text.len() == 12 && text.bytes().all(|digit| digit.is_ascii_digit());
    if text == "*" {
        return Ok(Named::Everyone);
    }
    if is_account(text) {
        return Ok(Named::Account(text.to_owned()));
    }
    let parts: Vec<&str> = text.splitn(6, ':').collect();
    match parts[..] {
        ["arn", _, "iam", "", account, "root"] if is_account(account) => {
            Ok(Named::Account(account.to_owned()))
        }
        ["arn", _, "iam" | "sts", "", account, name] if is_account(account) && !name.contains(['*', '?']) => {
            Ok(Named::Arn(text.to_owned()))
        }
        _ => Err(BadPolicy::new(format!("no such principal: {text:?}"))),
    }
}

impl Named {
    pub(super) fn is(&self, principal: Principal<'_>) -> bool {
        match (self, principal) {
            (Self::Everyone, _) | (Self::AnyService, Principal::Service(_)) => true,
            (Self::Service(name), Principal::Service(service)) => name == service,
            (Self::Account(account), Principal::Account { id, .. }) => account == id,
            (Self::Arn(named), Principal::Account { arn, .. }) => arn == Some(named.as_str()),
            _ => false,
        }
    }
}
