//! Polls: what they bring, who gets it, and what faults have kept for a later one.

use havoq_base::StackDuration;
use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_fault::End;
use havoq_wire::{Call, Request};
use serde_json::Value;

use super::calls::exchange_of;
use super::crash::When;
use super::faults::{Answered, Outcome};
use super::proxy::{Answer, Part, Passage, Session};
use super::witness::Connection;
use crate::history::{Exchange, Held, Kind, Source, Withheld};

impl Session {
    pub(super) async fn receive(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let connection = request.extensions().get::<Connection>().cloned();
        // Whether a function's clock follows is seen where its environments ask for work.
        if let Some(connection) = connection.as_ref().filter(|_| self.part != Part::Poller) {
            connection.polls(&self.by, &*self.wiring.witness);
        }
        let before = self.hold(&call.head.operation, &[]).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        if self.wiring.activity.polled(&self.by, &queue) {
            let kind = Kind::ConsumerPolled { by: self.by.clone(), queue: queue.clone() };
            self.wiring.recorder.record(Source::Tap, kind);
        }
        let droppable = self.wiring.upstream.takes_back_dropped_polls();
        let answered = tokio::select! {
            biased;
            outcome = self.forward(call, Some(&queue), &[], request) => outcome,
            // Nobody waits for this poll any more, so it must not take messages.
            () = client_gone(connection.as_ref()), if droppable => {
                self.wiring.activity.poll_abandoned(&self.by);
                return Answer::Withheld;
            }
            // A fault has something for it, and the poll is taken back from the stack.
            () = self.kept_is_due(&queue), if droppable => {
                Outcome::Answered(Answered::plain(havoq_fault::answer_with(call, Vec::new())))
            }
        };
        let answered = match answered {
            Outcome::Answered(answered) if before == Passage::Unanswered => {
                Answered { end: Some(End::Close), ..answered }
            }
            Outcome::Answered(answered) => answered,
            Outcome::Cut(end) => {
                self.wiring.activity.poll_answered(&self.by, &queue, true);
                return self.end(end, connection.as_ref()).await;
            }
        };
        let failed = !answered.response.status().is_success();
        self.wiring.activity.poll_answered(&self.by, &queue, failed);
        if failed {
            return self.send(answered.response, answered.end, connection.as_ref()).await;
        }
        self.deliver(call, &queue, answered, connection.as_ref()).await
    }

    /// Hands over what a poll has brought, and what faults have kept for it.
    async fn deliver(
        &self,
        call: &Call,
        queue: &str,
        answered: Answered,
        connection: Option<&Connection>,
    ) -> Answer {
        let default = || self.wiring.directory.visibility(queue).as_secs();
        let visibility = call.params["VisibilityTimeout"].as_u64().unwrap_or_else(default);
        let messages = self.read_messages(queue, &havoq_fault::messages_of(call, &answered.response)).await;
        let lost = self.read_messages(queue, &answered.lost).await;
        let exchange = exchange_of(&answered.response);
        self.record_received(queue, lost, visibility, (Withheld::Yes, None, exchange.clone()));
        // The stack has counted this receive, and nobody gets it.
        let nobody =
            answered.end.is_some() || connection.is_some_and(|connection| connection.client.is_gone());
        if nobody {
            self.record_received(queue, messages, visibility, (Withheld::Yes, None, exchange));
            return self.end(answered.end.unwrap_or(End::Close), connection).await;
        }
        let (response, kept) = self.with_kept(call, queue, answered.response);
        if messages.is_empty() && kept.is_empty() {
            return Answer::Send(response);
        }
        let now = self.wiring.recorder.clock().now();
        for held in &messages {
            self.wiring.activity.received(&self.by, held, StackDuration::from_secs(visibility));
        }
        let mut markers: Vec<Marker> = messages.iter().filter_map(|held| held.marker.clone()).collect();
        let mut forged = Vec::new();
        for kept in kept {
            let left = kept.hidden_until.since(now);
            let Some(held) = self.read_message(queue, &kept.message) else { continue };
            self.wiring.activity.received(&self.by, &held, left);
            markers.extend(held.marker.clone());
            forged.push((held, left.as_secs(), kept.fault));
        }
        let held = self.cross(("ReceiveMessage", When::After), &markers);
        let withheld = Passage::Free.withheld(held.as_ref());
        self.record_received(queue, messages, visibility, (withheld, None, exchange));
        for (message, left, fault) in forged {
            self.record_received(queue, vec![message], left, (withheld, Some(fault), None));
        }
        self.send_unless_held(response, Passage::Free, held).await
    }

    fn record_received(
        &self,
        queue: &str,
        messages: Vec<Held>,
        visibility: u64,
        (withheld, fault, call): (Withheld, Option<String>, Option<Exchange>),
    ) {
        if messages.is_empty() {
            return;
        }
        let (by, queue) = (self.by.clone(), queue.to_owned());
        let kind = Kind::Received { by, queue, messages, visibility, withheld, fault, call };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    async fn read_messages(&self, queue: &str, messages: &[Value]) -> Vec<Held> {
        if messages.is_empty() {
            return Vec::new();
        }
        let _settled = self.identity().settled().await;
        messages.iter().filter_map(|message| self.read_message(queue, message)).collect()
    }

    fn read_message(&self, queue: &str, message: &Value) -> Option<Held> {
        let message_id = MessageId::new(message["MessageId"].as_str()?);
        let receipt = ReceiptHandle::new(message["ReceiptHandle"].as_str()?);
        let counted = self.wiring.activity.count_receive(&message_id);
        let shown = message["Attributes"]["ApproximateReceiveCount"].as_str();
        let receive_count = shown.and_then(|count| count.parse().ok()).unwrap_or(counted);
        let marker = self.marker_of(queue, message);
        Some(Held { message_id, receipt, receive_count, marker })
    }

    /// Whose copy a received message is.
    pub(super) fn marker_of(&self, queue: &str, message: &Value) -> Option<Marker> {
        let message_id = MessageId::new(message["MessageId"].as_str()?);
        self.identity().marker_of(&message_id).or_else(|| self.inferred(queue, message))
    }

    /// The marker of a message whose id nobody told us: a stack without ground truth redrives
    /// messages under new ids, and only their content tells which they are.
    fn inferred(&self, queue: &str, message: &Value) -> Option<Marker> {
        let told = message["MessageAttributes"]["havoq-id"]["StringValue"].as_str();
        let known = self.identity().recognize(told, message["Body"].as_str()?, queue)?;
        if let Some((from, old_message_id)) = known.dead_lettered {
            let message_id = MessageId::new(message["MessageId"].as_str()?);
            let kind = Kind::Redriven { from, to: queue.to_owned(), old_message_id, message_id };
            self.wiring.recorder.record(Source::Inferred, kind);
        }
        Some(known.marker)
    }
}

/// Waits until whoever polls over this connection does not wait for the answer any more.
async fn client_gone(connection: Option<&Connection>) {
    match connection {
        Some(connection) => connection.client.gone().await,
        None => std::future::pending().await,
    }
}
