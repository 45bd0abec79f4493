//! A mapping with a queue of the simplest kind, and the time.

use std::collections::{BTreeMap, BTreeSet};

use havoq_base::{StackDuration, StackTime};
use havoq_lambda::{Action, BatchId, Mapping, Record, Returned, Settings, Settled};

pub const QUEUE: &str = "arn:aws:sqs:eu-central-1:123456789012:q";

#[derive(Clone, Debug)]
struct Message {
    id: String,
    group: String,
    body: String,
    /// When it can be received again.
    visible_at: StackTime,
    receives: u32,
}

pub struct Poller {
    pub mapping: Mapping,
    pub now: StackTime,
    pub visibility: StackDuration,
    queue: Vec<Message>,
    sent: u32,
    /// What is with the function now.
    pub running: BTreeMap<BatchId, Vec<String>>,
    pub settled: Vec<Settled>,
    /// When what was invoked was received first, for each batch that was ever invoked.
    pub first_received: Vec<(Vec<String>, StackTime, StackTime)>,
    received_at: BTreeMap<String, StackTime>,
}

impl Poller {
    pub fn new(settings: Settings) -> Self {
        let mapping = Mapping::new(settings);
        let mut poller = Self {
            mapping,
            now: StackTime::from_secs(1_800_000_000),
            visibility: StackDuration::from_secs(30),
            queue: Vec::new(),
            sent: 0,
            running: BTreeMap::new(),
            settled: Vec::new(),
            first_received: Vec::new(),
            received_at: BTreeMap::new(),
        };
        poller.drive();
        poller
    }

    pub fn send(&mut self, group: &str, body: &str) -> String {
        self.put(group, body);
        self.drive();
        format!("m-{:04}", self.sent)
    }

    /// Sends many at once, before the mapping sees any.
    pub fn send_all(&mut self, count: u32) {
        (0..count).for_each(|_| self.put("g", "{}"));
        self.drive();
    }

    fn put(&mut self, group: &str, body: &str) {
        self.sent += 1;
        self.queue.push(Message {
            id: format!("m-{:04}", self.sent),
            group: group.to_owned(),
            body: body.to_owned(),
            visible_at: self.now,
            receives: 0,
        });
    }

    /// Lets time pass, and everything happen at its own time.
    pub fn pass(&mut self, secs: u64) {
        let until = self.now + StackDuration::from_secs(secs);
        loop {
            self.drive();
            let later = |at: &StackTime| *at > self.now;
            let back = self.queue.iter().map(|message| message.visible_at).filter(later).min();
            let wake = self.mapping.wakes_at();
            assert!(wake.is_none_or(|at| at > self.now), "a mapping with nothing to do wants to wake now");
            match [back, wake].into_iter().flatten().min().filter(|at| *at <= until) {
                Some(at) => self.now = at,
                None => break,
            }
        }
        self.now = until;
        self.drive();
    }

    pub fn end(&mut self, batch: BatchId, returned: &Returned) {
        self.running.remove(&batch);
        self.mapping.ended(batch, returned);
        self.drive();
    }

    pub fn throttle(&mut self, batch: BatchId) {
        self.running.remove(&batch);
        self.mapping.throttled(self.now, batch);
        self.drive();
    }

    /// The ids of what is still in the queue, hidden or not.
    pub fn left(&self) -> BTreeSet<String> {
        self.queue.iter().map(|message| message.id.clone()).collect()
    }

    pub fn receives(&self, id: &str) -> u32 {
        self.queue.iter().find(|message| message.id == id).map_or(0, |message| message.receives)
    }

    fn drive(&mut self) {
        loop {
            if let Some(max) = self.mapping.asked() {
                let records = self.receive(max);
                if !records.is_empty() {
                    self.mapping.received(self.now, records, self.now + self.visibility);
                }
            }
            match self.mapping.next(self.now) {
                None => return,
                Some(Action::Receive { .. }) => {}
                Some(Action::Invoke(batch)) => self.invoke(batch),
                Some(Action::Settle(settled)) => {
                    let gone = |message: &Message| {
                        settled.deleted.iter().any(|record| record.message_id == message.id)
                    };
                    self.queue.retain(|message| !gone(message));
                    self.settled.push(settled);
                }
            }
        }
    }

    fn invoke(&mut self, id: BatchId) {
        let batch = self.mapping.batch(id).expect("it is under way");
        let ids: Vec<_> = batch.message_ids().map(str::to_owned).collect();
        let first = ids.iter().map(|id| self.received_at[id]).min().expect("no batch is empty");
        self.first_received.push((ids.clone(), first, self.now));
        assert!(self.running.insert(id, ids).is_none(), "a batch is invoked while it runs");
    }

    /// In order; of a FIFO queue nothing of a group of which something is hidden.
    fn receive(&mut self, max: usize) -> Vec<Record> {
        let arn = self.mapping.settings().queue_arn.clone();
        let now = self.now;
        let hidden = self.queue.iter().filter(|message| message.visible_at > now);
        let blocked: BTreeSet<_> = hidden.map(|message| message.group.clone()).collect();
        let can = |message: &&mut Message| {
            message.visible_at <= now && !(arn.ends_with(".fifo") && blocked.contains(&message.group))
        };
        let mut records = Vec::new();
        for message in self.queue.iter_mut().filter(can).take(max) {
            message.receives += 1;
            message.visible_at = now + self.visibility;
            self.received_at.insert(message.id.clone(), now);
            records.push(Record {
                message_id: message.id.clone(),
                receipt_handle: format!("{}-{}", message.id, message.receives),
                body: message.body.clone(),
                attributes: BTreeMap::from([("MessageGroupId".to_owned(), message.group.clone())]),
                message_attributes: BTreeMap::new(),
                md5_of_body: String::new(),
                md5_of_message_attributes: None,
                queue_arn: arn.clone(),
            });
        }
        records
    }
}
