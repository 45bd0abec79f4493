//! `havoq report`: judge a history again and show what came of it.

use std::path::PathBuf;

use super::terminal;
use crate::check::{Sweep, Tried, in_order, judge, vary};
use crate::history::{self, Event, Kind};
use crate::report::{Exit, Report, RunFacts, formats};
use crate::scenario;

/// Judge a history again, from its file alone, and show the report.
#[derive(clap::Args)]
pub(super) struct Rejudge {
    /// A run's history.jsonl, or its folder.
    history: PathBuf,
    /// How to show it.
    #[arg(long, default_value = "terminal", value_parser = ["terminal", "json", "junit"])]
    format: String,
}

impl Rejudge {
    pub(super) fn execute(mut self) -> Exit {
        if self.history.is_dir() {
            self.history.push("history.jsonl");
        }
        let report = match self.report() {
            Ok(report) => report,
            Err(error) => {
                eprintln!("error: {error}");
                return Exit::Usage;
            }
        };
        let formats = formats(terminal::style());
        let Some(format) = formats.iter().find(|format| format.name() == self.format) else {
            return Exit::Usage;
        };
        match format.render(&report) {
            Ok(bytes) => {
                terminal::print(&bytes);
                report.exit
            }
            Err(error) => {
                eprintln!("error: {error}");
                Exit::Error
            }
        }
    }

    fn report(&self) -> Result<Report, String> {
        let events = history::read_file(&self.history).map_err(|error| error.to_string())?;
        let runs: Result<Vec<_>, _> = by_scenario(&events).into_iter().map(rejudge).collect();
        let runs = in_order(runs?);
        let facts = self.facts(&events).ok_or_else(|| {
            format!("{} holds no run\nhint: name the history.jsonl of a run", self.history.display())
        })?;
        let sweep = Sweep::of(&runs);
        let judgements = runs.into_iter().map(|run| run.judgement).collect();
        Ok(Report::new(facts, judgements).with_sweep(sweep))
    }

    fn facts(&self, events: &[Event]) -> Option<RunFacts> {
        let run_id = self.history.canonicalize().ok();
        let run_id =
            run_id.as_ref().and_then(|path| path.parent()?.file_name()?.to_str()).unwrap_or("unknown");
        events.iter().find_map(|event| match &event.kind {
            Kind::ScenarioLoaded { seed, stack, clock, .. } => Some(RunFacts {
                run_id: run_id.to_owned(),
                seed: *seed,
                stack: stack.clone(),
                clock: clock.clone(),
                started: event.at,
                wall_s: events.last().map_or(0.0, |last| last.real.as_secs_f64()),
                interrupted: events.iter().any(|event| matches!(event.kind, Kind::Interrupted {})),
                refused: false,
            }),
            _ => None,
        })
    }
}

/// The events of each scenario, in the order of the scenarios' first events.
fn by_scenario(events: &[Event]) -> Vec<Vec<Event>> {
    let mut scenarios: Vec<Vec<Event>> = Vec::new();
    for event in events {
        match scenarios.iter_mut().find(|known| known[0].scenario == event.scenario) {
            Some(known) => known.push(event.clone()),
            None => scenarios.push(vec![event.clone()]),
        }
    }
    // As a run lists them, whichever started first.
    scenarios.sort_by(|a, b| file_of(a).cmp(&file_of(b)));
    scenarios
}

fn file_of(events: &[Event]) -> Option<&str> {
    events.iter().find_map(|event| match &event.kind {
        Kind::ScenarioLoaded { scenario_source, .. } => Some(scenario_source.file.as_str()),
        _ => None,
    })
}

fn rejudge(events: Vec<Event>) -> Result<Tried, String> {
    let loaded = events.iter().rev().find_map(|event| match &event.kind {
        Kind::ScenarioLoaded { scenario_source, stack_source, scale, sweep, .. } => {
            Some((scenario_source, stack_source, scale, sweep))
        }
        _ => None,
    });
    let (source, stack, scale, sweep) = loaded.ok_or("the history has a scenario without its text")?;
    let stack = stack.as_ref().map(|stack| (stack.file.clone(), stack.text.clone()));
    let scenario = scenario::parse(&source.file, &source.text, (&stack).into());
    let scenario = scenario.map_err(|problems| scenario::render_problems(&problems, false))?;
    let scenario = match scale {
        Some(scale) => scenario.scaled_by(scale.parse().map_err(|error| format!("in the history: {error}"))?),
        None => scenario,
    };
    let scenario = match sweep {
        Some(sweep) => vary(scenario, sweep).map_err(|error| format!("in the history: {error}"))?,
        None => scenario,
    };
    let judgement = judge(&scenario, &events);
    Ok(Tried { scenario, events, judgement })
}
