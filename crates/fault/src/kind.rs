//! What a fault does to one call.

use std::fmt;

use havoq_base::seed::Stream;
use havoq_base::{RealDuration, StackDuration};
use havoq_wire::{Call, Request, Response, Service};
use serde_json::Value;

/// Where on a call's way a fault takes hold, and so what is known of the messages by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Before it goes to the stack.
    Request,
    /// When the stack has answered.
    Answer,
}

/// Which of a call's messages a fault is aimed at: positions among the entries of a request, or
/// among the messages of an answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aim {
    /// In ascending order.
    pub at: Vec<usize>,
    /// How many there are in all.
    pub of: usize,
}

impl Aim {
    /// All of them.
    pub fn all(of: usize) -> Self {
        Self { at: (0..of).collect(), of }
    }

    pub(crate) fn is_all(&self) -> bool {
        self.at.len() == self.of
    }

    pub(crate) fn has(&self, position: usize) -> bool {
        self.at.binary_search(&position).is_ok()
    }
}

/// How a call ends without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The connection is closed.
    Close,
    /// It is reset.
    Reset,
    /// Nothing comes until the client gives up.
    Hang,
}

/// What becomes of a call before it goes to the stack.
#[derive(Debug)]
pub enum OnRequest {
    Forward(Request),
    /// The stack does not hear of it.
    Answer(Response),
    End(End),
}

/// What becomes of the stack's answer.
#[derive(Debug)]
pub enum OnAnswer {
    Send(Response),
    End(End),
    /// These messages are delivered by a later receive, when so much time has passed on the stack's
    /// clock.
    Later {
        answer: Response,
        messages: Vec<Value>,
        after: StackDuration,
    },
}

/// A kind of fault with its settings.
pub trait Kind: fmt::Debug + Send + Sync {
    fn stage(&self) -> Stage;

    /// Whether it can be done to calls of this operation.
    fn fits(&self, _service: Service, _operation: &str) -> bool {
        true
    }

    /// Whether it would change anything about a call with so many messages that it is aimed at.
    fn bites(&self, _call: &Call, _aim: &Aim) -> bool {
        true
    }

    /// What the client waits before the call goes on.
    fn delay(&self, _dice: &mut Stream) -> RealDuration {
        RealDuration::ZERO
    }

    /// Whether what the client is told was done was not.
    fn leaves_undone(&self) -> bool {
        false
    }

    /// Whether it keeps messages from whoever asks for them.
    fn starves(&self) -> bool {
        false
    }

    fn on_request(&self, _call: &Call, request: Request, _aim: &Aim) -> OnRequest {
        OnRequest::Forward(request)
    }

    /// After `on_request` too, where that has let the call go on.
    fn on_answer(&self, _call: &Call, answer: Response, _aim: &Aim) -> OnAnswer {
        OnAnswer::Send(answer)
    }
}
