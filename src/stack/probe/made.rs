//! What a check has made, and taking it away again.

use std::error::Error;
use std::sync::{Mutex, PoisonError};

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};

use super::lab::Lab;
use crate::stack::errors::{is_missing, told, unknown_operation};

/// In the order in which it was made.
#[derive(Debug, Default)]
pub(super) struct Made(Mutex<Vec<Thing>>);

#[derive(Clone, Debug)]
pub(super) enum Thing {
    Queue { name: String },
    Topic { name: String },
    Alarm { name: String },
}

impl Made {
    /// Notes what is about to be made: its answer may get lost.
    pub(super) fn note(&self, thing: Thing) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(thing);
    }

    fn take(&self) -> Vec<Thing> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Lab {
    /// Takes everything away, last first. The names of what could not be.
    pub(super) async fn clean_up(&self) -> Vec<String> {
        let mut left = Vec::new();
        for thing in self.0.made.take().into_iter().rev() {
            let (kind, name) = match &thing {
                Thing::Queue { name } => ("queue", name),
                Thing::Topic { name } => ("topic", name),
                Thing::Alarm { name } => ("alarm", name),
            };
            if let Err(reason) = self.remove(&thing).await {
                left.push(format!("{kind} {name} ({reason})"));
            }
        }
        left
    }

    async fn remove(&self, thing: &Thing) -> Result<(), String> {
        match thing {
            Thing::Queue { name } => {
                let found = self.sqs().get_queue_url().queue_name(name).send().await;
                let Some(url) = there(found)?.and_then(|found| found.queue_url) else { return Ok(()) };
                there(self.sqs().delete_queue().queue_url(url).send().await).map(drop)
            }
            Thing::Topic { name } => {
                // Creating it again tells its ARN, which is known then also if an answer got lost.
                let fifo = name.ends_with(".fifo").then_some("true");
                let create = self.sns().create_topic().name(name);
                let create = fifo.into_iter().fold(create, |create, yes| create.attributes("FifoTopic", yes));
                let Some(arn) = there(create.send().await)?.and_then(|made| made.topic_arn) else {
                    return Ok(());
                };
                let listed = self.sns().list_subscriptions_by_topic().topic_arn(&arn).send().await;
                let subscriptions =
                    there(listed)?.and_then(|listed| listed.subscriptions).unwrap_or_default();
                for arn in subscriptions.into_iter().filter_map(|one| one.subscription_arn) {
                    // What is still pending has no ARN of its own and goes with the topic.
                    self.sns().unsubscribe().subscription_arn(arn).send().await.ok();
                }
                there(self.sns().delete_topic().topic_arn(arn).send().await).map(drop)
            }
            Thing::Alarm { name } => {
                there(self.cloudwatch().delete_alarms().alarm_names(name).send().await).map(drop)
            }
        }
    }
}

/// What is gone, or was never there, needs not be taken away.
fn there<T, E>(result: Result<T, SdkError<E>>) -> Result<Option<T>, String>
where
    E: ProvideErrorMetadata + Error + 'static,
{
    let error = match result {
        Ok(found) => return Ok(Some(found)),
        Err(error) => error,
    };
    if is_missing(&error) || unknown_operation(&error) {
        return Ok(None);
    }
    Err(error.code().map_or_else(|| told(&error), str::to_owned))
}
