//! What runs functions, as those see it who want one run.

use std::pin::Pin;

use crate::invocation::Invocation;
use crate::returned::Returned;

/// An invocation under way. To drop it aborts it: the process of the function is killed, and all
/// that descends from it.
pub type Running = Pin<Box<dyn Future<Output = Returned> + Send>>;

/// Runs functions. It keeps no time: who asks for an invocation drops it when the function's
/// timeout is over on the stack's clock, which may jump.
pub trait Functions: Send + Sync {
    fn invoke(&self, invocation: Invocation) -> Running;
}
