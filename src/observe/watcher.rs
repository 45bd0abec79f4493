//! Looks at a foreign stack again and again, and records what changed: queue depths, alarm states,
//! what alarms told topics, and, from what lies in dead-letter queues, what was moved there.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::{RealDuration, clock};
use tokio::sync::Mutex;

use super::traffic::Traffic;
use crate::guard::Permit;
use crate::history::{Kind, Recorder, Source};
use crate::scenario::Scenario;
use crate::stack::{Depth, Foreign, Peeked, StackError};

/// Between two looks: the stack has other work to do.
const PAUSE: RealDuration = RealDuration::from_millis(700);
/// How many messages one receive shows at most.
const PEEK: u64 = 10;
/// How often a depth is read anew when a message moved meanwhile.
const TRIES: u32 = 4;

pub struct Watcher {
    stack: Arc<Foreign>,
    recorder: Recorder,
    permit: Permit,
    queues: Vec<String>,
    /// Dead-letter queues that may be peeked into.
    peeked: Vec<String>,
    seen: Mutex<Seen>,
}

#[derive(Default)]
struct Seen {
    /// How much of the history was read.
    read: usize,
    traffic: Traffic,
    /// The last depths on record, and the traffic before them.
    depths: BTreeMap<String, (Depth, u64)>,
    alarms: BTreeMap<String, String>,
    /// The stack cannot tell of its alarms, so it is not asked again.
    no_alarms: bool,
}

/// One look at all queues.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// Those that could be read while no message moved.
    pub depths: BTreeMap<String, Depth>,
}

impl Watcher {
    pub fn new(stack: Arc<Foreign>, recorder: Recorder, permit: Permit, scenario: &Scenario) -> Self {
        let queues = scenario.stack.queues.keys().cloned().collect();
        let (peeked, seen) = (peekable(scenario), Mutex::default());
        Self { stack, recorder, permit, queues, peeked, seen }
    }

    /// Looks until the stack is gone.
    pub async fn run(self: Arc<Self>) {
        loop {
            // What it refuses now it may grant later; what it never grants is not judged.
            if let Err(StackError::NoAnswer { .. }) = self.look().await {
                return;
            }
            clock::sleep(PAUSE).await;
        }
    }

    /// Looks once.
    pub async fn look(&self) -> Result<Look, StackError> {
        let seen = &mut *self.seen.lock().await;
        self.look_at_alarms(seen).await?;
        self.listen().await?;
        for queue in &self.peeked {
            self.peek(seen, queue).await?;
        }
        let mut look = Look::default();
        for queue in &self.queues {
            if let Some(depth) = self.look_at_depth(seen, queue).await? {
                look.depths.insert(queue.clone(), depth);
            }
        }
        Ok(look)
    }

    /// A depth that was asked for before a message moved and is read after says neither.
    async fn look_at_depth(&self, seen: &mut Seen, queue: &str) -> Result<Option<Depth>, StackError> {
        for _ in 0..TRIES {
            self.catch_up(seen);
            let before = seen.traffic.events;
            let depth = self.stack.depth(queue).await?;
            self.catch_up(seen);
            if seen.traffic.events != before {
                continue;
            }
            // After traffic the same depth is news: until then it was only the old one.
            if seen.depths.get(queue) != Some(&(depth, before)) {
                seen.depths.insert(queue.to_owned(), (depth, before));
                let (visible, in_flight, delayed) = (depth.visible, depth.in_flight, depth.delayed);
                self.observe(Kind::DepthSeen { queue: queue.to_owned(), visible, in_flight, delayed });
            }
            return Ok(Some(depth));
        }
        Ok(None)
    }

    /// Goes through dead-letter queues that hold more than a peek shows. Only for when no alarm is
    /// awaited any more: meanwhile their messages are hidden.
    pub async fn look_through(&self) -> Result<(), StackError> {
        let seen = &mut *self.seen.lock().await;
        for queue in &self.peeked {
            let depth = seen.depths.get(queue).map_or(0, |(depth, _)| depth.visible);
            if depth > PEEK {
                let most = usize::try_from(depth).unwrap_or(usize::MAX);
                let lying = self.stack.peek_all(&self.permit, queue, most).await?;
                self.infer(seen, queue, lying);
            }
        }
        Ok(())
    }

    async fn peek(&self, seen: &mut Seen, queue: &str) -> Result<(), StackError> {
        let lying = self.stack.peek(&self.permit, queue).await?;
        self.infer(seen, queue, lying);
        Ok(())
    }

    /// The same MessageId in a dead-letter queue is the stack's own doing: a copy would have
    /// another one.
    fn infer(&self, seen: &mut Seen, queue: &str, lying: Vec<Peeked>) {
        for message in lying {
            self.catch_up(seen);
            let Some((from, receives)) = seen.traffic.moved_to(queue, &message.message_id) else { continue };
            let from = message.source.unwrap_or(from);
            let (to, message_id) = (queue.to_owned(), message.message_id);
            self.recorder.record(Source::Inferred, Kind::Moved { from, to, message_id, receives });
        }
    }

    async fn look_at_alarms(&self, seen: &mut Seen) -> Result<(), StackError> {
        if seen.no_alarms {
            return Ok(());
        }
        let states = match self.stack.alarm_states().await {
            Err(error @ StackError::NoAnswer { .. }) => return Err(error),
            Err(_) => {
                seen.no_alarms = true;
                return Ok(());
            }
            Ok(states) => states,
        };
        for (alarm, to, reason) in states {
            let from = seen.alarms.insert(alarm.clone(), to.clone());
            // The first state that is seen was given to it by its creation, not by a change.
            if let Some(from) = from.filter(|from| *from != to) {
                self.observe(Kind::AlarmChanged { alarm, from, to, reason });
            }
        }
        Ok(())
    }

    async fn listen(&self) -> Result<(), StackError> {
        match self.stack.hear().await {
            Err(error @ StackError::NoAnswer { .. }) => Err(error),
            // What is not heard is not judged.
            Err(_) => Ok(()),
            Ok(heard) => {
                for (alarm, state, target) in heard {
                    self.observe(Kind::AlarmAction { alarm, state, target });
                }
                Ok(())
            }
        }
    }

    fn observe(&self, kind: Kind) {
        self.recorder.record(Source::Observer, kind);
    }

    fn catch_up(&self, seen: &mut Seen) {
        let traffic = &mut seen.traffic;
        seen.read = self.recorder.read_from(seen.read, |event| traffic.see(event));
    }
}

/// Dead-letter queues in which a peek can do no harm: nobody else reads them, and they dead-letter
/// nothing themselves.
fn peekable(scenario: &Scenario) -> Vec<String> {
    let targets = scenario.stack.queues.values().filter_map(|queue| queue.redrive.as_ref());
    let mut targets: Vec<String> = targets.map(|redrive| redrive.to.clone()).collect();
    targets.sort();
    targets.dedup();
    let is_read = |queue: &String| {
        let mut queues = scenario.consumers.values().flat_map(|consumer| &consumer.queues);
        queues.any(|read| read.value == *queue)
    };
    let is_last =
        |queue: &String| scenario.stack.queues.get(queue).is_some_and(|queue| queue.redrive.is_none());
    targets.retain(|queue| !is_read(queue) && is_last(queue));
    targets
}
