//! No consumer took messages where they are not followed, or changed the stack that the scenario
//! describes. The clock jumps for what the scenario's stack has, so that with jumps not even a
//! counterexample is sure: production would not have had the redelivery that made it.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition = Precondition {
    name: "stack_followed",
    text: "no consumer went beyond the scenario's stack, or changed it",
    look,
};

fn look(index: &Index) -> Option<Failed> {
    let (when, what) = index.beyond.as_ref()?;
    let reason = format!(
        "{what}, and what comes of that is not followed\n\
         hint: put what the consumer needs into the scenario's stack, or judge this part by itself"
    );
    let spoils = if index.run.jumps.is_empty() { Spoils::Absences } else { Spoils::Everything };
    Some(Failed::inconclusive(reason, vec![when.seq], spoils))
}
