//! Many scenarios, side by side.

use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::{Pace, RealDuration, RunStart, Seed, StackDuration};
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use super::attempt::{Ended, Setting, attempt};
use super::bounds::Stretch;
use super::probing::Probed;
use super::progress::{Progress, Stage};
use super::specs::Forced;
use crate::check::{Judgement, Sweep, Tried, further_attempt, judge};
use crate::guard::{Permit, Target};
use crate::history::{HistoryFile, WriteError};
use crate::scenario::Scenario;

/// How a suite is to be run.
pub struct Options {
    pub permit: Permit,
    pub on: Target,
    pub seed: Seed,
    pub pace: Pace,
    /// Real time for each attempt at a scenario.
    pub timeout: RealDuration,
    pub jobs: usize,
    /// The run's own folder below `reports/`.
    pub folder: PathBuf,
    pub forced: Forced,
    pub progress: Arc<dyn Progress>,
    /// Turns true when the user asks to stop.
    pub interrupt: watch::Receiver<bool>,
}

#[derive(Debug, Error)]
pub enum SuiteError {
    #[error(transparent)]
    History(#[from] WriteError),
    #[error("cannot make the folder {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
}

/// The judgements, in the order of the scenarios, and what went wrong with the history.
pub struct SuiteResult {
    pub judgements: Vec<Judgement>,
    /// Of a sweep.
    pub sweep: Option<Sweep>,
    pub history: Result<(), WriteError>,
}

/// Runs the scenarios.
pub async fn run(
    scenarios: Vec<Scenario>,
    options: Options,
    start: RunStart,
) -> Result<SuiteResult, SuiteError> {
    let suite = Suite::open(&scenarios, options, start).await?;
    let judgements = suite.run_all(scenarios, |tried| tried.judgement).await;
    Ok(SuiteResult { judgements, sweep: None, history: suite.close() })
}

/// A run that is under way: its history, and whose turn it is.
pub(super) struct Suite {
    options: Arc<Options>,
    file: Arc<HistoryFile>,
    slots: Arc<Semaphore>,
    probed: Arc<Probed>,
    start: RunStart,
}

impl Suite {
    pub(super) async fn open(
        scenarios: &[Scenario],
        options: Options,
        start: RunStart,
    ) -> Result<Self, SuiteError> {
        let file = Arc::new(HistoryFile::create(options.folder.join("history.jsonl"))?);
        let slots = Arc::new(Semaphore::new(options.jobs.max(1)));
        let probed = Arc::new(Probed::of(scenarios, &options).await);
        Ok(Self { options: Arc::new(options), file, slots, probed, start })
    }

    /// Runs the scenarios side by side, and keeps of each what `keep` makes of it.
    pub(super) async fn run_all<T: Send + 'static>(
        &self,
        scenarios: Vec<Scenario>,
        keep: fn(Tried) -> T,
    ) -> Vec<T> {
        let tasks: Vec<_> = scenarios
            .into_iter()
            .map(|scenario| {
                let (slots, options, file) =
                    (Arc::clone(&self.slots), Arc::clone(&self.options), Arc::clone(&self.file));
                let (probed, start) = (Arc::clone(&self.probed), self.start);
                tokio::spawn(async move {
                    // The semaphore is never closed.
                    let _slot = slots.acquire_owned().await;
                    keep(run_one(scenario, &options, &probed, file, start).await)
                })
            })
            .collect();
        let mut kept = Vec::new();
        for task in tasks {
            match task.await {
                Ok(one) => kept.push(one),
                Err(panic) => std::panic::resume_unwind(panic.into_panic()),
            }
        }
        kept
    }

    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// The history is whole. What went wrong with it, if something did.
    pub(super) fn close(&self) -> Result<(), WriteError> {
        // Each attempt has removed its own folder in it.
        std::fs::remove_dir_all(self.options.folder.join("state")).ok();
        self.file.finish()
    }
}

/// Attempts the scenario until no further attempt could tell more, and judges all of them.
async fn run_one(
    scenario: Scenario,
    options: &Options,
    probed: &Probed,
    file: Arc<HistoryFile>,
    run: RunStart,
) -> Tried {
    let mut events = Vec::new();
    let mut stretch = Stretch::none();
    options.progress.stage(&scenario.name, &Stage::Started, StackDuration::ZERO);
    for number in 1.. {
        let ended = try_once(&scenario, options, probed, &file, run, number, &stretch).await;
        stretch = stretch.further(&ended.events);
        events.extend(ended.events);
        let why = if ended.whole { further_attempt(&scenario, &events) } else { None };
        let Some(why) = why else { break };
        let again = Stage::Again { attempt: number + 1, why };
        options.progress.stage(&scenario.name, &again, StackDuration::ZERO);
    }
    let judgement = judge(&scenario, &events);
    let covered = StackDuration::from_micros((judgement.virtual_s * 1e6) as u64);
    options.progress.stage(&scenario.name, &Stage::Ended, covered);
    Tried { scenario, events, judgement }
}

/// One attempt, with a stack, markers, state and logs of its own.
async fn try_once(
    scenario: &Scenario,
    options: &Options,
    probed: &Probed,
    file: &Arc<HistoryFile>,
    run: RunStart,
    number: u32,
    stretch: &Stretch,
) -> Ended {
    let own = |folder: &str| {
        let folder = options.folder.join(folder).join(folder_name(&scenario.name));
        if number == 1 { folder } else { folder.join(format!("attempt-{number}")) }
    };
    let state = own("state");
    let ended = attempt(Setting {
        scenario,
        permit: &options.permit,
        on: &options.on,
        attempt: number,
        seed: options.seed,
        pace: options.pace,
        run,
        timeout: options.timeout,
        stretch,
        probed,
        file: Arc::clone(file),
        forced: &options.forced,
        logs: own("logs"),
        state: state.clone(),
        progress: &*options.progress,
        interrupt: options.interrupt.clone(),
    })
    .await;
    // The consumers' own files were theirs for the attempt alone.
    std::fs::remove_dir_all(&state).ok();
    ended
}

/// The scenario's name as a folder; a name that cannot be one is told from its likes by a hash.
fn folder_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let slug: String = name.chars().map(|c| if fits(c) { c } else { '-' }).take(80).collect();
    if slug == name { slug } else { format!("{slug}-{:08x}", Seed(0).fork(name).0 as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_has_a_folder_of_its_own() {
        assert_eq!(folder_name("poison-message"), "poison-message");
        let names = ["a b", "a/b", "../b", "..", &"x".repeat(200)];
        let folders: std::collections::BTreeSet<String> =
            names.iter().map(|name| folder_name(name)).collect();
        assert_eq!(folders.len(), names.len());
        assert!(folders.iter().all(|folder| !folder.contains(['/', '.']) && folder.len() <= 100));
    }
}
