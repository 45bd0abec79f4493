//! A whole policy.

use std::collections::HashSet;

use serde_json::Value;

use super::bad::BadPolicy;
use super::element;
use super::request::{AccessRequest, Decision};
use super::statement::{Effect, Statement};

/// A parsed resource policy.
#[derive(Clone, Debug)]
pub struct Policy {
    statements: Vec<Statement>,
}

const ELEMENTS: &[&str] = &["Version", "Id", "Statement"];
const VERSIONS: &[&str] = &["2008-10-17", "2012-10-17"];

impl Policy {
    pub fn statement_count(&self) -> usize {
        self.statements.len()
    }

    pub fn parse(text: &str) -> Result<Self, BadPolicy> {
        let value: Value = serde_json::from_str(text).map_err(|error| BadPolicy::new(error.to_string()))?;
        let policy = element::object(&value, "the policy")?;
        element::only_known(policy, ELEMENTS)?;
        if let Some(version) = policy.get("Version")
            && !VERSIONS.contains(&element::text(version, "Version")?)
        {
            return Err(BadPolicy::new("Version must be 2012-10-17 or 2008-10-17"));
        }
        policy.get("Id").map(|id| element::text(id, "Id")).transpose()?;
        let statements = policy.get("Statement").ok_or_else(|| BadPolicy::new("Statement is missing"))?;
        let statements = element::list(statements, "Statement")?
            .iter()
            .enumerate()
            .map(|(index, value)| {
                Statement::parse(value).map_err(|bad| bad.within(&format!("statement {}", index + 1)))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let mut sids = HashSet::new();
        match statements
            .iter()
            .filter_map(|statement| statement.sid.as_deref())
            .find(|sid| !sids.insert(*sid))
        {
            Some(sid) => Err(BadPolicy::new(format!("two statements have the Sid {sid:?}"))),
            None => Ok(Self { statements }),
        }
    }

    /// A statement that denies wins over all that allow.
    pub fn decide(&self, request: &AccessRequest<'_>) -> Decision {
        let applies = |effect: Effect| {
            self.statements.iter().any(|statement| statement.effect == effect && statement.applies(request))
        };
        if applies(Effect::Deny) {
            Decision::ExplicitDeny
        } else if applies(Effect::Allow) {
            Decision::Allow
        } else {
            Decision::NoStatement
        }
    }

    /// Whether all actions that it names are of this service, such as `sqs`. SQS and SNS refuse policies with others.
    pub fn stays_within(&self, service: &str) -> bool {
        self.statements.iter().all(|statement| statement.stays_within(service))
    }
}
