//! Calls to the stack: what they say about messages goes into the history.

use std::collections::HashMap;

use havoq_base::StackDuration;
use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_wire::{Call, CommonError, Head, Request, Response, Service};
use serde_json::Value;

use super::activity::Act;
use super::crash::Point;
use super::proxy::{Answer, Part, Passage, Session};
use super::witness::Connection;
use crate::history::{Exchange, Held, Kind, Source, Withheld};

/// One receipt that a call acts on.
struct Entry {
    id: String,
    receipt: ReceiptHandle,
    message: Option<(MessageId, Option<Marker>)>,
    /// For a change of visibility.
    visibility: u64,
}

impl Session {
    pub(super) async fn call(&self, request: Request) -> Answer {
        let Ok(call) = havoq_wire::decode(&request) else {
            return self.no_call(request).await;
        };
        if let Some(invocation) = &call.head.attempt.invocation_id {
            self.wiring.activity.retried(&self.by, invocation);
        }
        if call.head.service != Service::Sqs {
            return self.other(&call, request).await;
        }
        match call.head.operation.as_str() {
            "ReceiveMessage" => self.receive(&call, request).await,
            "DeleteMessage" | "DeleteMessageBatch" => self.delete(&call, request).await,
            "ChangeMessageVisibility" | "ChangeMessageVisibilityBatch" => self.extend(&call, request).await,
            _ => self.other(&call, request).await,
        }
    }

    async fn receive(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let connection = request.extensions().get::<Connection>().cloned();
        // Whether a function's clock follows is seen where its environments ask for work.
        if let Some(connection) = connection.as_ref().filter(|_| self.part != Part::Poller) {
            connection.polls(&self.by, &*self.wiring.witness);
        }
        if self.wiring.activity.polled(&self.by, &queue) {
            let kind = Kind::ConsumerPolled { by: self.by.clone(), queue: queue.clone() };
            self.wiring.recorder.record(Source::Tap, kind);
        }
        let droppable = self.wiring.upstream.takes_back_dropped_polls();
        let response = tokio::select! {
            biased;
            response = self.forward(call, request) => response,
            // Nobody waits for this poll any more, so it must not take messages.
            () = client_gone(connection.as_ref()), if droppable => {
                self.wiring.activity.poll_abandoned(&self.by);
                return Answer::Withheld;
            }
        };
        let failed = !response.status().is_success();
        self.wiring.activity.poll_answered(&self.by, &queue, failed);
        let messages = if failed { Vec::new() } else { self.read_messages(call, &queue, &response).await };
        if messages.is_empty() {
            return Answer::Send(response);
        }
        let exchange = exchange_of(&response);
        let default = || self.wiring.directory.visibility(&queue).as_secs();
        let visibility = call.params["VisibilityTimeout"].as_u64().unwrap_or_else(default);
        if connection.is_some_and(|connection| connection.client.is_gone()) {
            // The stack has counted this receive, and nobody got it.
            let (by, withheld) = (self.by.clone(), Withheld::Yes);
            let kind = Kind::Received { by, queue, messages, visibility, withheld, call: exchange };
            self.wiring.recorder.record(Source::Tap, kind);
            return Answer::Withheld;
        }
        for held in &messages {
            self.wiring.activity.received(&self.by, held, StackDuration::from_secs(visibility));
        }
        let markers: Vec<Marker> = messages.iter().filter_map(|held| held.marker.clone()).collect();
        let held = self.cross(Point::AfterReceive, &markers);
        let withheld = Passage::Free.withheld(held.as_ref());
        let by = self.by.clone();
        let kind = Kind::Received { by, queue, messages, visibility, withheld, call: exchange };
        self.wiring.recorder.record(Source::Tap, kind);
        self.send_unless_held(response, Passage::Free, held).await
    }

