//! Parked long polls: receives that wait for a message (semantics 1.4).

use std::sync::Arc;

use havoq_base::StackDuration;
use havoq_wire::ServiceError;
use tokio::sync::oneshot;

use super::QueueId;
use super::message::Delivery;

/// One long poll of one queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PollId {
    pub(crate) queue: QueueId,
    pub(crate) order: u64,
}

/// What a receive got; an error when the queue is deleted under it.
pub(crate) type PollAnswer = Result<Vec<Delivery>, ServiceError>;

/// What a receive asks for.
#[derive(Clone, Debug)]
pub(crate) struct Ask {
    pub(crate) max: usize,
    /// The queue's own when absent.
    pub(crate) visibility: Option<StackDuration>,
    /// ReceiveRequestAttemptId.
    pub(crate) attempt: Option<Arc<str>>,
}

/// A poll that waits. How long is the caller's business: it takes the poll back.
#[derive(Debug)]
pub(crate) struct Parked {
    pub(crate) id: PollId,
    pub(crate) ask: Ask,
    pub(crate) answer: oneshot::Sender<PollAnswer>,
}

/// The outcome of a receive attempt.
#[derive(Debug)]
pub(crate) enum Polled {
    Done(Vec<Delivery>),
    /// Nothing is there yet.
    Parked {
        id: PollId,
        answer: oneshot::Receiver<PollAnswer>,
        wait: StackDuration,
    },
}
