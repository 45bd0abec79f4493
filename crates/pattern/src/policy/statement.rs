//! One statement of a policy.

use serde_json::Value;

use super::arn::ArnPattern;
use super::bad::BadPolicy;
use super::condition::{self, Condition};
use super::element::{self, Either};
use super::glob::Glob;
use super::principal::{self, Named};
use super::request::AccessRequest;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    Allow,
    Deny,
}

#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) sid: Option<String>,
    pub(super) effect: Effect,
    principals: Either<Vec<Named>>,
    actions: Either<Vec<Action>>,
    /// Without one the statement is about the resource that the policy hangs on.
    resources: Option<Either<Vec<ArnPattern>>>,
    conditions: Vec<Condition>,
}

/// A pattern of actions, in lower case: their names have no case.
#[derive(Clone, Debug)]
struct Action {
    text: String,
    pattern: Glob,
}

const ELEMENTS: &[&str] = &[
    "Sid",
    "Effect",
    "Principal",
    "NotPrincipal",
    "Action",
    "NotAction",
    "Resource",
    "NotResource",
    "Condition",
];

impl Statement {
    pub(super) fn parse(value: &Value) -> Result<Self, BadPolicy> {
        let statement = element::object(value, "Statement")?;
        element::only_known(statement, ELEMENTS)?;
        let missing = |name: &str| BadPolicy::new(format!("{name} is missing"));
        Ok(Self {
            sid: statement.get("Sid").map(|sid| element::text(sid, "Sid").map(str::to_owned)).transpose()?,
            effect: effect(statement.get("Effect").ok_or_else(|| missing("Effect"))?)?,
            principals: element::either(statement, "Principal", principal::parse)?
                .ok_or_else(|| missing("Principal"))?,
            actions: element::either(statement, "Action", actions)?.ok_or_else(|| missing("Action"))?,
            resources: element::either(statement, "Resource", resources)?,
            conditions: statement.get("Condition").map(condition::parse).transpose()?.unwrap_or_default(),
        })
    }

    /// Whether it is about the request: all of its elements must be.
    pub(super) fn applies(&self, request: &AccessRequest<'_>) -> bool {
        let action = request.action.to_ascii_lowercase();
        self.principals.holds(|named| named.iter().any(|named| named.is(request.principal)))
            && self.actions.holds(|actions| actions.iter().any(|wanted| wanted.pattern.matches(&action)))
            && self.resources.as_ref().is_none_or(|resources| {
                resources.holds(|patterns| patterns.iter().any(|pattern| pattern.matches(request.resource)))
            })
            && self.conditions.iter().all(|condition| condition.holds(request.context))
    }

    /// Whether it names actions of this service alone.
    pub(super) fn stays_within(&self, service: &str) -> bool {
        self.actions.inner().iter().all(|action| {
            action.text == "*"
                || action.text.split_once(':').is_some_and(|(prefix, _)| prefix.eq_ignore_ascii_case(service))
        })
    }
}

fn effect(value: &Value) -> Result<Effect, BadPolicy> {
    match value.as_str() {
        Some("Allow") => Ok(Effect::Allow),
        Some("Deny") => Ok(Effect::Deny),
        _ => Err(BadPolicy::new("Effect must be Allow or Deny")),
    }
}

fn actions(value: &Value) -> Result<Vec<Action>, BadPolicy> {
    let action = |text: &str| {
        let is_named =
            text.split_once(':').is_some_and(|(service, name)| !service.is_empty() && !name.is_empty());
        if text != "*" && !is_named {
            return Err(BadPolicy::new(format!("no such action: {text:?}")));
        }
        let text = text.to_ascii_lowercase();
        Ok(Action { pattern: Glob::parse(&text), text })
    };
    element::texts(value, "Action")?.into_iter().map(action).collect()
}

fn resources(value: &Value) -> Result<Vec<ArnPattern>, BadPolicy> {
    // What is no ARN is taken, as SQS was seen to do, and matches nothing.
    let resource = |text: &str| match text.starts_with("arn:") {
        true => ArnPattern::completed(text),
        false => ArnPattern::parse(text),
    };
    Ok(element::texts(value, "Resource")?.into_iter().map(resource).collect())
}
