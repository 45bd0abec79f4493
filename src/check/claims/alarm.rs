//! `alarm`: a transition into a state after injection began, optionally after having been in
//! another one, optionally with an action on a topic. In the steady state being in the state is
//! enough, since that is a precondition and not a reaction.
//!
//! An alarm that goes into ALARM without ever having been OK may have been there all along, with
//! its first evaluation yet to come: it does not count as a reaction.

use std::ops::Range;

use havoq_base::{StackDuration, StackTime};

use super::{Check, rates};
use crate::check::finding::{Breach, Finding, Wait};
use crate::check::index::{AlarmFacts, Change, Index, When};
use crate::check::view::{Role, View};
use crate::check::words;
use crate::check::{afar, blind};
use crate::scenario::{Alarm, AlarmState, Claim};

struct Reaches<'a> {
    name: &'a str,
    reaches: AlarmState,
    after: Option<AlarmState>,
    notifies: Option<&'a str>,
    within: Option<StackDuration>,
}

pub(super) fn read(claim: &Claim) -> Option<Box<dyn Check + '_>> {
    let Claim::Alarm { name, reaches, after, notifies, within } = claim else { return None };
    let notifies = notifies.as_deref();
    Some(Box::new(Reaches { name, reaches: *reaches, after: *after, notifies, within: *within }))
}

impl Check for Reaches<'_> {
    fn kind(&self) -> &'static str {
        "alarm"
    }

    fn text(&self) -> String {
        let after = self.after.map_or_else(String::new, |after| format!(" after {}", words::state(after)));
        let notifies = self.notifies.map_or_else(String::new, |topic| format!(" and notifies {topic}"));
        let within = words::within(self.within);
        format!("{} reaches {}{after}{notifies}{within}", self.name, words::state(self.reaches))
    }

    fn judged_at_end(&self) -> bool {
        false
    }

    fn look(&self, view: &View<'_>) -> Finding {
        let none = AlarmFacts::default();
        let facts = view.index.alarms.get(self.name).unwrap_or(&none);
        if let Some(seq) = self.was_there(view, facts) {
            let reason = format!("{} was {} already", self.name, words::state(self.reaches));
            return Finding::holds(reason, vec![seq]);
        }
        let mut fitting = facts.changes.iter().enumerate().filter(|(_, change)| {
            let counts = match view.role {
                Role::SteadyState => change.when.at >= view.from,
                Role::Wait | Role::Expect => change.when.seq > view.since(),
            };
            counts && self.is_target(change) && view.in_time(change.when, self.within)
        });
        let mut uncalm = None;
        let found = fitting.find_map(|(at, change)| {
            let before = self.after.map_or(Some(0), |after| was_in(facts, after, at, view.since()))?;
            let action = self.notifies.map_or(Some(0), |topic| self.action(view.index, facts, at, topic))?;
            if !self.is_reaction(view, facts, at) {
                uncalm.get_or_insert(change);
                return None;
            }
            Some((change, [before, action]))
        });
        match (found, uncalm) {
            (Some((change, others)), _) => match self.untold(view) {
                Some(why) => Finding::unclear(format!("{} came to be OK, but {why}", self.name)),
                None => self.found(view, facts, change, others),
            },
            (None, Some(change)) if blind::without_cause(view.index, self.name).is_none() => {
                self.never_calm(view, change)
            }
            (None, _) => Finding::Missing(self.breach(view, facts), self.wait(view)),
        }
    }
}

