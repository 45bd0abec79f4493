//! The life of queues: CreateQueue, GetQueueUrl, ListQueues, ListDeadLetterSourceQueues,
//! DeleteQueue and PurgeQueue (semantics 1.5, 1.12).

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::{StackDuration, StackTime};
use havoq_wire::{ServiceError, SqsError};
use serde::{Deserialize, Serialize};

use super::QueueId;
use super::errors::{invalid_parameter, no_queue};
use super::queue::Queue;
use super::queue_attributes::QueueAttributes;
use super::tags::check_tags;
use crate::core::Core;
use crate::fact::Fact;
use crate::place::{Place, is_name_byte};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CreateQueue {
    pub(crate) queue_name: Option<String>,
    pub(crate) attributes: BTreeMap<String, String>,
    #[serde(rename = "tags")]
    pub(crate) tags: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct GetQueueUrl {
    queue_name: Option<String>,
    #[serde(rename = "QueueOwnerAWSAccountId")]
    owner: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListQueues {
    queue_name_prefix: String,
    max_results: Option<i64>,
    next_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Page {
    max_results: Option<i64>,
    next_token: Option<String>,
}

/// Where the sandbox is reached by the caller: the start of all queue URLs (semantics 8.3).
#[derive(Clone, Debug)]
pub(crate) struct QueueAddress(pub(crate) String);

impl QueueAddress {
    fn of(&self, account: &str, name: &str) -> String {
        format!("{}/{account}/{name}", self.0)
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueUrl {
    queue_url: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct QueueUrls {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    queue_urls: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

/// The API spells this list with a small letter.
#[derive(Debug, Serialize)]
pub(crate) struct SourceQueueUrls {
    #[serde(rename = "queueUrls")]
    queue_urls: Vec<String>,
    #[serde(rename = "NextToken", skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

/// How long a deleted queue's name, and a purge, hold off the next one (semantics 1.12).
const MINUTE: StackDuration = StackDuration::from_secs(60);

impl Core {
    pub(crate) fn create_queue(
        &mut self,
        now: StackTime,
        place: Place,
        input: CreateQueue,
        address: &QueueAddress,
    ) -> Result<QueueUrl, ServiceError> {
        let name = input.queue_name.ok_or_else(no_name)?;
        let attributes = QueueAttributes::new(&input.attributes)?;
        check_name(&name, attributes.fifo.is_some())?;
        check_tags(&input.tags)?;
        let queue_url = address.of(&self.places.name(place).account, &name);
        if let Some(id) = self.queues.find(place, &name) {
            let there = self.queues.get_mut(id)?;
            there.last_action = now;
            return match there.attributes.first_difference(&attributes, input.attributes.keys()) {
                None => Ok(QueueUrl { queue_url }),
                Some(other) => Err(SqsError::QueueNameExists.with(format!(
                    "A queue already exists with the same name and a different value for attribute {other}"
                ))),
            };
        }
        if self.queues.deleted_at(place, &name).is_some_and(|at| now < at + MINUTE) {
            return Err(SqsError::QueueDeletedRecently.with(
                "You must wait 60 seconds after deleting a queue before you can create another with the same name.",
            ));
        }
        let arn = self.places.arn(place, "sqs", &name);
        self.check_redrive(&attributes, place, &arn)?;
        let mut queue = Queue::new(self.queues.next_id(), place, &name, arn, attributes, now);
        queue.tags = input.tags;
        self.queues.insert(queue);
        Ok(QueueUrl { queue_url })
    }

    pub(crate) fn get_queue_url(
        &mut self,
        now: StackTime,
        place: Place,
        input: GetQueueUrl,
        address: &QueueAddress,
    ) -> Result<QueueUrl, ServiceError> {
        let name = input.queue_name.filter(|name| !name.is_empty()).ok_or_else(no_name)?;
        let owner = self.places.beside(place, input.owner.as_deref()).ok_or_else(no_queue)?;
        let id = self.queues.find(owner, &name).ok_or_else(no_queue)?;
        self.queues.get_mut(id)?.last_action = now;
        self.authorize(now, id, place, "GetQueueUrl")?;
        Ok(QueueUrl { queue_url: address.of(&self.places.name(owner).account, &name) })
    }

    pub(crate) fn list_queues(
        &self,
        place: Place,
        input: ListQueues,
        address: &QueueAddress,
    ) -> Result<QueueUrls, ServiceError> {
        let names = self.queues.of(place).map(|queue| &*queue.name);
        let page = Page { max_results: input.max_results, next_token: input.next_token };
        let (names, next_token) = page.of(names.filter(|name| name.starts_with(&input.queue_name_prefix)))?;
        let account = &self.places.name(place).account;
        Ok(QueueUrls {
            queue_urls: names.into_iter().map(|name| address.of(account, name)).collect(),
            next_token,
        })
    }

    pub(crate) fn list_dead_letter_source_queues(
        &self,
        id: QueueId,
        page: Page,
        address: &QueueAddress,
    ) -> Result<SourceQueueUrls, ServiceError> {
        let queue = self.queues.get(id)?;
        let (arn, place) = (&*queue.arn, queue.place);
        let sources = self.queues.of(place).filter(|queue| queue.dead_letters_to(arn));
        let (names, next_token) = page.of(sources.map(|queue| &*queue.name))?;
        let account = &self.places.name(place).account;
        Ok(SourceQueueUrls {
            queue_urls: names.into_iter().map(|name| address.of(account, name)).collect(),
            next_token,
        })
    }

    /// At once, rather than within 60 s. Polls that wait are told that the queue is gone.
    pub(crate) fn delete_queue(&mut self, now: StackTime, id: QueueId) -> Result<(), ServiceError> {
        self.empty(now, id)?;
        self.settle(now);
        let mut queue = self.queues.remove(id, now)?;
        queue.disarm_retention(&mut self.timers);
        for poll in queue.polls {
            // A caller that has gone away needs no answer.
            let _ = poll.answer.send(Err(no_queue()));
        }
        Ok(())
    }

    /// At once, rather than within 60 s.
    pub(crate) fn purge_queue(&mut self, now: StackTime, id: QueueId) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        if queue.last_purge.is_some_and(|at| now < at + MINUTE) {
            let name = &queue.name;
            return Err(SqsError::PurgeQueueInProgress
                .with(format!("Only one PurgeQueue operation on {name} is allowed every 60 seconds.")));
        }
        queue.last_purge = Some(now);
        queue.sends.clear();
        queue.attempts.clear();
        self.empty(now, id)
    }

    /// Takes out all messages, in flight and delayed ones too.
    fn empty(&mut self, now: StackTime, id: QueueId) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        let all = queue.all().into_iter().filter_map(|seq| queue.remove(now, seq, &mut self.timers));
        let message_ids: Vec<_> = all.map(|message| message.id).collect();
        if !message_ids.is_empty() {
            let queue = queue.name.to_string();
            self.touch(id);
            self.emit(now, Fact::Purged { queue, message_ids });
        }
        Ok(())
    }
}

impl Page {
    /// One page of names, which come in order, and the token of the next one. Without MaxResults
    /// there is one page, as on AWS.
    fn of<'a>(
        self,
        names: impl Iterator<Item = &'a str>,
    ) -> Result<(Vec<&'a str>, Option<String>), ServiceError> {
        let after = self.next_token.map(|token| {
            let name = STANDARD.decode(&token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
            name.ok_or_else(|| invalid_parameter("Invalid or expired next token."))
        });
        let after = after.transpose()?;
        let mut names = names.skip_while(|name| after.as_deref().is_some_and(|after| *name <= after));
        let Some(max) = self.max_results.filter(|max| *max != 0) else {
            return Ok((names.take(1000).collect(), None));
        };
        let max = usize::try_from(max).ok().filter(|max| (1..=1000).contains(max)).ok_or_else(|| {
            let reason = "MaxResults must be an integer between 1 and 1000.";
            invalid_parameter(format!("Value for parameter MaxResults is invalid. Reason: {reason}"))
        })?;
        let page: Vec<_> = names.by_ref().take(max).collect();
        let token = names.next().and(page.last()).map(|last| STANDARD.encode(last));
        Ok((page, token))
    }
}

fn no_name() -> ServiceError {
    invalid_parameter("Value for parameter QueueName is invalid. Reason: Must specify a queue name.")
}

fn check_name(name: &str, is_fifo: bool) -> Result<(), ServiceError> {
    let base = if is_fifo { name.strip_suffix(".fifo") } else { Some(name) };
    if name.is_empty() {
        return Err(invalid_parameter("Queue name cannot be empty"));
    }
    if name.len() <= 80 && base.is_some_and(|base| !base.is_empty() && base.bytes().all(is_name_byte)) {
        return Ok(());
    }
    Err(invalid_parameter(if is_fifo {
        "The name of a FIFO queue can only include alphanumeric characters, hyphens, or underscores, must end with .fifo suffix and be 1 to 80 in length."
    } else {
        "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length"
    }))
}
