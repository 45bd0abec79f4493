//! SNS: so far topics as names that an alarm can act on, and what a service publishes to them.

mod service;
mod topics;

pub(crate) use service::ServicePublish;
pub(crate) use topics::Topics;
