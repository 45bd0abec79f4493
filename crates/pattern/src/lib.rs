//! Languages that are texts inside of messages and of AWS resources: paths into JSON documents, and SNS filter policies.
//!
//! Pure: text in, values and verdicts out. Nothing here knows a queue, a topic, a clock or the network.

mod filter;
mod path;
mod rule;

pub use filter::{AttributeValue, BadFilterPolicy, FilterOutcome, FilterPolicy, FilterScope, Why};
pub use path::{BadPath, JsonPath};
pub use rule::BadRule;
