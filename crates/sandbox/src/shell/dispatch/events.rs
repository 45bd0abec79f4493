//! EventBridge's operations.

use super::{Answer, Dispatch, not_built};

impl Dispatch<'_> {
    pub(super) fn events(&self) -> Answer {
        Err(not_built("EventBridge", &self.head.operation))
    }
}
