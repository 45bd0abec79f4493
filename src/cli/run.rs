//! `havoq run`: the main job.

use std::path::{Path, PathBuf};

use havoq_base::clock::wall_clock;
use havoq_base::{Pace, RealDuration, RunStart, Seed, StackTime};
use tokio::runtime::Builder;
use tokio::sync::watch;

use super::interrupt::Signals;
use super::load::{complain, load};
use super::progress::progress;
use super::run_id::run_id;
use super::startup::block_on;
use super::terminal;
use crate::engine::{self, Forced, Options};
use crate::guard::{Permit, Target, admit};
use crate::history::WriteError;
use crate::report::{Exit, Format, Report, RunFacts, Terminal, write_files};
use crate::scenario::{Scale, Scenario, UnknownName};

/// Run scenarios and judge them.
///
/// Exit codes: 0 all passed, 1 a claim was false, 2 bad usage or scenario file, 3 inconclusive,
/// 4 refused, 5 havoq or the stack broke, 130 interrupted.
#[derive(clap::Args)]
pub(super) struct Run {
    /// Scenario files, or folders of them.
    #[arg(required = true)]
    pub(super) paths: Vec<PathBuf>,
    /// Where to run: `sandbox`, a URL, or `aws`.
    #[arg(long, default_value_t = Target::Sandbox)]
    pub(super) on: Target,
    /// Makes a run repeatable; printed in every report.
    #[arg(long)]
    pub(super) seed: Option<Seed>,
    /// `virtual` jumps over spans in which nothing can happen; `real` waits. On a stack at a URL it
    /// is always real [default: virtual on the sandbox].
    #[arg(long, value_parser = ["virtual", "real"])]
    pub(super) clock: Option<String>,
    /// What the durations of stack and scenario are multiplied by, such as 1/60, for stacks on a
    /// real clock.
    #[arg(long)]
    pub(super) scale: Option<Scale>,
    /// Real time for each attempt at a scenario, such as `90s`; what is undecided then is inconclusive.
    #[arg(long, default_value = "60s", value_parser = timeout)]
    pub(super) timeout: RealDuration,
    /// How many scenarios run side by side.
    #[arg(long, short)]
    pub(super) jobs: Option<std::num::NonZeroUsize>,
    /// Where the runs' folders go.
    #[arg(long, default_value = "reports")]
    pub(super) reports: PathBuf,
    /// No progress, only the report.
    #[arg(long, short)]
    pub(super) quiet: bool,
}

pub(super) fn timeout(text: &str) -> Result<RealDuration, String> {
    crate::scenario::real_duration(text)
}

/// What is done with the scenarios.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Job {
    /// All are run.
    Run,
    /// The only one is swept.
    Sweep,
}

/// Why nothing was run.
struct NotStarted(Exit, String);

impl Run {
    pub(super) fn execute(self) -> Exit {
        self.carry_out(Job::Run)
    }

    pub(super) fn carry_out(self, job: Job) -> Exit {
        match self.prepare() {
            Ok(prepared) => prepared.run(job),
            Err(NotStarted(exit, message)) => {
                if !message.is_empty() {
                    eprintln!("error: {message}");
                }
                exit
            }
        }
    }

    fn prepare(self) -> Result<Prepared, NotStarted> {
        let start = RunStart::now();
        let pace = self.pace()?;
        let permit = admit(&self.on).map_err(|refusal| NotStarted(Exit::Refused, refusal.to_string()))?;
        let scenarios = load(&self.paths).map_err(|problems| {
            complain(&problems);
            NotStarted(Exit::Usage, String::new())
        })?;
        let forced = forced().map_err(|message| NotStarted(Exit::Usage, message))?;
        let bad: Vec<String> = scenarios
            .iter()
            .flat_map(|scenario| engine::preflight(scenario, &forced))
            .map(|bad| bad.to_string())
            .collect();
        if !bad.is_empty() {
            return Err(NotStarted(Exit::Usage, bad.join("\nerror: ")));
        }
        let scenarios = scaled(scenarios, self.scale);
        if cfg!(not(target_os = "linux")) {
            eprintln!(
                "warning: children that leave their consumer's process group can only be ended on Linux; \
                 here they may outlive the run"
            );
        }
        let seed = self.seed.unwrap_or_else(Seed::fresh);
        let started = wall_clock();
        let (run_id, folder) = make_folder(&self.reports, started)?;
        let permit = permit.for_run(&run_id);
        for scenario in &scenarios {
            for ignored in &scenario.stack.ignored {
                eprintln!("warning: {}: {ignored}", scenario.file);
            }
        }
        Ok(Prepared { run: self, start, pace, permit, scenarios, forced, seed, started, run_id, folder })
    }
}

