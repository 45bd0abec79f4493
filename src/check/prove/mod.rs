//! A proof from its histories: which expectations a mutation has made red, and which none has.

mod matrix;
mod recorded;
mod run;
#[cfg(test)]
mod tests;

pub use matrix::{Cell, MutatedRun, Outcome, Proof, ProvedScenario, SkippedMutation, Standing, Tested};
pub use recorded::{prove_as, recorded_proving};
pub use run::ProofRun;
