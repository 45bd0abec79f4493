//! havoq and the stack had no fault of their own.

use super::{Failed, Precondition, Spoils};
use crate::check::index::Index;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "harness_sound", text: "havoq and the stack had no fault of their own", look };

fn look(index: &Index) -> Option<Failed> {
    let (_, first) = index.run.errors.first()?;
    let evidence = index.run.errors.iter().map(|(when, _)| when.seq).collect();
    // What is left on somebody's stack must be named, whatever went wrong before.
    let left = index.run.errors.iter().skip(1).map(|(_, error)| error);
    let left: Vec<&str> = left.filter(|error| error.starts_with("left behind")).map(String::as_str).collect();
    let told = std::iter::once(first.as_str()).chain(left.iter().copied()).collect::<Vec<_>>().join("; ");
    let reason = match index.run.errors.len() - 1 - left.len() {
        0 => told,
        more => format!("{told}; and {more} more"),
    };
    Some(Failed::error(reason, evidence, Spoils::Everything))
}
