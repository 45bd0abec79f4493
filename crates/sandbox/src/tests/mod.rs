//! Tests of the services, driven by a clock that the test moves by hand. They are named after
//! what the fact sheet says, and cite its sections.

mod accounts;
mod alarms;
mod batches;
mod cloudwatch;
mod control;
mod dead_letters;
mod dynamodb;
mod events;
mod facts;
mod fair_queues;
mod fifo_attempts;
mod fifo_dead_letters;
mod fifo_model;
mod fifo_order;
mod fifo_properties;
mod fifo_sending;
mod fifo_visibility;
mod handles;
mod http;
mod lambda;
mod life;
mod metrics;
mod model;
mod move_tasks;
mod permissions;
mod pipes;
mod policies;
mod polls;
mod public_reports;
mod queue_attributes;
mod receiving;
mod retention;
mod schedule;
mod scheduler;
mod sending;
mod sns;
mod sts;
mod visibility;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use havoq_base::{Seed, StackDuration, StackTime};
use havoq_wire::ServiceError;
use serde_json::{Value, json};

use crate::core::Core;
use crate::fact::{Depth, Fact};
use crate::place::Place;
use crate::sqs::{
    Delivery, Polled, QueueAddress, QueueId, QueueName, ReceiveMessage, SendMessage, parse, receive_answer,
};

/// A sandbox's core and the time.
struct World {
    core: Core,
    now: StackTime,
    facts: Arc<Mutex<Vec<(StackTime, Fact)>>>,
}

fn secs(secs: u64) -> StackDuration {
    StackDuration::from_secs(secs)
}

