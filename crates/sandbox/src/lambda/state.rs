//! All that Lambda is.

use super::asynchronous::Events;
use super::registry::Registry;
use super::running::Running;
use super::sources::Sources;

#[derive(Debug, Default)]
pub(crate) struct Lambda {
    pub(super) functions: Registry,
    pub(super) running: Running,
    pub(super) events: Events,
    pub(super) sources: Sources,
}

impl Lambda {
    /// Without anything, but for what tells invocations under way from later ones.
    pub(crate) fn emptied(&mut self) -> Self {
        Self { running: self.running.emptied(), ..Self::default() }
    }
}
