//! Languages that are texts inside of messages and of AWS resources: paths into JSON documents, SNS filter policies,
//! event patterns, and the policies of queues, topics and buses.
//!
//! Pure: text in, values and verdicts out. Nothing here knows a queue, a topic, a clock or the network.

mod event;
mod filter;
mod json;
mod path;
mod policy;
mod rule;

pub use event::{BadPattern, Dialect, EventPattern};
pub use filter::{AttributeValue, BadFilterPolicy, FilterOutcome, FilterPolicy, FilterScope, Why};
pub use path::{BadPath, JsonPath};
pub use policy::{AccessRequest, BadPolicy, Decision, Policy, Principal};
pub use rule::BadRule;
