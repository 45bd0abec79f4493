//! A sandbox in process: what havoq itself does to it, without HTTP.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use havoq_base::ids::MessageId;
use havoq_base::seed::Stream;
use havoq_base::{Clock, Seed, StackDuration, StackTime};
use havoq_lambda::Functions;
use havoq_wire::ServiceError;
use tokio::sync::Notify;

use crate::cloudwatch::AlarmSpec;
use crate::core::Core;
use crate::fact::Fact;
use crate::place::Place;
use crate::shell::frozen::Frozen;
use crate::sqs::{
    AttributeInput, CreateQueue, MoveTask, QueueAddress, SendMessage, StartMessageMoveTask, no_queue,
};

/// What a sandbox is made with.
#[derive(Clone, Debug)]
pub struct Settings {
    pub clock: Clock,
    pub seed: Seed,
    /// Whose everything is, unless a caller names somebody else.
    pub account: String,
    pub region: String,
    pub places: Places,
}

/// Whether callers can be in different accounts and regions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// All are in the settings' one, whatever their credentials say: it is the stack of one test,
    /// and a consumer that has its region written down must find it.
    One,
    /// A 12-digit access key names the account, and the credential scope the region.
    Many,
}

/// A sandbox; clones share it.
#[derive(Clone)]
pub struct Sandbox(pub(super) Arc<Shared>);

pub(super) struct Shared {
    pub(super) clock: Clock,
    pub(super) account: String,
    pub(super) region: String,
    pub(super) places: Places,
    core: Mutex<Core>,
    request_ids: Mutex<Stream>,
    /// What runs functions, where something does.
    pub(super) functions: Mutex<Option<Arc<dyn Functions>>>,
    /// Told when a timer is set that is due before all others, or something is to be sent.
    pub(super) earlier: Notify,
}

/// A message that havoq sends itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outgoing {
    pub body: String,
    /// Names and string values.
    pub attributes: Vec<(String, String)>,
    /// In whole seconds, as the API has it; the queue's own when absent.
    pub delay: Option<StackDuration>,
    /// MessageGroupId and MessageDeduplicationId, which FIFO queues want.
    pub group: Option<(String, String)>,
}

/// How far the clock is moved at most while nobody else can do anything.
const LONGEST_STEP: StackDuration = StackDuration::from_secs(3_600);

impl Sandbox {
    /// A sandbox without resources. `facts` is called with the sandbox locked: it must not call
    /// back, and it sees an operation's facts before the operation's caller sees its answer.
    pub fn new(settings: Settings, facts: Box<dyn Fn(StackTime, Fact) + Send + Sync>) -> Self {
        let Settings { clock, seed, account, region, places } = settings;
        Self(Arc::new(Shared {
            clock,
            core: Mutex::new(Core::new(&account, &region, seed, facts)),
            account,
            region,
            places,
            request_ids: Mutex::new(seed.fork("request ids").stream()),
            functions: Mutex::new(None),
            earlier: Notify::new(),
        }))
    }

    /// Creates a queue and gives its ARN.
    pub fn create_queue(
        &self,
        name: &str,
        attributes: &BTreeMap<String, String>,
    ) -> Result<String, ServiceError> {
        let input = CreateQueue {
            queue_name: Some(name.to_owned()),
            attributes: attributes.clone(),
            tags: BTreeMap::new(),
        };
        self.enter(|core, now| {
            core.create_queue(now, Place::HOME, input, &QueueAddress(String::new()))?;
            Ok(core.places.arn(Place::HOME, "sqs", name))
        })
    }

    /// Creates an alarm, or puts another in its place, and gives its ARN.
    pub fn put_alarm(&self, alarm: AlarmSpec) -> Result<String, ServiceError> {
        self.enter(|core, now| core.put_alarm(now, alarm))
    }

