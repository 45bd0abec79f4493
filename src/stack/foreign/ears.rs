//! A queue of our own that is subscribed to topics, since what an alarm tells a topic cannot be
//! seen from outside otherwise.

use std::collections::HashMap;

use aws_sdk_sqs::types::QueueAttributeName;
use serde_json::Value;

use super::Foreign;
use super::errors::Failed;
use crate::guard::Permit;
use crate::stack::names::prefixed;
use crate::stack::spec::{StackError, StackSpec};

/// Its id; no resource of a template can have this one.
const EARS: &str = "havoq-ears";

impl Foreign {
    /// Deafness is no reason not to run: then claims on notifications are not judged.
    pub(super) async fn grow_ears(
        &mut self,
        permit: &Permit,
        spec: &StackSpec<'_>,
    ) -> Result<(), StackError> {
        let topics: Vec<String> =
            spec.heard.iter().filter_map(|topic| self.arn_of(topic).map(str::to_owned)).collect();
        if topics.is_empty() {
            return Ok(());
        }
        let name = prefixed(permit.prefix().unwrap_or_default(), EARS, Some("ears"), spec.seed);
        self.make_queue(permit, EARS, &name, HashMap::new()).await?;
        let arn = self.arn_of(EARS).unwrap_or_default().to_owned();
        self.resources.retain(|resource| resource.id != EARS);
        let policy = policy(&arn, &topics);
        let set = self.clients.sqs.set_queue_attributes().queue_url(self.url_of(EARS));
        set.attributes(QueueAttributeName::Policy, policy).send().await.ok();
        for topic in topics {
            let subscribe = self.clients.sns.subscribe().topic_arn(&topic).protocol("sqs").endpoint(&arn);
            if let Err(error) = subscribe.send().await {
                let error = self.failed(Failed { call: "Subscribe", resource: &topic }, &error);
                self.lacks.push(format!("what {topic} is told cannot be heard: {error}"));
            }
        }
        self.ears = self.queue_urls.remove(EARS);
        Ok(())
    }

    /// What was heard since the last time: alarm, state and topic, by their names in the scenario.
    pub async fn hear(&self) -> Result<Vec<(String, String, String)>, StackError> {
        let Some(ears) = &self.ears else { return Ok(Vec::new()) };
        let receive = self.clients.sqs.receive_message().queue_url(ears).max_number_of_messages(10);
        let heard = receive.wait_time_seconds(0).send().await;
        let failed = Failed { call: "ReceiveMessage", resource: EARS };
        let heard = heard.map_err(|error| self.failed(failed, &error))?.messages.unwrap_or_default();
        let mut notices = Vec::new();
        for message in heard {
            let delete = self.clients.sqs.delete_message().queue_url(ears);
            // One that comes again only says the same again.
            delete.set_receipt_handle(message.receipt_handle).send().await.ok();
            notices.extend(message.body.as_deref().and_then(|body| self.notice(body)));
        }
        Ok(notices)
    }

    fn notice(&self, body: &str) -> Option<(String, String, String)> {
        let envelope: Value = serde_json::from_str(body).ok()?;
        let told: Value = serde_json::from_str(envelope["Message"].as_str()?).ok()?;
        let topic = self.directory.id_of_arn(envelope["TopicArn"].as_str()?);
        let alarm = self.directory.id_of(told["AlarmName"].as_str()?);
        Some((alarm, told["NewStateValue"].as_str()?.to_owned(), topic))
    }
}

/// Lets the topics send to the queue, on stacks that ask.
fn policy(queue: &str, topics: &[String]) -> String {
    serde_json::json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Effect": "Allow",
            "Principal": { "Service": "sns.amazonaws.com" },
            "Action": "sqs:SendMessage",
            "Resource": queue,
            "Condition": { "ArnEquals": { "aws:SourceArn": topics } },
        }],
    })
    .to_string()
}
