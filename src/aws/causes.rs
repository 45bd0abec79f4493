//! An error and what caused it, in one line.

use std::error::Error;

/// The error and its causes: the outermost one often only says that a client had an error.
pub fn told(error: &(dyn Error + 'static)) -> String {
    let mut parts: Vec<String> = causes(error).map(ToString::to_string).collect();
    parts.dedup();
    parts.join(": ")
}

pub fn causes<'a>(error: &'a (dyn Error + 'static)) -> impl Iterator<Item = &'a (dyn Error + 'static)> {
    let mut next = Some(error);
    std::iter::from_fn(move || {
        let error = next?;
        next = error.source();
        Some(error)
    })
}
