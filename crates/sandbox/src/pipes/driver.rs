//! What makes pipes go: it receives for them, takes batches through enrichment and target, and deletes what is done. A
//! pipe that waits for messages costs nothing: it is looked at when its queue has been touched.

use bytes::Bytes;
use havoq_base::StackTime;
use havoq_lambda::{Action, BatchId, Returned, Settled};
use serde_json::Value;

use super::deliver::Delivered;
use super::pipe::{Pipe, PipeId, Stage, State};
use super::shape::{InputTemplate, Opened, shaped};
use crate::acting::Acting;
use crate::core::Core;
use crate::fact::Fact;
use crate::lambda::{NotBegun, ServiceInvoke, ids_of};
use crate::place::name_of;
use crate::sns::timestamp;
use crate::sqs::QueueId;
use crate::timers::Timer;

/// The most events that a target takes at once, functions apart.
const TARGET_BATCH: usize = 10;

impl Core {
    /// A queue was touched: the pipes that wait for its messages may go on.
    pub(crate) fn feed_pipes(&mut self, now: StackTime, queue: QueueId) {
        let Ok(queue) = self.queues.get(queue) else { return };
        let waiting: Vec<_> = self.pipes.waiting_for(&queue.arn).map(|pipe| pipe.id).collect();
        waiting.into_iter().for_each(|pipe| self.drive_pipe(now, pipe));
    }

    /// Whether a pipe would receive what comes to a queue.
    pub(crate) fn pipe_waits(&self, queue_arn: &str) -> bool {
        self.pipes.waiting_for(queue_arn).next().is_some()
    }

    /// A pipe's time has come.
    pub(crate) fn wake_pipe(&mut self, now: StackTime, id: PipeId) {
        if let Some(pipe) = self.pipes.get_mut(id) {
            pipe.timer = None;
        }
        self.drive_pipe(now, id);
    }

    /// How many messages pipes have in their hands.
    pub(crate) fn messages_in_pipes(&self) -> usize {
        self.pipes.iter().map(|pipe| pipe.mapping.messages()).sum()
    }

    /// Does all that a pipe wants done now.
    pub(super) fn drive_pipe(&mut self, now: StackTime, id: PipeId) {
        if let Some(pipe) = self.pipes.get_mut(id) {
            pipe.pace.look(now);
        }
        loop {
            self.receive_for_pipe(now, id);
            let Some(pipe) = self.pipes.get_mut(id) else { return };
            match pipe.mapping.next(now) {
                None => break,
                Some(Action::Receive { .. }) => {}
                Some(Action::Invoke(batch)) => self.begin_batch(now, id, batch),
                Some(Action::Settle(settled)) => self.settle_pipe(now, id, settled),
            }
        }
        self.arm_pipe(id);
    }

    fn receive_for_pipe(&mut self, now: StackTime, id: PipeId) {
        let Some(pipe) = self.pipes.get(id) else { return };
        let Some(max) = pipe.mapping.asked().filter(|_| pipe.pace.rests_until().is_none()) else { return };
        let (arn, function) = (pipe.spec.source.clone(), pipe.name.clone());
        let Some((records, visible_at)) = self.poll_queue(now, &arn, max) else { return };
        let queue = name_of(&arn).to_owned();
        self.emit(now, Fact::MappingReceived { function, queue, message_ids: ids_of(&records) });
        if let Some(pipe) = self.pipes.get_mut(id) {
            pipe.pace.received();
            pipe.mapping.received(now, records, visible_at);
        }
    }

    /// A batch begins, or begins again after it was throttled.
    fn begin_batch(&mut self, now: StackTime, id: PipeId, batch: BatchId) {
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        let Some(events) = events_of(pipe, batch) else { return };
        pipe.counters.begin(events.len());
        let Some(function) = pipe.spec.enrichment().map(str::to_owned) else {
            return self.hand_to_target(now, id, batch, events, true);
        };
        let template = pipe.spec.enrichment_template();
        let payload = match payload(pipe, template, &events, now) {
            Ok(payload) => payload,
            Err(reason) => return self.batch_failed(id, batch, Stage::Enrichment, reason),
        };
        self.invoke_stage(now, id, batch, Stage::Enrichment, &function, payload);
    }

