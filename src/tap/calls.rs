//! Calls to the stack: what they say about messages goes into the history.

use std::collections::HashMap;

use havoq_base::ids::{Marker, MessageId, ReceiptHandle};
use havoq_base::{RealDuration, RealTime, StackDuration};
use havoq_fault::End;
use havoq_wire::{Call, CommonError, Head, Request, Response, Service};
use serde_json::Value;

use super::activity::Act;
use super::crash::When;
use super::faults::{Meddled, Outcome};
use super::proxy::{Answer, Passage, Session};
use super::witness::Connection;
use crate::history::{Exchange, Kind, Source, Withheld};

/// One receipt that a call acts on.
struct Entry {
    /// Its position in the request.
    at: usize,
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

    async fn delete(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let connection = request.extensions().get::<Connection>().cloned();
        let entries = self.entries(call);
        let markers = markers_of(&entries);
        let before = self.hold(&call.head.operation, &markers).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        let items = items_of(call, &entries);
        let answered = match self.forward(call, Some(&queue), &items, request).await {
            Outcome::Answered(answered) => answered,
            Outcome::Cut(end) => {
                // An attempt all the same: whoever makes it knows that it failed.
                for entry in entries {
                    let overrun = self.wiring.activity.acted(&self.by, &entry.receipt, Act::Touch);
                    self.report_overrun(overrun);
                    let error = Some(told(end).to_owned());
                    self.record_deleted(entry, &queue, (error, false, Withheld::No, None));
                }
                return self.end(end, connection.as_ref()).await;
            }
        };
        let errors = errors_by_entry(call, &answered.response, &entries);
        let after = self.cross_done(call, &entries, &errors, &answered.undone);
        let withheld = match answered.end {
            Some(_) => Withheld::Yes,
            None => before.withheld(after.as_ref()),
        };
        for entry in entries {
            let error = errors.get(&entry.id).cloned();
            let act = if error.is_some() { Act::Touch } else { Act::Delete };
            let overrun = self.wiring.activity.acted(&self.by, &entry.receipt, act);
            self.report_overrun(overrun);
            let undone = answered.undone.contains(&entry.at);
            let told = (error, undone, withheld, exchange_of(&answered.response));
            self.record_deleted(entry, &queue, told);
        }
        match answered.end {
            Some(end) if after.is_none() && before == Passage::Free => {
                self.end(end, connection.as_ref()).await
            }
            _ => self.send_unless_held(answered.response, before, after).await,
        }
    }

    /// The call crosses the point behind the stack with what it has done; not with what was refused,
    /// nor with what a fault kept from the stack.
    fn cross_done(
        &self,
        call: &Call,
        entries: &[Entry],
        errors: &HashMap<String, String>,
        undone: &[usize],
    ) -> Option<super::crash::Held> {
        let is_done = |entry: &&Entry| !errors.contains_key(&entry.id) && !undone.contains(&entry.at);
        let mut done = entries.iter().filter(is_done).peekable();
        done.peek()?;
        let markers: Vec<Marker> = done.filter_map(|entry| entry.message.as_ref()?.1.clone()).collect();
        self.cross((&call.head.operation, When::After), &markers)
    }

