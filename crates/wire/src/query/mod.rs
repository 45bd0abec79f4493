//! The AWS Query protocol: forms in, XML out (semantics 1.15).

mod document;
mod error;
mod form;
mod input;
mod output;
mod queue_url;
mod result;
#[cfg(test)]
mod round_trip;
mod target;
mod xml;

pub(crate) use error::read_error;
pub(crate) use input::input;
pub(crate) use output::{failure, success};
pub(crate) use result::read_result;
pub(crate) use target::{service, target};
