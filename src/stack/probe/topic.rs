//! A topic of a check's own, and queues that are subscribed to it.

use aws_sdk_sns::operation::publish::builders::PublishFluentBuilder as Publish;
use aws_sdk_sns::types::MessageAttributeValue;
use aws_sdk_sqs::types::Message;
use serde_json::{Value, json};

use super::finding::{Not, Shown, wrong};
use super::lab::Lab;
use super::made::Thing;
use super::queue::{Queue, body};

#[derive(Clone)]
pub(super) struct Topic {
    pub(super) lab: Lab,
    pub(super) name: String,
    pub(super) arn: String,
}

impl Lab {
    pub(super) async fn topic(&self) -> Shown<Topic> {
        self.topic_with("", &[]).await
    }

    /// A FIFO topic that deduplicates by content.
    pub(super) async fn fifo_topic(&self) -> Shown<Topic> {
        self.topic_with(".fifo", &[("FifoTopic", "true"), ("ContentBasedDeduplication", "true")]).await
    }

    async fn topic_with(&self, suffix: &str, attributes: &[(&str, &str)]) -> Shown<Topic> {
        let name = self.name(suffix)?;
        self.0.made.note(Thing::Topic { name: name.clone() });
        let create = self.sns().create_topic().name(&name);
        let create = attributes.iter().fold(create, |create, (name, value)| create.attributes(*name, *value));
        let arn = create.send().await?.topic_arn;
        let arn = arn.ok_or_else(|| Not::Absent("CreateTopic gave no TopicArn".to_owned()))?;
        Ok(Topic { lab: self.clone(), name, arn })
    }

    /// A topic and a queue that gets what is published, with these attributes of the subscription.
    pub(super) async fn subscribed(&self, attributes: &[(&str, &str)]) -> Shown<(Topic, Queue)> {
        let (topic, queue) = (self.topic().await?, self.queue(&[]).await?);
        topic.subscribe(&queue, attributes).await?;
        Ok((topic, queue))
    }
}

impl Topic {
    /// Subscribes a queue that lets the topic send to it; the subscription's ARN.
    pub(super) async fn subscribe(&self, queue: &Queue, attributes: &[(&str, &str)]) -> Shown<String> {
        self.admit_to(queue).await?;
        self.subscribe_only(queue, attributes).await
    }

    /// Subscribes it without a word about who may send to it.
    pub(super) async fn subscribe_only(&self, queue: &Queue, attributes: &[(&str, &str)]) -> Shown<String> {
        let subscribe = self.lab.sns().subscribe().topic_arn(&self.arn).protocol("sqs");
        let subscribe = subscribe.endpoint(&queue.arn).return_subscription_arn(true);
        let subscribe =
            attributes.iter().fold(subscribe, |subscribe, (name, value)| subscribe.attributes(*name, *value));
        let arn = subscribe.send().await?.subscription_arn;
        arn.ok_or_else(|| Not::Absent("Subscribe gave no SubscriptionArn".to_owned()))
    }

    /// Lets the topic send to the queue (semantics 2.3).
    pub(super) async fn admit_to(&self, queue: &Queue) -> Shown {
        queue.set("Policy", &self.statement("Allow", queue).to_string()).await
    }

    /// A policy of one statement about the topic.
    pub(super) fn statement(&self, effect: &str, queue: &Queue) -> Value {
        let service = json!({ "Service": "sns.amazonaws.com" });
        let mut policy = super::sqs_policies::policy(effect, "sqs:SendMessage", queue, service);
        policy["Statement"][0]["Condition"] = json!({ "ArnEquals": { "aws:SourceArn": self.arn } });
        policy
    }

    pub(super) fn publishing(&self, message: &str) -> Publish {
        self.lab.sns().publish().topic_arn(&self.arn).message(message)
    }

    /// Publishes; the MessageId.
    pub(super) async fn publish(&self, message: &str) -> Shown<String> {
        let id = self.publishing(message).send().await?.message_id;
        id.ok_or_else(|| Not::Absent("Publish gave no MessageId".to_owned()))
    }
}

/// A message attribute of this type.
pub(super) fn attribute(data_type: &str, value: &str) -> MessageAttributeValue {
    let built = MessageAttributeValue::builder().data_type(data_type).string_value(value).build();
    built.expect("its one required member is given")
}

/// The envelope in which a message came.
pub(super) fn envelope(message: &Message) -> Shown<Value> {
    match serde_json::from_str::<Value>(body(message)) {
        Ok(envelope) if envelope.is_object() => Ok(envelope),
        _ => wrong("a JSON envelope", super::queue::bodies(std::slice::from_ref(message))),
    }
}

/// The messages published that these deliveries carry, sorted.
pub(super) fn published(deliveries: &[Message]) -> Shown<Vec<String>> {
    let mut messages = Vec::new();
    for delivery in deliveries {
        messages.push(envelope(delivery)?["Message"].as_str().unwrap_or_default().to_owned());
    }
    messages.sort();
    Ok(messages)
}
