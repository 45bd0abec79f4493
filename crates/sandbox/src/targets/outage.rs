//! Outages: resources that answer every service with a server-side error, as a fault of havoq's.
//! Clients notice nothing.

use std::collections::BTreeMap;

use havoq_base::StackTime;

use super::error::{ErrorCode, TargetError};
use crate::core::Core;

/// What services get instead of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outage {
    Unavailable,
    Throttled,
}

impl Outage {
    pub(super) fn error(self) -> TargetError {
        match self {
            Self::Unavailable => ErrorCode::ErrorFromTarget.with("the target is unavailable"),
            Self::Throttled => ErrorCode::Throttling.with("the target throttles"),
        }
    }
}

/// What is out, by ARN.
#[derive(Debug, Default)]
pub(crate) struct Outages(BTreeMap<String, Outage>);

impl Core {
    /// Whether services get server-side errors from this resource.
    pub(crate) fn outage_of(&self, arn: &str) -> Option<Outage> {
        self.outages.0.get(arn).copied()
    }

    /// Lets an outage begin.
    pub(crate) fn begin_outage(&mut self, arn: &str, outage: Outage) {
        self.outages.0.insert(arn.to_owned(), outage);
    }

    /// Lets an outage end.
    pub(crate) fn end_outage(&mut self, now: StackTime, arn: &str) {
        if self.outages.0.remove(arn).is_some() {
            self.resume_deliveries(now, arn);
        }
    }
}
