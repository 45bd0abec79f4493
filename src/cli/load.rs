//! Finds and loads the scenarios that the user named.

use std::collections::HashMap;
use std::path::PathBuf;

use super::terminal::color_on_stderr;
use crate::scenario::{self, Problem, Scenario};

/// All scenarios, or all that is wrong with all of them.
pub(super) fn load(paths: &[PathBuf]) -> Result<Vec<Scenario>, Vec<Problem>> {
    let files = scenario::find(paths).map_err(|problem| vec![problem])?;
    let mut scenarios = Vec::new();
    let mut problems = Vec::new();
    for file in files {
        match scenario::load(&file) {
            Ok(scenario) => scenarios.push(scenario),
            Err(found) => problems.extend(found),
        }
    }
    problems.extend(doubles(&scenarios));
    if problems.is_empty() { Ok(scenarios) } else { Err(problems) }
}

/// The name is what tells scenarios apart in the history and in every report.
fn doubles(scenarios: &[Scenario]) -> Vec<Problem> {
    let mut first: HashMap<&str, &Scenario> = HashMap::new();
    let mut problems = Vec::new();
    for scenario in scenarios {
        if let Some(first) = first.insert(&scenario.name, scenario) {
            let message = format!("the name `{}` is taken by {}", *scenario.name, first.file);
            let mut problem =
                Problem::of_file(&scenario.file, message).hint("give each scenario a name of its own");
            problem.line = scenario.name.place.line;
            problem.column = scenario.name.place.column;
            problems.push(problem);
        }
    }
    problems
}

/// Shows problems on stderr, and how many there are.
pub(super) fn complain(problems: &[Problem]) {
    eprintln!("{}", scenario::render_problems(problems, color_on_stderr()));
    let (count, s) = (problems.len(), if problems.len() == 1 { "" } else { "s" });
    eprintln!("\n{count} problem{s}; nothing was started");
}
