//! What a function is, to whoever runs it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bytes::Bytes;
use havoq_base::StackDuration;

use crate::place::region_of;

/// The version that has not been published.
pub const LATEST: &str = "$LATEST";

/// One version of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FunctionSpec {
    pub name: String,
    /// Without a version.
    pub arn: String,
    /// A number, or [`LATEST`].
    pub version: String,
    /// `_HANDLER`; custom runtimes may have none.
    pub handler: Option<String>,
    /// Such as `python3.13`; what has a command of its own needs none.
    pub runtime: Option<String>,
    /// How long an invocation may take on the stack's clock. Whoever drives it keeps the time.
    pub timeout: StackDuration,
    pub memory_mb: u32,
    pub environment: BTreeMap<String, String>,
    pub code: Code,
}

/// Where a function's code is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Code {
    /// A command that speaks the Runtime API, run in `folder`, or where havoq runs.
    Command { command: Vec<String>, folder: Option<PathBuf> },
    /// A ZIP archive, as the API takes it.
    Zip(Bytes),
    /// None that can be had here, and why.
    Elsewhere(String),
}

impl FunctionSpec {
    /// The region that its ARN names.
    pub fn region(&self) -> &str {
        region_of(&self.arn)
    }
}
