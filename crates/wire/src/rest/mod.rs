//! The restJson1 protocol: methods and paths name the operations, and members stand in addresses,
//! headers and bodies.

mod body;
mod error;
mod input;
mod output;
mod path;
mod result;
#[cfg(test)]
mod round_trip;
mod target;

pub(crate) use error::{ERROR_TYPE, failure};
pub(crate) use input::{input, input_without_payload};
pub(crate) use output::{Written, success};
pub(crate) use result::read_result;
pub(crate) use target::{signed_for, target};
