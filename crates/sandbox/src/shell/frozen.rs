//! The sandbox held still, for the engine's jumps of the clock.

use std::sync::MutexGuard;

use havoq_base::{Clock, Jump, StackTime};

use crate::core::Core;
use crate::fact::Depth;
use crate::place::Place;

/// A sandbox that nobody else can call while this lives: what it says holds together, and a jump
/// is atomic with respect to all calls. It must not be held for long.
pub struct Frozen<'a> {
    pub(super) core: MutexGuard<'a, Core>,
    pub(super) clock: &'a Clock,
}

impl Frozen<'_> {
    /// How many ReceiveMessage calls wait for a message. One that was given messages does not
    /// count any more, even if it has not answered yet.
    pub fn parked_polls(&self) -> usize {
        self.core.queues.iter().map(|queue| queue.polls.len()).sum()
    }

    /// The counts of the queue of this name.
    pub fn depth(&self, queue: &str) -> Option<Depth> {
        let id = self.core.queues.find(Place::HOME, queue)?;
        self.core.queues.get(id).ok().map(|queue| queue.depth())
    }

    /// The names of all queues.
    pub fn queues(&self) -> impl Iterator<Item = &str> {
        self.core.queues.of(Place::HOME).map(|queue| &*queue.name)
    }

    /// When the next timer of any kind is due, ticks of metrics and retention among them.
    pub fn next_timer(&self) -> Option<StackTime> {
        self.core.timers.next()
    }

    /// When the next timer is due that can make a message deliverable or move it: the end of a
    /// visibility timeout or a delay, a step of a move task, a delivery of a topic, an occurrence of a
    /// schedule.
    pub fn next_delivery_timer(&self) -> Option<StackTime> {
        self.core.timers.next_delivery()
    }

    /// When a schedule falls due next that recurs, or is far away. It may lead to messages, but as
    /// long as the clock is not moved on for another reason, nobody waits for it.
    pub fn next_scheduled_timer(&self) -> Option<StackTime> {
        self.core.timers.next_scheduled()
    }

    /// How many HTTP endpoints have been sent something, or are about to be, and have not answered.
    pub fn posts_without_answer(&self) -> usize {
        self.core.posts_without_answer()
    }

    /// How many invocations of functions have begun and not ended: one that is under way may act, and
    /// the clock must not pass its deadline unseen.
    pub fn invocations_under_way(&self) -> usize {
        self.core.invocations_under_way()
    }

    /// How many messages the event source mappings and the pipes have in their hands.
    pub fn messages_in_mappings(&self) -> usize {
        self.core.messages_in_mappings() + self.core.messages_in_pipes()
    }

    pub fn move_task_running(&self) -> bool {
        self.core.move_tasks.any_running()
    }

    /// Jumps the clock, then fires what is due in the order of its times. `None` when the clock
    /// did not jump; what is due is fired all the same.
    pub fn jump_to(&mut self, to: StackTime) -> Option<Jump> {
        let jump = self.clock.jump_to(to);
        self.core.advance(self.clock.now());
        jump
    }
}
