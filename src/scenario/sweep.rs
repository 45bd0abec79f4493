//! `havoq sweep`: a scenario without its own kills, and with one kill at a chosen boundary.
//!
//! Steps and claims keep their numbers, so that an id means the same line in every variant.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use havoq_base::StackDuration;

use super::model::{
    Action, Claim, Crash, CrashAt, Expectation, HeldCall, Kill, Program, Restart, Scenario, Signal,
};
use super::names::UnknownName;
use super::place::Place;

/// The id of the kill that a sweep adds. No step has it: those are `inject[0]` and so on.
pub const SWEEP_FAULT: &str = "sweep";

/// One crossing of a call about a message, at which a consumer can be killed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Boundary {
    pub consumer: String,
    pub at: CrashAt,
    /// Which crossing, counted by message from the injection; from 1.
    pub nth: u32,
}

/// A boundary, and the label of which one message is aimed at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aim {
    pub boundary: Boundary,
    pub of: String,
}

/// What a sweep does to a scenario.
#[derive(Clone, Debug)]
pub struct Swept {
    pub kill: Option<SweptKill>,
    /// Its own kills.
    pub left_out: Vec<LeftOut>,
    /// The claims that rest on those kills, by their number in `expect`.
    pub unclaimed: BTreeSet<usize>,
}

/// A kill that is armed before a step of `inject`.
#[derive(Clone, Debug)]
pub struct SweptKill {
    pub aim: Aim,
    pub kill: Kill,
    pub before: usize,
}

/// A step or a claim that stands in the text and takes no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Such as `inject[0] kill`.
    pub id: String,
    pub place: Place,
}

impl Scenario {
    /// The scenario as a sweep's clean run has it: without its own kills.
    pub fn without_kills(mut self) -> Self {
        let (mut left_out, labels) = self.leave_kills_out();
        let mut unclaimed = BTreeSet::new();
        for (at, expectation) in self.expect.iter().enumerate() {
            // Such a message comes again because of the kill, and else does not.
            if matches!(&expectation.claim, Claim::Redelivered { of, .. } if labels.contains(of)) {
                let id = format!("expect[{at}] {}", expectation.claim.key());
                left_out.push(LeftOut { id, place: expectation.place });
                unclaimed.insert(at);
            }
        }
        self.swept = Some(Swept { kill: None, left_out, unclaimed });
        self
    }

    /// The same with one kill, and a name of its own. Refused where there is nothing to aim at.
    pub fn killed_at(self, aim: Aim) -> Result<Self, String> {
        let mut scenario = self.without_kills();
        let kill = scenario.swept_kill(aim)?;
        scenario.name.value = scenario.variant_name(&kill.aim.boundary);
        if let Some(swept) = &mut scenario.swept {
            swept.kill = Some(kill);
        }
        Ok(scenario)
    }

    /// Puts nothing in the place of each kill. The labels that they aimed at.
    fn leave_kills_out(&mut self) -> (Vec<LeftOut>, BTreeSet<String>) {
        let mut left_out = Vec::new();
        let mut labels = BTreeSet::new();
        for (at, step) in self.inject.iter_mut().enumerate() {
            if let Action::Kill(kill) = &step.action {
                labels.extend(kill.at.as_ref().and_then(|crash| crash.of.clone()));
                left_out.push(LeftOut { id: format!("inject[{at}] kill"), place: step.place });
                step.action = Action::Wait(StackDuration::ZERO);
            }
        }
        (left_out, labels)
    }

    fn swept_kill(&self, aim: Aim) -> Result<SweptKill, String> {
        let Boundary { consumer, at, nth } = &aim.boundary;
        let known = self.consumers.get(consumer);
        let known = known.ok_or_else(|| format!("a kill of `{consumer}`, which the scenario has not"))?;
        let before = self.injected_labels().get(aim.of.as_str()).copied();
        let before = before.ok_or_else(|| format!("a kill at `{}`, which no step injects", aim.of))?;
        // The next invocation starts another environment of a function.
        let restart = (!matches!(known.runs, Program::Lambda(_))).then_some(Restart::AtOnce);
        let crash = Crash { at: at.clone(), of: Some(aim.of.clone()), nth: *nth, call: HeldCall::Drop };
        let kill =
            Kill { consumer: consumer.clone(), at: Some(crash), signal: Signal::Kill, resume: None, restart };
        Ok(SweptKill { aim, kill, before })
    }

    /// The labels that `inject` makes, with the number of the step.
    pub fn injected_labels(&self) -> BTreeMap<&str, usize> {
        let steps = self.inject.iter().enumerate();
        steps.filter_map(|(at, step)| Some((step.action.makes()?, at))).collect()
    }

    fn variant_name(&self, boundary: &Boundary) -> String {
        let Boundary { consumer, at, nth } = boundary;
        let name = &self.name.value;
        match self.consumers.len() {
            1 => format!("{name} [kill {at} #{nth}]"),
            _ => format!("{name} [kill {consumer} {at} #{nth}]"),
        }
    }

    /// What is expected, without the claims that a sweep leaves out; with its numbers in `expect`.
    pub fn claimed(&self) -> impl Iterator<Item = (usize, &Expectation)> {
        let unclaimed = self.swept.as_ref().map(|swept| &swept.unclaimed);
        let is_claimed = move |at: &usize| unclaimed.is_none_or(|unclaimed| !unclaimed.contains(at));
        self.expect.iter().enumerate().filter(move |(at, _)| is_claimed(at))
    }

    /// The kill that a sweep adds.
    pub fn swept_in(&self) -> Option<&SweptKill> {
        self.swept.as_ref()?.kill.as_ref()
    }
}

impl Action {
    /// The label of the messages that the step makes.
    pub fn makes(&self) -> Option<&str> {
        match self {
            Self::Send(send) => Some(&send.label),
            Self::Poison(poison) => Some(&poison.label),
            Self::Duplicate(duplicate) => Some(&duplicate.label),
            _ => None,
        }
    }
}

/// A crash point by its name, and `before PutItem` for any other call.
impl fmt::Display for CrashAt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Point(point) => write!(f, "{point}"),
            Self::Call { operation, side } => write!(f, "{side} {operation}"),
        }
    }
}

impl FromStr for CrashAt {
    type Err = UnknownName;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once(' ') {
            Some((side, operation)) => {
                Ok(Self::Call { operation: operation.to_owned(), side: side.parse()? })
            }
            None => text.parse().map(Self::Point),
        }
    }
}
