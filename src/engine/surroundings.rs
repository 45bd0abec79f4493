//! What the consumers of an attempt find around them.

use std::path::PathBuf;

use super::specs::Forced;
use crate::aws::REGION;
use crate::consumer::Surroundings;
use crate::scenario::Scenario;
use crate::stack::Stack;

pub(super) fn surroundings(
    scenario: &Scenario,
    stack: &Stack,
    logs: PathBuf,
    state: PathBuf,
    forced: &Forced,
) -> Surroundings {
    let name = |id: &String| (id.clone(), stack.directory().name_of(id).to_owned());
    Surroundings {
        account: stack.account().to_owned(),
        region: REGION.to_owned(),
        queues: scenario.stack.queues.keys().map(name).collect(),
        effects: scenario.effects.iter().map(|(name, effect)| (name.clone(), effect.path.clone())).collect(),
        state,
        logs,
        havoq: forced.havoq.clone(),
    }
}