    /// Invokes a function and waits for it.
    fn invoke_stage(
        &mut self,
        now: StackTime,
        id: PipeId,
        batch: BatchId,
        stage: Stage,
        function: &str,
        payload: Bytes,
    ) {
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        pipe.stages.insert(batch, stage);
        let role = pipe.spec.role_arn.clone();
        let acting = Acting::Role { arn: &role };
        let begun = match self.reachable(function) {
            Ok(()) => self.invoke_for_pipe(now, (id, batch), acting, function, payload),
            Err(error) => return self.batch_failed(id, batch, stage, error.message),
        };
        match begun {
            Ok(()) => {}
            Err(NotBegun::Throttled) => {
                if let Some(pipe) = self.pipes.get_mut(id) {
                    pipe.counters.throttled += 1;
                    pipe.mapping.throttled(now, batch);
                }
            }
            Err(NotBegun::Refused(refusal)) => {
                self.batch_failed(id, batch, stage, format!("the function was not invoked: {refusal:?}"));
            }
        }
    }

    /// Goes on after a function that a batch waited for.
    pub(crate) fn pipe_went_on(&mut self, now: StackTime, id: PipeId, batch: BatchId, returned: Returned) {
        let stage = self.pipes.get_mut(id).and_then(|pipe| pipe.stages.remove(&batch));
        match (stage, &returned) {
            (Some(Stage::Enrichment), Returned::Response(answer)) => self.enriched(now, id, batch, answer),
            (Some(stage), _) => self.stage_ended(id, batch, stage, &returned),
            (None, _) => {}
        }
        self.drive_pipe(now, id);
    }

    /// An empty answer skips the target, and so does one with more than the target takes at once: then the batch has
    /// failed (semantics 3.9).
    fn enriched(&mut self, now: StackTime, id: PipeId, batch: BatchId, answer: &[u8]) {
        let answer: Value = serde_json::from_slice(answer).unwrap_or(Value::Null);
        let events = match answer {
            Value::Array(events) => events,
            Value::Object(event) if event.is_empty() => Vec::new(),
            Value::String(text) if text.is_empty() => Vec::new(),
            event => vec![event],
        };
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        if events.is_empty() {
            pipe.counters.skipped += 1;
            return pipe.mapping.ended(batch, &succeeded());
        }
        self.hand_to_target(now, id, batch, events, false);
    }

    /// `own` tells that the events are the messages, one each.
    fn hand_to_target(&mut self, now: StackTime, id: PipeId, batch: BatchId, events: Vec<Value>, own: bool) {
        let Some(pipe) = self.pipes.get(id) else { return };
        let (target, template) = (pipe.spec.target.clone(), pipe.spec.target_template());
        if pipe.is_to_function() {
            let payload = payload(pipe, template, &events, now);
            match payload {
                Ok(payload) if pipe.spec.waits_for_target() => {
                    return self.invoke_stage(now, id, batch, Stage::Target, &target, payload);
                }
                Ok(payload) => {
                    let role = pipe.spec.role_arn.clone();
                    let acting = Acting::Role { arn: &role };
                    let invoke = ServiceInvoke { function_arn: &target, acting, payload };
                    return match self.invoke_as_service(now, invoke) {
                        Ok(()) => self.stage_ended(id, batch, Stage::Target, &succeeded()),
                        Err(refusal) => self.batch_failed(id, batch, Stage::Target, format!("{refusal:?}")),
                    };
                }
                Err(reason) => return self.batch_failed(id, batch, Stage::Target, reason),
            }
        }
        if !own && events.len() > TARGET_BATCH {
            let reason = format!("the enrichment gave {} events, more than the target takes", events.len());
            return self.batch_failed(id, batch, Stage::Target, reason);
        }
        let delivered = self.deliver_events(now, id, &events);
        let returned = self.report(id, batch, own, &delivered);
        self.stage_ended(id, batch, Stage::Target, &returned);
    }

