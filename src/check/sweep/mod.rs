//! A sweep from its histories: which boundaries there are, and what came of a kill at each.

mod boundaries;
mod grid;
mod recorded;

pub use boundaries::{Crossing, boundaries};
pub use grid::{Column, LeftOutLine, Row, Sweep, Untried, Why, in_order};
pub use recorded::{recorded, vary};

use super::verdict::{Judgement, Verdict};
use crate::history::Event;
use crate::scenario::Scenario;

/// A scenario that was run and judged, with what it was judged by.
#[derive(Debug)]
pub struct Tried {
    pub scenario: Scenario,
    /// Those of all attempts.
    pub events: Vec<Event>,
    pub judgement: Judgement,
}

impl Tried {
    /// The events of the attempt that counts.
    pub fn last_attempt(&self) -> impl Iterator<Item = &Event> {
        let last = self.events.iter().map(|event| event.attempt).max();
        self.events.iter().filter(move |event| Some(event.attempt) == last)
    }
}
