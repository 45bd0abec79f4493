//! What an environment and its runtime may say to each other, and when. No I/O.
//!
//! ```text
//!   Started ──next──> Ready ──(work)──> Running ──response, error──> Sent
//!      │                ^                                             │
//!      │                └────────────────────next─────────────────────┘
//!      └──init/error──> InitError
//! ```

use bytes::Bytes;
use havoq_lambda::{Invocation, LARGEST_PAYLOAD, Returned};
use tokio::sync::oneshot;

/// An invocation on its way to a runtime.
#[derive(Debug)]
pub(in crate::consumer::function) struct Work {
    pub invocation: Invocation,
    /// When it times out, in milliseconds of the epoch on the function's own clock.
    pub deadline_ms: u64,
    pub answer: oneshot::Sender<Returned>,
}

/// How far a runtime has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::consumer::function) enum Started {
    Not,
    /// It has asked for work.
    Ready,
    /// It said that it cannot.
    Failed(Returned),
}

/// Why a call is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// Not now: the states' names.
    Transition {
        from: &'static str,
        to: &'static str,
    },
    /// No invocation of this id is under way.
    RequestId,
    TooLarge,
}

#[derive(Debug, Default)]
enum Phase {
    #[default]
    Started,
    InitError,
    Ready,
    Running(oneshot::Sender<Returned>),
    Sent,
}

impl Phase {
    fn name(&self) -> &'static str {
        match self {
            Self::Started => "Started",
            Self::InitError => "InitError",
            Self::Ready => "Ready",
            Self::Running(_) => "Running",
            Self::Sent => "RuntimeResponseSentState",
        }
    }

    fn refuse(&self, to: &'static str) -> Refusal {
        Refusal::Transition { from: self.name(), to }
    }
}

/// One runtime's side of the Runtime API.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    phase: Phase,
    /// Of the invocation under way, or of the last one.
    current: String,
    queued: Option<Work>,
}

impl Exchange {
    /// The runtime asks for work.
    pub fn ask(&mut self) -> Result<(), Refusal> {
        match self.phase {
            Phase::Started | Phase::Ready | Phase::Sent => self.phase = Phase::Ready,
            _ => return Err(self.phase.refuse("Ready")),
        }
        Ok(())
    }

    /// What a runtime that has asked gets, once there is something: the invocation and its deadline.
    pub fn take(&mut self) -> Option<(Invocation, u64)> {
        if !matches!(self.phase, Phase::Ready) {
            return None;
        }
        let Work { invocation, deadline_ms, answer } = self.queued.take()?;
        self.current.clone_from(&invocation.request_id);
        self.phase = Phase::Running(answer);
        Some((invocation, deadline_ms))
    }

    pub fn give(&mut self, work: Work) {
        self.queued = Some(work);
    }

    /// Takes back what the runtime has not taken. False when it has.
    pub fn take_back(&mut self) -> bool {
        self.queued.take().is_some()
    }

    /// The runtime answers; no payload is one that was too large.
    pub fn respond(&mut self, id: &str, payload: Option<Bytes>) -> Result<(), Refusal> {
        match payload.filter(|payload| payload.len() <= LARGEST_PAYLOAD) {
            Some(payload) => self.end(id, "InvocationResponse", Returned::Response(payload)),
            None => {
                self.end(id, "InvocationResponse", Returned::TooLarge)?;
                Err(Refusal::TooLarge)
            }
        }
    }

    /// The runtime tells of an error in the function.
    pub fn fail(&mut self, id: &str, error_type: Option<String>, payload: Bytes) -> Result<(), Refusal> {
        self.end(id, "InvocationErrorResponse", Returned::FunctionError { error_type, payload })
    }

    fn end(&mut self, id: &str, to: &'static str, returned: Returned) -> Result<(), Refusal> {
        if self.current.is_empty() || self.current != id {
            return Err(Refusal::RequestId);
        }
        match std::mem::take(&mut self.phase) {
            Phase::Running(answer) => {
                self.phase = Phase::Sent;
                // Nobody may want it any more: the invocation has timed out.
                answer.send(returned).ok();
                Ok(())
            }
            other => {
                let refusal = other.refuse(to);
                self.phase = other;
                Err(refusal)
            }
        }
    }

