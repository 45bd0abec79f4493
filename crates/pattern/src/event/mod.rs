//! Event patterns (semantics 3.2): which events a rule, a pipe or an event source mapping takes.
//!
//! What is not established, and what is done here (none of it is claimed of AWS):
//! - Numbers are compared by value: `[300]` matches 300.0 and 3.0e2, as was seen on AWS, though the documentation says
//!   otherwise. An integer that no binary64 holds is the same as itself alone, and is refused by `numeric`.
//! - `{"exists": false}` matches where there is an empty array or an empty object, since no leaf is there.
//! - `$or` that is not followed by at least two objects without reserved names is the name of a field.
//! - The combinations of `$or`, at most 1,000, are the ways to choose among its rules. Values of a field do not count.
//! - How many wildcards are too many (`limits.rs`).
//! - What follows the pattern's object is not looked at.
//! - Lambda's filters have the operators that Lambda documents, and no others.
//! - A field that an event spells in two ways, nested and with a dotted name, is met by either.

mod bad;
mod limits;
mod pattern;

pub use bad::BadPattern;
pub use pattern::{Dialect, EventPattern};
