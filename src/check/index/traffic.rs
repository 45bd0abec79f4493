//! What messages went through: sends, receives, deletes, moves, redrives, effects.
//!
//! The tap and the sandbox record one act from two sides, so neighbours may arrive in either
//! order. Where they disagree on where a message is, the one that shows the message last is right:
//! a receive after a delete means that the delete did not take (semantics 1.2).

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{StackDuration, StackTime};

use super::Index;
use super::facts::{
    DeleteFact, EffectFact, ExtendFact, Message, MessageKey, MoveFact, Place, ReceiveFact, SendFact, Story,
    StoryKey, StrayEffect, When,
};
use crate::history::{Held, Instance, Kind, Withheld};

impl Index {
    pub(super) fn see_traffic(&mut self, when: When, kind: &Kind) {
        match kind {
            Kind::Sent { queue, message_id, marker, label, poison, .. } => {
                let story = self.named(marker, label.as_deref());
                self.see_sent(when, story, queue, message_id, poison);
            }
            Kind::SendFailed { marker, label, .. } => {
                let story = self.named(marker, label.as_deref());
                self.stories[story].refused.push(when);
            }
            Kind::Received { by, queue, messages, visibility, withheld, fault, .. } => {
                let process = self.processes.entry(by.clone()).or_default();
                process.receives.push(when.seq);
                for held in messages {
                    let fact = ReceiveFact {
                        when,
                        by: by.clone(),
                        queue: queue.to_owned(),
                        receipt: held.receipt.clone(),
                        count: held.receive_count,
                        visibility: *visibility,
                        withheld: *withheld,
                        forged: fault.is_some(),
                        extends: Vec::new(),
                        hidden_until: after_seconds(when.at, *visibility),
                        acted: when.real,
                    };
                    self.see_received(held, fact);
                }
            }
            Kind::Extended { receipt, message_id, visibility, error: None, undone: false, .. } => {
                self.see_extended(when, receipt, message_id.as_ref(), *visibility);
            }
            Kind::Deleted { by, queue, receipt, message_id, error, undone, .. } => {
                let fact = DeleteFact {
                    when,
                    by: by.clone(),
                    receipt: receipt.clone(),
                    error: error.clone(),
                    undone: *undone,
                    took: false,
                };
                self.see_deleted(queue, message_id.as_ref(), fact);
            }
            Kind::Moved { from, to, message_id, receives } => {
                let key = self.stored(message_id, from);
                self.see_moved(when, key, from, to, *receives);
            }
            Kind::Redriven { from, to, old_message_id, message_id } => {
                let old = self.stored(old_message_id, from);
                self.see_redriven(when, old, to, message_id);
            }
            Kind::Expired { queue, message_id } => self.see_gone(queue, message_id, Place::Expired),
            Kind::Purged { queue, message_id } => self.see_gone(queue, message_id, Place::Purged),
            Kind::Effect { effect, by, key, marker, attribution, replay, .. } => {
                let fact = EffectFact {
                    when,
                    effect: effect.clone(),
                    by: by.clone(),
                    attribution: *attribution,
                    replay: *replay,
                };
                self.see_effect(fact, key.clone(), marker.as_ref());
            }
            _ => {}
        }
    }

    fn see_sent(
        &mut self,
        when: When,
        story: StoryKey,
        queue: &str,
        id: &MessageId,
        poison: &Option<String>,
    ) {
        let label = self.stories[story].label.clone();
        let available = when.at + self.delay_of(queue, label.as_deref());
        let key = self.stored(id, queue);
        self.messages[key].available = available;
        self.own(key, story);
        let told = &mut self.stories[story];
        told.sends.push(SendFact { when });
        if told.poison.is_none() {
            told.poison.clone_from(poison);
        }
    }

    fn see_received(&mut self, held: &Held, fact: ReceiveFact) {
        let key = self.stored(&held.message_id, &fact.queue);
        if let (None, Some(marker)) = (self.messages[key].story, &held.marker) {
            let story = self.named(marker, None);
            self.own(key, story);
        }
        // What a fault delivers again may be deleted long since.
        if !fact.forged {
            self.put(key, Place::In(fact.queue.clone()));
        }
        self.let_go(key);
        if fact.withheld == Withheld::No {
            self.processes.entry(fact.by.clone()).or_default().held.insert(key);
        }
        let receives = &mut self.messages[key].receives;
        self.by_receipt.insert(fact.receipt.clone(), (key, receives.len()));
        receives.push(fact);
    }

    fn see_extended(&mut self, when: When, receipt: &ReceiptHandle, id: Option<&MessageId>, visibility: u64) {
        let by_id = || {
            let key = *self.by_message.get(id?)?;
            Some((key, self.messages[key].receives.len().checked_sub(1)?))
        };
        let Some((key, receive)) = self.by_receipt.get(receipt).copied().or_else(by_id) else { return };
        let receive = &mut self.messages[key].receives[receive];
        receive.extends.push(ExtendFact { when, visibility });
        // Replaces what is left, counted from the call (semantics 1.1).
        receive.hidden_until = after_seconds(when.at, visibility);
        let by = receive.by.clone();
        self.note_silence(key, &by, when);
    }

