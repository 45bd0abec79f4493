//! EventBridge Scheduler's operations.

use super::{Answer, Dispatch, not_built};

impl Dispatch<'_> {
    pub(super) fn scheduler(&self) -> Answer {
        Err(not_built("EventBridge Scheduler", &self.head.operation))
    }
}
