//! What the worker does with one message. The safe order is effect (idempotent), mark, delete
//! (semantics 6.2); each bug departs from it in one thing.

use std::time::Duration;

use aws_sdk_sqs::Client;
use aws_sdk_sqs::types::Message;

use super::bug::Bug;
use super::charge::charge;
use super::marks::Marks;
use super::order::{Invalid, Order, parse};
use super::{Options, WorkerError};

/// How much later a late effect is.
const LATE: Duration = Duration::from_millis(500);

#[derive(Clone)]
pub(super) struct Worker {
    options: Options,
    client: Client,
    marks: Marks,
}

impl Worker {
    pub fn new(options: Options, client: Client) -> Result<Self, WorkerError> {
        let marks = Marks::open(&options.state_dir)
            .map_err(|source| WorkerError::State { path: options.state_dir.clone(), source })?;
        Ok(Self { options, client, marks })
    }

    pub fn queue_url(&self) -> &str {
        &self.options.queue_url
    }

    /// Seconds asked for with each receive; the queue's own when `None`.
    pub fn visibility(&self) -> Option<i32> {
        self.is(Bug::ShortVisibility).then_some(1)
    }

    pub async fn handle(&self, message: Message) -> Result<(), WorkerError> {
        let body = message.body().unwrap_or_default();
        match parse(body, self.options.rejects_next_version) {
            Ok(order) => self.fulfil(&message, order).await,
            Err(invalid) => self.refuse(&message, invalid).await?,
        }
        Ok(())
    }

    async fn fulfil(&self, message: &Message, order: Order) {
        if !self.is(Bug::NoIdempotency) && self.marks.has(&order.id) {
            return self.acknowledge(message).await;
        }
        match self.options.bug {
            Some(Bug::DeleteBeforeEffect) => {
                self.delete(message).await;
                self.work().await;
                self.effect_and_mark(&order).await;
            }
            Some(Bug::MarkBeforeEffect) => {
                self.mark(&order);
                self.work().await;
                if self.effect(Some(&order)).await {
                    self.delete(message).await;
                }
            }
            Some(Bug::LateEffect) => {
                self.delete(message).await;
                let worker = self.clone();
                tokio::spawn(async move {
                    tokio::time::sleep(LATE).await;
                    worker.effect_and_mark(&order).await;
                });
            }
            _ => {
                self.work().await;
                if self.effect_and_mark(&order).await {
                    self.acknowledge(message).await;
                }
            }
        }
    }

    /// A message that cannot be understood is left to come back, and in the end to the DLQ.
    async fn refuse(&self, message: &Message, invalid: Invalid) -> Result<(), WorkerError> {
        eprintln!("refused {}: {invalid}", message.message_id().unwrap_or("a message"));
        match self.options.bug {
            Some(Bug::SwallowErrors) => self.delete(message).await,
            Some(Bug::CrashOnPoison) => return Err(WorkerError::Crashed(invalid)),
            Some(Bug::IgnoreBodyErrors) => {
                self.effect(None).await;
            }
            _ => {}
        }
        Ok(())
    }

    async fn work(&self) {
        tokio::time::sleep(self.options.work).await;
    }

    async fn effect_and_mark(&self, order: &Order) -> bool {
        let done = self.effect(Some(order)).await;
        if done && !self.is(Bug::NoIdempotency) {
            self.mark(order);
        }
        done
    }

    async fn effect(&self, order: Option<&Order>) -> bool {
        let Some(url) = &self.options.effect_url else { return true };
        let trusts_its_marks = self.is(Bug::NoIdempotency) || self.is(Bug::ShortVisibility);
        let key = order.filter(|_| !trusts_its_marks).map(|order| order.id.as_str());
        match charge(url, order.map(|order| order.order_id.as_str()), key).await {
            Ok(()) => true,
            Err(error) => {
                eprintln!("the effect failed: {error}");
                false
            }
        }
    }

    fn mark(&self, order: &Order) {
        if let Err(error) = self.marks.set(&order.id) {
            eprintln!("cannot mark {}: {error}", order.id);
        }
    }

    async fn acknowledge(&self, message: &Message) {
        if !self.is(Bug::NeverDelete) {
            self.delete(message).await;
        }
    }

    async fn delete(&self, message: &Message) {
        let delete = self.client.delete_message().queue_url(&self.options.queue_url);
        if let Err(error) = delete.set_receipt_handle(message.receipt_handle.clone()).send().await {
            eprintln!("cannot delete: {}", aws_sdk_sqs::error::DisplayErrorContext(&error));
        }
    }

    fn is(&self, bug: Bug) -> bool {
        self.options.bug == Some(bug)
    }
}
