//! The expectations, one file each. A new one is its file and its line in `READERS`.

mod alarm;
mod dead_lettered;
mod depth;
mod drained;
mod effect;
mod no_effect;
mod rates;
mod redelivered;
mod stays;

use super::finding::Finding;
use super::view::View;
use crate::scenario::Claim;

/// One claim, ready to be looked at.
pub(crate) trait Check {
    /// Its key in the scenario.
    fn kind(&self) -> &'static str;
    /// The claim in one line of plain words.
    fn text(&self) -> String;
    /// Whether a later event can make a true claim false, so that a pass needs the horizon.
    fn judged_at_end(&self) -> bool;
    fn look(&self, view: &View<'_>) -> Finding;
}

type Reader = for<'a> fn(&'a Claim) -> Option<Box<dyn Check + 'a>>;

const READERS: &[Reader] = &[
    alarm::read,
    dead_lettered::read,
    depth::read,
    drained::read,
    effect::read,
    no_effect::read,
    redelivered::read,
    stays::read,
];

/// The checker of a claim.
pub(crate) fn checker(claim: &Claim) -> Box<dyn Check + '_> {
    READERS.iter().find_map(|read| read(claim)).unwrap_or(Box::new(Unknown))
}

/// Stands for a claim that no file reads: it is never judged, so it never passes.
struct Unknown;

impl Check for Unknown {
    fn kind(&self) -> &'static str {
        "unknown"
    }
    fn text(&self) -> String {
        "a claim that this havoq cannot judge".to_owned()
    }
    fn judged_at_end(&self) -> bool {
        true
    }
    fn look(&self, _: &View<'_>) -> Finding {
        Finding::unclear("this havoq has no checker for it")
    }
}