impl Run {
    /// Only a stack of our own has a clock that can jump.
    fn pace(&self) -> Result<Pace, NotStarted> {
        match (&self.on, self.clock.as_deref()) {
            (Target::Sandbox, Some("real")) => Ok(Pace::Real),
            (Target::Sandbox, _) => Ok(Pace::Virtual),
            (Target::Url(url), Some("virtual")) => {
                let message = format!(
                    "--clock virtual cannot be had on {url}: its clock is its own\n\
                     hint: leave --clock out, and shorten the durations with --scale 1/60"
                );
                Err(NotStarted(Exit::Usage, message))
            }
            (Target::Url(_) | Target::Aws, _) => Ok(Pace::Real),
        }
    }
}

fn scaled(scenarios: Vec<Scenario>, scale: Option<Scale>) -> Vec<Scenario> {
    match scale {
        Some(scale) => scenarios.into_iter().map(|scenario| scenario.scaled_by(scale)).collect(),
        None => scenarios,
    }
}

/// Everything that could be known to fail has been looked at.
struct Prepared {
    run: Run,
    start: RunStart,
    pace: Pace,
    permit: Permit,
    scenarios: Vec<Scenario>,
    forced: Forced,
    seed: Seed,
    started: StackTime,
    run_id: String,
    folder: PathBuf,
}

impl Prepared {
    fn run(self, job: Job) -> Exit {
        block_on(&mut Builder::new_multi_thread(), self.run_all(job)).unwrap_or_else(|exit| exit)
    }

    async fn run_all(mut self, job: Job) -> Result<Exit, Exit> {
        let (interrupted, interrupt) = watch::channel(false);
        tokio::spawn(Signals::listening()?.obey(interrupted));
        let jobs = self.run.jobs.map_or_else(default_jobs, std::num::NonZeroUsize::get);
        let pace = self.pace;
        let progress = progress(self.scenarios.len(), terminal::stderr_is_live(), self.run.quiet);
        let options = Options {
            permit: self.permit,
            on: self.run.on.clone(),
            seed: self.seed,
            pace,
            timeout: self.run.timeout,
            jobs,
            folder: self.folder.clone(),
            forced: self.forced,
            progress,
            interrupt: interrupt.clone(),
        };
        let swept = if job == Job::Sweep { self.scenarios.pop() } else { None };
        let ended = match swept {
            Some(scenario) => engine::sweep(scenario, options, self.start).await,
            None => engine::run(self.scenarios, options, self.start).await,
        };
        let result = match ended {
            Ok(result) => result,
            Err(error) => {
                eprintln!("error: {error}\nhint: name a folder that can be written with --reports");
                // Nothing was started, and so there is nothing to report.
                std::fs::remove_dir(&self.folder).ok();
                return Err(Exit::Usage);
            }
        };
        let facts = RunFacts {
            run_id: self.run_id,
            seed: self.seed,
            stack: self.run.on.to_string(),
            clock: if pace == Pace::Real { "real" } else { "virtual" }.to_owned(),
            started: self.started,
            wall_s: self.start.elapsed().as_secs_f64(),
            interrupted: *interrupt.borrow(),
            refused: false,
        };
        Ok(report(
            Report::new(facts, result.judgements).with_sweep(result.sweep),
            &self.folder,
            result.history,
        ))
    }
}

fn report(mut report: Report, folder: &Path, history: Result<(), WriteError>) -> Exit {
    // Before the report: the last line that a user sees is the outcome.
    let broken = |error: String, report: &mut Report| {
        eprintln!("error: {error}\nhint: make room there, or name another folder with --reports");
        if report.exit != Exit::Interrupted {
            report.exit = Exit::Error;
        }
    };
    if let Err(error) = history {
        broken(error.to_string(), &mut report);
    }
    if let Err(error) = write_files(&report, folder) {
        broken(error.to_string(), &mut report);
    }
    match (Terminal { style: terminal::style() }).render(&report) {
        Ok(text) => terminal::print(&text),
        Err(error) => eprintln!("error: {error}"),
    }
    report.exit
}

/// Scenarios mostly wait for their consumers, so more of them than cores keep the cores busy.
fn default_jobs() -> usize {
    std::thread::available_parallelism().map_or(2, std::num::NonZeroUsize::get) * 2
}

fn forced() -> Result<Forced, String> {
    let havoq =
        std::env::current_exe().map_err(|error| format!("cannot find havoq's own program: {error}"))?;
    let worker_bug = match std::env::var("HAVOQ_WORKER_BUG") {
        Ok(name) if name.is_empty() => None,
        Ok(name) => {
            Some(name.parse().map_err(|unknown: UnknownName| format!("HAVOQ_WORKER_BUG: {unknown}"))?)
        }
        Err(_) => None,
    };
    Ok(Forced { havoq, worker_bug })
}

/// Makes the run's folder.
fn make_folder(reports: &Path, started: StackTime) -> Result<(String, PathBuf), NotStarted> {
    let run_id = run_id(started);
    let folder = reports.join(&run_id);
    match std::fs::create_dir_all(&folder) {
        Ok(()) => Ok((run_id, folder)),
        Err(error) => {
            let message = format!(
                "cannot make the folder {}: {error}\nhint: name a folder that can be written with --reports",
                folder.display()
            );
            Err(NotStarted(Exit::Usage, message))
        }
    }
}
