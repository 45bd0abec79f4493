//! A filter policy, and the two things that it can look at.

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::rule::{Language, Rule, Table};

use super::attributes::{self, AttributeValue};
use super::limits::{self, BadFilterPolicy};
use super::outcome::{FilterOutcome, Why};

/// A filter policy that SNS would take.
#[derive(Clone, Debug, PartialEq)]
pub struct FilterPolicy {
    /// `None` for `{}`, which lets everything through.
    table: Option<Table>,
    /// The top-level names, to tell which attributes it looks at.
    names: HashSet<String>,
}

/// What the policy is matched against.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FilterScope {
    MessageAttributes,
    MessageBody,
}

impl FilterPolicy {
    /// Reads the attribute `FilterPolicy` of a subscription. No text at all means no policy, which is the caller's to see.
    pub fn parse(text: &str, scope: FilterScope) -> Result<Self, BadFilterPolicy> {
        limits::check_size(text)?;
        let Value::Object(fields) =
            serde_json::from_str(text).map_err(|error| BadFilterPolicy::NotJson(error.to_string()))?
        else {
            return Err(crate::rule::BadRule::new("Filter is not an object").into());
        };
        if fields.is_empty() {
            return Ok(Self { table: None, names: HashSet::new() });
        }
        let rule = Rule::parse(text, Language::Filter)?;
        limits::check(&rule, scope)?;
        let names = rule.names();
        Ok(Self { table: Some(Table::new(rule, Language::Filter)), names })
    }

    /// For the scope `MessageAttributes`.
    pub fn matches_attributes<'a>(
        &self,
        attributes: impl Iterator<Item = (&'a str, AttributeValue<'a>)>,
    ) -> FilterOutcome {
        let (mut document, mut any, mut readable) = (Map::new(), false, true);
        for (name, value) in attributes {
            any = true;
            if self.names.contains(name) {
                readable &= attributes::insert(&mut document, name, value).is_ok();
            }
        }
        match &self.table {
            None => FilterOutcome::Accepted,
            Some(_) if !readable => FilterOutcome::FilteredOut(Why::InvalidAttributes),
            Some(table) if table.matches(&Value::Object(document)) => FilterOutcome::Accepted,
            Some(_) if !any => FilterOutcome::FilteredOut(Why::NoMessageAttributes),
            Some(_) => FilterOutcome::FilteredOut(Why::MessageAttributes),
        }
    }

    /// For the scope `MessageBody`.
    pub fn matches_body(&self, body: &str) -> FilterOutcome {
        let Some(table) = &self.table else { return FilterOutcome::Accepted };
        match serde_json::from_str(body) {
            Ok(document @ Value::Object(_)) if table.matches(&document) => FilterOutcome::Accepted,
            Ok(Value::Object(_)) => FilterOutcome::FilteredOut(Why::MessageBody),
            _ => FilterOutcome::FilteredOut(Why::InvalidMessageBody),
        }
    }
}
