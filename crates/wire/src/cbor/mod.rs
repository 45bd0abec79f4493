//! The protocol Smithy RPC v2 CBOR, which CloudWatch's SDKs speak (semantics 4.2).

mod error;
mod input;
mod output;
#[cfg(test)]
mod round_trip;

pub(crate) use error::read_error;
pub(crate) use input::{input, read_result, target};
pub(crate) use output::{failure, success};
