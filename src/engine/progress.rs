//! What a run tells while it goes on.

use havoq_base::StackDuration;

/// Where a scenario is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Started,
    /// A further attempt begins, and why.
    Again {
        attempt: u32,
        why: String,
    },
    SteadyState,
    /// The step's key.
    Injecting(String),
    /// Waiting for the claims to be decided.
    Watching,
    Ended,
}

/// Told of each change of stage, and of time going by within one.
pub trait Progress: Send + Sync {
    /// `covered` is the stack time so far.
    fn stage(&self, scenario: &str, stage: &Stage, covered: StackDuration);

    /// So many more scenarios are to come.
    fn more(&self, _scenarios: usize) {}

    /// Something that the user asked for is not so.
    fn warning(&self, scenario: &str, text: &str);
}
