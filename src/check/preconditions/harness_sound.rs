//! havoq and the stack had no fault of their own.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "harness_sound", text: "havoq and the stack had no fault of their own", look };

fn look(index: &Index) -> Option<Failed> {
    let (_, first) = index.run.errors.first()?;
    let evidence = index.run.errors.iter().map(|(when, _)| when.seq).collect();
    let reason = match index.run.errors.len() {
        1 => first.clone(),
        count => format!("{first}; and {} more", count - 1),
    };
    Some(Failed::error(reason, evidence, Spoils::Everything))
}