    /// The runtime could not start.
    pub fn init_error(&mut self) -> Result<(), Refusal> {
        if !matches!(self.phase, Phase::Started) {
            return Err(self.phase.refuse("InitError"));
        }
        self.phase = Phase::InitError;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use havoq_base::{StackDuration, StackTime};
    use havoq_lambda::{Code, FunctionSpec, LATEST};

    use super::*;

    fn work(id: &str) -> (Work, oneshot::Receiver<Returned>) {
        let function = FunctionSpec {
            name: "f".into(),
            arn: "arn:aws:lambda:us-east-1:000000000000:function:f".into(),
            version: LATEST.into(),
            handler: None,
            runtime: None,
            timeout: StackDuration::from_secs(3),
            memory_mb: 128,
            environment: Default::default(),
            code: Code::Command { command: vec!["true".into()], folder: None },
        };
        let invocation = Invocation {
            request_id: id.into(),
            invoked_arn: function.arn.clone(),
            function: Arc::new(function),
            payload: Bytes::from_static(b"{}"),
            deadline: StackTime::from_secs(1),
            trace_id: None,
            client_context: None,
        };
        let (answer, returned) = oneshot::channel();
        (Work { invocation, deadline_ms: 1_000, answer }, returned)
    }

    fn running(id: &str) -> (Exchange, oneshot::Receiver<Returned>) {
        let mut exchange = Exchange::default();
        exchange.ask().expect("it may ask");
        let (work, returned) = work(id);
        exchange.give(work);
        assert_eq!(exchange.take().expect("work").0.request_id, id);
        (exchange, returned)
    }

    #[test]
    fn a_runtime_asks_answers_and_asks_again() {
        let (mut exchange, mut returned) = running("r-1");
        exchange.respond("r-1", Some(Bytes::from_static(b"null"))).expect("taken");
        assert_eq!(returned.try_recv(), Ok(Returned::Response(Bytes::from_static(b"null"))));
        exchange.ask().expect("it may ask again");
        assert!(exchange.take().is_none());
    }

    #[test]
    fn only_the_invocation_under_way_can_be_answered() {
        let (mut exchange, _returned) = running("r-1");
        assert_eq!(exchange.respond("r-2", Some(Bytes::new())), Err(Refusal::RequestId));
        exchange.respond("r-1", Some(Bytes::new())).expect("taken");
        let late = Refusal::Transition { from: "RuntimeResponseSentState", to: "InvocationResponse" };
        assert_eq!(exchange.respond("r-1", Some(Bytes::new())), Err(late));
        assert_eq!(Exchange::default().respond("", Some(Bytes::new())), Err(Refusal::RequestId));
    }

    #[test]
    fn work_is_not_asked_for_while_there_is_some() {
        let (mut exchange, _returned) = running("r-1");
        assert_eq!(exchange.ask(), Err(Refusal::Transition { from: "Running", to: "Ready" }));
    }

    #[test]
    fn an_answer_above_6_mb_ends_the_invocation_and_is_refused() {
        let (mut exchange, mut returned) = running("r-1");
        let large = Bytes::from(vec![b' '; LARGEST_PAYLOAD + 1]);
        assert_eq!(exchange.respond("r-1", Some(large)), Err(Refusal::TooLarge));
        assert_eq!(returned.try_recv(), Ok(Returned::TooLarge));
    }

    #[test]
    fn a_start_can_fail_only_before_the_first_work() {
        let mut exchange = Exchange::default();
        exchange.init_error().expect("it had not started");
        assert_eq!(exchange.ask(), Err(Refusal::Transition { from: "InitError", to: "Ready" }));
        let (mut exchange, _returned) = running("r-1");
        assert_eq!(exchange.init_error(), Err(Refusal::Transition { from: "Running", to: "InitError" }));
    }

    #[test]
    fn what_was_not_taken_can_be_taken_back() {
        let mut exchange = Exchange::default();
        let (work, _returned) = work("r-1");
        exchange.give(work);
        assert!(exchange.take().is_none(), "nobody has asked");
        assert!(exchange.take_back() && !exchange.take_back());
    }
}