    async fn delete(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let entries = self.entries(call);
        let markers = markers_of(&entries);
        let before = self.hold(Point::BeforeDelete, &markers).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        let response = self.forward(call, request).await;
        let errors = errors_by_entry(call, &response, &entries);
        let after = self.cross(Point::AfterDelete, &markers);
        let withheld = before.withheld(after.as_ref());
        for entry in entries {
            let overrun = self.wiring.activity.acted(&self.by, &entry.receipt, Act::Delete);
            self.report_overrun(overrun);
            let error = errors.get(&entry.id).cloned();
            let (message_id, marker) = entry.message.unzip();
            let (by, receipt, marker) = (self.by.clone(), entry.receipt, marker.flatten());
            let queue = queue.clone();
            let call = exchange_of(&response);
            let kind = Kind::Deleted { by, queue, receipt, message_id, marker, error, withheld, call };
            self.wiring.recorder.record(Source::Tap, kind);
        }
        self.send_unless_held(response, before, after).await
    }

    async fn extend(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let entries = self.entries(call);
        let response = self.forward(call, request).await;
        let errors = errors_by_entry(call, &response, &entries);
        for entry in entries {
            let error = errors.get(&entry.id).cloned();
            let act = Act::Extend(StackDuration::from_secs(entry.visibility));
            let overrun = self.wiring.activity.acted(&self.by, &entry.receipt, act);
            self.report_overrun(overrun);
            let (message_id, marker) = entry.message.unzip();
            let (by, queue, receipt) = (self.by.clone(), queue.clone(), entry.receipt);
            let (marker, visibility) = (marker.flatten(), entry.visibility);
            let call = exchange_of(&response);
            let kind = Kind::Extended { by, queue, receipt, message_id, marker, visibility, error, call };
            self.wiring.recorder.record(Source::Tap, kind);
        }
        Answer::Send(response)
    }

    /// Any other call goes through and is recorded with its outcome.
    async fn other(&self, call: &Call, request: Request) -> Answer {
        Answer::Send(self.forward(call, request).await)
    }

    /// A request that cannot be read as a call goes through too, and is recorded by its path.
    async fn no_call(&self, request: Request) -> Answer {
        let head = Head::guess(&request);
        let operation = format!("{} {}", request.method(), request.uri().path());
        let response = self.exchange(&head, &operation, request).await;
        let error = havoq_wire::decode_error(&response).map(|(code, _)| code);
        self.record_called(operation, None, &response, error);
        Answer::Send(response)
    }

    /// Forwards a request; what that was like goes with the answer.
    async fn exchange(&self, head: &Head, operation: &str, request: Request) -> Response {
        let clock = self.wiring.recorder.clock();
        let (request_bytes, began) = (request.body().len() as u64, clock.real_now());
        let answered = self.wiring.upstream.forward(request).await;
        let attempt = &head.attempt;
        let exchange = Exchange {
            invocation: attempt.invocation_id.clone(),
            attempt: attempt.number,
            max_attempts: attempt.max,
            request_bytes,
            response_bytes: answered.as_ref().ok().map(|response| response.body().len() as u64),
            took: clock.real_now().since(began),
        };
        let mut response = answered.unwrap_or_else(|error| {
            let message = format!("the stack did not answer {operation}: {error}");
            self.wiring.recorder.record(Source::Tap, Kind::HarnessError { message: message.clone() });
            unavailable(head, message)
        });
        response.extensions_mut().insert(exchange);
        response
    }

    /// Forwards a call and records what is not recorded elsewhere: failures, and calls that are not
    /// about a received message.
    async fn forward(&self, call: &Call, request: Request) -> Response {
        let response = self.exchange(&call.head, &call.head.operation, request).await;
        let error = havoq_wire::decode_error(&response);
        let on_message = matches!(
            call.head.operation.as_str(),
            "ReceiveMessage"
                | "DeleteMessage"
                | "DeleteMessageBatch"
                | "ChangeMessageVisibility"
                | "ChangeMessageVisibilityBatch"
        );
        if error.is_some() || !on_message {
            let queue = call.params.get("QueueUrl").is_some().then(|| self.queue_of(call));
            let code = error.as_ref().map(|(code, _)| code.clone());
            self.record_called(call.head.operation.clone(), queue, &response, code);
        }
        if let (Some((code, _)), Some(invocation)) = (&error, &call.head.attempt.invocation_id)
            && havoq_wire::is_retryable(response.status(), code)
            && call.head.attempt.number < call.head.attempt.max
        {
            self.wiring.activity.owes_retry(&self.by, invocation);
        }
        response
    }