    fn see_deleted(&mut self, queue: &str, id: Option<&MessageId>, mut fact: DeleteFact) {
        let by_receipt = self.by_receipt.get(&fact.receipt).map(|(key, _)| *key);
        let Some(key) = by_receipt.or_else(|| self.by_message.get(id?).copied()) else { return };
        self.note_speed(key, &fact.by, fact.when);
        // A handle of the queue that it has left does nothing to it where it is now.
        let asked = fact.error.is_none() && !fact.undone;
        fact.took = asked && self.messages[key].place == Place::In(queue.to_owned());
        if fact.took {
            self.put(key, Place::Deleted);
            self.let_go(key);
        }
        self.messages[key].deletes.push(fact);
    }

    fn see_moved(&mut self, when: When, key: MessageKey, from: &str, to: &str, receives: u32) {
        let message = &mut self.messages[key];
        let seen_from =
            message.receives.iter().filter(|receive| receive.queue == from && !receive.forged).count() as u32;
        let seen = message.receives.iter().filter(|receive| !receive.forged).count() as u32;
        let (from, to) = (from.to_owned(), to.to_owned());
        message.moves.push(MoveFact { when, from, to: to.clone(), receives, seen_from, seen });
        self.put(key, Place::In(to));
        self.let_go(key);
    }

    fn see_gone(&mut self, queue: &str, id: &MessageId, place: Place) {
        let key = self.stored(id, queue);
        self.put(key, place);
        self.let_go(key);
    }

    fn see_redriven(&mut self, when: When, old: MessageKey, to: &str, id: &MessageId) {
        let new = self.stored(id, to);
        self.messages[new].from_redrive = true;
        self.messages[new].available = when.at;
        if let Some(story) = self.messages[old].story {
            self.own(new, story);
        }
        if old != new {
            self.messages[old].redriven = Some((when, new));
            self.put(old, Place::Redriven);
            self.let_go(old);
        }
    }

    fn see_effect(&mut self, fact: EffectFact, key: Option<String>, marker: Option<&Marker>) {
        let Some(story) = marker.and_then(|marker| self.by_marker.get(marker).copied()) else {
            let held = self.processes.get(&fact.by).map(|process| &process.held);
            let held = held.into_iter().flatten().map(|key| self.messages[*key].story).collect();
            self.strays.push(StrayEffect { fact, key, held });
            return;
        };
        for key in self.stories[story].messages.clone() {
            self.note_speed(key, &fact.by, fact.when);
        }
        self.stories[story].effects.push(fact);
    }

    /// Keeps the longest real time for which a holder was silent on a message.
    fn note_silence(&mut self, key: MessageKey, by: &Instance, when: When) {
        let mut receives = self.messages[key].receives.iter_mut().rev();
        let Some(receive) = receives.find(|receive| receive.by == *by) else { return };
        let silent = when.real.since(receive.acted);
        receive.acted = when.real;
        let longest = self.silences.entry(by.consumer.clone()).or_default();
        *longest = silent.max(*longest);
    }

    /// Keeps the longest real time that a holder took from its receive to an act.
    fn note_speed(&mut self, key: MessageKey, by: &Instance, when: When) {
        self.note_silence(key, by, when);
        let mut receives = self.messages[key].receives.iter().rev();
        let Some(receive) = receives.find(|receive| receive.by == *by) else { return };
        let took = when.real.since(receive.when.real);
        let slowest = self.slowest.entry(by.consumer.clone()).or_default();
        *slowest = took.max(*slowest);
    }

    /// The marker's story, begun when this is the first that is heard of it.
    fn named(&mut self, marker: &Marker, label: Option<&str>) -> StoryKey {
        let key = *self.by_marker.entry(marker.clone()).or_insert(self.stories.len());
        if key == self.stories.len() {
            self.stories.push(Story {
                marker: marker.clone(),
                label: None,
                poison: None,
                sends: Vec::new(),
                refused: Vec::new(),
                messages: Vec::new(),
                effects: Vec::new(),
                left: Vec::new(),
            });
        }
        let story = &mut self.stories[key];
        if story.label.is_none() {
            story.label = label.map(str::to_owned);
        }
        key
    }

    /// The message with this id; one that is new is in `queue`.
    fn stored(&mut self, id: &MessageId, queue: &str) -> MessageKey {
        if let Some(key) = self.by_message.get(id) {
            return *key;
        }
        let key = self.messages.len();
        self.by_message.insert(id.clone(), key);
        self.messages.push(Message {
            id: id.clone(),
            story: None,
            place: Place::In(queue.to_owned()),
            available: StackTime::default(),
            receives: Vec::new(),
            deletes: Vec::new(),
            moves: Vec::new(),
            redriven: None,
            from_redrive: false,
        });
        self.in_queue.entry(queue.to_owned()).or_default().insert(key);
        key
    }

    fn own(&mut self, key: MessageKey, story: StoryKey) {
        if self.messages[key].story.is_none() {
            self.messages[key].story = Some(story);
            self.stories[story].messages.push(key);
        }
    }

    fn put(&mut self, key: MessageKey, place: Place) {
        if let Place::In(queue) = &self.messages[key].place
            && let Some(there) = self.in_queue.get_mut(queue)
        {
            there.remove(&key);
        }
        if let Place::In(queue) = &place {
            self.in_queue.entry(queue.clone()).or_default().insert(key);
        }
        self.messages[key].place = place;
    }

    /// The latest holder holds it no longer.
    fn let_go(&mut self, key: MessageKey) {
        let holder = self.messages[key].receives.last().map(|receive| receive.by.clone());
        if let Some(process) = holder.and_then(|by| self.processes.get_mut(&by)) {
            process.held.remove(&key);
        }
    }
}

fn after_seconds(at: StackTime, seconds: u64) -> StackTime {
    at + StackDuration::from_secs(1).times(seconds)
}