    /// What failed, as a function would report it.
    fn report(&self, id: PipeId, batch: BatchId, own: bool, delivered: &[Delivered]) -> Returned {
        let failed = delivered.iter().filter_map(|result| result.as_ref().err());
        let Some(reason) = failed.clone().next() else { return succeeded() };
        let held = self.pipes.get(id).and_then(|pipe| pipe.mapping.batch(batch));
        let all = failed.count() == delivered.len();
        match held {
            Some(held) if own && !all => {
                let results = held.message_ids().zip(delivered).filter(|(_, result)| result.is_err());
                let items: Vec<_> =
                    results.map(|(id, _)| serde_json::json!({ "itemIdentifier": id })).collect();
                Returned::Response(Bytes::from(serde_json::json!({ "batchItemFailures": items }).to_string()))
            }
            _ => Returned::NotRun(reason.clone()),
        }
    }

    fn batch_failed(&mut self, id: PipeId, batch: BatchId, stage: Stage, reason: String) {
        self.stage_ended(id, batch, stage, &Returned::NotRun(reason));
    }

    fn stage_ended(&mut self, id: PipeId, batch: BatchId, stage: Stage, returned: &Returned) {
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        pipe.stages.remove(&batch);
        pipe.counters.end(stage, returned);
        pipe.mapping.ended(batch, &reported(returned));
    }

    fn settle_pipe(&mut self, now: StackTime, id: PipeId, settled: Settled) {
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        if let Some(batch) = settled.batch {
            pipe.stages.remove(&batch);
        }
        let (arn, function) = (pipe.spec.source.clone(), pipe.name.clone());
        let Settled { deleted, returned, reason, .. } = settled;
        let fact = Fact::BatchSettled {
            function,
            queue: name_of(&arn).to_owned(),
            request_id: None,
            deleted: ids_of(&deleted),
            returned: ids_of(&returned),
            reason,
        };
        self.emit(now, fact);
        self.delete_polled(now, &arn, deleted);
    }

    /// Sets the one timer of a pipe; one that is being deleted goes when it is idle.
    fn arm_pipe(&mut self, id: PipeId) {
        let Some(pipe) = self.pipes.get_mut(id) else { return };
        let is_over = pipe.state == State::Deleting && pipe.mapping.is_idle();
        let rested = pipe.pace.rests_until().filter(|_| pipe.mapping.asked().is_some());
        let wakes = pipe.mapping.wakes_at().into_iter().chain(rested).min().filter(|_| !is_over);
        self.timers.rearm(&mut pipe.timer, wakes, Timer::Pipe { pipe: id });
        if is_over {
            self.pipes.remove(id);
        }
    }
}

fn events_of(pipe: &Pipe, batch: BatchId) -> Option<Vec<Value>> {
    Some(pipe.mapping.batch(batch)?.records().map(havoq_lambda::Record::to_value).collect())
}

/// A stage that is a function gets a list of events.
fn payload(pipe: &Pipe, template: Option<&str>, events: &[Value], now: StackTime) -> Result<Bytes, String> {
    let ingested = timestamp(now);
    let template = template.map(InputTemplate::parse).transpose()?;
    let shaped = events.iter().map(|event| shaped(pipe, template.as_ref(), &Opened::of(event), &ingested));
    Ok(Bytes::from(Value::Array(shaped.collect::<Result<_, _>>()?).to_string()))
}

fn succeeded() -> Returned {
    Returned::Response(Bytes::from_static(b"null"))
}

/// What a function answers is its own business, unless it tells which messages failed.
fn reported(returned: &Returned) -> Returned {
    match returned {
        Returned::Response(answer) => {
            let answer: Option<Value> = serde_json::from_slice(answer).ok();
            match answer.is_some_and(|answer| answer.get("batchItemFailures").is_some()) {
                true => returned.clone(),
                false => succeeded(),
            }
        }
        other => other.clone(),
    }
}
