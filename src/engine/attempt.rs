//! One attempt at one scenario: provision, start, steady state, inject, watch, stop.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::clock::wall_clock;
use havoq_base::{Clock, Pace, RealDuration, RunStart, Seed, StackTime, clock};
use havoq_pattern::JsonPath;
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::jumper::Jumper;
use super::progress::{Progress, Stage};
use super::sinks::Sinks;
use super::specs::{Forced, specs, wall_clock_keepers};
use super::waiting::Waiting;
use crate::aws::REGION;
use crate::check::{self, Index, standing};
use crate::consumer::{Fleet, FleetError, Surroundings};
use crate::guard::{Permit, Target};
use crate::history::{HistoryFile, Kind, Phase, Recorder, Source, SourceText};
use crate::inject::{self, Context};
use crate::observe::{HttpSink, SinkSpec, Watcher};
use crate::scenario::{Action, Claim, Scenario, Step};
use crate::stack::{Stack, StackError, StackSpec};
use crate::tap::{Activity, Bounds, CrashPoints, Limits, Wiring};

/// The shortest processing bound that is ever assumed.
const LEAST_BOUND: RealDuration = RealDuration::from_secs(1);
/// The bound while there is nothing yet to calibrate it by.
const UNCALIBRATED: RealDuration = RealDuration::from_secs(10);
/// How long a process may take to its first poll.
const START_BOUND: RealDuration = RealDuration::from_secs(10);

/// What an attempt is made of.
pub(super) struct Setting<'a> {
    pub scenario: &'a Scenario,
    pub permit: &'a Permit,
    pub on: &'a Target,
    pub attempt: u32,
    pub seed: Seed,
    pub pace: Pace,
    pub run: RunStart,
    pub timeout: RealDuration,
    pub file: Arc<HistoryFile>,
    pub forced: &'a Forced,
    pub logs: PathBuf,
    pub state: PathBuf,
    pub progress: &'a dyn Progress,
    pub interrupt: watch::Receiver<bool>,
}

#[derive(Debug, Error)]
enum Broken {
    #[error(transparent)]
    Stack(#[from] StackError),
    #[error(transparent)]
    Consumer(#[from] FleetError),
}

/// An attempt under way.
pub(super) struct Attempt<'a> {
    pub scenario: &'a Scenario,
    permit: &'a Permit,
    seed: Seed,
    pub clock: Clock,
    began: StackTime,
    recorder: Recorder,
    pub stack: Stack,
    /// Who looks at a foreign stack.
    watcher: Option<Arc<Watcher>>,
    pub activity: Arc<Activity>,
    points: Arc<CrashPoints>,
    fleet: Fleet,
    pub waiting: Arc<Waiting>,
    pub index: Index,
    read: usize,
    progress: &'a dyn Progress,
    helpers: Vec<JoinHandle<()>>,
}

/// Runs one attempt and returns its history.
pub(super) async fn attempt(setting: Setting<'_>) -> Vec<crate::history::Event> {
    let began = wall_clock();
    let clock = Clock::new(setting.pace, began, setting.run);
    let scenario = setting.scenario;
    let recorder = Recorder::new(&scenario.name, setting.attempt, clock.clone(), Arc::clone(&setting.file));
    recorder.record(Source::Engine, loaded(&setting));
    setting.progress.stage(&scenario.name, &Stage::Started, Default::default());
    let (timeout, mut interrupt) = (setting.timeout, setting.interrupt.clone());
    match Attempt::prepare(setting, began, recorder.clone()).await {
        Ok(mut attempt) => {
            let gone = attempt.stack.gone();
            let cut = tokio::select! {
                // When the stack goes away, much else ends because of it.
                biased;
                reason = gone => Some(reason),
                cut = attempt.run() => cut,
                () = clock::sleep(timeout) => Some(format!(
                    "the run was not through after --timeout {timeout} of real time\nhint: give it more with --timeout"
                )),
                _ = interrupt.wait_for(|interrupted| *interrupted) => {
                    recorder.record(Source::Engine, Kind::Interrupted {});
                    Some("the run was interrupted".to_owned())
                }
            };
            attempt.close(cut).await;
        }
        Err(error) => {
            recorder.record(Source::Engine, Kind::HarnessError { message: error.to_string() });
        }
    }
    recorder.events()
}

fn loaded(setting: &Setting<'_>) -> Kind {
    let scenario = setting.scenario;
    let source = |(file, text): (&String, &String)| SourceText { file: file.clone(), text: text.clone() };
    Kind::ScenarioLoaded {
        scenario_source: source((&scenario.file, &scenario.text)),
        stack_source: scenario.stack_file.as_ref().map(|(file, text)| source((file, text))),
        seed: setting.seed,
        stack: setting.on.to_string(),
        clock: match setting.pace {
            Pace::Virtual => "virtual".to_owned(),
            Pace::Real => "real".to_owned(),
        },
        havoq: env!("CARGO_PKG_VERSION").to_owned(),
        worker_bug: setting.forced.worker_bug.map(|bug| bug.name().to_owned()),
        scale: setting.scenario.scaled.as_ref().map(|scaled| scaled.scale.to_string()),
    }
}

impl<'a> Attempt<'a> {
    async fn prepare(setting: Setting<'a>, began: StackTime, recorder: Recorder) -> Result<Self, Broken> {
        let scenario = setting.scenario;
        let clock = recorder.clock().clone();
        // Every attempt draws anew, so that no marker of an earlier one can come back.
        let seed = setting.seed.fork(&scenario.name).fork(&setting.attempt.to_string());
        let spec = StackSpec {
            template: &scenario.stack,
            name: &scenario.name,
            clock: clock.clone(),
            seed,
            recorder: recorder.clone(),
            heard: heard(scenario),
        };
        let stack = Stack::provision(setting.permit, setting.on, &spec).await?;
        let (resources, ignored) = (stack.resources().to_vec(), left_out(scenario, &stack));
        recorder.record(Source::Engine, Kind::StackReady { resources, ignored });
        let activity = Arc::new(Activity::new(clock.clone(), Limits::default()));
        let (points, holds) = CrashPoints::new();
        let points = Arc::new(points);
        let wiring = Wiring {
            recorder: recorder.clone(),
            activity: Arc::clone(&activity),
            points: Arc::clone(&points),
            upstream: stack.upstream(),
            sink: Arc::new(Sinks(HttpSink::new(sinks(scenario)))),
            directory: Arc::clone(stack.directory()),
        };
        let surroundings = surroundings(scenario, &stack, setting.logs, setting.state);
        let fleet = Fleet::new(specs(scenario, setting.forced), Arc::new(wiring), surroundings, holds);
        let waiting = Arc::new(Waiting::new(recorder.clone()));
        let mut helpers = Vec::new();
        let mut watcher = None;
        match &stack {
            Stack::Embedded(stack) => {
                let jumper = Jumper {
                    clock: clock.clone(),
                    stack: Arc::clone(stack),
                    activity: Arc::clone(&activity),
                    recorder: recorder.clone(),
                    waiting: Arc::clone(&waiting),
                    wall_clock: wall_clock_keepers(scenario),
                    deliverable: HashMap::new(),
                };
                helpers.extend([tokio::spawn(stack.drive()), tokio::spawn(jumper.run())]);
            }
            Stack::Foreign(stack) => {
                let permit = setting.permit.clone();
                let seer = Arc::new(Watcher::new(Arc::clone(stack), recorder.clone(), permit, scenario));
                helpers.push(tokio::spawn(Arc::clone(&seer).run()));
                watcher = Some(seer);
            }
        }
        Ok(Self {
            scenario,
            permit: setting.permit,
            seed,
            clock,
            began,
            recorder,
            stack,
            watcher,
            activity,
            points,
            fleet,
            waiting,
            index: Index::new(scenario),
            read: 0,
            progress: setting.progress,
            helpers,
        })
    }

