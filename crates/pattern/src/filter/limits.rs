//! What SNS does not take as a filter policy (semantics 2.2).

use crate::rule::{BadRule, Rule};

use super::policy::FilterScope;

/// Why SNS refuses a filter policy.
///
/// It displays as SNS says it after the prefix that the caller writes: `Invalid parameter: ` for
/// `SetSubscriptionAttributes`, `Invalid parameter: Attributes Reason: ` for `Subscribe`. SNS appends the place of a
/// syntax error on a second line (` at [Source: ...; line: 1, column: 10]`), which is left out here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadFilterPolicy {
    #[error("FilterPolicy: failed to parse JSON. {0}")]
    NotJson(String),
    #[error("FilterPolicy: {0}")]
    Rule(#[from] BadRule),
    #[error("FilterPolicy: Filter policy can not have more than 5 keys")]
    TooManyKeys,
    #[error("FilterPolicy: Filter policy is too complex")]
    TooComplex,
    /// The limit is documented, its words are not.
    #[error("FilterPolicy: Filter policy is too large")]
    TooLarge,
    #[error("Filter policy scope MessageAttributes does not support nested filter policy")]
    Nested,
}

const BYTES: usize = 256 * 1024;
const KEYS: usize = 5;
const COMBINATIONS: u64 = 150;
const WILDCARDS_A_PATTERN: usize = 3;
const WILDCARD_POINTS: usize = 100;

pub(super) fn check_size(text: &str) -> Result<(), BadFilterPolicy> {
    if text.len() > BYTES { Err(BadFilterPolicy::TooLarge) } else { Ok(()) }
}

pub(super) fn check(rule: &Rule, scope: FilterScope) -> Result<(), BadFilterPolicy> {
    if scope == FilterScope::MessageAttributes && rule.is_nested() {
        return Err(BadFilterPolicy::Nested);
    }
    if rule.keys() > KEYS {
        return Err(BadFilterPolicy::TooManyKeys);
    }
    if rule.combinations() > COMBINATIONS || has_too_many_wildcards(rule) {
        return Err(BadFilterPolicy::TooComplex);
    }
    Ok(())
}

/// A pattern costs 1 point with one wildcard and 3 with more; a field costs the sum of its patterns' points times
/// their number; the policy costs what its fields do. The limits are documented and how it counts was not seen on AWS.
fn has_too_many_wildcards(rule: &Rule) -> bool {
    let (mut total, mut crowded) = (0_usize, false);
    rule.each_field(&mut |any| {
        let (mut patterns, mut points) = (0_usize, 0_usize);
        for pattern in any.iter().flat_map(|operator| operator.wildcards()) {
            patterns += 1;
            points += match pattern.wildcards() {
                0 => 0,
                1 => 1,
                _ => 3,
            };
            crowded |= pattern.wildcards() > WILDCARDS_A_PATTERN;
        }
        total = total.saturating_add(points.saturating_mul(patterns));
    });
    crowded || total > WILDCARD_POINTS
}
