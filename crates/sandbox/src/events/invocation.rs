//! What is on its way to targets: one entry and one timer for each event and target, however many
//! attempts there are. It goes on as it began, whatever becomes of its rule.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;

use super::event::Event;
use super::names::RuleKey;
use super::target::Target;
use crate::targets::TargetError;
use crate::timers::{Timer, Timers};

/// One event on its way to one target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct InvocationId(u64);

#[derive(Clone, Debug)]
pub(super) struct Invocation {
    pub(super) rule: RuleKey,
    pub(super) rule_arn: Arc<str>,
    pub(super) target: Arc<Target>,
    pub(super) event: Arc<Event>,
    pub(super) began: StackTime,
    /// How many attempts were made.
    pub(super) attempts: u32,
    /// What the last one failed of.
    pub(super) error: Option<TargetError>,
}

impl Invocation {
    pub(super) fn new(
        began: StackTime,
        rule: RuleKey,
        rule_arn: Arc<str>,
        target: Arc<Target>,
        event: Arc<Event>,
    ) -> Self {
        Self { rule, rule_arn, target, event, began, attempts: 0, error: None }
    }
}

#[derive(Debug, Default)]
pub(super) struct Invocations {
    next: u64,
    all: BTreeMap<InvocationId, Invocation>,
}

impl Invocations {
    /// Takes an invocation, which is due now.
    pub(super) fn push(&mut self, now: StackTime, invocation: Invocation, timers: &mut Timers) {
        let id = InvocationId(self.next);
        self.next += 1;
        self.keep(now, id, invocation, timers);
    }

    /// Takes an invocation back, which is due later.
    pub(super) fn keep(
        &mut self,
        due: StackTime,
        id: InvocationId,
        invocation: Invocation,
        timers: &mut Timers,
    ) {
        self.all.insert(id, invocation);
        timers.set(due, Timer::Invoke { invocation: id });
    }

    /// Takes out what is due.
    pub(super) fn take(&mut self, id: InvocationId) -> Option<Invocation> {
        self.all.remove(&id)
    }
}
