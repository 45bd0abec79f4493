//! The stack under test: provisioned from its template, stepped by the engine. Every call that
//! changes it goes through here and needs a permit.

mod calls;
mod errors;
mod facts;
mod foreign;
mod names;
pub mod probe;
mod provision;
mod spec;
#[cfg(test)]
mod tests;
mod which;

pub use foreign::{Depth, Foreign, Peeked, forward_to};
pub use provision::Embedded;
pub use spec::{Outgoing, RedriveState, StackError, StackSpec};
pub use which::Stack;
