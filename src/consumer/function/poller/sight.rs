//! What a poller shows of itself: to the history, and to those who decide whether the clock may jump.

use std::sync::Arc;

use havoq_base::Clock;
use havoq_base::ids::{MessageId, ReceiptHandle};
use havoq_lambda::{Record, Returned, Settled};

use crate::history::{Instance, Kind, Recorder, Source, reported};
use crate::tap::Activity;

/// The poller of one function, as others see it.
#[derive(Clone)]
pub(crate) struct Sight {
    /// The function's name in the history.
    pub function: String,
    pub by: Instance,
    pub recorder: Recorder,
    pub activity: Arc<Activity>,
}

impl Sight {
    pub(super) fn clock(&self) -> &Clock {
        self.recorder.clock()
    }

    pub(super) fn invoked(&self, request_id: &str, environment: Option<u32>, messages: Vec<MessageId>) {
        let (function, request_id, by) = (self.function.clone(), request_id.to_owned(), self.by());
        self.record(Kind::Invoked { function, request_id, by, environment, messages });
    }

    pub(super) fn ended(&self, request_id: &str, returned: &Returned) {
        let (outcome, error) = (returned.into(), returned.told(request_id));
        let (function, request_id, by) = (self.function.clone(), request_id.to_owned(), self.by());
        self.record(Kind::InvocationEnded { function, request_id, by, outcome, error });
    }

    pub(super) fn settled(&self, request_id: Option<String>, settled: &Settled) {
        self.record(Kind::BatchSettled {
            function: self.function.clone(),
            by: self.by(),
            request_id,
            deleted: ids(&settled.deleted),
            returned: ids(&settled.returned),
            reported: reported(&settled.reason, &ids(&settled.returned)),
            reason: settled.reason.word().to_owned(),
            why: settled.reason.to_string(),
        });
    }

    pub(super) fn throttled(&self, messages: Vec<MessageId>) {
        self.record(Kind::Throttled { function: self.function.clone(), by: self.by(), messages });
    }

    /// Nobody works on these for now.
    pub(super) fn set_down(&self, receipts: &[ReceiptHandle]) {
        self.activity.set_down(&self.by, receipts);
    }

    /// Somebody works on these, from now on or still.
    pub(super) fn take_up(&self, receipts: &[ReceiptHandle]) {
        self.activity.take_up(&self.by, receipts);
    }

    /// The invocation that had these has come back.
    pub(super) fn came_back(&self, receipts: &[ReceiptHandle]) {
        for overrun in self.activity.came_back(&self.by, receipts) {
            self.recorder.record(Source::Tap, overrun.told(&self.by));
        }
    }

    /// The clock has jumped past the work on these.
    pub(super) fn is_jumped_past(&self, receipts: &[ReceiptHandle]) -> bool {
        self.activity.jumped_past(&self.by, receipts)
    }

    fn by(&self) -> Option<Instance> {
        Some(self.by.clone())
    }

    fn record(&self, kind: Kind) {
        self.recorder.record(Source::Engine, kind);
    }
}

pub(super) fn ids(records: &[Record]) -> Vec<MessageId> {
    records.iter().map(|record| MessageId::new(&*record.message_id)).collect()
}

pub(super) fn receipts(records: &[Record]) -> Vec<ReceiptHandle> {
    records.iter().map(|record| ReceiptHandle::new(&*record.receipt_handle)).collect()
}
