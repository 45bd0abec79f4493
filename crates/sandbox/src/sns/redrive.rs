//! RedrivePolicy: the dead-letter queue of a subscription (semantics 2.3).

use serde_json::Value;

use super::endpoint::is_queue_arn;
use super::errors::from_json;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Redrive {
    pub(super) target_arn: String,
    /// As it was given.
    pub(super) text: String,
}

/// What a dead-letter queue has to fit to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub(super) region: &'a str,
    pub(super) owner: &'a str,
    pub(super) fifo_topic: bool,
    pub(super) fifo_queue: bool,
}

impl Redrive {
    /// An empty text takes the policy away. The error is without the prefix that the operation has.
    pub(super) fn parse(text: &str, source: Source<'_>) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let policy: Value = from_json(text)?;
        let target_arn = policy["deadLetterTargetArn"].as_str().filter(|arn| is_queue_arn(arn));
        let target_arn = target_arn.ok_or("deadLetterTargetArn is an invalid arn")?.to_owned();
        source.check(&target_arn)?;
        Ok(Some(Self { target_arn, text: text.to_owned() }))
    }
}

impl Source<'_> {
    fn check(self, target_arn: &str) -> Result<(), String> {
        let mut parts = target_arn.split(':').skip(3);
        if (parts.next(), parts.next()) != (Some(self.region), Some(self.owner)) {
            return Err(
                "deadLetterTargetArn must be in the same account and Region as the subscription".into()
            );
        }
        match (self.fifo_topic && self.fifo_queue, target_arn.ends_with(".fifo")) {
            (true, false) => {
                Err("must use a FIFO queue as DLQ for a FIFO Subscription to a FIFO Topic.".into())
            }
            (false, true) => Err("must use a standard queue as DLQ for a standard Subscription.".into()),
            _ => Ok(()),
        }
    }
}
