//! Carrying the armed faults out on one call, on its way to the stack and back.

use std::collections::HashSet;

use havoq_base::ids::Marker;
use havoq_base::{RealDuration, StackDuration, clock};
use havoq_fault::{Aim, End, OnAnswer, OnRequest, Stage, answer_with, messages_of};
use havoq_wire::{Call, Request, Response};
use serde_json::Value;

use super::armed::{Crossing, Strike};
use super::stash::Kept;
use crate::tap::proxy::{Answer, Part, Session};
use crate::tap::witness::Connection;

/// What became of a call.
pub(in crate::tap) enum Outcome {
    Answered(Answered),
    /// It was not done, and nobody answers it.
    Cut(End),
}

/// A call with an answer.
pub(in crate::tap) struct Answered {
    pub response: Response,
    /// A fault keeps the answer back.
    pub end: Option<End>,
    /// Positions of entries that the answer says were done, and that were not.
    pub undone: Vec<usize>,
    /// Messages that the stack has handed over and that are not in the answer.
    pub lost: Vec<Value>,
}

impl Answered {
    pub(in crate::tap) fn plain(response: Response) -> Self {
        Self { response, end: None, undone: Vec::new(), lost: Vec::new() }
    }
}

/// A call that faults may take hold of.
pub(in crate::tap) struct Meddled<'a> {
    pub call: &'a Call,
    pub queue: Option<&'a str>,
    /// The messages that its entries are about, in their order.
    pub items: &'a [Option<Marker>],
}

impl Session {
    /// Forwards a call, unless a fault takes hold of it.
    pub(in crate::tap) async fn meddle(&self, meddled: &Meddled<'_>, request: Request) -> Outcome {
        if self.wiring.faults.are_none() {
            return Outcome::Answered(Answered::plain(self.ask(meddled.call, request).await));
        }
        let (request, strikes) = match self.before(meddled, request).await {
            Ok(forwarded) => forwarded,
            Err(outcome) => return outcome,
        };
        if let Some(queue) = meddled.queue.filter(|_| meddled.call.head.operation == "ReceiveMessage") {
            self.wiring.faults.feed(&self.by, queue);
        }
        let response = self.ask(meddled.call, request).await;
        self.after(meddled, response, strikes).await
    }

    async fn ask(&self, call: &Call, request: Request) -> Response {
        self.ask_stack(&call.head, &call.head.operation, request).await
    }

    /// The request to forward, and the faults that have a say in its answer too.
    async fn before(
        &self,
        meddled: &Meddled<'_>,
        mut request: Request,
    ) -> Result<(Request, Vec<Strike>), Outcome> {
        let (call, mut from, mut strikes) = (meddled.call, 0, Vec::new());
        let crossing = self.crossing(meddled, Stage::Request, meddled.items);
        while let Some((at, strike)) = self.wiring.faults.strike(from, &crossing) {
            from = at + 1;
            self.wiring.faults.fired(&strike.id, &self.by, &call.head.operation, strike.marker.clone());
            if strike.delay != RealDuration::ZERO {
                clock::sleep(strike.delay).await;
            }
            match strike.kind.on_request(call, request, &strike.aim) {
                OnRequest::Forward(changed) => request = changed,
                OnRequest::Answer(response) => {
                    self.starve(meddled, &strike);
                    let undone = undone(&strike);
                    return Err(Outcome::Answered(Answered { undone, ..Answered::plain(response) }));
                }
                OnRequest::End(end) => {
                    self.starve(meddled, &strike);
                    return Err(Outcome::Cut(end));
                }
            }
            strikes.push(strike);
        }
        Ok((request, strikes))
    }

    async fn after(&self, meddled: &Meddled<'_>, response: Response, strikes: Vec<Strike>) -> Outcome {
        let call = meddled.call;
        let mut answered = Answered::plain(response);
        for strike in strikes.iter().rev() {
            answered.undone.extend(undone(strike));
            self.change(meddled, &mut answered, strike);
        }
        // A message that is received may be one whose send is only being recorded.
        let _settled = self.identity().settled().await;
        let mut from = 0;
        loop {
            let of_answer = self.markers_in(call, &answered.response);
            let items = of_answer.as_deref().unwrap_or(meddled.items);
            let crossing = self.crossing(meddled, Stage::Answer, items);
            let Some((at, strike)) = self.wiring.faults.strike(from, &crossing) else { break };
            from = at + 1;
            if self.change(meddled, &mut answered, &strike) {
                self.wiring.faults.fired(&strike.id, &self.by, &call.head.operation, strike.marker.clone());
            }
            if answered.end.is_some() {
                break;
            }
        }
        Outcome::Answered(answered)
    }

