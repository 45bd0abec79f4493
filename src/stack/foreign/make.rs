//! Makes the template's queues and topics there.

use std::collections::{BTreeMap, HashMap};
use std::sync::PoisonError;

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_sqs::types::QueueAttributeName;

use super::errors::{Failed, never_sent};
use super::{Foreign, Made};
use crate::guard::Permit;
use crate::history::Resource;
use crate::scenario::{MadeKind, Queue, Template};
use crate::stack::spec::{StackError, StackSpec};

/// Marks what is havoq's in a console.
pub(super) const TAG: &str = "havoq-run";

/// What havoq cannot make there yet. Functions and their mappings need not be: what they do is done
/// by the scenario's consumers, and their own settings are nothing without them.
fn refuse_unbuilt(template: &Template) -> Result<(), StackError> {
    let fifo =
        |id: &String, kind: &str| Err(StackError::NotThere { resource: format!("`{id}` (a FIFO {kind})") });
    if let Some((id, _)) = template.queues.iter().find(|(_, queue)| queue.fifo.is_some()) {
        return fifo(id, "queue");
    }
    if let Some((id, _)) = template.topics.iter().find(|(_, topic)| topic.fifo) {
        return fifo(id, "topic");
    }
    let of_functions = [MadeKind::Permission, MadeKind::InvokeConfig];
    match template.others.iter().find(|(_, made)| !of_functions.contains(&made.kind)) {
        Some((id, made)) => {
            let resource = format!("`{id}` ({})", made.kind.resource_type());
            Err(StackError::NotThere { resource })
        }
        None => Ok(()),
    }
}

impl Foreign {
    pub(super) async fn make_all(&mut self, permit: &Permit, spec: &StackSpec<'_>) -> Result<(), StackError> {
        refuse_unbuilt(spec.template)?;
        for (id, _) in spec.template.queues.iter().filter(|(_, queue)| queue.redrive_allow.is_some()) {
            self.lacks.push(format!("`{id}`: RedriveAllowPolicy is not set on this stack"));
        }
        self.make_queues(permit, &spec.template.queues).await?;
        for id in spec.template.topics.keys() {
            let made = self.make_topic(permit, id).await;
            self.unless_it_cannot(id, made)?;
        }
        for (id, alarm) in &spec.template.alarms {
            let made = self.make_alarm(permit, id, alarm).await;
            self.unless_it_cannot(id, made)?;
        }
        self.grow_ears(permit, spec).await
    }

    /// Many stacks do queues only. Claims on the rest are then not judged, which is no reason not
    /// to judge the others.
    fn unless_it_cannot(&mut self, id: &str, made: Result<(), StackError>) -> Result<(), StackError> {
        match made {
            Err(error @ (StackError::Refused { .. } | StackError::Unsupported { .. })) => {
                self.lacks.push(format!("`{id}` could not be made: {error}"));
                Ok(())
            }
            made => made,
        }
    }

    /// Dead-letter queues before their sources, which must name their ARN.
    async fn make_queues(
        &mut self,
        permit: &Permit,
        queues: &BTreeMap<String, Queue>,
    ) -> Result<(), StackError> {
        let mut left: Vec<&String> = queues.keys().collect();
        while !left.is_empty() {
            let (ready, waiting): (Vec<&String>, Vec<&String>) = left.iter().partition(|id| {
                let redrive = queues[**id].redrive.as_ref();
                redrive.is_none_or(|redrive| self.arn_of(&redrive.to).is_some())
            });
            if ready.is_empty() {
                let circle: Vec<&str> = waiting.iter().map(|id| id.as_str()).collect();
                return Err(StackError::Circle(circle.join(", ")));
            }
            for id in ready {
                let name = self.directory.name_of(id).to_owned();
                let attributes = self.attributes(&queues[id]);
                self.make_queue(permit, id, &name, attributes).await?;
            }
            left = waiting;
        }
        Ok(())
    }