impl Reaches<'_> {
    fn is_target(&self, change: &Change) -> bool {
        change.to == words::state(self.reaches)
    }

    /// Whether the change at position `at` can be a reaction to what was injected.
    fn is_reaction(&self, view: &View<'_>, facts: &AlarmFacts, at: usize) -> bool {
        let asked = self.reaches == AlarmState::Alarm && view.role != Role::SteadyState;
        !asked || blind::was_calm(facts, at)
    }

    fn never_calm(&self, view: &View<'_>, change: &Change) -> Finding {
        let at = words::offset(change.when.at, view.from);
        let name = self.name;
        let reason = format!(
            "{name} went to ALARM at {at} without ever having been OK, so it may have been there all along; \
             wait for it in the steady state: `- alarm: {{ name: {name}, reaches: OK, within: 10m }}`"
        );
        Finding::Unclear { reason, evidence: vec![change.when.seq] }
    }

    /// For the steady state: the event that had led to the state when the step began.
    fn was_there(&self, view: &View<'_>, facts: &AlarmFacts) -> Option<u64> {
        let plain = view.role == Role::SteadyState && self.after.is_none() && self.notifies.is_none();
        let mut before = facts.changes.iter().rev().filter(|change| plain && change.when.at <= view.from);
        before.next().filter(|change| self.is_target(change)).map(|change| change.when.seq)
    }

    /// As a precondition a quiet alarm is enough; as a reaction it would have to be seen in time.
    fn untold(&self, view: &View<'_>) -> Option<String> {
        rates::untold(view, self.name, self.reaches).filter(|_| view.role != Role::SteadyState)
    }

    fn found(&self, view: &View<'_>, facts: &AlarmFacts, change: &Change, others: [u64; 2]) -> Finding {
        let at = words::offset(change.when.at, view.from);
        let silent = match silent_arrivals(view.index, self.name, facts, change) {
            0 => String::new(),
            count => format!(
                "; {} came while it was in ALARM, of which it told nobody: an alarm acts when its state changes",
                words::counted(count as u64, "more dead letter")
            ),
        };
        let reason = format!("{} went from {} to {} at {at}{silent}", self.name, change.from, change.to);
        let mut evidence: Vec<u64> =
            others.into_iter().filter(|seq| *seq > 0).chain([change.when.seq]).collect();
        evidence.sort_unstable();
        evidence.dedup();
        Finding::holds(reason, evidence)
    }

    /// The action of the transition at position `at`: after it, before the next one.
    fn action(&self, index: &Index, facts: &AlarmFacts, at: usize, topic: &str) -> Option<u64> {
        let stay = stay(facts, &facts.changes[at]);
        let arn =
            index.run.resources.iter().find(|resource| resource.id == topic).map(|resource| &resource.arn);
        let mut actions = facts.actions.iter().filter(|action| stay.contains(&action.when.seq));
        let to = |target: &String| target == topic || Some(target) == arn;
        actions
            .find(|action| action.state == words::state(self.reaches) && to(&action.target))
            .map(|action| action.when.seq)
    }

    /// Alarms go on being evaluated when no message moves any more, so only the deadline ends the
    /// wait. Without one it is the time in which the alarm must have settled.
    fn wait(&self, view: &View<'_>) -> Wait {
        let deadline = view.deadline(self.within).or_else(|| Some(settled(view, self.name)));
        Wait { deadline, ends_with_horizon: false }
    }

    fn breach(&self, view: &View<'_>, facts: &AlarmFacts) -> Breach {
        let since: Vec<&Change> =
            facts.changes.iter().filter(|change| change.when.seq > view.since()).collect();
        let told = match since.as_slice() {
            [] => format!("it was {} throughout", state_at(facts, view.since()).0),
            changes => {
                let told = changes
                    .iter()
                    .take(6)
                    .map(|change| format!("{} at {}", change.to, words::offset(change.when.at, view.from)));
                format!("it went to {}", told.collect::<Vec<_>>().join(", then "))
            }
        };
        let what = match (self.after, self.notifies) {
            (None, None) => format!("did not reach {}", words::state(self.reaches)),
            (Some(after), None) => {
                format!("did not reach {} after {}", words::state(self.reaches), words::state(after))
            }
            (_, Some(topic)) => {
                format!("did not reach {} with an action on {topic}", words::state(self.reaches))
            }
        };
        let reached = facts.changes.iter().any(|change| self.is_target(change));
        let unheard = afar::actions(view.index, self.notifies).filter(|_| reached);
        let idle = afar::alarms(view.index).or(unheard).or_else(|| view.anything_left());
        let evidence = since.iter().map(|change| change.when.seq).collect();
        let reason = format!("{} {what}: {told}", self.name);
        Breach { reason, evidence, idle, ..Breach::default() }
    }
}

/// From this change on, before the next one.
fn stay(facts: &AlarmFacts, change: &Change) -> Range<u64> {
    let next = facts.changes.iter().find(|next| next.when.seq > change.when.seq);
    change.when.seq..next.map_or(u64::MAX, |next| next.when.seq)
}

/// How many messages were moved into the queue that the alarm watches while the alarm was in ALARM
/// since `change` (semantics 4.2: that is no transition).
fn silent_arrivals(index: &Index, name: &str, facts: &AlarmFacts, change: &Change) -> usize {
    if change.to != words::state(AlarmState::Alarm) {
        return 0;
    }
    let queue = index.scenario.stack.alarms.get(name).and_then(Alarm::watched_queue);
    let stay = stay(facts, change);
    let silent = index.moves().filter(|moved| stay.contains(&moved.when.seq));
    silent.filter(|moved| Some(moved.to.as_str()) == queue).count()
}

/// Whether the alarm was in `state` after `since` and before its change at position `at`; the
/// event that put it there, or 0 when it was there from the start.
fn was_in(facts: &AlarmFacts, state: AlarmState, at: usize, since: u64) -> Option<u64> {
    let state = words::state(state);
    let earlier = facts.changes[..at].iter();
    let entered = earlier.rev().find(|change| change.when.seq > since && change.to == state);
    match entered {
        Some(change) => Some(change.when.seq),
        None => {
            let (at_start, seq) = state_at(facts, since);
            (at_start == state).then_some(seq)
        }
    }
}

/// The state at an event, and the event that led to it. A new alarm is INSUFFICIENT_DATA
/// (semantics 4.1).
pub(super) fn state_at(facts: &AlarmFacts, seq: u64) -> (&str, u64) {
    let before = facts.changes.iter().rev().find(|change| change.when.seq <= seq);
    before.map_or(("INSUFFICIENT_DATA", 0), |change| (change.to.as_str(), change.when.seq))
}

/// When the alarm has had the time to show whatever the last message did: its whole window, and
/// two evaluations more.
pub(super) fn settled(view: &View<'_>, alarm: &str) -> StackTime {
    let window = view
        .index
        .scenario
        .stack
        .alarms
        .get(alarm)
        .map_or(StackDuration::ZERO, |alarm| alarm.period.times(u64::from(alarm.evaluation_periods)));
    view.index.run.last_traffic.max(view.from) + window + StackDuration::from_secs(120)
}

/// When the injection began, or the attempt.
pub(super) fn start(view: &View<'_>) -> Option<When> {
    view.index.run.injection().or(view.index.run.first)
}