    /// Sends a message to the queue of this name.
    pub fn send(&self, queue: &str, message: Outgoing) -> Result<MessageId, ServiceError> {
        let attributes = message.attributes.into_iter().map(|(name, value)| {
            let data_type = "String".to_owned();
            (name, AttributeInput { data_type, string_value: Some(value), ..AttributeInput::default() })
        });
        let (message_group_id, message_deduplication_id) = message.group.unzip();
        let input = SendMessage {
            message_body: Some(message.body),
            delay_seconds: message.delay.map(|delay| delay.as_secs() as i64),
            message_attributes: attributes.collect(),
            message_group_id,
            message_deduplication_id,
            ..SendMessage::default()
        };
        let prepared = input.prepare()?;
        self.enter(|core, now| {
            let id = core.queues.find(Place::HOME, queue).ok_or_else(no_queue)?;
            Ok(core.send_message(now, id, prepared)?.message_id)
        })
    }

    /// Starts a move task and gives its handle.
    pub fn start_move_task(
        &self,
        from_arn: &str,
        to_arn: Option<&str>,
        rate: Option<u32>,
    ) -> Result<String, ServiceError> {
        let input = StartMessageMoveTask {
            source_arn: Some(from_arn.to_owned()),
            destination_arn: to_arn.map(str::to_owned),
            max_number_of_messages_per_second: rate.map(i64::from),
        };
        self.enter(|core, now| Ok(core.start_message_move_task(now, input)?.task_handle))
    }

    /// How a move task stands; none that has this handle is `None`.
    pub fn move_task(&self, task: &str) -> Option<MoveTask> {
        self.enter(|core, _| core.move_task(task))
    }

    /// Holds the sandbox still, with all that is due by now done.
    pub fn freeze(&self) -> Frozen<'_> {
        let mut core = self.0.lock();
        core.advance(self.0.clock.now());
        Frozen { core, clock: &self.0.clock }
    }

    /// What its clock shows.
    pub fn now(&self) -> StackTime {
        self.0.clock.now()
    }

    /// Moves the clock on by `by`, and fires what is due then, each at its own time. A long way is
    /// gone in steps, and others get their turn between them: there may be one thread for all.
    pub async fn advance_clock(&self, by: StackDuration) -> StackTime {
        let mut left = by;
        loop {
            let step = left.min(LONGEST_STEP);
            let now = self.step_clock(step);
            left = StackDuration::from_micros(left.as_micros() - step.as_micros());
            if left == StackDuration::ZERO {
                return now;
            }
            tokio::task::yield_now().await;
        }
    }

    fn step_clock(&self, step: StackDuration) -> StackTime {
        let mut core = self.0.lock();
        let now = self.0.clock.advance(step);
        core.advance(now);
        drop(core);
        // What was fired may have set timers of its own.
        self.0.earlier.notify_one();
        now
    }

    /// Empties the sandbox. Long polls that wait are answered with nothing, functions that run are
    /// aborted; the clock goes on.
    pub fn reset(&self) {
        self.0.lock().reset();
        self.0.earlier.notify_one();
    }

    /// Does an operation under the lock. The clock is read there, so operations see it in the
    /// order in which they are done.
    pub(super) fn enter<T>(&self, operation: impl FnOnce(&mut Core, StackTime) -> T) -> T {
        let mut core = self.0.lock();
        let now = self.0.clock.now();
        let before = core.timers.next();
        let result = core.operate(now, |core| operation(core, now));
        let next = core.timers.next();
        let to_send = core.has_outbox() || core.has_orders();
        drop(core);
        if to_send || next.is_some_and(|next| before.is_none_or(|before| next < before)) {
            self.0.earlier.notify_one();
        }
        result
    }

    pub(super) fn new_request_id(&self) -> String {
        self.0.request_ids.lock().unwrap_or_else(PoisonError::into_inner).uuid().to_string()
    }
}

impl Shared {
    /// A panic elsewhere leaves the core as good as it was: operations check before they change.
    pub(super) fn lock(&self) -> MutexGuard<'_, Core> {
        self.core.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
