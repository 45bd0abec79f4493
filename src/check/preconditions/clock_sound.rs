//! The clock never jumped past a message that a live consumer was still working on. Where it did,
//! what followed is not what real time would have shown (design section 6).

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "clock_sound", text: "the clock overran no consumer", look };

fn look(index: &Index) -> Option<Failed> {
    let first = index.run.overruns.first()?;
    let evidence = index.run.overruns.iter().map(|overrun| overrun.when.seq).collect();
    let message = first.marker.as_ref().map_or("a message", |marker| marker.as_str());
    let reason = format!("the clock overran {} at work on {message}: {}", first.by, first.reason);
    Some(Failed::inconclusive(reason, evidence, Spoils::Everything))
}