    fn attributes(&self, queue: &Queue) -> HashMap<QueueAttributeName, String> {
        use QueueAttributeName as Name;
        let mut attributes = HashMap::from([
            (Name::VisibilityTimeout, queue.visibility_timeout.as_secs().to_string()),
            (Name::DelaySeconds, queue.delay.as_secs().to_string()),
            (Name::MessageRetentionPeriod, queue.retention.as_secs().to_string()),
            (Name::ReceiveMessageWaitTimeSeconds, queue.receive_wait.as_secs().to_string()),
            (Name::MaximumMessageSize, queue.maximum_message_size.to_string()),
        ]);
        if let Some(redrive) = &queue.redrive {
            let policy = serde_json::json!({
                "deadLetterTargetArn": self.arn_of(&redrive.to),
                "maxReceiveCount": redrive.max_receive_count,
            });
            attributes.insert(Name::RedrivePolicy, policy.to_string());
        }
        attributes
    }

    pub(super) async fn make_queue(
        &mut self,
        permit: &Permit,
        id: &str,
        name: &str,
        attributes: HashMap<QueueAttributeName, String>,
    ) -> Result<(), StackError> {
        permit.covers(name)?;
        self.note(Made::Queue { name: name.to_owned() });
        let create = self.clients.sqs.create_queue().queue_name(name).set_attributes(Some(attributes));
        let made = create.tags(TAG, permit.prefix().unwrap_or_default()).send().await;
        let failed = |call| Failed { call, resource: id };
        let made = made.map_err(|error| self.not_made(failed("CreateQueue"), error))?;
        let url = made.queue_url.unwrap_or_default();
        let look = self.clients.sqs.get_queue_attributes().queue_url(&url);
        let looked = look.attribute_names(QueueAttributeName::QueueArn).send().await;
        let looked = looked.map_err(|error| self.failed(failed("GetQueueAttributes"), &error))?;
        let arn = looked.attributes.and_then(|mut all| all.remove(&QueueAttributeName::QueueArn));
        let arn = arn.unwrap_or_default();
        if let Some(account) = arn.split(':').nth(4).filter(|account| !account.is_empty()) {
            self.account = account.to_owned();
        }
        self.queue_urls.insert(id.to_owned(), url);
        self.made(id, "AWS::SQS::Queue", name, arn);
        Ok(())
    }

    async fn make_topic(&mut self, permit: &Permit, id: &str) -> Result<(), StackError> {
        let name = self.directory.name_of(id).to_owned();
        permit.covers(&name)?;
        self.note(Made::Topic { name: name.clone(), arn: None });
        let made = self.clients.sns.create_topic().name(&name).send().await;
        let made =
            made.map_err(|error| self.not_made(Failed { call: "CreateTopic", resource: id }, error))?;
        let arn = made.topic_arn.unwrap_or_default();
        self.note(Made::Topic { name: name.clone(), arn: Some(arn.clone()) });
        self.made(id, "AWS::SNS::Topic", &name, arn);
        Ok(())
    }

    /// Notes what is about to be made, or what more is known of it.
    pub(super) fn note(&self, made: Made) {
        let mut known = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let (Some(Made::Topic { name, arn }), Made::Topic { name: same, arn: Some(now) }) =
            (known.last_mut(), &made)
            && name == same
        {
            *arn = Some(now.clone());
            return;
        }
        known.push(made);
    }

    /// What certainly was not made needs not be taken away.
    pub(super) fn not_made<E>(&self, failed: Failed<'_>, error: SdkError<E>) -> StackError
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        if never_sent(&error) {
            self.made.lock().unwrap_or_else(PoisonError::into_inner).pop();
        }
        self.failed(failed, &error)
    }

    pub(super) fn made(&mut self, id: &str, kind: &str, name: &str, arn: String) {
        let (id, r#type, name) = (id.to_owned(), kind.to_owned(), name.to_owned());
        self.resources.push(Resource { id, r#type, name, arn });
    }
}