    fn record_deleted(
        &self,
        entry: Entry,
        queue: &str,
        (error, undone, withheld, call): (Option<String>, bool, Withheld, Option<Exchange>),
    ) {
        let (message_id, marker) = entry.message.unzip();
        let (by, queue, receipt) = (self.by.clone(), queue.to_owned(), entry.receipt);
        let marker = marker.flatten();
        let kind = Kind::Deleted { by, queue, receipt, message_id, marker, error, undone, withheld, call };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    async fn extend(&self, call: &Call, request: Request) -> Answer {
        let queue = self.queue_of(call);
        let connection = request.extensions().get::<Connection>().cloned();
        let entries = self.entries(call);
        let markers = markers_of(&entries);
        let before = self.hold(&call.head.operation, &markers).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        let items = items_of(call, &entries);
        let answered = match self.forward(call, Some(&queue), &items, request).await {
            Outcome::Answered(answered) => answered,
            Outcome::Cut(end) => return self.end(end, connection.as_ref()).await,
        };
        let errors = errors_by_entry(call, &answered.response, &entries);
        let after = self.cross_done(call, &entries, &errors, &answered.undone);
        for entry in entries {
            let error = errors.get(&entry.id).cloned();
            let undone = answered.undone.contains(&entry.at);
            let visibility = StackDuration::from_secs(entry.visibility);
            let act = if undone || error.is_some() { Act::Touch } else { Act::Extend(visibility) };
            let overrun = self.wiring.activity.acted(&self.by, &entry.receipt, act);
            self.report_overrun(overrun);
            let (message_id, marker) = entry.message.unzip();
            let (by, queue, receipt) = (self.by.clone(), queue.clone(), entry.receipt);
            let (marker, visibility) = (marker.flatten(), entry.visibility);
            let call = exchange_of(&answered.response);
            let kind =
                Kind::Extended { by, queue, receipt, message_id, marker, visibility, error, undone, call };
            self.wiring.recorder.record(Source::Tap, kind);
        }
        match answered.end {
            Some(end) if after.is_none() && before == Passage::Free => {
                self.end(end, connection.as_ref()).await
            }
            _ => self.send_unless_held(answered.response, before, after).await,
        }
    }

    /// Any other call goes through and is recorded with its outcome.
    async fn other(&self, call: &Call, request: Request) -> Answer {
        let connection = request.extensions().get::<Connection>().cloned();
        // Which of the messages that its maker holds it is about cannot be told.
        let held = self.wiring.activity.held_by(&self.by);
        let markers: Vec<Marker> = held.into_iter().filter_map(|(_, marker)| marker).collect();
        let before = self.hold(&call.head.operation, &markers).await;
        if before == Passage::Blocked {
            return Answer::Withheld;
        }
        let queue = call.params.get("QueueUrl").is_some().then(|| self.queue_of(call));
        let only = match markers.as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        };
        let items = vec![only; havoq_fault::entries_of(call).len()];
        let answered = match self.forward(call, queue.as_deref(), &items, request).await {
            Outcome::Answered(answered) => answered,
            Outcome::Cut(end) => return self.end(end, connection.as_ref()).await,
        };
        // What was refused was not done, whatever its caller does next.
        let done = answered.response.status().is_success();
        let after = done.then(|| self.cross((&call.head.operation, When::After), &markers)).flatten();
        match answered.end {
            Some(end) if after.is_none() && before == Passage::Free => {
                self.end(end, connection.as_ref()).await
            }
            _ => self.send_unless_held(answered.response, before, after).await,
        }
    }

    pub(super) async fn send(
        &self,
        response: Response,
        end: Option<End>,
        connection: Option<&Connection>,
    ) -> Answer {
        match end {
            Some(end) => self.end(end, connection).await,
            None => Answer::Send(response),
        }
    }

    /// A request that cannot be read as a call goes through too, and is recorded by its path.
    async fn no_call(&self, request: Request) -> Answer {
        let head = Head::guess(&request);
        let operation = format!("{} {}", request.method(), request.uri().path());
        let exchange = self.begun(&head, &request);
        let mut response = self.ask_stack(&head, &operation, request).await;
        self.ended(exchange, &mut response);
        let error = havoq_wire::decode_error(&response).map(|(code, _)| code);
        let call = exchange_of(&response);
        self.record_called(operation, None, response.status().as_u16(), error, call);
        Answer::Send(response)
    }

    /// What the stack answers.
    pub(super) async fn ask_stack(&self, head: &Head, operation: &str, request: Request) -> Response {
        self.wiring.upstream.forward(request).await.unwrap_or_else(|error| {
            let message = format!("the stack did not answer {operation}: {error}");
            self.wiring.recorder.record(Source::Tap, Kind::HarnessError { message: message.clone() });
            unavailable(head, message)
        })
    }

    /// What a call is like, from its request.
    fn begun(&self, head: &Head, request: &Request) -> (Exchange, RealTime) {
        let attempt = &head.attempt;
        let exchange = Exchange {
            invocation: attempt.invocation_id.clone(),
            attempt: attempt.number,
            max_attempts: attempt.max,
            request_bytes: request.body().len() as u64,
            response_bytes: None,
            took: RealDuration::ZERO,
        };
        (exchange, self.wiring.recorder.clock().real_now())
    }

    /// What it was like goes with its answer.
    fn ended(&self, (mut exchange, began): (Exchange, RealTime), response: &mut Response) {
        let answered = response.extensions().get::<Unanswered>().is_none();
        exchange.response_bytes = answered.then(|| response.body().len() as u64);
        exchange.took = self.wiring.recorder.clock().real_now().since(began);
        response.extensions_mut().insert(exchange);
    }

