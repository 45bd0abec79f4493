//! What the services share: the timers, the ids, the facts, and the rule that holds them together.
//! A queue that was touched is settled at the end of each operation and each timer: its parked
//! polls are served, its retention timer is set, and its counts are made known if they changed.

use havoq_base::ids::MessageId;
use havoq_base::seed::Stream;
use havoq_base::{Seed, StackDuration, StackTime};
use havoq_wire::ServiceError;

use crate::cloudwatch::CloudWatch;
use crate::dynamodb::Stores;
use crate::events::Events;
use crate::fact::{Fact, FactSink};
use crate::lambda::Lambda;
use crate::pipes::Pipes;
use crate::place::{Place, Places};
use crate::scheduler::Scheduler;
use crate::sns::{Pendings, Topics};
use crate::sqs::{Handles, MoveTasks, QueueId, QueueName, Registry, no_queue};
use crate::targets::Outages;
use crate::timers::{Timer, Timers};

/// How long a message waits that comes to a queue which was served already at this instant: about as
/// long as a call takes.
const MOMENT: StackDuration = StackDuration::from_millis(10);

/// Everything that the sandbox is, without a clock.
pub(crate) struct Core {
    pub(crate) places: Places,
    pub(crate) timers: Timers,
    pub(crate) queues: Registry,
    pub(crate) handles: Handles,
    pub(crate) move_tasks: MoveTasks,
    pub(crate) cloudwatch: CloudWatch,
    pub(crate) topics: Topics,
    pub(crate) pendings: Pendings,
    pub(crate) outages: Outages,
    pub(crate) lambda: Lambda,
    pub(crate) events: Events,
    pub(crate) tables: Stores,
    pub(crate) scheduler: Scheduler,
    pub(crate) pipes: Pipes,
    /// Counts the polls that were ever parked.
    pub(crate) polls_so_far: u64,
    ids: Stream,
    facts: FactSink,
    touched: Vec<QueueId>,
    seed: Seed,
}

impl Core {
    pub(crate) fn new(account: &str, region: &str, seed: Seed, facts: FactSink) -> Self {
        Self {
            places: Places::new(account, region),
            timers: Timers::default(),
            queues: Registry::default(),
            handles: Handles::new(seed),
            move_tasks: MoveTasks::default(),
            cloudwatch: CloudWatch::default(),
            topics: Topics::default(),
            pendings: Pendings::default(),
            outages: Outages::default(),
            lambda: Lambda::default(),
            events: Events::new(seed),
            tables: Stores::default(),
            scheduler: Scheduler::default(),
            pipes: Pipes::default(),
            polls_so_far: 0,
            ids: seed.fork("ids").stream(),
            facts,
            touched: Vec::new(),
            seed,
        }
    }

    /// Forgets all resources, and with them their timers and parked polls. Places are only names,
    /// which calls under way may hold; and neither they nor polls and deliveries may be mistaken for
    /// later ones.
    pub(crate) fn reset(&mut self) {
        let facts = std::mem::replace(&mut self.facts, Box::new(|_, _| {}));
        let home = self.places.name(Place::HOME).clone();
        let mut fresh = Self::new(&home.account, &home.region, self.seed.fork("reset"), facts);
        std::mem::swap(&mut fresh.places, &mut self.places);
        fresh.polls_so_far = self.polls_so_far;
        fresh.pendings = self.pendings.emptied();
        fresh.lambda = self.lambda.emptied();
        fresh.pipes = self.pipes.emptied();
        *self = fresh;
    }

