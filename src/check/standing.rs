//! How a claim stands on the history so far: what waiting steps and the horizon go by.

use havoq_base::StackTime;
use havoq_base::ids::Marker;

use super::claims::checker;
use super::finding::Finding;
use super::index::{Index, Message, Place};
use super::view::View;
use crate::scenario::Claim;

/// Whether a claim is already true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// True so far. What is judged at the end is judged again there.
    Holds,
    /// False for good, and why.
    Broken(String),
    /// It may still come true, until the deadline if there is one.
    Open { deadline: Option<StackTime> },
}

/// How the claim stands. Its deadline counts from `from`: in `steady_state` and `wait` the step's
/// start, for expectations the end of the last injected step.
pub fn standing(claim: &Claim, index: &Index, from: StackTime, now: StackTime) -> Progress {
    let view = View::of_run(index, from);
    match checker(claim).look(&view) {
        Finding::Holds { .. } => Progress::Holds,
        Finding::Broken(breach) => Progress::Broken(breach.reason),
        Finding::Missing(breach, wait) => match wait.deadline {
            Some(deadline) if now > deadline => Progress::Broken(breach.reason),
            deadline => Progress::Open { deadline },
        },
        Finding::Unclear { reason, .. } | Finding::Faulty { reason, .. } => {
            match view.deadline(super::view::within(claim)) {
                Some(deadline) if now > deadline => Progress::Broken(reason),
                deadline => Progress::Open { deadline },
            }
        }
    }
}

/// The markers that can still move, by the history alone: a message of theirs is in a queue that
/// some consumer of the scenario reads. Whether that consumer lives or can be restarted is for the
/// engine, which finds the queues in `Index::queues_of`.
pub fn open_markers(index: &Index) -> Vec<Marker> {
    let open =
        index.stories.iter().filter(|story| index.messages_of(story).any(|message| is_open(index, message)));
    open.map(|story| story.marker.clone()).collect()
}

/// Deleted, expired and redriven messages are over; one that lies where no consumer reads, in a
/// dead-letter queue above all, stays there.
fn is_open(index: &Index, message: &Message) -> bool {
    matches!(&message.place, Place::In(queue) if index.is_consumed(queue))
}
