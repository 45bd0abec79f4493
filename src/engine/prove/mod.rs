//! `havoq prove`: runs with mutations of what a scenario runs on, to show that its expectations can
//! fail. One more mutation is a line in `table.rs`, and a file where it works in a new way.

mod deliveries;
mod effects;
mod forge;
mod mutating;
mod mutation;
mod needs;
mod stack;
mod suite;
mod table;
#[cfg(test)]
mod tests;

pub(super) use mutating::Mutating;
pub use suite::prove;
pub use table::mutations;
