//! How the attempt itself went: steps, jumps, the horizon, and what went wrong with havoq.

use std::collections::BTreeMap;

use havoq_base::ids::Marker;
use havoq_base::{RealDuration, StackTime};

use super::facts::{Horizon, StepEnd, StepFact, When};
use crate::history::{Instance, Kind, Phase, Resource};

#[derive(Debug, Default)]
pub(crate) struct Run {
    pub(crate) loaded: Option<When>,
    /// `sandbox`, a URL or `aws`.
    pub(crate) stack: String,
    pub(crate) ready: Option<When>,
    pub(crate) resources: Vec<Resource>,
    /// What the stack was found not to do as AWS does, by the probe's checks.
    pub(crate) probed: BTreeMap<String, String>,
    pub(crate) steps: Vec<StepFact>,
    pub(crate) last_jump: Option<When>,
    /// The events of all jumps, in order.
    pub(crate) jumps: Vec<u64>,
    /// The processing bounds in force, by consumer.
    pub(crate) bounds: BTreeMap<String, RealDuration>,
    /// What processes did when they were told to stop, after the horizon.
    pub(crate) late_acts: Vec<(When, Instance)>,
    pub(crate) overruns: Vec<Overrun>,
    pub(crate) errors: Vec<(When, String)>,
    pub(crate) interrupted: Option<When>,
    pub(crate) horizon: Option<Horizon>,
    /// The first and the latest event.
    pub(crate) first: Option<When>,
    pub(crate) last: When,
    /// The latest event that can have moved a queue's counts.
    pub(crate) last_traffic: StackTime,
    /// Whether positions rose from event to event, as they do in a whole history.
    pub(crate) disordered: Option<When>,
}

#[derive(Debug)]
pub(crate) struct Overrun {
    pub(crate) when: When,
    pub(crate) by: Instance,
    pub(crate) marker: Option<Marker>,
    pub(crate) reason: String,
}

impl Run {
    pub(super) fn see(&mut self, when: When, kind: &Kind) {
        if self.first.is_some() && (when.seq <= self.last.seq || when.at < self.last.at) {
            self.disordered.get_or_insert(when);
        }
        self.first.get_or_insert(when);
        self.last = when;
        match kind {
            Kind::ScenarioLoaded { stack, .. } => {
                self.loaded = Some(when);
                self.stack.clone_from(stack);
            }
            Kind::StackReady { resources, .. } => {
                self.ready = Some(when);
                self.resources.clone_from(resources);
            }
            Kind::StackProbed { check, outcome, finding } => {
                self.probed.insert(check.clone(), format!("{outcome}: {finding}"));
            }
            Kind::StepStarted { phase, index, .. } => {
                self.steps.push(StepFact { phase: *phase, index: *index, started: when, ended: None });
            }
            Kind::StepEnded { phase, index, ok, reason } => self.end_step(when, *phase, *index, *ok, reason),
            Kind::ClockJumped { .. } => {
                self.last_jump = Some(when);
                self.jumps.push(when.seq);
            }
            Kind::ClockOverran { by, marker, reason, .. } => {
                let (by, marker) = (by.clone(), marker.clone());
                self.overruns.push(Overrun { when, by, marker, reason: reason.clone() });
            }
            Kind::HarnessError { message } => self.errors.push((when, message.clone())),
            Kind::Interrupted {} => self.interrupted = Some(when),
            Kind::HorizonReached { complete, reason, busy } => {
                let (reason, busy) = (reason.clone(), busy.clone());
                self.horizon = Some(Horizon { when, complete: *complete, reason, busy });
            }
            Kind::BoundSet { consumer, processing } => {
                self.bounds.insert(consumer.clone(), *processing);
            }
            Kind::Sent { .. }
            | Kind::Received { .. }
            | Kind::Extended { .. }
            | Kind::Deleted { .. }
            | Kind::Moved { .. }
            | Kind::Redriven { .. }
            | Kind::Purged { .. }
            | Kind::Expired { .. } => self.last_traffic = when.at,
            _ => {}
        }
    }

    fn end_step(&mut self, when: When, phase: Phase, index: u32, ok: bool, reason: &Option<String>) {
        let mut steps = self.steps.iter_mut().rev();
        if let Some(step) = steps.find(|step| step.phase == phase && step.index == index) {
            step.ended = Some(StepEnd { when, ok, reason: reason.clone() });
        }
    }

    pub(crate) fn step(&self, phase: Phase, index: usize) -> Option<&StepFact> {
        self.steps.iter().rev().find(|step| step.phase == phase && step.index as usize == index)
    }

    /// Whether a step of the steady state failed, so that nothing was injected.
    pub(crate) fn gate_failed(&self) -> bool {
        let mut steady = self.steps.iter().filter(|step| step.phase == Phase::SteadyState);
        steady.any(|step| step.ended.as_ref().is_some_and(|end| !end.ok))
    }

    /// When the injection began.
    pub(crate) fn injection(&self) -> Option<When> {
        self.steps.iter().find(|step| step.phase == Phase::Inject).map(|step| step.started)
    }

    /// When the last of the phase's ended steps ended.
    pub(crate) fn phase_ended(&self, phase: Phase) -> Option<When> {
        let ended = self.steps.iter().filter(|step| step.phase == phase);
        ended.filter_map(|step| step.ended.as_ref().map(|end| end.when)).max_by_key(|when| when.seq)
    }

    /// Whether the judge was allowed to stop, because nothing more could happen.
    pub(crate) fn is_complete(&self) -> bool {
        self.loaded.is_some()
            && self.disordered.is_none()
            && self.interrupted.is_none()
            && self.horizon.as_ref().is_some_and(|horizon| horizon.complete)
    }

    /// Why the end of the history is no end of the story.
    pub(crate) fn why_incomplete(&self) -> String {
        match &self.horizon {
            _ if self.interrupted.is_some() => "the run was interrupted".to_owned(),
            _ if self.loaded.is_none() => "the history lacks its beginning".to_owned(),
            _ if self.disordered.is_some() => "the history is out of order".to_owned(),
            Some(horizon) => format!("the run ended before its horizon: {}", horizon.reason),
            None => "the history ends before the horizon was reached".to_owned(),
        }
    }
}
