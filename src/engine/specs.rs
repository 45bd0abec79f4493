//! The scenario's consumers in the fleet's terms.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use havoq_base::RealDuration;
use havoq_lambda::{Filters, Reporting, Settings};
use regex::bytes::Regex;

use super::bounds::until_ready;
use crate::aws::Directory;
use crate::consumer::{Deployed, Function, Program, Ready, Sign, Spec};
use crate::inject::policy;
use crate::scenario::{
    self, Action, Batching, Claim, Consumer, ConsumerTime, Lambda, Rejects, Scenario, Worker, WorkerBug,
};

/// What short visibility needs to show: work that outlasts the second it asks for.
const SHORT_VISIBILITY_WORK: RealDuration = RealDuration::from_millis(1_500);

/// What every spec of a run depends on.
#[derive(Clone, Debug)]
pub struct Forced {
    /// havoq's own executable, which is the reference worker too.
    pub havoq: PathBuf,
    /// `HAVOQ_WORKER_BUG`.
    pub worker_bug: Option<WorkerBug>,
}

/// The specs of all consumers; `names` are those of the stack.
pub(super) fn specs(scenario: &Scenario, forced: &Forced, names: &Directory) -> Vec<Spec> {
    let spec = |(name, consumer)| spec(scenario, (name, consumer), forced, names);
    scenario.consumers.iter().map(spec).collect()
}

fn spec(
    scenario: &Scenario,
    (name, consumer): (&String, &Consumer),
    forced: &Forced,
    names: &Directory,
) -> Spec {
    let folder = Path::new(&scenario.file).parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    let lambda = match &consumer.runs {
        scenario::Program::Lambda(lambda) => Some(lambda),
        _ => None,
    };
    let code = lambda.and_then(|lambda| lambda.code.as_ref()).map(|code| folder.join(code));
    let code = std::path::absolute(code.as_deref().unwrap_or(folder)).unwrap_or(folder.to_owned());
    let command = |argv: &[String]| Program { argv: argv.to_vec(), bug: None };
    let program = |program: &scenario::Program| match program {
        // A function runs where its code is.
        scenario::Program::Command(argv) if lambda.is_some() => command(argv).beside(&code).from_anywhere(),
        scenario::Program::Lambda(lambda) => command(&lambda.command).beside(&code).from_anywhere(),
        scenario::Program::Command(argv) => command(argv).beside(folder),
        scenario::Program::Worker(worker) => worker_program(scenario, worker, forced),
        // It is there already.
        scenario::Program::Deployed(_) => command(&[]),
    };
    let short = matches!(&consumer.runs, scenario::Program::Worker(worker)
        if bug_of(worker, forced) == Some(WorkerBug::ShortVisibility));
    Spec {
        name: name.to_owned(),
        program: program(&consumer.runs),
        fixed: consumer.fixed.as_ref().map(program),
        queues: consumer.queues.iter().map(|queue| queue.value.clone()).collect(),
        // One instance alone never meets its own message again while it works.
        instances: if short { consumer.instances.max(2) } else { consumer.instances },
        restart: policy(consumer.restart),
        ready: ready(consumer, |argv| command(argv).beside(folder)),
        env: lambda
            .map_or_else(BTreeMap::new, |lambda| variables(scenario, lambda, names))
            .into_iter()
            .chain(consumer.env.clone())
            .collect(),
        function: lambda.map(|lambda| function(lambda, code.clone())),
        deployed: match &consumer.runs {
            scenario::Program::Deployed(known) => Some(deployed(known, |argv| command(argv).beside(folder))),
            _ => None,
        },
    }
}

/// What the steps wait for, where it is more than the clock waits for.
fn ready(consumer: &Consumer, program: impl Fn(&[String]) -> Program) -> Option<Ready> {
    let sign = match &consumer.ready.sign {
        scenario::Sign::Poll => return None,
        scenario::Sign::Log(pattern) => {
            Sign::Log(Regex::new(pattern).expect("the scenario is refused with a bad one"))
        }
        scenario::Sign::Port(port) => Sign::Port(*port),
        scenario::Sign::Command(argv) => Sign::Command(program(argv)),
    };
    Some(Ready { sign, within: until_ready(consumer) })
}

fn deployed(known: &scenario::Deployed, program: impl Fn(&[String]) -> Program) -> Deployed {
    let lever = |argv: &Option<Vec<String>>| argv.as_deref().map(&program);
    let (kill, restart, fix) = (lever(&known.kill), lever(&known.restart), lever(&known.fix));
    Deployed { listen: known.listen, kill, restart, fix }
}

/// What the template gives the function in its environment.
fn variables(scenario: &Scenario, lambda: &Lambda, names: &Directory) -> BTreeMap<String, String> {
    let known = lambda.function.as_ref().and_then(|id| scenario.stack.functions.get(id));
    let variables = known.into_iter().flat_map(|function| &function.environment);
    variables.map(|(name, value)| (name.clone(), value.resolve(|id| names.name_of(id)))).collect()
}

