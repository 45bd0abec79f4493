//! The protocol Smithy RPC v2 CBOR, which CloudWatch's SDKs speak (semantics 4.2).

mod error;
mod input;
mod output;

pub(crate) use error::read_error;
pub(crate) use input::{input, target};
pub(crate) use output::{failure, success};
