//! What the user sees while a run goes on: one live line on a terminal, plain lines elsewhere.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use havoq_base::StackDuration;
use indicatif::{ProgressBar, ProgressStyle};

use crate::engine::{Progress, Stage};

/// A live line on a terminal, plain lines in CI and pipes, nothing when quiet.
pub(super) fn progress(scenarios: usize, live: bool, quiet: bool) -> Arc<dyn Progress> {
    match (quiet, live) {
        (true, _) => Arc::new(Silent),
        (false, true) => Arc::new(Live::new(scenarios)),
        (false, false) => Arc::new(Plain),
    }
}

struct Silent;

impl Progress for Silent {
    fn stage(&self, _: &str, _: &Stage, _: StackDuration) {}

    fn warning(&self, scenario: &str, text: &str) {
        warn(scenario, text);
    }
}

struct Plain;

impl Progress for Plain {
    fn stage(&self, scenario: &str, stage: &Stage, covered: StackDuration) {
        match stage {
            Stage::Started => eprintln!("{scenario}: started"),
            Stage::Again { attempt, why } => eprintln!("{scenario}: attempt {attempt}, since {why}"),
            Stage::Ended => eprintln!("{scenario}: ended after {} of virtual time", whole_seconds(covered)),
            Stage::SteadyState | Stage::Injecting(_) | Stage::Watching => {}
        }
    }

    fn warning(&self, scenario: &str, text: &str) {
        warn(scenario, text);
    }
}

fn warn(scenario: &str, text: &str) {
    eprintln!("warning: {scenario}: {text}");
}

struct Live {
    bar: ProgressBar,
    running: Mutex<BTreeMap<String, String>>,
}

impl Live {
    fn new(scenarios: usize) -> Self {
        let bar = ProgressBar::new(scenarios as u64);
        if let Ok(style) = ProgressStyle::with_template("{spinner} {pos}/{len} {wide_msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(std::time::Duration::from_millis(100));
        Self { bar, running: Mutex::default() }
    }
}

impl Progress for Live {
    fn stage(&self, scenario: &str, stage: &Stage, covered: StackDuration) {
        let mut running = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let text = match stage {
            Stage::Started => "starting".to_owned(),
            Stage::Again { attempt, .. } => format!("attempt {attempt}"),
            Stage::SteadyState => "steady state".to_owned(),
            Stage::Injecting(step) => step.clone(),
            Stage::Watching => "watching".to_owned(),
            Stage::Ended => String::new(),
        };
        if *stage == Stage::Ended {
            running.remove(scenario);
            self.bar.inc(1);
        } else {
            running.insert(scenario.to_owned(), format!("{text} +{}", whole_seconds(covered)));
        }
        let parts: Vec<String> = running.iter().map(|(name, text)| format!("{name}: {text}")).collect();
        self.bar.set_message(parts.join("  "));
    }

    fn more(&self, scenarios: usize) {
        self.bar.inc_length(scenarios as u64);
    }

    fn warning(&self, scenario: &str, text: &str) {
        self.bar.suspend(|| warn(scenario, text));
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn whole_seconds(span: StackDuration) -> StackDuration {
    StackDuration::from_secs(span.as_secs())
}
