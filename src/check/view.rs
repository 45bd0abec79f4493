//! From where a claim is looked at: which part of the scenario it belongs to, when its deadline
//! starts, which markers its label names.

use havoq_base::{StackDuration, StackTime};

use super::at_work;
use super::finding::{Finding, Wait};
use super::index::{Index, Message, Place, Story, When};
use crate::history::Phase;
use crate::scenario::{Action, Claim};

/// Where in the scenario a claim stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    SteadyState,
    /// A `wait` among the injected steps.
    Wait,
    Expect,
}

pub(crate) struct View<'a> {
    pub(crate) index: &'a Index,
    pub(crate) role: Role,
    /// When deadlines start to count.
    pub(crate) from: StackTime,
    /// For waits: when the wait ended.
    pub(crate) until: Option<StackTime>,
}

impl<'a> View<'a> {
    /// Where a claim stands, by how far the run has come.
    pub(crate) fn of_run(index: &'a Index, from: StackTime) -> Self {
        let role = match index.run.injection() {
            None if !index.scenario.inject.is_empty() => Role::SteadyState,
            _ if injection_over(index) => Role::Expect,
            _ => Role::Wait,
        };
        Self { index, role, from, until: None }
    }

    pub(crate) fn deadline(&self, within: Option<StackDuration>) -> Option<StackTime> {
        within.map(|within| self.from + within)
    }

    /// What only messages can bring about may come until the deadline or the horizon.
    pub(crate) fn wait(&self, within: Option<StackDuration>) -> Wait {
        Wait { deadline: self.deadline(within), ends_with_horizon: true }
    }

    /// Whether this moment is in time; at exactly the deadline still is.
    pub(crate) fn in_time(&self, when: When, within: Option<StackDuration>) -> bool {
        self.deadline(within).is_none_or(|deadline| when.at <= deadline)
    }

    /// The event after which things count: the injection's begin. In the steady state, and where
    /// nothing is injected, all of the attempt counts.
    pub(crate) fn since(&self) -> u64 {
        match self.role {
            Role::SteadyState => 0,
            Role::Wait | Role::Expect => self.index.run.injection().map_or(0, |when| when.seq),
        }
    }

    /// The label's markers that the stack accepted. `Err` says why a claim on them is vacuous.
    pub(crate) fn set(&self, label: &str) -> Result<Vec<&'a Story>, String> {
        let labelled = self.index.stories.iter().filter(|story| story.label.as_deref() == Some(label));
        let accepted: Vec<&Story> = labelled.filter(|story| !story.messages.is_empty()).collect();
        if accepted.is_empty() {
            return Err(format!("no message of `{label}` was sent, so there is nothing to judge"));
        }
        Ok(accepted)
    }

    /// A claim on all of a label does not hold when some of it never got into the stack.
    pub(crate) fn unless_short(&self, label: &str, finding: Finding) -> Finding {
        match (finding, self.shortfall(label)) {
            (Finding::Holds { .. }, Some(why)) => Finding::unclear(why),
            (finding, _) => finding,
        }
    }

    fn shortfall(&self, label: &str) -> Option<String> {
        let (markers, copies) = asked_for(self.index, label);
        let stories = self.index.stories.iter().filter(|story| story.label.as_deref() == Some(label));
        let sends: Vec<u64> =
            stories.map(|story| story.sends.len() as u64).filter(|sends| *sends > 0).collect();
        let (accepted, sends) = (sends.len() as u64, sends.iter().sum::<u64>());
        if accepted < markers {
            return Some(format!("only {accepted} of {markers} `{label}` were accepted by the stack"));
        }
        (sends < copies)
            .then(|| format!("only {sends} of {copies} sends of `{label}` were accepted by the stack"))
    }

    /// Whether an idle consumer left this marker lying after its last receive, or still has it in
    /// hand, in words.
    pub(crate) fn left_lying(&self, story: &Story) -> Option<String> {
        let waiting =
            |queue: &str, message: &Message| matches!(&message.place, Place::In(place) if place == queue);
        let left = story.left.iter().rev().find(|left| {
            let mut messages = self.index.messages_of(story);
            messages.any(|message| {
                let received_since =
                    message.receives.last().is_some_and(|last| last.when.seq > left.when.seq);
                waiting(&left.queue, message) && !received_since
            })
        });
        let left = left.map(|left| {
            format!(
                "{} was left undelivered in {} by {}, which is live but idle",
                story.marker, left.queue, left.by
            )
        });
        left.or_else(|| at_work::may_come(self.index, story))
    }

    /// Any message that an idle consumer left lying: what rests on queues as a whole rests on it.
    pub(crate) fn anything_left(&self) -> Option<String> {
        self.index.stories.iter().find_map(|story| self.left_lying(story))
    }

    /// Why something that came after its deadline proves nothing.
    pub(crate) fn late_as_scaled(&self) -> Option<String> {
        late_as_scaled(self.index)
    }

    /// Whether an idle consumer delayed this marker at any time.
    pub(crate) fn was_left(&self, story: &Story) -> Option<String> {
        let left = story.left.last()?;
        Some(format!("{} was left in {} by {}, which was live but idle", story.marker, left.queue, left.by))
    }
}

/// Why what came late proves nothing, where durations were scaled.
pub(crate) fn late_as_scaled(index: &Index) -> Option<String> {
    let scaled = index.scenario.scaled.as_ref()?;
    Some(format!("at --scale {} real work does not shrink with the deadline", scaled.scale))
}

/// Whether all injected steps have ended.
pub(crate) fn injection_over(index: &Index) -> bool {
    let steps = 0..index.scenario.inject.len();
    steps.into_iter().all(|step| index.run.step(Phase::Inject, step).is_some_and(|step| step.ended.is_some()))
}

/// How many markers and sends the scenario's steps ask for under this label.
fn asked_for(index: &Index, label: &str) -> (u64, u64) {
    let steps = index.scenario.steady_state.iter().chain(&index.scenario.inject);
    steps.fold((0, 0), |(markers, sends), step| {
        let (count, copies) = match &step.action {
            Action::Send(send) if send.label == label => (u64::from(send.count), 1),
            Action::Poison(poison) if poison.label == label => (u64::from(poison.count), 1),
            Action::Duplicate(twin) if twin.label == label => (u64::from(twin.count), u64::from(twin.copies)),
            _ => (0, 0),
        };
        (markers + count, sends + count * copies)
    })
}

/// The `within` of a claim.
pub(crate) fn within(claim: &Claim) -> Option<StackDuration> {
    match claim {
        Claim::DeadLettered { within, .. }
        | Claim::Alarm { within, .. }
        | Claim::Redelivered { within, .. }
        | Claim::Effect { within, .. }
        | Claim::Depth { within, .. }
        | Claim::Drained { within, .. } => *within,
        Claim::NoEffect { .. } | Claim::Stays { .. } => None,
    }
}
