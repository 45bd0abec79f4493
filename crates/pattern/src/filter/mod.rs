//! SNS filter policies (semantics 2.2): which messages of a topic a subscription gets.

mod attributes;
mod limits;
mod outcome;
mod policy;

pub use attributes::AttributeValue;
pub use limits::BadFilterPolicy;
pub use outcome::{FilterOutcome, Why};
pub use policy::{FilterPolicy, FilterScope};
