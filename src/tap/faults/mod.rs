//! Faults of calls and deliveries: which are armed, and how they are carried out on a call. What
//! each does is crate fault's.

mod armed;
mod meddle;
mod stash;
#[cfg(test)]
mod tests;

pub use armed::{Disarmed, Faults, Firing, Told};
pub(super) use meddle::{Answered, Meddled, Outcome};