impl World {
    /// A full minute on the clock, so that ticks fall where one expects them.
    fn new() -> Self {
        let facts = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&facts);
        let record = move |at, fact| sink.lock().expect("no panic holds it").push((at, fact));
        let core = Core::new("123456789012", "eu-central-1", Seed(7), Box::new(record));
        Self { core, now: StackTime::from_secs(1_800_000_000), facts }
    }

    fn address() -> QueueAddress {
        QueueAddress("http://localhost".into())
    }

    fn operate<T>(&mut self, operation: impl FnOnce(&mut Core, StackTime) -> T) -> T {
        let now = self.now;
        self.core.operate(now, |core| operation(core, now))
    }

    fn pass(&mut self, seconds: u64) {
        self.now = self.now + secs(seconds);
        self.core.advance(self.now);
    }

    /// All facts since the last call, without depths and metrics.
    fn facts(&self) -> Vec<Fact> {
        let all = std::mem::take(&mut *self.facts.lock().expect("no panic holds it"));
        let others = all.into_iter().map(|(_, fact)| fact);
        others.filter(|fact| !matches!(fact, Fact::Depth { .. } | Fact::Metric { .. })).collect()
    }

    fn try_create(&mut self, name: &str, attributes: &[(&str, &str)]) -> Result<Value, ServiceError> {
        let attributes: BTreeMap<_, _> = attributes.iter().copied().collect();
        let input = parse(json!({ "QueueName": name, "Attributes": attributes }))?;
        self.operate(|core, now| core.create_queue(now, Place::HOME, input, &Self::address())).map(value)
    }

    fn create(&mut self, name: &str, attributes: &[(&str, &str)]) {
        self.try_create(name, attributes).expect("the queue is created");
    }

    /// `q` with the dead-letter queue `dlq`.
    fn with_dlq(max_receive_count: u32) -> Self {
        let mut world = Self::new();
        world.create("dlq", &[]);
        world.create(
            "q",
            &[("VisibilityTimeout", "30"), ("RedrivePolicy", &policy("dlq", max_receive_count))],
        );
        world
    }

    /// `q.fifo` with content-based deduplication and more attributes.
    fn fifo(more: &[(&str, &str)]) -> Self {
        let mut world = Self::new();
        world.create_fifo("q.fifo", more);
        world
    }

    fn create_fifo(&mut self, name: &str, more: &[(&str, &str)]) {
        let mut attributes = vec![("FifoQueue", "true"), ("ContentBasedDeduplication", "true")];
        attributes.extend(more);
        self.create(name, &attributes);
    }

    /// Sends bodies to a group of `q.fifo`, each with its own deduplication id.
    fn send_in(&mut self, group: &str, bodies: &[&str]) {
        for body in bodies {
            let message = json!({ "MessageBody": body, "MessageGroupId": group });
            self.try_send("q.fifo", message).expect("it is sent");
        }
    }

    fn id(&self, queue: &str) -> QueueId {
        self.core.queues.find(Place::HOME, queue).expect("the queue exists")
    }

    fn depth(&self, queue: &str) -> (u64, u64, u64) {
        let Depth { visible, in_flight, delayed } =
            self.core.queues.get(self.id(queue)).expect("it exists").depth();
        (visible, in_flight, delayed)
    }

    fn set(&mut self, queue: &str, name: &str, value: &str) -> Result<(), ServiceError> {
        let input = parse(json!({ "Attributes": { name: value } }))?;
        self.on(queue, |core, now, id| core.set_queue_attributes(now, id, input))
    }

    fn on<T>(
        &mut self,
        queue: &str,
        operation: impl FnOnce(&mut Core, StackTime, QueueId) -> Result<T, ServiceError>,
    ) -> Result<T, ServiceError> {
        self.operate(|core, now| {
            let id = core.open(now, Place::HOME, &queue_named(queue))?;
            operation(core, now, id)
        })
    }

    fn try_send(&mut self, queue: &str, members: Value) -> Result<Value, ServiceError> {
        let prepared = parse::<SendMessage>(members)?.prepare()?;
        self.on(queue, |core, now, id| core.send_message(now, id, prepared)).map(value)
    }

    /// Sends a body and gives the MessageId.
    fn send(&mut self, queue: &str, body: &str) -> String {
        text(&self.try_send(queue, json!({ "MessageBody": body })).expect("it is sent")["MessageId"])
    }

    fn poll(&mut self, queue: &str, members: Value) -> Result<Polled, ServiceError> {
        let input: ReceiveMessage = parse(members)?;
        let (ask, wait) = input.ask()?;
        self.on(queue, |core, now, id| core.receive_message(now, id, ask, wait))
    }

    fn try_receive(&mut self, queue: &str, members: Value) -> Result<Vec<Delivery>, ServiceError> {
        match self.poll(queue, members)? {
            Polled::Done(messages) => Ok(messages),
            Polled::Parked { .. } => panic!("the receive was parked"),
        }
    }

    fn receive(&mut self, queue: &str) -> Vec<Delivery> {
        self.try_receive(queue, json!({ "MaxNumberOfMessages": 10 })).expect("it is answered")
    }

    /// Receives the one message that must be there.
    fn one(&mut self, queue: &str) -> Delivery {
        let mut messages = self.receive(queue);
        assert_eq!(messages.len(), 1, "one message of {queue}");
        messages.remove(0)
    }

    /// Receives as a client sees it.
    fn answer(&mut self, queue: &str, members: Value) -> Value {
        let input: ReceiveMessage = parse(members.clone()).expect("an input");
        let messages = self.try_receive(queue, members).expect("it is answered");
        value(receive_answer(&input, &messages))
    }

    fn delete(&mut self, queue: &str, handle: &str) -> Result<(), ServiceError> {
        let input = parse(json!({ "ReceiptHandle": handle }))?;
        self.on(queue, |core, now, id| core.delete_message(now, id, input))
    }

    fn change(&mut self, queue: &str, handle: &str, seconds: i64) -> Result<(), ServiceError> {
        let input = parse(json!({ "ReceiptHandle": handle, "VisibilityTimeout": seconds }))?;
        self.on(queue, |core, now, id| core.change_message_visibility(now, id, input))
    }
}

fn queue_named(name: &str) -> QueueName {
    QueueName { account: Some("123456789012".into()), name: name.into() }
}

fn bodies(messages: &[Delivery]) -> Vec<&str> {
    messages.iter().map(|message| message.content.body.as_str()).collect()
}

fn policy(target: &str, max_receive_count: u32) -> String {
    json!({ "deadLetterTargetArn": arn(target), "maxReceiveCount": max_receive_count }).to_string()
}

fn arn(queue: &str) -> String {
    format!("arn:aws:sqs:eu-central-1:123456789012:{queue}")
}

fn value(output: impl serde::Serialize) -> Value {
    serde_json::to_value(output).expect("outputs can be written")
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}
