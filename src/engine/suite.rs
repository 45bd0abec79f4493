//! Many scenarios, side by side.

use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::{Pace, RealDuration, RunStart, Seed};
use thiserror::Error;
use tokio::sync::{Semaphore, watch};

use super::attempt::{Setting, attempt};
use super::progress::Progress;
use super::specs::Forced;
use crate::check::{Judgement, judge};
use crate::guard::{Permit, Target};
use crate::history::{HistoryFile, WriteError};
use crate::scenario::Scenario;

/// How a suite is to be run.
pub struct Options {
    pub permit: Permit,
    pub on: Target,
    pub seed: Seed,
    pub pace: Pace,
    /// Real time for each scenario.
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
    pub history: Result<(), WriteError>,
}

/// Runs the scenarios.
pub async fn run(
    scenarios: Vec<Scenario>,
    options: Options,
    start: RunStart,
) -> Result<SuiteResult, SuiteError> {
    let file = Arc::new(HistoryFile::create(options.folder.join("history.jsonl"))?);
    let slots = Arc::new(Semaphore::new(options.jobs.max(1)));
    let options = Arc::new(options);
    let tasks: Vec<_> = scenarios
        .into_iter()
        .map(|scenario| {
            let (slots, options, file) = (Arc::clone(&slots), Arc::clone(&options), Arc::clone(&file));
            tokio::spawn(async move {
                // The semaphore is never closed.
                let _slot = slots.acquire_owned().await;
                run_one(&scenario, &options, file, start).await
            })
        })
        .collect();
    let mut judgements = Vec::new();
    for task in tasks {
        match task.await {
            Ok(judgement) => judgements.push(judgement),
            Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        }
    }
    Ok(SuiteResult { judgements, history: file.finish() })
}

async fn run_one(scenario: &Scenario, options: &Options, file: Arc<HistoryFile>, run: RunStart) -> Judgement {
    let state = options.folder.join("state").join(&*scenario.name);
    let events = attempt(Setting {
        scenario,
        permit: &options.permit,
        on: &options.on,
        attempt: 1,
        seed: options.seed,
        pace: options.pace,
        run,
        timeout: options.timeout,
        file,
        forced: &options.forced,
        logs: options.folder.join("logs").join(&*scenario.name),
        state: state.clone(),
        progress: &*options.progress,
        interrupt: options.interrupt.clone(),
    })
    .await;
    // The consumers' own files were theirs for the run alone.
    std::fs::remove_dir_all(&state).ok();
    judge(scenario, &events)
}
