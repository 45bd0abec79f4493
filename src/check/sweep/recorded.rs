//! A sweep's variant as the history keeps it, and back: the texts alone do not tell of its kill.

use crate::history;
use crate::scenario::{Aim, Boundary, Scenario, Swept, UnknownName};

/// What the history says of a scenario that a sweep runs.
pub fn recorded(swept: &Swept) -> history::Sweep {
    let kill = swept.kill.as_ref().map(|kill| {
        let Aim { boundary: Boundary { consumer, at, nth }, of } = kill.aim.clone();
        history::SweptKill { consumer, point: at.to_string(), nth, of }
    });
    history::Sweep { kill }
}

/// The scenario of the texts as the sweep ran it.
pub fn vary(scenario: Scenario, sweep: &history::Sweep) -> Result<Scenario, String> {
    let Some(kill) = &sweep.kill else { return Ok(scenario.without_kills()) };
    let at = kill.point.parse().map_err(|unknown: UnknownName| unknown.to_string())?;
    let boundary = Boundary { consumer: kill.consumer.clone(), at, nth: kill.nth };
    scenario.killed_at(Aim { boundary, of: kill.of.clone() })
}
