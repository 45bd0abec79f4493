//! What can be seen there without changing it, or nearly: a peek counts as a receive.

use aws_sdk_sqs::types::{Message, MessageSystemAttributeName, QueueAttributeName};
use havoq_base::ids::{Marker, MessageId};

use super::Foreign;
use super::errors::Failed;
use crate::guard::Permit;
use crate::stack::spec::{MARKER_ATTRIBUTE, StackError};

/// Long enough to go through a queue once.
const HIDDEN_SECONDS: i32 = 30;

/// A queue's counts, which the service calls approximate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Depth {
    pub visible: u64,
    pub in_flight: u64,
    pub delayed: u64,
}

impl Depth {
    pub fn total(self) -> u64 {
        self.visible.saturating_add(self.in_flight).saturating_add(self.delayed)
    }
}

/// A message that lies in a dead-letter queue.
#[derive(Clone, Debug)]
pub struct Peeked {
    pub message_id: MessageId,
    /// From its attribute.
    pub marker: Option<Marker>,
    /// The queue that it came from, where the stack says so.
    pub source: Option<String>,
}

impl Foreign {
    pub async fn depth(&self, queue: &str) -> Result<Depth, StackError> {
        use QueueAttributeName as Name;
        let names = [
            Name::ApproximateNumberOfMessages,
            Name::ApproximateNumberOfMessagesNotVisible,
            Name::ApproximateNumberOfMessagesDelayed,
        ];
        let look = self.clients.sqs.get_queue_attributes().queue_url(self.url_of(queue));
        let looked = look.set_attribute_names(Some(names.to_vec())).send().await;
        let failed = Failed { call: "GetQueueAttributes", resource: queue };
        let counts = looked.map_err(|error| self.failed(failed, &error))?.attributes.unwrap_or_default();
        let [visible, in_flight, delayed] = names.map(|name| {
            // Some stacks leave out what is zero, or what they do not count.
            counts.get(&name).and_then(|count| count.parse().ok()).unwrap_or_default()
        });
        Ok(Depth { visible, in_flight, delayed })
    }

    /// Up to ten of the messages in a queue, which stay visible.
    pub async fn peek(&self, permit: &Permit, queue: &str) -> Result<Vec<Peeked>, StackError> {
        let seen = self.receive(permit, queue, 0).await?;
        Ok(seen.into_iter().filter_map(|message| self.peeked(message)).collect())
    }

    /// All of the messages in a queue, up to `most`. They are hidden meanwhile, so nobody may be
    /// waiting for an alarm on it.
    pub async fn peek_all(
        &self,
        permit: &Permit,
        queue: &str,
        most: usize,
    ) -> Result<Vec<Peeked>, StackError> {
        let mut seen: Vec<Message> = Vec::new();
        while seen.len() < most {
            let more = self.receive(permit, queue, HIDDEN_SECONDS).await?;
            if more.is_empty() {
                break;
            }
            seen.extend(more);
        }
        for message in &seen {
            let show = self.clients.sqs.change_message_visibility().queue_url(self.url_of(queue));
            let show = show.set_receipt_handle(message.receipt_handle.clone()).visibility_timeout(0);
            // One that is not shown again now is so when its time is over.
            show.send().await.ok();
        }
        Ok(seen.into_iter().filter_map(|message| self.peeked(message)).collect())
    }

    async fn receive(
        &self,
        permit: &Permit,
        queue: &str,
        visibility: i32,
    ) -> Result<Vec<Message>, StackError> {
        permit.covers(self.directory.name_of(queue))?;
        let receive = self.clients.sqs.receive_message().queue_url(self.url_of(queue));
        let receive = receive.max_number_of_messages(10).visibility_timeout(visibility).wait_time_seconds(0);
        // The older name of the same, for stacks that know no other.
        #[expect(deprecated, reason = "older stacks read this one only")]
        let receive = receive.attribute_names(QueueAttributeName::All);
        let receive = receive.message_system_attribute_names(MessageSystemAttributeName::All);
        let seen = receive.message_attribute_names("All").send().await;
        let failed = Failed { call: "ReceiveMessage", resource: queue };
        Ok(seen.map_err(|error| self.failed(failed, &error))?.messages.unwrap_or_default())
    }

    fn peeked(&self, message: Message) -> Option<Peeked> {
        let marker = message.message_attributes.as_ref().and_then(|all| all.get(MARKER_ATTRIBUTE));
        let marker = marker.and_then(|value| value.string_value()).map(Marker::new);
        let source = message
            .attributes
            .as_ref()
            .and_then(|all| all.get(&MessageSystemAttributeName::DeadLetterQueueSourceArn))
            .map(|arn| self.directory.id_of_arn(arn));
        Some(Peeked { message_id: MessageId::new(message.message_id?), marker, source })
    }
}