    fn record_called(
        &self,
        operation: String,
        queue: Option<String>,
        response: &Response,
        error: Option<String>,
    ) {
        let (by, status, call) = (self.by.clone(), response.status().as_u16(), exchange_of(response));
        let kind = Kind::Called { by, operation, queue, status, error, call };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    fn queue_of(&self, call: &Call) -> String {
        self.wiring.directory.queue_at(call.params["QueueUrl"].as_str().unwrap_or_default())
    }

    async fn read_messages(&self, call: &Call, queue: &str, response: &Response) -> Vec<Held> {
        let result = havoq_wire::decode_result(&call.head, response).unwrap_or_default();
        let Some(messages) = result["Messages"].as_array() else { return Vec::new() };
        let _settled = self.identity().settled().await;
        messages.iter().filter_map(|message| self.read_message(queue, message)).collect()
    }

    fn read_message(&self, queue: &str, message: &Value) -> Option<Held> {
        let message_id = MessageId::new(message["MessageId"].as_str()?);
        let receipt = ReceiptHandle::new(message["ReceiptHandle"].as_str()?);
        let counted = self.wiring.activity.count_receive(&message_id);
        let shown = message["Attributes"]["ApproximateReceiveCount"].as_str();
        let receive_count = shown.and_then(|count| count.parse().ok()).unwrap_or(counted);
        let marker = self.identity().marker_of(&message_id).or_else(|| self.inferred(queue, message));
        Some(Held { message_id, receipt, receive_count, marker })
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

    fn entries(&self, call: &Call) -> Vec<Entry> {
        match call.params.get("Entries").and_then(Value::as_array) {
            Some(entries) => entries.iter().filter_map(|entry| self.entry(entry)).collect(),
            None => self.entry(&call.params).into_iter().collect(),
        }
    }

    fn entry(&self, params: &Value) -> Option<Entry> {
        let receipt = ReceiptHandle::new(params["ReceiptHandle"].as_str()?);
        Some(Entry {
            id: params["Id"].as_str().unwrap_or_default().to_owned(),
            message: self.wiring.activity.message_under(&self.by, &receipt),
            receipt,
            visibility: params["VisibilityTimeout"].as_u64().unwrap_or_default(),
        })
    }
}

/// Waits until whoever polls over this connection does not wait for the answer any more.
async fn client_gone(connection: Option<&Connection>) {
    match connection {
        Some(connection) => connection.client.gone().await,
        None => std::future::pending().await,
    }
}

fn exchange_of(response: &Response) -> Option<Exchange> {
    response.extensions().get().cloned()
}

/// What a client sees of a stack that does not answer: an error that it retries.
fn unavailable(head: &Head, message: String) -> Response {
    havoq_wire::failure(head, &CommonError::ServiceUnavailable.with(message), "havoq")
}

fn markers_of(entries: &[Entry]) -> Vec<Marker> {
    entries.iter().filter_map(|entry| entry.message.as_ref()?.1.clone()).collect()
}

/// The error code of each entry that failed: all of them when the call itself did, else those in
/// `Failed[]` (a 200 proves nothing per entry, semantics 1.7).
fn errors_by_entry(call: &Call, response: &Response, entries: &[Entry]) -> HashMap<String, String> {
    if let Some((code, _)) = havoq_wire::decode_error(response) {
        return entries.iter().map(|entry| (entry.id.clone(), code.clone())).collect();
    }
    let result = havoq_wire::decode_result(&call.head, response).unwrap_or_default();
    let failed = result["Failed"].as_array().cloned().unwrap_or_default();
    let code = |entry: &Value| Some((entry["Id"].as_str()?.to_owned(), entry["Code"].as_str()?.to_owned()));
    failed.iter().filter_map(code).collect()
}
