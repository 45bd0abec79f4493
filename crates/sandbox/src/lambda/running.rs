//! Invocations under way: from the outbox to their ends, whoever asked for them.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_lambda::{BatchId, Invocation, Returned};
use tokio::sync::oneshot;

use super::FunctionId;
use super::asynchronous::EventId;
use super::sources::SourceId;
use crate::core::Core;
use crate::fact::Fact;
use crate::pipes::PipeId;
use crate::timers::{Timer, TimerKey};

/// One invocation; numbers are not given out again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RunId(u64);

/// Who asked for an invocation, and is told how it ended.
#[derive(Debug)]
pub(super) enum Origin {
    /// A synchronous caller, who may have gone away.
    Caller(oneshot::Sender<Returned>),
    Event(EventId),
    Batch(SourceId, BatchId),
    /// A batch of a pipe, at its enrichment or its target.
    Pipe(PipeId, BatchId),
}

/// What is asked for.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) request_id: String,
    /// As the caller named the function.
    pub(super) invoked_arn: String,
    pub(super) payload: Bytes,
    pub(super) trace_id: Option<String>,
    pub(super) client_context: Option<String>,
    /// Those of a mapping's batch.
    pub(super) messages: Vec<MessageId>,
}

/// What whoever runs functions is to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Order {
    Run(RunId, Invocation),
    /// Nobody waits for it any more.
    Abort(RunId),
}

/// No concurrency was free.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Throttled;

#[derive(Debug)]
struct UnderWay {
    function: FunctionId,
    name: String,
    request_id: String,
    since: StackTime,
    timeout: TimerKey,
    origin: Origin,
}

#[derive(Debug, Default)]
pub(super) struct Running {
    so_far: u64,
    all: BTreeMap<RunId, UnderWay>,
    outbox: Vec<Order>,
}

impl Running {
    /// Nothing under way; what was is aborted, and late ends are not taken for those of others.
    pub(super) fn emptied(&mut self) -> Self {
        let unsent = std::mem::take(&mut self.outbox);
        let is_unsent =
            |id: &RunId| unsent.iter().any(|order| matches!(order, Order::Run(unsent, _) if unsent == id));
        let sent = self.all.keys().filter(|id| !is_unsent(id));
        let aborts = unsent.iter().filter_map(|order| match order {
            Order::Abort(id) => Some(*id),
            Order::Run(..) => None,
        });
        let outbox = aborts.chain(sent.copied()).map(Order::Abort).collect();
        Self { so_far: self.so_far, all: BTreeMap::new(), outbox }
    }
}

impl Core {
    /// Begins an invocation, if concurrency is free.
    pub(super) fn begin_invocation(
        &mut self,
        now: StackTime,
        id: FunctionId,
        call: Call,
        origin: Origin,
    ) -> Result<(), Throttled> {
        if !self.has_concurrency(id) {
            self.throttled(now, id, call, origin.cause());
            return Err(Throttled);
        }
        let Some(function) = self.lambda.functions.get_mut(id) else { return Err(Throttled) };
        function.running += 1;
        function.counters.begin(function.running);
        let spec = Arc::clone(&function.spec);
        let running = &mut self.lambda.running;
        running.so_far += 1;
        let invocation = RunId(running.so_far);
        let deadline = now + spec.timeout;
        let timeout = self.timers.set(deadline, Timer::InvocationTimeout { run: invocation });
        let name = spec.name.clone();
        let fact = Fact::Invoked {
            function: name.clone(),
            request_id: call.request_id.clone(),
            cause: origin.cause(),
            messages: call.messages,
        };
        let request_id = call.request_id.clone();
        let under_way = UnderWay { function: id, name, request_id, since: now, timeout, origin };
        running.all.insert(invocation, under_way);
        running.outbox.push(Order::Run(
            invocation,
            Invocation {
                request_id: call.request_id,
                function: spec,
                invoked_arn: call.invoked_arn,
                payload: call.payload,
                deadline,
                trace_id: call.trace_id,
                client_context: call.client_context,
            },
        ));
        self.emit(now, fact);
        Ok(())
    }

    fn throttled(&mut self, now: StackTime, id: FunctionId, call: Call, cause: &'static str) {
        let Some(function) = self.lambda.functions.get_mut(id) else { return };
        function.counters.throttles += 1;
        let (function, Call { request_id, messages, .. }) = (function.spec.name.clone(), call);
        self.emit(now, Fact::Throttled { function, request_id, cause, messages });
    }

    /// Goes on after an invocation. The end of one that is not under way any more is nobody's: it
    /// has timed out, or the sandbox was emptied.
    pub(crate) fn invocation_ended(&mut self, now: StackTime, invocation: RunId, returned: Returned) {
        let Some(done) = self.lambda.running.all.remove(&invocation) else { return };
        self.timers.cancel(done.timeout);
        if let Some(function) = self.lambda.functions.get_mut(done.function) {
            function.running = function.running.saturating_sub(1);
            function.counters.end(now.since(done.since), returned.is_error());
        }
        let UnderWay { name: function, request_id, origin, .. } = done;
        let fact = Fact::InvocationEnded { function, request_id, returned: returned.clone() };
        self.emit(now, fact);
        match origin {
            // Whoever has gone away is told nothing.
            Origin::Caller(caller) => drop(caller.send(returned)),
            Origin::Event(event) => self.event_ended(now, event, &returned),
            Origin::Batch(source, batch) => self.batch_ended(now, source, batch, &returned),
            Origin::Pipe(pipe, batch) => self.pipe_went_on(now, pipe, batch, returned),
        }
    }

    /// The function's timeout is over: its process is killed (semantics 5.5).
    pub(crate) fn invocation_timed_out(&mut self, now: StackTime, invocation: RunId) {
        let Some(over) = self.lambda.running.all.get(&invocation) else { return };
        let after = now.since(over.since);
        let running = &mut self.lambda.running;
        let unsent = |order: &Order| matches!(order, Order::Run(unsent, _) if *unsent == invocation);
        let before = running.outbox.len();
        running.outbox.retain(|order| !unsent(order));
        if running.outbox.len() == before {
            running.outbox.push(Order::Abort(invocation));
        }
        self.invocation_ended(now, invocation, Returned::TimedOut(after));
    }

    /// What whoever runs functions has not been told yet.
    pub(crate) fn take_orders(&mut self) -> Vec<Order> {
        std::mem::take(&mut self.lambda.running.outbox)
    }

    pub(crate) fn has_orders(&self) -> bool {
        !self.lambda.running.outbox.is_empty()
    }

    /// How many invocations have begun and not ended.
    pub(crate) fn invocations_under_way(&self) -> usize {
        self.lambda.running.all.len()
    }
}

impl Origin {
    fn cause(&self) -> &'static str {
        match self {
            Self::Caller(_) => "call",
            Self::Event(_) => "event",
            Self::Batch(..) => "mapping",
            Self::Pipe(..) => "pipe",
        }
    }
}
