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
    Bus { name: String },
    Rule { bus: String, name: String },
    Archive { name: String },
    Function { name: String },
    Table { name: String },
    Schedule { name: String },
    Pipe { name: String },
}

impl Thing {
    /// What it is, and its name.
    fn names(&self) -> (&'static str, &str) {
        match self {
            Self::Queue { name } => ("queue", name),
            Self::Topic { name } => ("topic", name),
            Self::Alarm { name } => ("alarm", name),
            Self::Bus { name } => ("event bus", name),
            Self::Rule { name, .. } => ("rule", name),
            Self::Archive { name } => ("archive", name),
            Self::Function { name } => ("function", name),
            Self::Table { name } => ("table", name),
            Self::Schedule { name } => ("schedule", name),
            Self::Pipe { name } => ("pipe", name),
        }
    }
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
            let (kind, name) = thing.names();
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
            Thing::Bus { name } => there(self.events().delete_event_bus().name(name).send().await).map(drop),
            Thing::Rule { bus, name } => self.remove_rule(bus, name).await,
            Thing::Archive { name } => {
                there(self.events().delete_archive().archive_name(name).send().await).map(drop)
            }
            Thing::Function { name } => self.remove_function(name).await,
            Thing::Table { name } => {
                there(self.dynamodb().delete_table().table_name(name).send().await).map(drop)
            }
            Thing::Schedule { name } => {
                there(self.scheduler().delete_schedule().name(name).send().await).map(drop)
            }
            Thing::Pipe { name } => there(self.pipes().delete_pipe().name(name).send().await).map(drop),
        }
    }
}

impl Lab {
    /// With its targets, without which it can go.
    async fn remove_rule(&self, bus: &str, name: &str) -> Result<(), String> {
        let listed = self.events().list_targets_by_rule().rule(name).event_bus_name(bus).send().await;
        let targets = there(listed)?.and_then(|listed| listed.targets).unwrap_or_default();
        let ids: Vec<String> = targets.into_iter().map(|target| target.id).collect();
        if !ids.is_empty() {
            let remove = self.events().remove_targets().rule(name).event_bus_name(bus);
            there(remove.set_ids(Some(ids)).send().await)?;
        }
        there(self.events().delete_rule().name(name).event_bus_name(bus).send().await).map(drop)
    }

    /// With its mappings, which would go on without it.
    async fn remove_function(&self, name: &str) -> Result<(), String> {
        let listed = self.lambda().list_event_source_mappings().function_name(name).send().await;
        let mappings = there(listed)?.and_then(|listed| listed.event_source_mappings).unwrap_or_default();
        for uuid in mappings.into_iter().filter_map(|mapping| mapping.uuid) {
            there(self.lambda().delete_event_source_mapping().uuid(uuid).send().await)?;
        }
        there(self.lambda().delete_function().function_name(name).send().await).map(drop)
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
