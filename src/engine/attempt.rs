//! One attempt at one scenario: provision, start, steady state, inject, watch, stop.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use havoq_base::clock::wall_clock;
use havoq_base::{Clock, Pace, RealDuration, RunStart, Seed, StackTime, clock};
use thiserror::Error;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use super::bounds::{Stretch, until_first_poll};
use super::jumper::Jumper;
use super::probing::Probed;
use super::progress::{Progress, Stage};
use super::sinks::{Sinks, sinks};
use super::specs::{Forced, heard, keep_own_time, one_at_a_time, specs, wall_clock_keepers};
use super::waiting::Waiting;
use crate::aws::REGION;
use crate::check::{self, Index, standing};
use crate::consumer::{Fleet, FleetError, Preload, Showing, Surroundings};
use crate::guard::{Permit, Target};
use crate::history::{HistoryFile, Kind, Phase, Recorder, Source, SourceText};
use crate::inject::{self, Context};
use crate::observe::{HttpSink, Watcher};
use crate::scenario::{Action, Claim, ConsumerTime, SWEEP_FAULT, Scenario, Step};
use crate::stack::{Stack, StackError, StackSpec};
use crate::tap::{Activity, Bounds, CrashPoints, Faults, Limits, Wiring, Witness};

/// Beside the consumers' own folders; no consumer can have this name.
const CLOCK_FOLDER: &str = ".clock";

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
    pub stretch: &'a Stretch,
    pub probed: &'a Probed,
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
    stretch: &'a Stretch,
    forced: &'a Forced,
    seed: Seed,
    pub clock: Clock,
    began: StackTime,
    recorder: Recorder,
    pub stack: Stack,
    /// Who looks at a foreign stack.
    watcher: Option<Arc<Watcher>>,
    pub activity: Arc<Activity>,
    points: Arc<CrashPoints>,
    faults: Arc<Faults>,
    fleet: Fleet,
    showing: Arc<Showing>,
    pub waiting: Arc<Waiting>,
    pub index: Index,
    read: usize,
    progress: &'a dyn Progress,
    stage: Stage,
    helpers: Vec<JoinHandle<()>>,
}

/// What an attempt leaves.
pub(super) struct Ended {
    pub(super) events: Vec<crate::history::Event>,
    /// It came to an end of its own: it neither ran out of time nor was interrupted, nor did it
    /// fail to begin.
    pub(super) whole: bool,
}

