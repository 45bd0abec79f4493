//! Lambda, as far as nothing has to run for it: what a function is, how an invocation ends and what
//! its caller sees (semantics 5.5), and the rules of event source mappings (semantics 5.1-5.4).
//!
//! Nothing here does I/O, reads a clock or waits. Whoever runs functions implements [`Functions`];
//! whoever drives a [`Mapping`] tells it the time.

mod filter;
mod function;
mod functions;
mod invocation;
mod mapping;
mod outcome;
mod place;
mod record;
mod report;
mod returned;

pub use filter::{BadFilter, Filters};
pub use function::{Code, FunctionSpec, LATEST};
pub use functions::{Functions, Running};
pub use invocation::Invocation;
pub use mapping::{Action, Batch, BatchId, Mapping, Settings, Settled};
pub use outcome::{Failed, Outcome, Reason, Reporting};
pub use record::{MessageAttribute, Record};
pub use report::Void;
pub use returned::{Exit, LARGEST_PAYLOAD, Returned};
