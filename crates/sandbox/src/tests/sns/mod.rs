//! Tests of SNS (semantics 2.1-2.5, 4.2).

mod archive;
mod attributes;
mod deliveries;
mod failures;
mod fifo;
mod filters;
mod http;
mod metrics;
mod model;
mod over_http;
mod publishing;
mod replay;
mod retries;
mod service;
mod subscriptions;
mod topics;

use havoq_wire::ServiceError;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::{World, arn, value};
use crate::core::Core;
use crate::place::Place;
use crate::sns::{Address, Signed};
use crate::sqs::parse;

pub(super) const ADDRESS: &str = "http://localhost";

pub(super) fn topic_arn(name: &str) -> String {
    format!("arn:aws:sns:eu-central-1:123456789012:{name}")
}

impl World {
    /// Does an operation of SNS as a client of HOME calls it.
    pub(super) fn sns(&mut self, operation: &str, members: Value) -> Result<Value, ServiceError> {
        fn run<I: DeserializeOwned, O: serde::Serialize>(
            world: &mut World,
            members: Value,
            operation: impl FnOnce(&mut Core, I) -> Result<O, ServiceError>,
        ) -> Result<Value, ServiceError> {
            let input = parse(members)?;
            world.operate(|core, _| operation(core, input)).map(value)
        }
        let (here, now) = (Place::HOME, self.now);
        let address = Address(ADDRESS.to_owned());
        match operation {
            "CreateTopic" => run(self, members, |core, input| core.make_topic(now, here, input)),
            "DeleteTopic" => run(self, members, |core, input| core.delete_topic(now, here, input)),
            "ListTopics" => run(self, members, |core, input| core.list_topics(here, input)),
            "GetTopicAttributes" => {
                run(self, members, |core, input| core.get_topic_attributes(now, here, input))
            }
            "SetTopicAttributes" => {
                run(self, members, |core, input| core.set_topic_attributes(now, here, input))
            }
            "AddPermission" => run(self, members, |core, input| core.add_topic_permission(now, here, input)),
            "RemovePermission" => {
                run(self, members, |core, input| core.remove_topic_permission(now, here, input))
            }
            "TagResource" => run(self, members, Core::tag_topic),
            "UntagResource" => run(self, members, Core::untag_topic),
            "ListTagsForResource" => run(self, members, |core, input| core.list_topic_tags(input)),
            "Publish" => run(self, members, |core, input| core.publish(now, here, input, None)),
            "PublishBatch" => run(self, members, |core, input| core.publish_batch(now, here, input, None)),
            "Subscribe" => run(self, members, |core, input| core.subscribe(now, here, input, &address)),
            "ConfirmSubscription" => {
                run(self, members, |core, input| core.confirm_subscription(now, here, input, Signed::Yes))
            }
            "Unsubscribe" => run(self, members, |core, input| core.unsubscribe(now, input, Signed::Yes)),
            "ListSubscriptions" => run(self, members, |core, input| core.list_subscriptions(here, input)),
            "ListSubscriptionsByTopic" => {
                run(self, members, |core, input| core.list_subscriptions_by_topic(now, here, input))
            }
            "GetSubscriptionAttributes" => {
                run(self, members, |core, input| core.get_subscription_attributes(now, input))
            }
            "SetSubscriptionAttributes" => {
                run(self, members, |core, input| core.set_subscription_attributes(now, input))
            }
            other => panic!("{other} is not in this list"),
        }
    }

    pub(super) fn sns_ok(&mut self, operation: &str, members: Value) -> Value {
        self.sns(operation, members).unwrap_or_else(|error| panic!("{operation}: {error}"))
    }

    /// The text of the error that an operation must give, after its code.
    pub(super) fn sns_error(&mut self, operation: &str, members: Value) -> String {
        let error = self.sns(operation, members).expect_err("it is refused");
        format!("{}: {}", error.query_code, error.message)
    }

    pub(super) fn topic(&mut self, name: &str, attributes: Value) -> String {
        let made = self.sns_ok("CreateTopic", json!({ "Name": name, "Attributes": attributes }));
        super::text(&made["TopicArn"])
    }

    /// A queue that topics may send to.
    pub(super) fn queue(&mut self, name: &str) {
        self.create(name, &[]);
        self.allow(name, &topic_arn("*"));
    }

    /// Lets SNS send into a queue on behalf of topics.
    pub(super) fn allow(&mut self, queue: &str, topics: &str) {
        let policy = json!({
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": { "Service": "sns.amazonaws.com" },
                "Action": "sqs:SendMessage",
                "Resource": arn(queue),
                "Condition": { "ArnLike": { "aws:SourceArn": topics } },
            }],
        });
        self.set(queue, "Policy", &policy.to_string()).expect("a policy");
    }

    /// Subscribes a queue and gives the subscription's ARN.
    pub(super) fn subscribe(&mut self, topic: &str, queue: &str, attributes: Value) -> String {
        let made = self.sns_ok(
            "Subscribe",
            json!({ "TopicArn": topic, "Protocol": "sqs", "Endpoint": arn(queue), "Attributes": attributes }),
        );
        super::text(&made["SubscriptionArn"])
    }

    /// Publishes a text, lets it be delivered and gives its MessageId.
    pub(super) fn publish(&mut self, topic: &str, message: &str) -> String {
        self.publish_with(topic, json!({ "Message": message }))
    }

    pub(super) fn publish_with(&mut self, topic: &str, mut members: Value) -> String {
        members["TopicArn"] = json!(topic);
        let published = self.sns_ok("Publish", members);
        self.pass(0);
        super::text(&published["MessageId"])
    }

    /// The envelopes that are in a queue.
    pub(super) fn envelopes(&mut self, queue: &str) -> Vec<Value> {
        let messages = self.receive(queue);
        messages.iter().map(|message| serde_json::from_str(&message.content.body).expect("JSON")).collect()
    }
}
