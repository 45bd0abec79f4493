//! What holds for every scenario without being written down.

mod nothing_discarded;
mod nothing_lost;

use super::fate::Ended;
use super::finding::Finding;
use super::index::Index;

/// One claim that is always on.
pub(crate) struct Always {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
    /// `None` where the scenario lifts it.
    pub(crate) look: fn(&Index, &[Ended]) -> Option<Finding>,
}

pub(crate) const ALWAYS: &[Always] = &[nothing_lost::CLAIM, nothing_discarded::CLAIM];

/// Effects that could not be tied to a message and may be the ones that are missing.
fn stray_effects(index: &Index) -> Vec<u64> {
    let strays = index.strays.iter().filter(|stray| !stray.fact.replay);
    strays.map(|stray| stray.fact.when.seq).collect()
}
