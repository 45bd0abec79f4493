//! What the services share: the timers, the ids, the facts, and the rule that holds them together.
//! A queue that was touched is settled at the end of each operation and each timer: its parked
//! polls are served, its retention timer is set, and its counts are made known if they changed.

use std::collections::BTreeSet;

use havoq_base::ids::MessageId;
use havoq_base::seed::Stream;
use havoq_base::{Seed, StackTime};
use havoq_wire::{ServiceError, SqsError};

use crate::cloudwatch::CloudWatch;
use crate::fact::{Fact, FactSink};
use crate::sqs::{Handles, MoveTasks, QueueId, Registry, invalid_parameter};
use crate::timers::{Timer, Timers};

/// Everything that the sandbox is, without a clock.
pub(crate) struct Core {
    pub(crate) account: String,
    pub(crate) region: String,
    pub(crate) timers: Timers,
    pub(crate) queues: Registry,
    pub(crate) handles: Handles,
    pub(crate) move_tasks: MoveTasks,
    pub(crate) cloudwatch: CloudWatch,
    /// The ARNs of topics.
    pub(crate) topics: BTreeSet<String>,
    /// Counts the polls that were ever parked.
    pub(crate) polls_so_far: u64,
    ids: Stream,
    facts: FactSink,
    touched: Vec<QueueId>,
}

impl Core {
    pub(crate) fn new(account: String, region: String, seed: Seed, facts: FactSink) -> Self {
        Self {
            account,
            region,
            timers: Timers::default(),
            queues: Registry::default(),
            handles: Handles::new(seed),
            move_tasks: MoveTasks::default(),
            cloudwatch: CloudWatch::default(),
            topics: BTreeSet::new(),
            polls_so_far: 0,
            ids: seed.fork("ids").stream(),
            facts,
            touched: Vec::new(),
        }
    }

    /// Does an operation at `now`: what is due comes first, and the operation's facts come before
    /// its result.
    pub(crate) fn operate<T>(&mut self, now: StackTime, operation: impl FnOnce(&mut Self) -> T) -> T {
        self.advance(now);
        let result = operation(self);
        self.settle(now);
        result
    }

    /// Fires all timers that are due at `now`, each at its own time.
    pub(crate) fn advance(&mut self, now: StackTime) {
        while let Some((at, timer)) = self.timers.pop_due(now) {
            self.fire(at, timer);
            self.settle(at);
        }
    }

    fn fire(&mut self, at: StackTime, timer: Timer) {
        match timer {
            Timer::Reveal { queue, message } => self.reveal(queue, message),
            Timer::MoveStep { task } => self.move_step(at, task),
            Timer::Retention { queue } => self.expire(at, queue),
            Timer::Tick => self.tick(at),
        }
    }

    /// Notes that a queue has to be settled.
    pub(crate) fn touch(&mut self, queue: QueueId) {
        if !self.touched.contains(&queue) {
            self.touched.push(queue);
        }
    }

    /// Settles the touched queues, and those that serving their polls touches. Each is served
    /// once: dead-letter queues in a circle, all polled, would move a message round for ever.
    pub(crate) fn settle(&mut self, at: StackTime) {
        let mut served = 0;
        while let Some(queue) = self.touched.get(served).copied() {
            self.serve_polls(at, queue);
            served += 1;
        }
        let touched = std::mem::take(&mut self.touched);
        for id in &touched {
            let Ok(queue) = self.queues.get_mut(*id) else { continue };
            queue.arm_retention(at, &mut self.timers);
            let depth = queue.depth();
            if depth != queue.reported {
                queue.reported = depth;
                (self.facts)(at, Fact::Depth { queue: queue.name.to_string(), depth });
            }
        }
        // The list is kept for its memory.
        self.touched = touched;
        self.touched.clear();
    }

    /// The queue of this name, for a call on it: that is an action, whatever comes of it
    /// (semantics 1.16).
    pub(crate) fn open(&mut self, now: StackTime, name: &str) -> Result<QueueId, ServiceError> {
        let id = self.queues.find(name);
        let id = id.ok_or_else(|| SqsError::QueueDoesNotExist.with("The specified queue does not exist."))?;
        self.queues.get_mut(id)?.last_action = now;
        Ok(id)
    }

    /// A topic is so far a name that an alarm can act on.
    pub(crate) fn create_topic(&mut self, name: &str) -> Result<String, ServiceError> {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || name.len() > 256 || !name.bytes().all(legal) {
            return Err(invalid_parameter("Invalid parameter: Topic Name"));
        }
        let arn = format!("arn:aws:sns:{}:{}:{name}", self.region, self.account);
        self.topics.insert(arn.clone());
        Ok(arn)
    }

    pub(crate) fn emit(&self, at: StackTime, fact: Fact) {
        (self.facts)(at, fact);
    }

    pub(crate) fn new_id(&mut self) -> String {
        self.ids.uuid().to_string()
    }

    pub(crate) fn new_message_id(&mut self) -> MessageId {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        MessageId::new(&*self.ids.uuid().hyphenated().encode_lower(&mut text))
    }
}
