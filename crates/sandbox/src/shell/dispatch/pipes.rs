//! EventBridge Pipes's operations.

use super::{Answer, Dispatch, not_built};

impl Dispatch<'_> {
    pub(super) fn pipes(&self) -> Answer {
        Err(not_built("EventBridge Pipes", &self.head.operation))
    }
}
