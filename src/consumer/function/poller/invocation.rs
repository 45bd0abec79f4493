//! One invocation of a batch, from its environment to its end or its timeout.

use std::pin::pin;
use std::sync::Arc;

use bytes::Bytes;
use havoq_base::clock::{self, Timer};
use havoq_base::ids::{MessageId, ReceiptHandle};
use havoq_base::{RealDuration, RealTime};
use havoq_lambda::{BatchId, FunctionSpec, Invocation, Returned};

use super::super::ground::Ground;
use super::super::pool::Pool;
use super::sight::Sight;
use crate::tap::UNCALIBRATED;

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
        let clock = self.sight.clock();
        let began = clock.real_now();
        let deadline = clock.now() + self.function.timeout;
        let timer = clock.timer(deadline);
        self.sight.invoked(&self.request_id, environment, self.messages.clone());
        let invocation = Invocation {
            request_id: self.request_id.clone(),
            invoked_arn: self.function.arn.clone(),
            payload: self.payload.clone(),
            deadline,
            trace_id: None,
            client_context: None,
            function: self.function.clone(),
        };
        let returned = self.returned(reserved.run(invocation), &timer, began).await;
        if let Some(number) = environment {
            self.ground.assigned(number, Vec::new());
        }
        // Until the mapping has settled them they are in work, and the clock stands.
        match returned.is_answer() {
            true => self.sight.came_back(&self.receipts),
            false => self.sight.take_up(&self.receipts),
        }
        drop(timer);
        (self.batch, returned)
    }

    /// How it ends, by its timeout at the latest. What runs is killed when this is over.
    async fn returned(
        &self,
        running: impl Future<Output = Returned>,
        timer: &Timer,
        began: RealTime,
    ) -> Returned {
        let mut running = pin!(running);
        let returned = tokio::select! {
            biased;
            returned = &mut running => returned,
            () = timer.due() => Returned::TimedOut(self.function.timeout),
        };
        self.sight.ended(&self.request_id, &returned);
        if matches!(returned, Returned::TimedOut(_)) && self.sight.is_jumped_past(&self.receipts) {
            self.put_to_the_test(running, began).await;
        }
        returned
    }

    /// Time that was jumped over is not time that the function had: if it still comes back, the clock
    /// has overrun it. The timer that is due keeps the clock meanwhile.
    async fn put_to_the_test(&self, running: impl Future<Output = Returned>, began: RealTime) {
        let over = began + RealDuration::from_micros(self.function.timeout.as_micros());
        let left = over.since(self.sight.clock().real_now());
        tokio::select! {
            returned = running => if returned.is_answer() {
                self.sight.came_back(&self.receipts);
            },
            () = clock::sleep(left.min(UNCALIBRATED)) => {}
        }
    }
}
