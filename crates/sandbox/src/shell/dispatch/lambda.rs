//! Lambda's operations.

use super::{Answer, Dispatch, not_built};

impl Dispatch<'_> {
    pub(super) async fn lambda(&self) -> Answer {
        Err(not_built("Lambda", &self.head.operation))
    }
}
