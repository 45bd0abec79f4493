//! Mutations of what is delivered: messages that are taken out of their queue behind the consumers'
//! backs, between the tap and the stack. The sandbox tells of it as of any delete: not at all but by
//! the queue's counts.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use havoq_base::ids::{Marker, MessageId};
use havoq_wire::{Call, Forwarding, Request, Response, Service, Upstream};
use serde_json::{Value, json};

use super::mutating::Mutating;
use crate::guard::Permit;
use crate::history::{Kind, Recorder, Source};
use crate::stack::{Change, Stack};

/// When a message is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Theft {
    /// One of each label, with all its copies, and nobody sees it.
    BeforeDelivery,
    /// All of them, when they are delivered.
    AtDelivery,
}

/// The stack, as a thief leaves it.
pub(super) struct Robbed {
    pub inner: Arc<dyn Upstream>,
    pub theft: Theft,
    /// The labels that the injection makes.
    pub labels: Vec<String>,
    pub stack: Stack,
    pub permit: Permit,
    pub recorder: Recorder,
    pub mutating: Arc<Mutating>,
    /// Whose message was taken, by label.
    pub victims: Mutex<HashMap<String, Marker>>,
}

impl Upstream for Robbed {
    fn forward(&self, request: Request) -> Forwarding<'_> {
        Box::pin(async move {
            let call =
                havoq_wire::decode(&request).ok().filter(|call| call.head.operation == "ReceiveMessage");
            let response = self.inner.forward(request).await?;
            match call {
                Some(call) if self.mutating.is_on() => Ok(self.rob(&call, response).await),
                _ => Ok(response),
            }
        })
    }

    /// A poll that is dropped while its messages are looked through would leave them in flight.
    fn takes_back_dropped_polls(&self) -> bool {
        false
    }
}

impl Robbed {
    async fn rob(&self, call: &Call, response: Response) -> Response {
        let messages = havoq_fault::messages_of(call, &response);
        let mut left = Vec::new();
        for message in &messages {
            if !self.is_wanted(message).await || !self.take(call, message).await {
                left.push(message.clone());
                continue;
            }
            self.mutating.took_hold();
            if self.theft == Theft::AtDelivery {
                left.push(message.clone());
            }
        }
        if left.len() == messages.len() { response } else { havoq_fault::answer_with(call, left) }
    }

    async fn is_wanted(&self, message: &Value) -> bool {
        let Some(id) = message["MessageId"].as_str().map(MessageId::new) else { return false };
        let identity = self.recorder.identity();
        let _settled = identity.settled().await;
        let Some(marker) = identity.marker_of(&id) else { return false };
        let Some(label) = self.labels.iter().find(|label| identity.is_labelled(&marker, label)) else {
            return false;
        };
        let mut victims = self.victims.lock().unwrap_or_else(PoisonError::into_inner);
        self.theft == Theft::AtDelivery || *victims.entry(label.clone()).or_insert(marker.clone()) == marker
    }

    async fn take(&self, call: &Call, message: &Value) -> bool {
        let input = json!({ "QueueUrl": call.params["QueueUrl"], "ReceiptHandle": message["ReceiptHandle"] });
        let resource = message["MessageId"].as_str().unwrap_or_default().to_owned();
        let change = Change { service: Service::Sqs, operation: "DeleteMessage", input, resource };
        let taken = self.stack.change(&self.permit, &change).await;
        if let Err(error) = &taken {
            self.recorder.record(Source::Engine, Kind::HarnessError { message: error.to_string() });
        }
        taken.is_ok()
    }
}
