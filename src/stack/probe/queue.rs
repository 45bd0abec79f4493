//! A queue of a check's own, and what checks do with it.

use std::collections::HashMap;

use aws_sdk_sqs::error::SdkError;
use aws_sdk_sqs::operation::create_queue::{CreateQueueError, CreateQueueOutput};
use aws_sdk_sqs::operation::receive_message::builders::ReceiveMessageFluentBuilder as Receive;
use aws_sdk_sqs::operation::send_message::SendMessageOutput;
use aws_sdk_sqs::operation::send_message::builders::SendMessageFluentBuilder as Send;
use aws_sdk_sqs::types::{
    Message, MessageAttributeValue, MessageSystemAttributeName as System, QueueAttributeName as Name,
};

use super::finding::{Not, Shown, ensure, wrong};
use super::lab::Lab;
use super::made::Thing;

#[derive(Clone)]
pub(super) struct Queue {
    pub(super) lab: Lab,
    pub(super) name: String,
    pub(super) url: String,
    pub(super) arn: String,
}

/// A queue's counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) visible: u64,
    pub(super) in_flight: u64,
    pub(super) delayed: u64,
}

impl Lab {
    /// A standard queue with these attributes.
    pub(super) async fn queue(&self, attributes: &[(&str, &str)]) -> Shown<Queue> {
        self.queue_named(self.name("")?, attributes).await
    }

    /// A FIFO queue that takes its deduplication ids from the bodies, with these attributes too.
    pub(super) async fn fifo(&self, attributes: &[(&str, &str)]) -> Shown<Queue> {
        let by_content = [("FifoQueue", "true"), ("ContentBasedDeduplication", "true")];
        self.queue_named(self.name(".fifo")?, &[&by_content, attributes].concat()).await
    }

    /// A queue, and the one that messages go to after `receives`.
    pub(super) async fn with_dead_letters(
        &self,
        receives: u32,
        attributes: &[(&str, &str)],
    ) -> Shown<(Queue, Queue)> {
        let dead = self.queue(&[]).await?;
        let policy = dead.redrive_policy(receives);
        let queue = self.queue(&[attributes, &[("RedrivePolicy", &policy)]].concat()).await?;
        Ok((queue, dead))
    }

    pub(super) async fn queue_named(&self, name: String, attributes: &[(&str, &str)]) -> Shown<Queue> {
        let url = self.create_queue(&name, attributes).await?.queue_url.unwrap_or_default();
        let look = self.sqs().get_queue_attributes().queue_url(&url).attribute_names(Name::QueueArn);
        let arn = look.send().await?.attributes.and_then(|mut all| all.remove(&Name::QueueArn));
        let arn = arn.ok_or_else(|| Not::Absent("GetQueueAttributes gave no QueueArn".to_owned()))?;
        Ok(Queue { lab: self.clone(), name, url, arn })
    }

    pub(super) async fn create_queue(
        &self,
        name: &str,
        attributes: &[(&str, &str)],
    ) -> Result<CreateQueueOutput, SdkError<CreateQueueError>> {
        self.0.made.note(Thing::Queue { name: name.to_owned() });
        let attributes: HashMap<Name, String> =
            attributes.iter().map(|(name, value)| (Name::from(*name), (*value).to_owned())).collect();
        self.sqs().create_queue().queue_name(name).set_attributes(Some(attributes)).send().await
    }
}

impl Queue {
    /// The RedrivePolicy that names this queue.
    pub(super) fn redrive_policy(&self, receives: u32) -> String {
        serde_json::json!({ "deadLetterTargetArn": self.arn, "maxReceiveCount": receives }).to_string()
    }

    pub(super) async fn set(&self, name: &str, value: &str) -> Shown {
        let set = self.lab.sqs().set_queue_attributes().queue_url(&self.url);
        set.attributes(Name::from(name), value).send().await?;
        Ok(())
    }

    pub(super) fn sending(&self, body: &str) -> Send {
        self.lab.sqs().send_message().queue_url(&self.url).message_body(body)
    }

    /// Sends to a standard queue; the MessageId.
    pub(super) async fn send(&self, body: &str) -> Shown<String> {
        id_of(self.sending(body).send().await?)
    }

    /// Sends to a FIFO queue; the MessageId.
    pub(super) async fn send_in(&self, group: &str, body: &str) -> Shown<String> {
        id_of(self.sending(body).message_group_id(group).send().await?)
    }

