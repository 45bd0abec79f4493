//! The stack under test: provisioned from its template, stepped by the engine. Every call that
//! changes it goes through here and needs a permit.

mod facts;
mod names;
mod provision;

pub use provision::{Outgoing, RedriveState, Stack, StackError, StackSpec};
