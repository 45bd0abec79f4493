//! What every step kind works with.

use std::pin::Pin;
use std::sync::Arc;

use havoq_base::ids::Marker;
use havoq_base::{Seed, StackDuration, StackTime};
use thiserror::Error;

use crate::consumer::{Fleet, FleetError};
use crate::guard::Permit;
use crate::history::{Kind, Recorder, Source};
use crate::stack::{Outgoing, Stack, StackError};
use crate::tap::Faults;

#[derive(Debug, Error)]
pub enum StepError {
    #[error(transparent)]
    Stack(#[from] StackError),
    #[error(transparent)]
    Consumer(#[from] FleetError),
    #[error("the redrive of {queue} ended as {reason}")]
    Redrive { queue: String, reason: String },
    #[error("no live process of consumer {0} to send the signal to")]
    NobodyToKill(String),
}

/// Lets the stack's clock run while a step waits.
pub trait Patience: Send + Sync {
    /// Waits until something is recorded, or until then.
    fn event_or(&self, until: Option<StackTime>) -> Pin<Box<dyn Future<Output = ()> + Send + '_>>;
}

/// What a step may use.
pub struct Context<'a> {
    pub permit: &'a Permit,
    pub stack: &'a Stack,
    pub fleet: &'a Fleet,
    pub faults: &'a Arc<Faults>,
    pub recorder: &'a Recorder,
    pub patience: &'a dyn Patience,
    /// Of this attempt, for fresh markers.
    pub seed: Seed,
}

/// One send of one message.
pub(super) struct Dispatch<'a> {
    pub queue: &'a str,
    pub label: &'a str,
    pub marker: Marker,
    pub body: String,
    pub copy: u32,
    pub poison: Option<&'a str>,
    pub delay: Option<StackDuration>,
    /// Its label when absent.
    pub group: Option<&'a str>,
}

impl Context<'_> {
    /// The marker of the `n`th message of a label: readable, and never the same in two attempts.
    pub(super) fn marker(&self, label: &str, n: u32) -> Marker {
        let random = self.seed.fork("markers").fork(label).fork(&n.to_string()).stream().next_u64() as u32;
        Marker::new(format!("{label}-{n}-{random:08x}"))
    }

    /// Waits until the clock shows `until`.
    pub(super) async fn wait_until(&self, until: StackTime) {
        while self.recorder.clock().now() < until {
            self.patience.event_or(Some(until)).await;
        }
    }

    /// Sends a message and records it. A stack that refuses the send is a fact, not a failed step.
    pub(super) async fn dispatch(&self, dispatch: Dispatch<'_>) {
        let Dispatch { queue, label, marker, body, copy, poison, delay, group } = dispatch;
        // Nobody may look up a received message before its send is on record.
        let _sending = self.recorder.identity().sending().await;
        if matches!(self.stack, Stack::Foreign(_)) {
            self.recorder.identity().remember(&body, &marker);
        }
        let group = group.unwrap_or(label).to_owned();
        let message = Outgoing { body, marker: marker.clone(), delay, group, copy };
        let sent = self.stack.send(self.permit, queue, &message).await;
        let (queue, label) = (queue.to_owned(), Some(label.to_owned()));
        let kind = match sent {
            Ok(message_id) => {
                Kind::Sent { queue, message_id, marker, label, copy, poison: poison.map(str::to_owned) }
            }
            Err(error) => Kind::SendFailed { queue, marker, label, copy, error: error.to_string() },
        };
        self.recorder.record(Source::Engine, kind);
    }
}
