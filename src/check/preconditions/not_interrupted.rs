//! Nobody stopped the run.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "not_interrupted", text: "the run was not interrupted", look };

fn look(index: &Index) -> Option<Failed> {
    let when = index.run.interrupted?;
    Some(Failed::inconclusive("the run was interrupted", vec![when.seq], Spoils::Absences))
}
