//! Event patterns (semantics 3.2): which events a rule, a pipe or an event source mapping takes.

mod bad;
mod pattern;

pub use bad::BadPattern;
pub use pattern::{Dialect, EventPattern};