    /// False when the fault takes hold only later.
    fn change(&self, meddled: &Meddled<'_>, answered: &mut Answered, strike: &Strike) -> bool {
        let (call, before) = (meddled.call, messages_of(meddled.call, &answered.response));
        let response = std::mem::take(&mut answered.response);
        let mut now = true;
        match strike.kind.on_answer(call, response.clone(), &strike.aim) {
            OnAnswer::Send(changed) => answered.response = changed,
            OnAnswer::End(end) => {
                answered.response = response;
                answered.end = Some(end);
            }
            OnAnswer::Later { answer, messages, after } => {
                answered.response = answer;
                self.keep(meddled, messages, after, strike);
                now = false;
            }
        }
        let left: HashSet<_> = messages_of(call, &answered.response).into_iter().filter_map(id_of).collect();
        let lost =
            before.into_iter().filter(|message| id_of(message.clone()).is_some_and(|id| !left.contains(&id)));
        answered.lost.extend(lost);
        now
    }

    fn keep(&self, meddled: &Meddled<'_>, messages: Vec<Value>, after: StackDuration, strike: &Strike) {
        let clock = self.wiring.recorder.clock();
        let queue = meddled.queue.unwrap_or_default();
        let asked = meddled.call.params["VisibilityTimeout"].as_u64().map(StackDuration::from_secs);
        let visibility = asked.unwrap_or_else(|| self.wiring.directory.visibility(queue));
        for message in messages {
            let kept = Kept {
                fault: strike.id.clone(),
                queue: queue.to_owned(),
                consumer: self.by.consumer.clone(),
                due: clock.now() + after,
                marker: self.marker_of(queue, &message),
                message,
                hidden_until: clock.now() + visibility,
            };
            self.wiring.faults.stash.put(kept, clock);
        }
    }

    /// The answer with what faults have kept for this poller, and what that is.
    pub(in crate::tap) fn with_kept(
        &self,
        call: &Call,
        queue: &str,
        response: Response,
    ) -> (Response, Vec<Kept>) {
        let mut messages = messages_of(call, &response);
        let most = call.params["MaxNumberOfMessages"].as_u64().unwrap_or(1) as usize;
        let room = most.saturating_sub(messages.len());
        let now = self.wiring.recorder.clock().now();
        let kept = self.wiring.faults.stash.take(queue, &self.by.consumer, now, room);
        if kept.is_empty() {
            return (response, kept);
        }
        for kept in &kept {
            self.wiring.faults.fired(&kept.fault, &self.by, &call.head.operation, kept.marker.clone());
            messages.push(kept.message.clone());
        }
        (answer_with(call, messages), kept)
    }

    /// Waits until a fault has something for this poller.
    pub(in crate::tap) async fn kept_is_due(&self, queue: &str) {
        let clock = self.wiring.recorder.clock();
        self.wiring.faults.stash.due(queue, &self.by.consumer, clock).await;
    }

    /// Ends a call without an answer.
    pub(in crate::tap) async fn end(&self, end: End, connection: Option<&Connection>) -> Answer {
        match (end, connection) {
            (End::Reset, Some(connection)) => connection.client.reset(),
            (End::Hang, Some(connection)) => connection.client.gone().await,
            _ => {}
        }
        Answer::Withheld
    }

    /// A poller that gets nothing by our doing does not keep the clock from going on.
    fn starve(&self, meddled: &Meddled<'_>, strike: &Strike) {
        let is_poll = meddled.call.head.operation == "ReceiveMessage" && self.part != Part::Poller;
        if let Some(queue) = meddled.queue.filter(|_| strike.starves && is_poll) {
            self.wiring.faults.starve(&strike.id, &self.by, queue);
        }
    }

    fn crossing<'a>(
        &'a self,
        meddled: &Meddled<'a>,
        stage: Stage,
        items: &'a [Option<Marker>],
    ) -> Crossing<'a> {
        Crossing { stage, by: &self.by, call: meddled.call, queue: meddled.queue, items }
    }

    /// Whose messages are in an answer; `None` where it is no answer to a receive.
    fn markers_in(&self, call: &Call, response: &Response) -> Option<Vec<Option<Marker>>> {
        (call.head.operation == "ReceiveMessage").then(|| {
            let queue = self.queue_of(call);
            messages_of(call, response).iter().map(|message| self.marker_of(&queue, message)).collect()
        })
    }
}

fn undone(strike: &Strike) -> Vec<usize> {
    if strike.kind.leaves_undone() { strike.aim.at.clone() } else { Aim::default().at }
}

fn id_of(message: Value) -> Option<String> {
    message["MessageId"].as_str().map(str::to_owned)
}