fn function(lambda: &Lambda, folder: PathBuf) -> Function {
    let settings = |batching: &Batching| Settings {
        batch_size: batching.batch_size as usize,
        window: batching.window,
        maximum_concurrency: batching.maximum_concurrency,
        reporting: match batching.report_batch_item_failures {
            true => Reporting::BatchItemFailures,
            false => Reporting::None,
        },
        filters: Filters::parse(&batching.filters).expect("the scenario is refused with a bad one"),
        ..Settings::new("")
    };
    Function {
        id: lambda.function.clone(),
        mapping: lambda.batching.as_ref().map(settings),
        timeout: lambda.timeout.value,
        memory_mb: lambda.memory,
        handler: lambda.handler.clone(),
        reserved_concurrency: lambda.reserved_concurrency,
        folder,
    }
}

fn worker_program(scenario: &Scenario, worker: &Worker, forced: &Forced) -> Program {
    let bug = bug_of(worker, forced);
    let mut argv = vec![forced.havoq.to_string_lossy().into_owned(), "worker".to_owned()];
    let mut option = |name: &str, value: String| argv.extend([format!("--{name}"), value]);
    if let Some(bug) = bug {
        option("bug", bug.name().to_owned());
    }
    let work = match bug {
        Some(WorkerBug::ShortVisibility) => {
            Some(worker.work.map_or(SHORT_VISIBILITY_WORK, |work| work.max(SHORT_VISIBILITY_WORK)))
        }
        _ => worker.work,
    };
    if let Some(work) = work {
        option("work-ms", work.as_millis().to_string());
    }
    if let Some(effect) = worker.effect.as_ref().or_else(|| only(&scenario.effects)) {
        option("effect", effect.clone());
    }
    if worker.rejects == Some(Rejects::NextVersion) {
        argv.push("--rejects-next-version".to_owned());
    }
    Program { argv, bug: bug.map(|bug| bug.name().to_owned()) }
}

/// The scenario's word counts; where it names none, the bug that is forced from outside.
fn bug_of(worker: &Worker, forced: &Forced) -> Option<WorkerBug> {
    worker.bug.or(forced.worker_bug).filter(|bug| *bug != WorkerBug::None)
}

/// Whether a new poll means that the consumer is done with what it received before: declared, or
/// known of the reference worker, unless it is told to work on the side.
pub(super) fn one_at_a_time(consumer: &Consumer, forced: &Forced) -> bool {
    let program = |program: &scenario::Program| match program {
        scenario::Program::Worker(worker) => bug_of(worker, forced) != Some(WorkerBug::LateEffect),
        scenario::Program::Command(_) | scenario::Program::Lambda(_) | scenario::Program::Deployed(_) => {
            false
        }
    };
    consumer.sequential || (program(&consumer.runs) && consumer.fixed.as_ref().is_none_or(program))
}

fn only<T>(effects: &BTreeMap<String, T>) -> Option<&String> {
    let mut names = effects.keys();
    names.next().filter(|_| names.next().is_none())
}

/// A consumer that may keep state by its wall clock.
pub(super) struct Keeper {
    pub consumer: String,
    /// A policy or a step may start it again after it has ended.
    pub comes_back: bool,
}

/// The consumers that may keep state by their wall clocks: the reference worker keeps none.
pub(super) fn wall_clock_keepers(scenario: &Scenario) -> Vec<Keeper> {
    let keeps = |consumer: &Consumer| {
        let programs = [Some(&consumer.runs), consumer.fixed.as_ref()];
        let command =
            programs.into_iter().flatten().any(|program| !matches!(program, scenario::Program::Worker(_)));
        command && !consumer.keeps_no_wall_clock_state
    };
    let keepers = scenario.consumers.iter().filter(|(_, consumer)| keeps(consumer));
    let keeper = |(name, consumer): (&String, &Consumer)| Keeper {
        consumer: name.clone(),
        comes_back: matches!(consumer.runs, scenario::Program::Lambda(_))
            || consumer.restart != scenario::Restart::Never
            || is_started_by_a_step(scenario, name),
    };
    keepers.map(keeper).collect()
}

fn is_started_by_a_step(scenario: &Scenario, name: &str) -> bool {
    let mut steps = scenario.steady_state.iter().chain(&scenario.inject);
    if scenario.swept_in().is_some_and(|swept| swept.kill.consumer == name) {
        return true;
    }
    steps.any(|step| match &step.action {
        Action::Restart { consumer } | Action::Swap { consumer } => consumer == name,
        Action::Kill(kill) => kill.consumer == name && kill.restart.is_some(),
        _ => false,
    })
}

/// The topics whose notifications claims are about.
pub(super) fn heard(scenario: &Scenario) -> Vec<String> {
    let waits = scenario.steady_state.iter().chain(&scenario.inject).filter_map(|step| match &step.action {
        Action::Await(claim) => Some(claim),
        _ => None,
    });
    let claims = scenario.expect.iter().map(|expectation| &expectation.claim).chain(waits);
    let topics = claims.filter_map(|claim| match claim {
        Claim::Alarm { notifies, .. } => notifies.clone(),
        _ => None,
    });
    topics.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The consumers that are not to be shown the stack's clock, and why.
pub(super) fn keep_own_time(scenario: &Scenario) -> BTreeMap<String, &'static str> {
    let why = |consumer: &Consumer| match (&consumer.runs, consumer.time) {
        (scenario::Program::Deployed(_), _) => Some("havoq did not start it"),
        (_, ConsumerTime::Own) => Some("the scenario says `time: own`"),
        _ => None,
    };
    let own = scenario.consumers.iter().filter_map(|(name, consumer)| Some((name.clone(), why(consumer)?)));
    own.collect()
}
