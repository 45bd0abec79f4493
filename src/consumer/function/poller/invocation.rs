//! One invocation of a batch, from its environment to its end or its timeout.

use std::sync::Arc;

use bytes::Bytes;
use havoq_base::ids::{MessageId, ReceiptHandle};
use havoq_lambda::{BatchId, FunctionSpec, Invocation, Returned};

use super::super::ground::Ground;
use super::super::pool::Pool;
use super::sight::Sight;

/// What an invocation is made from.
pub(super) struct Errand<G> {
    pub batch: BatchId,
    pub request_id: String,
    pub payload: Bytes,
    pub messages: Vec<MessageId>,
    pub receipts: Vec<ReceiptHandle>,
    pub function: Arc<FunctionSpec>,
    pub ground: Arc<G>,
    pub pool: Pool<G>,
    pub sight: Sight,
}

impl<G: Ground> Errand<G> {
    /// Runs it. The function's timeout is a time on the stack's clock, which is not jumped over; when
    /// it has come, the environment ends.
    pub async fn run(self) -> (BatchId, Returned) {
        let reserved = self.pool.reserve(&self.function).await;
        let environment = reserved.number();
        if let Some(number) = environment {
            self.ground.assigned(number, self.messages.clone());
        }
        let deadline = self.sight.clock().now() + self.function.timeout;
        let timer = self.sight.clock().timer(deadline);
        self.sight.invoked(&self.request_id, environment, self.messages);
        let invocation = Invocation {
            request_id: self.request_id.clone(),
            invoked_arn: self.function.arn.clone(),
            payload: self.payload,
            deadline,
            trace_id: None,
            client_context: None,
            function: self.function.clone(),
        };
        let returned = tokio::select! {
            biased;
            returned = reserved.run(invocation) => returned,
            () = timer.due() => Returned::TimedOut(self.function.timeout),
        };
        if let Some(number) = environment {
            self.ground.assigned(number, Vec::new());
        }
        self.sight.ended(&self.request_id, &returned);
        // Until the mapping has settled them they are in work, and the clock stands.
        self.sight.take_up(&self.receipts);
        drop(timer);
        (self.batch, returned)
    }
}