    /// From the first process to the horizon. What cut it short, if something did.
    async fn run(&mut self) -> Option<String> {
        self.set_bounds(|_| UNCALIBRATED);
        if let Err(error) = self.fleet.start_all().await {
            let message = error.to_string();
            self.recorder.record(Source::Engine, Kind::HarnessError { message: message.clone() });
            return Some(message);
        }
        self.tell(Stage::SteadyState);
        let scenario = self.scenario;
        if !self.steps(Phase::SteadyState, &scenario.steady_state).await {
            return Some("the steady state did not hold, so nothing was injected".to_owned());
        }
        let activity = Arc::clone(&self.activity);
        self.set_bounds(|consumer| activity.slowest(consumer).times(4).max(LEAST_BOUND));
        if !self.steps(Phase::Inject, &scenario.inject).await {
            return Some("a step failed, so the rest was not injected".to_owned());
        }
        self.tell(Stage::Watching);
        let from = self.clock.now();
        match self.watcher.clone() {
            Some(watcher) => self.reach_foreign_horizon(&watcher, from).await,
            None => self.reach_horizon(from).await,
        }
    }

    fn set_bounds(&self, processing: impl Fn(&str) -> RealDuration) {
        for (name, consumer) in &self.scenario.consumers {
            let processing = consumer.bound.unwrap_or_else(|| processing(name));
            let bounds = Bounds { processing, start: START_BOUND, sequential: consumer.sequential };
            self.activity.set_bounds(name, bounds);
        }
    }

    /// Carries out the steps of a phase. False when one failed.
    async fn steps(&mut self, phase: Phase, steps: &[Step]) -> bool {
        for (index, step) in steps.iter().enumerate() {
            let (index, name) = (index as u32, step.action.key().to_owned());
            if phase == Phase::Inject {
                self.tell(Stage::Injecting(name.clone()));
            }
            let (line, column) = (step.place.line, step.place.column);
            self.recorder
                .record(Source::Engine, Kind::StepStarted { phase, index, step: name, line, column });
            let outcome = self.step(phase, index, &step.action).await;
            let (ok, reason) = (outcome.is_ok(), outcome.err());
            self.recorder.record(Source::Engine, Kind::StepEnded { phase, index, ok, reason });
            if !ok && !self.cannot_be_shown(&step.action) {
                return false;
            }
        }
        true
    }

