//! YAML and JSON texts as a tree in which every node knows its place. Knows nothing of scenarios.
//!
//! Built on the event parser under serde-saphyr rather than on serde, because serde stops at the
//! first error, loses the tags that CloudFormation's short intrinsics are, and has no place for a
//! missing key. Here all problems of a file are found in one go.

mod compose;
mod node;
mod scalar;
mod syntax;

pub(super) use compose::compose;
pub(super) use node::{Data, Entry, Node};
pub(super) use scalar::Scalar;