/// Runs one attempt.
pub(super) async fn attempt(setting: Setting<'_>) -> Ended {
    let began = wall_clock();
    let clock = Clock::new(setting.pace, began, setting.run);
    let scenario = setting.scenario;
    let recorder = Recorder::new(&scenario.name, setting.attempt, clock.clone(), Arc::clone(&setting.file));
    recorder.record(Source::Engine, loaded(&setting));
    setting.probed.record(scenario, &recorder);
    let mut whole = true;
    let (timeout, mut interrupt) = (setting.timeout, setting.interrupt.clone());
    let file = Arc::clone(&setting.file);
    match Attempt::prepare(setting, began, recorder.clone()).await {
        Ok(mut attempt) => {
            let gone = attempt.stack.gone();
            let cut = tokio::select! {
                // First, so that nobody is started for a run that is over.
                biased;
                _ = interrupt.wait_for(|interrupted| *interrupted) => Some("the run was interrupted".to_owned()),
                // When the stack goes away, much else ends because of it.
                reason = gone => Some(reason),
                error = file.failed() => {
                    whole = false;
                    recorder.record(Source::Engine, Kind::HarnessError { message: error.clone() });
                    Some(error)
                }
                cut = attempt.run() => cut,
                () = clock::sleep(timeout) => {
                    whole = false;
                    Some(format!(
                        "the run was not through after --timeout {timeout} of real time\nhint: give it more with --timeout"
                    ))
                }
            };
            attempt.close(cut).await;
        }
        Err(error) => {
            whole = false;
            recorder.record(Source::Engine, Kind::HarnessError { message: error.to_string() });
        }
    }
    if *interrupt.borrow() {
        whole = false;
        recorder.record(Source::Engine, Kind::Interrupted {});
    }
    Ended { events: recorder.events(), whole }
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
        sweep: setting.scenario.swept.as_ref().map(check::recorded),
        bounds_times: setting.stretch.times,
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
        let activity =
            Arc::new(Activity::new(clock.clone(), Limits::default().times(u64::from(setting.stretch.times))));
        let (points, holds) = CrashPoints::new();
        let points = Arc::new(points);
        let faults = Arc::new(Faults::new(recorder.clone(), Arc::clone(&activity), seed));
        // A clock that never jumps needs no showing.
        let preload = (setting.pace == Pace::Virtual)
            .then(|| Preload::prepare(&setting.state.join(CLOCK_FOLDER), &clock));
        let showing = Arc::new(Showing::new(recorder.clone(), preload, keep_own_time(scenario)));
        let wiring = Wiring {
            recorder: recorder.clone(),
            activity: Arc::clone(&activity),
            points: Arc::clone(&points),
            faults: Arc::clone(&faults),
            upstream: stack.upstream(),
            sink: Arc::new(Sinks(HttpSink::new(sinks(scenario)))),
            witness: Arc::clone(&showing) as Arc<dyn Witness>,
            directory: Arc::clone(stack.directory()),
        };
        let surroundings = surroundings(scenario, &stack, setting.logs, setting.state, setting.forced);
        let fleet = Fleet::new(
            specs(scenario, setting.forced, stack.directory()),
            Arc::new(wiring),
            surroundings,
            Arc::clone(&showing),
            holds,
        );
        if let Stack::Embedded(stack) = &stack {
            stack.set_functions(Arc::new(fleet.clone()));
        }
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
                    keepers: wall_clock_keepers(scenario),
                    showing: Arc::clone(&showing),
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
            stretch: setting.stretch,
            forced: setting.forced,
            seed,
            clock,
            began,
            recorder,
            stack,
            watcher,
            activity,
            points,
            faults,
            fleet,
            showing,
            waiting,
            index: Index::new(scenario),
            read: 0,
            progress: setting.progress,
            stage: Stage::Started,
            helpers,
        })
    }

    /// From the first process to the horizon. What cut it short, if something did.
    async fn run(&mut self) -> Option<String> {
        self.set_bounds(|_| None);
        if let Err(error) = self.fleet.start_all().await {
            let message = error.to_string();
            self.recorder.record(Source::Engine, Kind::HarnessError { message: message.clone() });
            return Some(message);
        }
        if let Err(unready) = self.fleet.until_ready(None).await {
            return Some(format!("{unready}, so nothing was injected"));
        }
        self.tell(Stage::SteadyState);
        let scenario = self.scenario;
        if !self.steps(Phase::SteadyState, &scenario.steady_state).await {
            let unsteady = || "the steady state did not hold, so nothing was injected".to_owned();
            return Some(self.waiting.cut_reason().unwrap_or_else(unsteady));
        }
        let activity = Arc::clone(&self.activity);
        self.set_bounds(|consumer| Some(activity.slowest(consumer)));
        if !self.steps(Phase::Inject, &scenario.inject).await {
            let failed = || "a step failed, so the rest was not injected".to_owned();
            return Some(self.waiting.cut_reason().unwrap_or_else(failed));
        }
        self.waiting.no_more_steps();
        self.tell(Stage::Watching);
        let from = self.clock.now();
        match self.watcher.clone() {
            Some(watcher) => self.reach_foreign_horizon(&watcher, from).await,
            None => self.reach_horizon(from).await,
        }
    }

    fn set_bounds(&self, slowest: impl Fn(&str) -> Option<RealDuration>) {
        for (name, consumer) in &self.scenario.consumers {
            let processing = self.stretch.bound(name, consumer, slowest(name));
            let sequential = one_at_a_time(consumer, self.forced);
            let start = until_first_poll(consumer);
            self.activity.set_bounds(name, Bounds { processing, start, sequential });
            self.recorder.record(Source::Engine, Kind::BoundSet { consumer: name.clone(), processing });
        }
    }

    /// Carries out the steps of a phase. False when one failed.
    async fn steps(&mut self, phase: Phase, steps: &[Step]) -> bool {
        for (index, step) in steps.iter().enumerate() {
            let (index, name) = (index as u32, step.action.key().to_owned());
            if phase == Phase::Inject {
                self.tell(Stage::Injecting(name.clone()));
                self.arm_sweep(index).await;
            }
            let (line, column) = (step.place.line, step.place.column);
            self.recorder
                .record(Source::Engine, Kind::StepStarted { phase, index, step: name, line, column });
            let outcome = self.step(phase, index, &step.action).await;
            if self.waiting.cut_reason().is_some() && !matches!(step.action, Action::Await(_)) {
                // It did not fail: it was not finished.
                return false;
            }
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
                    if let Some(cut) = self.waiting.cut_reason() {
                        return Err(cut);
                    }
                    self.waiting.event_or(Some(until)).await;
                }
                Ok(())
            }
            Action::Await(claim) => self.hold_out_for(claim).await,
            other => {
                let prefix = if phase == Phase::Inject { "inject" } else { "steady_state" };
                let context = self.context();
                let fault = format!("{prefix}[{index}]");
                tokio::select! {
                    ran = inject::run(other, &fault, &context) => ran.map_err(|error| error.to_string()),
                    reason = self.waiting.until_cut() => Err(reason),
                }
            }
        }
    }

    fn context(&self) -> Context<'_> {
        Context {
            permit: self.permit,
            stack: &self.stack,
            fleet: &self.fleet,
            faults: &self.faults,
            recorder: &self.recorder,
            patience: &*self.waiting,
            seed: self.seed,
        }
    }

    /// Before the step that makes the messages, so that none of them is missed.
    async fn arm_sweep(&self, next: u32) {
        let due = self.scenario.swept_in().filter(|swept| swept.before == next as usize);
        if let Some(swept) = due {
            let kill = Action::Kill(swept.kill.clone());
            // One that is not armed leaves no trace, and the judge asks for one.
            inject::run(&kill, SWEEP_FAULT, &self.context()).await.ok();
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
        // The clock has moved, which a live display shows.
        self.show();
    }

    fn tell(&mut self, stage: Stage) {
        self.stage = stage;
        self.show();
    }

    fn show(&self) {
        self.progress.stage(&self.scenario.name, &self.stage, self.clock.now().since(self.began));
    }

    /// Marks the end of what is judged and stops everything.
    async fn close(&mut self, cut: Option<String>) {
        for fault in self.points.waiting() {
            if self.points.disarm(&fault) {
                self.fleet.end_fault(&fault, false, Some("its crash point was never crossed"));
            }
        }
        self.faults.end_all();
        // Whatever it was that ended the run, this is what is told.
        let gone = self.stack.gone_reason();
        if let Some(message) = gone.clone() {
            self.recorder.record(Source::Engine, Kind::HarnessError { message });
        }
        let cut = gone.or(cut);
        let complete = cut.is_none();
        let reason = cut.unwrap_or_else(|| "nothing can change any more".to_owned());
        let busy = self.activity.lock().busy();
        self.recorder.record(Source::Engine, Kind::HorizonReached { complete, reason, busy });
        self.fleet.stop_all("end of run").await;
        self.helpers.drain(..).for_each(|helper| helper.abort());
        if let Err(left) = self.stack.remove(self.permit).await {
            self.recorder.record(Source::Engine, Kind::HarnessError { message: left.to_string() });
        }
        self.warn_of_own_time();
    }

    /// The fallback does its part; whoever asked for more in so many words is told.
    fn warn_of_own_time(&self) {
        let asked = |consumer: &&str| {
            self.scenario.consumers.get(*consumer).is_some_and(|known| known.time == ConsumerTime::Follow)
        };
        for consumer in self.scenario.consumers.keys().map(String::as_str).filter(asked) {
            if let Some(why) = self.showing.keeps_own_time(consumer) {
                let text =
                    format!("{consumer} does not follow the clock, though it says `time: follow`: {why}");
                self.progress.warning(&self.scenario.name, &text);
            }
        }
    }
}

/// What of the template is not there, one line each.
fn left_out(scenario: &Scenario, stack: &Stack) -> Vec<String> {
    let mut lines = scenario.stack.ignored.clone();
    lines.extend_from_slice(stack.lacks());
    lines
}

fn surroundings(
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