    /// Does an operation at `now`: what is due comes first, and the operation's facts come before
    /// its result.
    pub(crate) fn operate<T>(&mut self, now: StackTime, operation: impl FnOnce(&mut Self) -> T) -> T {
        self.advance(now);
        self.keep_sampling(now);
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
        if !matches!(timer, Timer::Tick | Timer::Sample) {
            self.keep_sampling(at);
        }
        match timer {
            Timer::Reveal { queue, message } => self.reveal(at, queue, message),
            Timer::Serve { queue } => self.serve_again(queue),
            Timer::MoveStep { task } => self.move_step(at, task),
            Timer::Retention { queue } => self.expire(at, queue),
            Timer::Deliver { delivery } => self.deliver(at, delivery),
            Timer::InvocationTimeout { run } => self.invocation_timed_out(at, run),
            Timer::LambdaEvent { event } => self.attempt_event(at, event),
            Timer::Mapping { source } => self.wake_mapping(at, source),
            Timer::Invoke { invocation } => self.invoke_target(at, invocation),
            Timer::Pipe { pipe } => self.wake_pipe(at, pipe),
            Timer::Tick | Timer::Sample => self.tick(at),
            Timer::SuppressionEnd { alarm } => self.end_suppression(at, alarm),
            Timer::RuleDue { rule } => self.rule_due(at, rule),
            Timer::Replay { replay } => self.step_replay(at, replay),
            Timer::Due { schedule } | Timer::DueOnce { schedule } => self.schedule_due(at, schedule),
            Timer::Occurrence { occurrence } => self.attempt_occurrence(at, occurrence),
        }
    }

    /// Notes that a queue has to be settled.
    pub(crate) fn touch(&mut self, queue: QueueId) {
        if !self.touched.contains(&queue) {
            self.touched.push(queue);
        }
    }

    /// Settles the touched queues, and those that serving their polls touches. Each is served
    /// once: dead-letter queues in a circle, all polled, would move a message round for ever. What
    /// comes to one after that is served a moment later.
    pub(crate) fn settle(&mut self, at: StackTime) {
        let mut served = 0;
        while let Some(queue) = self.touched.get(served).copied() {
            if let Ok(queue) = self.queues.get_mut(queue) {
                queue.note_served();
            }
            self.serve_polls(at, queue);
            self.feed_mappings(at, queue);
            self.feed_pipes(at, queue);
            served += 1;
        }
        let touched = std::mem::take(&mut self.touched);
        for id in &touched {
            self.plan_service(at, *id);
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

    /// Sets a timer for a queue in which messages became visible after it was served, beside somebody
    /// who waits for them.
    fn plan_service(&mut self, at: StackTime, id: QueueId) {
        let Ok(queue) = self.queues.get(id) else { return };
        if !queue.has_unserved() {
            return;
        }
        let (polled, arn) = (!queue.polls.is_empty(), queue.arn.clone());
        if (polled || self.mapping_waits(&arn) || self.pipe_waits(&arn))
            && let Ok(queue) = self.queues.get_mut(id)
        {
            queue.serve_at(at + MOMENT, &mut self.timers);
        }
    }

    /// A queue's moment has passed.
    fn serve_again(&mut self, id: QueueId) {
        if let Ok(queue) = self.queues.get_mut(id) {
            queue.service_is_due();
            self.touch(id);
        }
    }

    /// The queue that a call from `place` is on: that is an action, whatever comes of it
    /// (semantics 1.16). The URL tells the account, the caller the region.
    pub(crate) fn open(
        &mut self,
        now: StackTime,
        place: Place,
        queue: &QueueName,
    ) -> Result<QueueId, ServiceError> {
        let owner = self.places.beside(place, queue.account.as_deref()).ok_or_else(no_queue)?;
        let id = self.queues.find(owner, &queue.name).ok_or_else(no_queue)?;
        self.queues.get_mut(id)?.last_action = now;
        Ok(id)
    }

    /// The queue of this ARN.
    pub(crate) fn find_queue(&self, arn: &str) -> Option<QueueId> {
        let (place, name) = self.places.resource("sqs", arn)?;
        self.queues.find(place, name)
    }

    pub(crate) fn emit(&self, at: StackTime, fact: Fact) {
        (self.facts)(at, fact);
    }

    pub(crate) fn new_id(&mut self) -> String {
        self.ids.uuid().to_string()
    }

    /// A number that depends on the seed and on nothing but `name`.
    pub(crate) fn draw(&self, name: &str) -> u64 {
        self.seed.fork(name).stream().next_u64()
    }

    pub(crate) fn new_message_id(&mut self) -> MessageId {
        let mut text = [0; uuid::fmt::Hyphenated::LENGTH];
        MessageId::new(&*self.ids.uuid().hyphenated().encode_lower(&mut text))
    }
}
