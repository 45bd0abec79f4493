//! How large a pattern may be.

use crate::rule::Rule;

use super::bad::BadPattern;
use super::pattern::Dialect;

/// The ways to choose among the `$or`s of a pattern (semantics 3.2).
const CHOICES: u64 = 1000;

/// How many places of a field's wildcard patterns a text may stand at. The compiler counts something like it, and its
/// limit is not published: this one parts what was seen to be taken from what was seen to be refused.
const PLACES: usize = 10;

pub(super) fn check_length(text: &str, dialect: Dialect) -> Result<(), BadPattern> {
    let longest = match dialect {
        Dialect::EventBridge => 2048,
        Dialect::Pipes | Dialect::Lambda => 4096,
    };
    if text.chars().count() > longest { Err(BadPattern::TooLong(longest)) } else { Ok(()) }
}

pub(super) fn check(rule: &Rule) -> Result<(), BadPattern> {
    if rule.choices() > CHOICES {
        return Err(BadPattern::TooManyChoices);
    }
    let mut crowded = false;
    rule.each_field(&mut |any| {
        let patterns = any.iter().flat_map(|operator| operator.wildcards());
        crowded |= patterns.map(|pattern| pattern.places()).sum::<usize>() > PLACES;
    });
    if crowded { Err(BadPattern::TooComplex) } else { Ok(()) }
}
