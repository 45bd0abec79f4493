//! Takes away all that was made. What is gone already is no failure; what cannot be taken away is
//! named.

use aws_sdk_sqs::error::ProvideErrorMetadata;

use super::errors::Failed;
use super::{Foreign, Made};
use crate::guard::Permit;
use crate::stack::StackError;
use crate::stack::errors::is_missing;

impl Made {
    fn name(&self) -> &str {
        match self {
            Self::Queue { name } | Self::Topic { name, .. } | Self::Alarm { name } => name,
        }
    }

    fn told(&self) -> String {
        let kind = match self {
            Self::Queue { .. } => "queue",
            Self::Topic { .. } => "topic",
            Self::Alarm { .. } => "alarm",
        };
        format!("{kind} {}", self.name())
    }
}

impl Foreign {
    pub async fn remove(&self, permit: &Permit) -> Result<(), StackError> {
        let made = std::mem::take(&mut *self.made.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
        let mut left = Vec::new();
        let mut first = None;
        // Backwards, so that nothing is missing what it refers to.
        for made in made.into_iter().rev() {
            let gone = matches!(first, Some(StackError::NoAnswer { .. }));
            let removed = if gone { Err(None) } else { self.remove_one(permit, &made).await.map_err(Some) };
            if let Err(error) = removed {
                left.push(made.told());
                first = first.or(error);
            }
        }
        match first {
            None => Ok(()),
            Some(error) => {
                Err(StackError::LeftBehind { url: self.url.clone(), names: left, reason: error.to_string() })
            }
        }
    }

    async fn remove_one(&self, permit: &Permit, made: &Made) -> Result<(), StackError> {
        permit.covers(made.name())?;
        match made {
            Made::Queue { name } => self.remove_queue(name).await,
            Made::Topic { arn, .. } => self.remove_topic(arn.as_deref(), made.name()).await,
            Made::Alarm { name } => {
                let removed = self.clients.cloudwatch.delete_alarms().alarm_names(name).send().await;
                self.removed("DeleteAlarms", name, removed)
            }
        }
    }

    async fn remove_queue(&self, name: &str) -> Result<(), StackError> {
        // By its name, since the answer that told the URL may have been lost.
        let url = self.clients.sqs.get_queue_url().queue_name(name).send().await;
        let url = match url {
            Ok(found) => found.queue_url.unwrap_or_default(),
            Err(error) => return self.removed("GetQueueUrl", name, Err::<(), _>(error)),
        };
        let removed = self.clients.sqs.delete_queue().queue_url(url).send().await;
        self.removed("DeleteQueue", name, removed)
    }

    async fn remove_topic(&self, arn: Option<&str>, name: &str) -> Result<(), StackError> {
        let arn = match arn {
            Some(arn) => arn.to_owned(),
            // Its creation was not answered: if it is there, creating it again tells its ARN.
            None => match self.clients.sns.create_topic().name(name).send().await {
                Ok(made) => made.topic_arn.unwrap_or_default(),
                Err(error) => return self.removed("CreateTopic", name, Err::<(), _>(error)),
            },
        };
        let removed = self.clients.sns.delete_topic().topic_arn(arn).send().await;
        self.removed("DeleteTopic", name, removed)
    }

    fn removed<T, E>(
        &self,
        call: &'static str,
        name: &str,
        removed: Result<T, aws_sdk_sqs::error::SdkError<E>>,
    ) -> Result<(), StackError>
    where
        E: ProvideErrorMetadata + std::error::Error + 'static,
    {
        let Err(error) = removed else { return Ok(()) };
        if is_missing(&error) {
            return Ok(());
        }
        match self.failed(Failed { call, resource: name }, &error) {
            // A service that it does not have holds nothing of ours.
            StackError::Unsupported { .. } => Ok(()),
            error => Err(error),
        }
    }
}
