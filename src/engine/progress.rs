//! What a run tells while it goes on.

use havoq_base::StackDuration;

/// Where a scenario is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stage {
    Started,
    SteadyState,
    /// The step's key.
    Injecting(String),
    /// Waiting for the claims to be decided.
    Watching,
    Ended,
}

/// Told of each change of stage.
pub trait Progress: Send + Sync {
    /// `covered` is the stack time so far.
    fn stage(&self, scenario: &str, stage: &Stage, covered: StackDuration);

    /// Something that the user asked for is not so.
    fn warning(&self, scenario: &str, text: &str);
}
