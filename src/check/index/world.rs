//! What happened around the messages: processes, faults, alarms, depths.

use havoq_base::ids::MessageId;

use super::Index;
use super::facts::{
    ActionFact, Change, ClosedFact, Counts, Exit, Fault, Fired, LeftFact, Place, StoryKey, When,
};
use crate::history::{Instance, Kind, Source};

impl Index {
    pub(super) fn see_world(&mut self, when: When, source: Source, kind: &Kind) {
        match kind {
            Kind::ConsumerStarted { by, bug, .. } => {
                let process = self.processes.entry(by.clone()).or_default();
                process.started = Some(when);
                process.bug.clone_from(bug);
            }
            Kind::ConsumerIdle { by, queue, .. } => {
                self.processes.entry(by.clone()).or_default().idle.insert(queue.clone());
                self.see_idle(when, by, queue);
            }
            Kind::ConsumerPolled { by, queue } => {
                let process = self.processes.entry(by.clone()).or_default();
                process.came_back |= process.idle.remove(queue);
            }
            Kind::ConsumerTime { by, follows, .. } => {
                let known = &mut self.processes.entry(by.clone()).or_default().follows;
                *known = Some(*follows && known.unwrap_or(true));
            }
            Kind::ConsumerReady { by, .. } => {
                self.processes.entry(by.clone()).or_default().ready = Some(when);
            }
            Kind::ConsumerUnready { by, waited_for, reason, stderr } => {
                let lines = stderr.iter().map(|line| format!("\nstderr: {line}")).collect::<String>();
                let reason = format!("{by} was not ready ({waited_for}): {reason}{lines}");
                self.processes.entry(by.clone()).or_default().unready = Some((when, reason));
            }
            Kind::ClockJumped { closed, .. } => {
                closed.iter().for_each(|closed| self.see_closed(when, &closed.by, &closed.message_id));
            }
            Kind::ConsumerExited { by, code, signal, ended_by, left_behind } => {
                let (code, signal, left_behind) = (*code, *signal, *left_behind);
                let exit = Exit { when, code, signal, ended_by: ended_by.clone(), left_behind };
                self.processes.entry(by.clone()).or_default().exited = Some(exit);
            }
            Kind::FaultArmed { fault, description } => {
                let fault = self.fault(fault);
                fault.armed = Some(when);
                fault.description.clone_from(description);
            }
            Kind::FaultFired { fault, by, marker, collateral, .. } => {
                let fired = Fired {
                    when,
                    by: by.clone(),
                    marker: marker.clone(),
                    collateral: collateral.clone(),
                    // The engine sends signals; what the tap does to a call stops nobody.
                    is_signal: source != Source::Tap,
                };
                self.fault(fault).fired.push(fired);
            }
            Kind::FaultEnded { fault, fired, reason } => {
                let fault = self.fault(fault);
                // One fault can end at several crossings; that it took hold at one is enough.
                let before = fault.ended.as_ref().is_some_and(|(_, fired, _)| *fired);
                fault.ended = Some((when, *fired || before, reason.clone()));
            }
            Kind::AlarmChanged { alarm, from, to, .. } => {
                let change = Change { when, from: from.clone(), to: to.clone() };
                self.alarms.entry(alarm.clone()).or_default().changes.push(change);
            }
            Kind::AlarmAction { alarm, state, target } => {
                let action = ActionFact { when, state: state.clone(), target: target.clone() };
                self.alarms.entry(alarm.clone()).or_default().actions.push(action);
            }
            Kind::DepthSeen { queue, visible, in_flight, delayed } => {
                let counts = Counts { visible: *visible, in_flight: *in_flight, delayed: *delayed };
                self.depths.entry(queue.clone()).or_default().push((when, counts));
            }
            _ => {}
        }
    }

    /// A finished message is none that anything could rest on: deleted, with its effect made.
    fn see_closed(&mut self, when: When, by: &Instance, id: &MessageId) {
        let Some(message) = self.message_key(id) else { return };
        let there = matches!(self.messages[message].place, Place::In(_));
        let story = self.messages[message].story.map(|story| &self.stories[story]);
        let owes_effect = story.is_some_and(|story| story.effects.is_empty());
        if there || (owes_effect && !self.scenario.effects.is_empty()) {
            self.closed.push(ClosedFact { when, by: by.clone(), message });
        }
    }

    fn fault(&mut self, id: &str) -> &mut Fault {
        let known = self.faults.iter().position(|fault| fault.id == id);
        let at = known.unwrap_or_else(|| {
            self.faults.push(Fault { id: id.to_owned(), ..Fault::default() });
            self.faults.len() - 1
        });
        &mut self.faults[at]
    }

    /// Marks what an idle consumer left where it could have received it.
    fn see_idle(&mut self, when: When, by: &Instance, queue: &str) {
        let deliverable = |message: &super::Message| {
            let hidden = message.receives.last().is_some_and(|receive| receive.hidden_until > when.at);
            !hidden && message.available <= when.at
        };
        let left: Vec<StoryKey> = self
            .messages_in(queue)
            .filter(|message| deliverable(message))
            .filter_map(|message| message.story)
            .collect();
        for story in left {
            self.stories[story].left.push(LeftFact { when, by: by.clone(), queue: queue.to_owned() });
        }
    }
}
