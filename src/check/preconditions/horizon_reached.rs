//! The judge was allowed to stop because nothing more could happen. Short of that, what is judged
//! at the end stays undecided.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "horizon_reached", text: "the run went on until nothing more could happen", look };

fn look(index: &Index) -> Option<Failed> {
    if index.run.is_complete() {
        return None;
    }
    let evidence = index.run.horizon.iter().map(|horizon| horizon.when.seq).collect();
    // Claims ask for the horizon themselves: those that are decided without it stand.
    Some(Failed::inconclusive(index.run.why_incomplete(), evidence, Spoils::Nothing))
}