    /// A receive of up to ten that does not wait, and asks for all attributes.
    pub(super) fn receiving(&self) -> Receive {
        let receive = self.lab.sqs().receive_message().queue_url(&self.url);
        let receive = receive.max_number_of_messages(10).wait_time_seconds(0).message_attribute_names("All");
        #[expect(deprecated, reason = "older stacks read this one only")]
        let receive = receive.attribute_names(Name::All);
        receive.message_system_attribute_names(System::All)
    }

    /// Receives until there were `count` messages, or none came for two seconds: a short poll may
    /// miss some (semantics 1.4).
    pub(super) async fn take(&self, count: usize) -> Shown<Vec<Message>> {
        self.take_with(count, |receive| receive).await
    }

    pub(super) async fn take_with(
        &self,
        count: usize,
        with: impl Fn(Receive) -> Receive,
    ) -> Shown<Vec<Message>> {
        let mut taken = Vec::new();
        let mut in_vain = 0;
        while taken.len() < count && in_vain < 2 {
            let most = (count - taken.len()).min(10) as i32;
            let wait = i32::from(!taken.is_empty() || in_vain > 0);
            let receive = with(self.receiving().max_number_of_messages(most).wait_time_seconds(wait));
            let more = receive.send().await?.messages.unwrap_or_default();
            in_vain = if more.is_empty() { in_vain + 1 } else { 0 };
            taken.extend(more);
        }
        Ok(taken)
    }

    /// The one message that must be there for the taking.
    pub(super) async fn one(&self, why: &str) -> Shown<Message> {
        match self.take(1).await?.pop() {
            Some(message) => Ok(message),
            None => wrong(why, "no message"),
        }
    }

    /// Nothing must be there for the taking.
    pub(super) async fn none(&self, why: &str) -> Shown {
        let seen = self.receiving().send().await?.messages.unwrap_or_default();
        ensure(seen.is_empty(), why, format!("{} received", bodies(&seen)))
    }

    pub(super) async fn delete(&self, message: &Message) -> Shown {
        let delete = self.lab.sqs().delete_message().queue_url(&self.url);
        delete.set_receipt_handle(message.receipt_handle.clone()).send().await?;
        Ok(())
    }

    /// Changes the visibility timeout of a message that was received.
    pub(super) async fn hide(&self, message: &Message, seconds: i32) -> Shown {
        self.hiding(message, seconds).send().await?;
        Ok(())
    }

    pub(super) fn hiding(
        &self,
        message: &Message,
        seconds: i32,
    ) -> aws_sdk_sqs::operation::change_message_visibility::builders::ChangeMessageVisibilityFluentBuilder
    {
        let change = self.lab.sqs().change_message_visibility().queue_url(&self.url);
        change.set_receipt_handle(message.receipt_handle.clone()).visibility_timeout(seconds)
    }

    pub(super) async fn counts(&self) -> Shown<Counts> {
        let names = [
            Name::ApproximateNumberOfMessages,
            Name::ApproximateNumberOfMessagesNotVisible,
            Name::ApproximateNumberOfMessagesDelayed,
        ];
        let look = self.lab.sqs().get_queue_attributes().queue_url(&self.url);
        let counts = look.set_attribute_names(Some(names.to_vec())).send().await?.attributes;
        let counts = counts.unwrap_or_default();
        let [visible, in_flight, delayed] =
            names.map(|name| counts.get(&name).and_then(|count| count.parse().ok()).unwrap_or_default());
        Ok(Counts { visible, in_flight, delayed })
    }
}

fn id_of(sent: SendMessageOutput) -> Shown<String> {
    sent.message_id.ok_or_else(|| Not::Absent("SendMessage gave no MessageId".to_owned()))
}

/// A message attribute of type String.
pub(super) fn text(value: &str) -> MessageAttributeValue {
    let built = MessageAttributeValue::builder().data_type("String").string_value(value).build();
    built.expect("its one required member is given")
}

pub(super) fn body(message: &Message) -> &str {
    message.body.as_deref().unwrap_or_default()
}

pub(super) fn id(message: &Message) -> &str {
    message.message_id.as_deref().unwrap_or_default()
}

/// Bodies, for a finding.
pub(super) fn bodies(messages: &[Message]) -> String {
    let bodies: Vec<String> =
        messages.iter().map(|message| body(message).chars().take(40).collect()).collect();
    format!("{bodies:?}")
}

/// A system attribute.
pub(super) fn system(message: &Message, name: System) -> Option<&str> {
    message.attributes.as_ref()?.get(&name).map(String::as_str)
}

/// How often it was received, as the stack counts.
pub(super) fn receives(message: &Message) -> &str {
    system(message, System::ApproximateReceiveCount).unwrap_or("nothing")
}
