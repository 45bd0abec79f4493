//! Drives a mapping: does what it says, and tells it what came of that.
//!
//! The clock may jump whenever nobody works on a message. So what was received is taken up or set
//! down before the mapping's next thing is waited for, and a timer is kept until what it was for is
//! done.

use std::collections::HashMap;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;

use havoq_base::clock::{self, Timer};
use havoq_base::ids::ReceiptHandle;
use havoq_base::seed::Stream;
use havoq_base::{RealDuration, StackDuration};
use havoq_lambda::{Action, BatchId, FunctionSpec, Mapping, Record, Returned, Settings, Settled};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinSet;

use super::super::ground::Ground;
use super::super::pool::Pool;
use super::invocation::Errand;
use super::queue::{CannotReceive, Queue};
use super::sight::{Sight, ids, receipts};

/// How long to wait when the queue cannot be polled.
const POLL_AGAIN: RealDuration = RealDuration::from_secs(1);

/// What a poller polls, and for whom.
pub(crate) struct Poller<G> {
    pub endpoint: String,
    pub queue_url: String,
    pub visibility: StackDuration,
    pub settings: Settings,
    pub function: Arc<FunctionSpec>,
    /// What is left of the function's reserved concurrency, which all its pollers share.
    pub reserved: Option<Arc<Semaphore>>,
    pub ground: Arc<G>,
    pub pool: Pool<G>,
    pub sight: Sight,
    pub request_ids: Stream,
}

type Poll = Pin<Box<dyn Future<Output = Result<Vec<Record>, CannotReceive>> + Send>>;

/// What a task of the poller comes back with.
enum Done {
    Invoked(BatchId, Returned),
    Deleted,
}

/// An invocation until its batch is settled.
struct UnderWay {
    request_id: String,
    /// Its part of the reserved concurrency.
    _reserved: Option<OwnedSemaphorePermit>,
}

struct Driver<G> {
    of: Poller<G>,
    queue: Queue,
    mapping: Mapping,
    poll: Option<Poll>,
    tasks: JoinSet<Done>,
    /// The batches under way.
    running: HashMap<BatchId, UnderWay>,
    /// Received, and in the hands of nobody yet.
    fresh: Vec<ReceiptHandle>,
    holds_off: bool,
}

impl<G: Ground> Poller<G> {
    /// Polls until it is told to stop; then sees out what is under way.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let queue = Queue::new(&self.endpoint, self.queue_url.clone(), self.settings.queue_arn.clone());
        let mapping = Mapping::new(self.settings.clone());
        let mut driver = Driver {
            of: self,
            queue,
            mapping,
            poll: None,
            tasks: JoinSet::new(),
            running: HashMap::new(),
            fresh: Vec::new(),
            holds_off: false,
        };
        let mut timer: Option<Timer>;
        loop {
            driver.act();
            // The one before goes only now that what it was for is done.
            timer = driver.mapping.wakes_at().map(|at| driver.of.sight.clock().timer(at));
            let due = async {
                match &timer {
                    Some(timer) => timer.due().await,
                    None => pending().await,
                }
            };
            tokio::select! {
                received = polled(&mut driver.poll) => driver.received(received),
                Some(done) = driver.tasks.join_next() => driver.done(done.ok()),
                () = due => {}
                _ = stop.wait_for(|stop| *stop) => break,
            }
        }
        drop(timer);
        driver.see_out().await;
    }
}

impl<G: Ground> Driver<G> {
    /// Does all that the mapping wants done now.
    fn act(&mut self) {
        while let Some(action) = self.mapping.next(self.of.sight.clock().now()) {
            match action {
                Action::Receive { max } => {
                    let queue = self.queue.clone();
                    self.poll = Some(Box::pin(async move { queue.receive(max).await }));
                }
                Action::Invoke(batch) => self.invoke(batch),
                Action::Settle(settled) => self.settle(settled),
            }
        }
        self.of.sight.set_down(&std::mem::take(&mut self.fresh));
        let holds_off = self.poll.is_none();
        if holds_off != self.holds_off {
            self.holds_off = holds_off;
            self.of.sight.activity.set_holding_off(&self.of.sight.by, holds_off);
        }
    }

    fn received(&mut self, received: Result<Vec<Record>, CannotReceive>) {
        self.poll = None;
        let now = self.of.sight.clock().now();
        match received {
            Ok(records) => {
                self.fresh = receipts(&records);
                self.mapping.received(now, records, now + self.of.visibility);
            }
            // The tap has put it on record.
            Err(_) => {
                self.poll = Some(Box::pin(async {
                    clock::sleep(POLL_AGAIN).await;
                    Ok(Vec::new())
                }));
            }
        }
    }

    fn invoke(&mut self, batch: BatchId) {
        let Some(taken) = self.mapping.batch(batch) else { return };
        let records: Vec<Record> = taken.records().cloned().collect();
        let (messages, receipts) = (ids(&records), receipts(&records));
        let payload = taken.payload();
        self.fresh.retain(|receipt| !receipts.contains(receipt));
        let reserved = self.of.reserved.clone().map(Semaphore::try_acquire_owned).transpose();
        let Ok(reserved) = reserved else {
            self.of.sight.throttled(messages);
            self.of.sight.set_down(&receipts);
            return self.mapping.throttled(self.of.sight.clock().now(), batch);
        };
        self.of.sight.take_up(&receipts);
        let request_id = self.of.request_ids.uuid().to_string();
        self.running.insert(batch, UnderWay { request_id: request_id.clone(), _reserved: reserved });
        let errand = Errand {
            batch,
            request_id,
            payload,
            messages,
            receipts,
            function: Arc::clone(&self.of.function),
            ground: Arc::clone(&self.of.ground),
            pool: self.of.pool.clone(),
            sight: self.of.sight.clone(),
        };
        self.tasks.spawn(async move {
            let (batch, returned) = errand.run().await;
            Done::Invoked(batch, returned)
        });
    }

    fn settle(&mut self, settled: Settled) {
        let under_way = settled.batch.and_then(|batch| self.running.remove(&batch));
        self.of.sight.settled(under_way.map(|under_way| under_way.request_id), &settled);
        let returned = receipts(&settled.returned);
        let deleted = receipts(&settled.deleted);
        self.fresh.retain(|receipt| !returned.contains(receipt) && !deleted.contains(receipt));
        self.of.sight.set_down(&returned);
        if settled.deleted.is_empty() {
            return;
        }
        let (queue, sight) = (self.queue.clone(), self.of.sight.clone());
        self.tasks.spawn(async move {
            queue.delete(&settled.deleted).await;
            sight.set_down(&deleted);
            Done::Deleted
        });
    }

    fn done(&mut self, done: Option<Done>) {
        if let Some(Done::Invoked(batch, returned)) = done {
            self.mapping.ended(batch, &returned);
        }
    }

    /// Receives nothing more, and waits for what is under way.
    async fn see_out(mut self) {
        self.mapping.set_enabled(false);
        self.poll = None;
        while let Some(done) = self.tasks.join_next().await {
            self.done(done.ok());
            self.act();
        }
    }
}

/// Waits for the poll under way; for ever when there is none.
async fn polled(poll: &mut Option<Poll>) -> Result<Vec<Record>, CannotReceive> {
    match poll {
        Some(poll) => poll.await,
        None => pending().await,
    }
}
