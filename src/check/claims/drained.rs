//! `drained`: nothing visible, in flight or delayed, at the horizon; `within` limits the instant
//! from which it stayed so, since nothing but a new message or a redrive can undo it. The counts must agree with the messages that
//! the history itself places in the queue, else one of the two is wrong and it is not judged.

use havoq_base::StackDuration;

use super::Check;
use super::depth::{self, Reached};
use crate::check::finding::Finding;
use crate::check::view::{Role, View};
use crate::check::words;
use crate::scenario::Claim;

struct Drained<'a> {
    queue: &'a str,
    within: Option<StackDuration>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Drained { queue, within } = claim else { return None };
    Some(Box::new(Drained { queue, within: *within }))
}

impl Check for Drained<'_> {
    fn kind(&self) -> &'static str {
        "drained"
    }

    fn text(&self) -> String {
        format!("{} is drained{}", self.queue, words::within(self.within))
    }

    fn judged_at_end(&self) -> bool {
        true
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let finding =
            depth::look(view, self.queue, self.within, Reached::ForGood, &|counts| counts.total() == 0);
        let held = view.index.held_in(self.queue);
        match finding {
            Finding::Holds { evidence, .. } if view.role == Role::Expect && held > 0 => {
                let messages = words::counted(held as u64, "message");
                let reason = format!(
                    "{} is empty by its depth, but {messages} never left it by the history",
                    self.queue
                );
                Finding::Unclear { reason, evidence }
            }
            finding => finding,
        }
    }
}
