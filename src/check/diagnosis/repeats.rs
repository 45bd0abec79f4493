//! More effects than one for one marker.

use std::collections::BTreeMap;

use super::{Case, Cause};

/// A redelivery or a second copy made a second effect in the same sink.
pub(super) fn no_idempotency(case: &Case<'_>) -> Option<Cause> {
    let mut first: BTreeMap<&str, u64> = BTreeMap::new();
    let effects = case.story.effects.iter().filter(|fact| !fact.replay);
    for fact in effects {
        match first.insert(fact.effect.as_str(), fact.when.seq) {
            None => {}
            Some(before) => {
                return Some(Cause::new("no-idempotency", fact.when.seq, vec![before, fact.when.seq]));
            }
        }
    }
    None
}
