//! What can be known to fail before anything starts.

use thiserror::Error;

use super::specs::{Forced, specs};
use crate::aws::Directory;
use crate::scenario::Scenario;

/// A consumer that cannot be started.
#[derive(Debug, Error)]
#[error("{file}:{line}:{column}: consumer {consumer} cannot be started: {reason}")]
pub struct BadConsumer {
    pub file: String,
    pub line: u64,
    pub column: u64,
    pub consumer: String,
    pub reason: String,
}

/// Every consumer whose program is missing or cannot be executed.
pub fn preflight(scenario: &Scenario, forced: &Forced) -> Vec<BadConsumer> {
    let bad = |spec: crate::consumer::Spec| {
        let reason = spec.programs().find_map(|program| program.executable().err())?;
        let place = scenario.consumers.get(&spec.name)?.place;
        let (line, column) = (place.line, place.column);
        Some(BadConsumer { file: scenario.file.clone(), line, column, consumer: spec.name, reason })
    };
    // No stack is there yet; what its names stand in does not matter here.
    specs(scenario, forced, &Directory::default()).into_iter().filter_map(bad).collect()
}
