//! What services deliver to on somebody's behalf: queues, topics, functions and buses, and what goes
//! wrong there (semantics 3.4, 3.8). Nothing here knows of rules, schedules or pipes.

mod deliver;
mod error;
mod kind;
mod outage;
mod parameters;
mod retry;

pub(crate) use deliver::{DeadLetter, TargetDelivery};
pub(crate) use error::{ErrorCode, TargetError};
pub(crate) use kind::{TargetKind, service_of};
pub use outage::Outage;
pub(crate) use outage::Outages;
pub(crate) use parameters::{DeadLetterConfig, SqsParameters};
pub(crate) use retry::{Limits, Next, RetryPolicy, TOO_OLD};
