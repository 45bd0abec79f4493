//! The mutation of one attempt: nothing until the injection begins, and then to the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use havoq_wire::Upstream;
use tokio::task::JoinHandle;

use super::deliveries::Robbed;
use super::effects::BentSink;
use super::forge::{Forger, forge};
use super::mutation::{Mutation, Way};
use super::stack::Site;
use super::table;
use crate::guard::Permit;
use crate::history::{Kind, Recorder, Source};
use crate::inject::Context;
use crate::scenario::{Action, Scenario};
use crate::stack::Stack;
use crate::tap::EffectSink;

/// The mutation of an attempt; of most there is none.
pub(in crate::engine) struct Mutating {
    mutation: Option<&'static Mutation>,
    recorder: Recorder,
    on: AtomicBool,
    told: AtomicBool,
}

impl Mutating {
    pub fn of(scenario: &Scenario, recorder: &Recorder) -> Arc<Self> {
        let mutation = scenario.mutation().and_then(table::named);
        let (on, told) = (AtomicBool::new(false), AtomicBool::new(false));
        Arc::new(Self { mutation, recorder: recorder.clone(), on, told })
    }

    /// What stands behind the taps.
    pub fn upstream(
        self: &Arc<Self>,
        stack: &Stack,
        permit: &Permit,
        scenario: &Scenario,
    ) -> Arc<dyn Upstream> {
        let inner = stack.upstream();
        let Some(Way::Deliveries(theft)) = self.way() else { return inner };
        Arc::new(Robbed {
            inner,
            theft,
            labels: scenario.injected_labels().into_keys().map(str::to_owned).collect(),
            stack: stack.clone(),
            permit: permit.clone(),
            recorder: self.recorder.clone(),
            mutating: Arc::clone(self),
            victims: std::sync::Mutex::default(),
        })
    }

    /// Where the taps' effects go.
    pub fn sink(self: &Arc<Self>, inner: impl EffectSink + 'static) -> Arc<dyn EffectSink> {
        match self.way() {
            Some(Way::Effects(bend)) => {
                Arc::new(BentSink { inner: Box::new(inner), bend, mutating: Arc::clone(self) })
            }
            _ => Arc::new(inner),
        }
    }

    /// Begins, before the first step of the injection. What is left to run until the attempt ends.
    pub async fn begin(
        self: &Arc<Self>,
        scenario: &Scenario,
        context: &Context<'_>,
    ) -> Result<Option<JoinHandle<()>>, String> {
        let Some(mutation) = self.mutation else { return Ok(None) };
        self.on.store(true, Ordering::Release);
        match mutation.way {
            Way::Calls(spec) => context.faults.arm_mutation(mutation.name, spec()?),
            Way::Stack(changes) => {
                for change in changes(&Site { scenario, stack: context.stack }) {
                    let changed = context.stack.change(context.permit, &change).await;
                    changed.map_err(|error| error.to_string())?;
                    self.took_hold();
                }
            }
            Way::Forgeries(forgery) => {
                let labels = scenario.injected_labels().into_keys().map(str::to_owned);
                let forger = Forger::new(forgery, labels);
                return Ok(Some(tokio::spawn(forge(forger, self.recorder.clone(), Arc::clone(self)))));
            }
            Way::Deliveries(_) | Way::Effects(_) | Way::Unarmed => {}
        }
        Ok(None)
    }

    /// Whether the step is left out: it counts as done.
    pub fn leaves_out(&self, action: &Action) -> bool {
        let is_fault = matches!(action, Action::Kill(_) | Action::Fault(_));
        let leaves_out = is_fault && self.is_on() && matches!(self.way(), Some(Way::Unarmed));
        if leaves_out {
            self.took_hold();
        }
        leaves_out
    }

    pub(super) fn is_on(&self) -> bool {
        self.on.load(Ordering::Acquire)
    }

    /// Puts on record that something is not as it would have been.
    pub(super) fn took_hold(&self) {
        if let Some(mutation) = self.mutation
            && !self.told.swap(true, Ordering::AcqRel)
        {
            let mutation = mutation.name.to_owned();
            self.recorder.record(Source::Engine, Kind::Mutated { mutation });
        }
    }

    fn way(&self) -> Option<Way> {
        Some(self.mutation?.way)
    }
}