    /// Forwards a call, with what faults make of it, and records what is not recorded elsewhere:
    /// failures, and calls that are not about a received message.
    pub(super) async fn forward(
        &self,
        call: &Call,
        queue: Option<&str>,
        items: &[Option<Marker>],
        request: Request,
    ) -> Outcome {
        let begun = self.begun(&call.head, &request);
        let mut outcome = self.meddle(&Meddled { call, queue, items }, request).await;
        if let Outcome::Answered(answered) = &mut outcome {
            self.ended(begun.clone(), &mut answered.response);
        }
        let (response, end) = match &outcome {
            Outcome::Answered(answered) => (Some(&answered.response), answered.end),
            Outcome::Cut(end) => (None, Some(*end)),
        };
        let error = response.and_then(havoq_wire::decode_error);
        let on_message = matches!(
            call.head.operation.as_str(),
            "ReceiveMessage"
                | "DeleteMessage"
                | "DeleteMessageBatch"
                | "ChangeMessageVisibility"
                | "ChangeMessageVisibilityBatch"
        );
        let status = response.map_or(0, |response| response.status().as_u16());
        let record = |error: Option<String>| {
            let cut = || Exchange {
                took: self.wiring.recorder.clock().real_now().since(begun.1),
                ..begun.0.clone()
            };
            let exchange = response.map_or_else(|| Some(cut()), exchange_of);
            let queue = call.params.get("QueueUrl").is_some().then(|| self.queue_of(call));
            self.record_called(call.head.operation.clone(), queue, status, error, exchange);
        };
        match (&error, end) {
            (Some((code, _)), _) => record(Some(code.clone())),
            (None, Some(end)) if response.is_none() => record(Some(told(end).to_owned())),
            _ if !on_message => record(None),
            _ => {}
        }
        let is_retried = end.is_some()
            || error
                .as_ref()
                .zip(response)
                .is_some_and(|((code, _), response)| havoq_wire::is_retryable(response.status(), code));
        if let Some(invocation) = &call.head.attempt.invocation_id
            && is_retried
            && call.head.attempt.number < call.head.attempt.max
        {
            self.wiring.activity.owes_retry(&self.by, invocation);
        }
        outcome
    }

    fn record_called(
        &self,
        operation: String,
        queue: Option<String>,
        status: u16,
        error: Option<String>,
        call: Option<Exchange>,
    ) {
        let by = self.by.clone();
        let kind = Kind::Called { by, operation, queue, status, error, call };
        self.wiring.recorder.record(Source::Tap, kind);
    }

    pub(super) fn queue_of(&self, call: &Call) -> String {
        self.wiring.directory.queue_at(call.params["QueueUrl"].as_str().unwrap_or_default())
    }

    fn entries(&self, call: &Call) -> Vec<Entry> {
        let entries = havoq_fault::entries_of(call).into_iter().enumerate();
        entries.filter_map(|(at, entry)| self.entry(at, entry)).collect()
    }

    fn entry(&self, at: usize, params: &Value) -> Option<Entry> {
        let receipt = ReceiptHandle::new(params["ReceiptHandle"].as_str()?);
        Some(Entry {
            at,
            id: params["Id"].as_str().unwrap_or_default().to_owned(),
            message: self.wiring.activity.message_under(&self.by, &receipt),
            receipt,
            visibility: params["VisibilityTimeout"].as_u64().unwrap_or_default(),
        })
    }
}

/// Marks an answer that is havoq's own, for want of one from the stack.
#[derive(Clone, Debug)]
struct Unanswered;

pub(super) fn exchange_of(response: &Response) -> Option<Exchange> {
    response.extensions().get().cloned()
}

/// What a client sees of a stack that does not answer: an error that it retries.
fn unavailable(head: &Head, message: String) -> Response {
    let mut response = havoq_wire::failure(head, &CommonError::ServiceUnavailable.with(message), "havoq");
    response.extensions_mut().insert(Unanswered);
    response
}

/// How a call that has no answer is told.
fn told(end: End) -> &'static str {
    match end {
        End::Close => "ConnectionClosed",
        End::Reset => "ConnectionReset",
        End::Hang => "NoAnswer",
    }
}

/// The marker of each entry of a request, those that are no entries of ours included.
fn items_of(call: &Call, entries: &[Entry]) -> Vec<Option<Marker>> {
    let mut items = vec![None; havoq_fault::entries_of(call).len()];
    for entry in entries {
        items[entry.at] = entry.message.as_ref().and_then(|(_, marker)| marker.clone());
    }
    items
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
