//! What functions went through: invocations, and what became of their batches.

use havoq_base::ids::MessageId;

use super::Index;
use super::facts::When;
use crate::history::{Instance, InvocationOutcome, Kind};

/// In the order in which they happened.
#[derive(Debug, Default)]
pub(crate) struct Functions {
    pub(crate) invocations: Vec<Invocation>,
    pub(crate) settled: Vec<SettledFact>,
    pub(crate) throttled: Vec<ThrottledFact>,
}

#[derive(Debug)]
pub(crate) struct Invocation {
    pub(crate) when: When,
    pub(crate) request_id: String,
    pub(crate) by: Option<Instance>,
    pub(crate) messages: Vec<MessageId>,
    pub(crate) ended: Option<(When, InvocationOutcome)>,
}

/// What became of messages that a mapping had.
#[derive(Debug)]
pub(crate) struct SettledFact {
    pub(crate) when: When,
    pub(crate) request_id: Option<String>,
    pub(crate) returned: Vec<MessageId>,
    /// The messages of which the function said that they failed.
    pub(crate) reported: Vec<MessageId>,
    pub(crate) reason: String,
    pub(crate) why: String,
}

#[derive(Debug)]
pub(crate) struct ThrottledFact {
    pub(crate) when: When,
    pub(crate) messages: Vec<MessageId>,
}

impl Functions {
    pub(crate) fn invocation(&self, request_id: &str) -> Option<&Invocation> {
        self.invocations.iter().rev().find(|invocation| invocation.request_id == request_id)
    }
}

impl Index {
    pub(super) fn see_functions(&mut self, when: When, kind: &Kind) {
        match kind {
            Kind::Invoked { request_id, by, messages, .. } => self.functions.invocations.push(Invocation {
                when,
                request_id: request_id.clone(),
                by: by.clone(),
                messages: messages.clone(),
                ended: None,
            }),
            Kind::InvocationEnded { request_id, outcome, .. } => {
                let mut known = self.functions.invocations.iter_mut().rev();
                if let Some(known) = known.find(|known| known.request_id == *request_id) {
                    known.ended = Some((when, *outcome));
                }
            }
            Kind::BatchSettled { request_id, returned, reported, reason, why, .. } => {
                self.functions.settled.push(SettledFact {
                    when,
                    request_id: request_id.clone(),
                    returned: returned.clone(),
                    reported: reported.clone(),
                    reason: reason.clone(),
                    why: why.clone(),
                });
            }
            Kind::Throttled { messages, .. } => {
                self.functions.throttled.push(ThrottledFact { when, messages: messages.clone() });
            }
            _ => {}
        }
    }
}
