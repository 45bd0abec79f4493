//! DynamoDB's operations.

use super::{Answer, Dispatch, not_built};

impl Dispatch<'_> {
    pub(super) fn dynamodb(&self) -> Answer {
        Err(not_built("DynamoDB", &self.head.operation))
    }
}