    /// An alarm that a foreign stack does not evaluate is not judged, and keeps nothing else from
    /// being injected and judged.
    fn cannot_be_shown(&self, action: &Action) -> bool {
        matches!(action, Action::Await(Claim::Alarm { .. })) && !self.index.evaluates_alarms()
    }

    async fn step(&mut self, phase: Phase, index: u32, action: &Action) -> Result<(), String> {
        match action {
            Action::Wait(span) => {
                let until = self.clock.now() + *span;
                while self.clock.now() < until {
                    self.waiting.event_or(Some(until)).await;
                }
                Ok(())
            }
            Action::Await(claim) => self.hold_out_for(claim).await,
            other => {
                let prefix = if phase == Phase::Inject { "inject" } else { "steady_state" };
                let context = Context {
                    permit: self.permit,
                    stack: &self.stack,
                    fleet: &self.fleet,
                    recorder: &self.recorder,
                    patience: &*self.waiting,
                    seed: self.seed,
                };
                inject::run(other, &format!("{prefix}[{index}]"), &context)
                    .await
                    .map_err(|error| error.to_string())
            }
        }
    }

    /// Waits until a claim holds, with the judge's own predicate over the history so far.
    async fn hold_out_for(&mut self, claim: &Claim) -> Result<(), String> {
        let from = self.clock.now();
        loop {
            self.digest();
            match standing(claim, &self.index, from, self.clock.now()) {
                check::Progress::Holds => return Ok(()),
                check::Progress::Broken(reason) => return Err(reason),
                check::Progress::Open { deadline } => {
                    if let Some(cut) = self.waiting.cut_reason() {
                        return Err(cut);
                    }
                    self.waiting.event_or(deadline).await;
                }
            }
        }
    }

    /// Brings the index up to date.
    pub fn digest(&mut self) {
        let index = &mut self.index;
        self.read = self.recorder.read_from(self.read, |event| index.apply(event));
    }

    fn tell(&self, stage: Stage) {
        self.progress.stage(&self.scenario.name, &stage, self.clock.now().since(self.began));
    }

    /// Marks the end of what is judged and stops everything.
    async fn close(&mut self, cut: Option<String>) {
        for fault in self.points.waiting() {
            if self.points.disarm(&fault) {
                self.fleet.end_fault(&fault, false, Some("its crash point was never crossed"));
            }
        }
        // Whatever it was that ended the run, this is what is told.
        let gone = self.stack.gone_reason();
        if let Some(message) = gone.clone() {
            self.recorder.record(Source::Engine, Kind::HarnessError { message });
        }
        let cut = gone.or(cut);
        let complete = cut.is_none();
        let reason = cut.unwrap_or_else(|| "nothing can change any more".to_owned());
        self.recorder.record(Source::Engine, Kind::HorizonReached { complete, reason });
        self.fleet.stop_all("end of run").await;
        self.helpers.drain(..).for_each(|helper| helper.abort());
        if let Err(left) = self.stack.remove(self.permit).await {
            self.recorder.record(Source::Engine, Kind::HarnessError { message: left.to_string() });
        }
        self.tell(Stage::Ended);
    }
}

/// The topics whose notifications claims are about.
fn heard(scenario: &Scenario) -> Vec<String> {
    let waits = scenario.steady_state.iter().chain(&scenario.inject).filter_map(|step| match &step.action {
        Action::Await(claim) => Some(claim),
        _ => None,
    });
    let claims = scenario.expect.iter().map(|expectation| &expectation.claim).chain(waits);
    let topics = claims.filter_map(|claim| match claim {
        Claim::Alarm { notifies, .. } => notifies.clone(),
        _ => None,
    });
    topics.collect::<std::collections::BTreeSet<_>>().into_iter().collect()
}

/// What of the template is not there, one line each.
fn left_out(scenario: &Scenario, stack: &Stack) -> Vec<String> {
    let mut lines = scenario.stack.ignored.clone();
    if let Stack::Foreign(stack) = stack {
        lines.extend_from_slice(stack.lacks());
    }
    lines
}

fn sinks(scenario: &Scenario) -> BTreeMap<String, SinkSpec> {
    let sink = |effect: &crate::scenario::Effect| {
        let key = JsonPath::parse(&effect.key).ok()?;
        Some(SinkSpec { path: effect.path.clone(), key })
    };
    scenario.effects.iter().filter_map(|(name, effect)| Some((name.clone(), sink(effect)?))).collect()
}

fn surroundings(scenario: &Scenario, stack: &Stack, logs: PathBuf, state: PathBuf) -> Surroundings {
    let name = |id: &String| (id.clone(), stack.directory().name_of(id).to_owned());
    Surroundings {
        account: stack.account().to_owned(),
        region: REGION.to_owned(),
        queues: scenario.stack.queues.keys().map(name).collect(),
        effects: scenario.effects.iter().map(|(name, effect)| (name.clone(), effect.path.clone())).collect(),
        state,
        logs,
    }
}
