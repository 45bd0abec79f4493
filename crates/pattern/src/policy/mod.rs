//! Resource policies: who may do what to a queue, a topic or an event bus.
//!
//! The part of the IAM policy language that such policies use. Policy variables (`${aws:username}`) are not replaced,
//! and the policies of the caller's own account are not known here: `Decision` says what this one policy says.

mod arn;
mod bad;
mod condition;
mod document;
mod element;
mod glob;
mod principal;
mod request;
mod statement;

pub use bad::BadPolicy;
pub use document::Policy;
pub use request::{AccessRequest, Decision, Principal};
