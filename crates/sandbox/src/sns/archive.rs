//! The archive of a FIFO topic: its ArchivePolicy, and one copy of each message until its retention
//! ends (semantics 2.4). What a subscription does with it is in `replay`.

use std::collections::VecDeque;
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::notification::Notification;
use super::replay::ReplayPolicy;
use super::topic::Topic;
use super::topic_attributes::TopicAttributes;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ArchivePolicy {
    retention: StackDuration,
    /// As it was given.
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Document {
    /// A number, or one in quotes.
    message_retention_period: Option<Value>,
}

/// Reads a policy of the archive's or of a replay: an object, with no members but its own.
pub(super) fn object<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    let object = serde_json::from_str::<Map<_, _>>(text);
    let policy = object.and_then(|object| serde_json::from_value(Value::Object(object)));
    policy.map_err(|error| format!("failed to parse JSON. {error}"))
}

const DAYS: std::ops::RangeInclusive<u64> = 1..=365;

impl ArchivePolicy {
    /// An empty object or text turns the archive off. The error is without the attribute's name.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let document: Document = object(text)?;
        let Some(period) = document.message_retention_period else { return Ok(None) };
        let days = period.as_u64().or_else(|| period.as_str()?.parse().ok());
        let days = days.filter(|days| DAYS.contains(days)).ok_or_else(|| {
            let hint = "Must be a number of days from 1 to 365.";
            format!("MessageRetentionPeriod: Invalid value [{period}]. {hint}")
        })?;
        Ok(Some(Self { retention: StackDuration::from_secs(days * 86_400), text: text.to_owned() }))
    }

    fn keeps(&self, now: StackTime, published: StackTime) -> bool {
        now.since(published) < self.retention
    }
}

/// What is kept, in the order of publishing. What is over is dropped when the next message comes.
#[derive(Debug)]
pub(super) struct Archive {
    since: StackTime,
    kept: VecDeque<Arc<Notification>>,
}

impl Archive {
    pub(super) fn new(now: StackTime) -> Self {
        Self { since: now, kept: VecDeque::new() }
    }

    fn prune(&mut self, now: StackTime, policy: &ArchivePolicy) {
        self.since = self.beginning(now, policy);
        while self.kept.pop_front_if(|oldest| !policy.keeps(now, oldest.at)).is_some() {}
    }

    fn beginning(&self, now: StackTime, policy: &ArchivePolicy) -> StackTime {
        let kept_since = now.as_micros().saturating_sub(policy.retention.as_micros());
        self.since.max(StackTime::from_micros(kept_since))
    }
}

impl Topic {
    /// Sets the attributes anew. An archive that is turned off loses its messages, and one that
    /// keeps them longer does not get back what it had lost already.
    pub(super) fn set_attributes(&mut self, now: StackTime, attributes: TopicAttributes) {
        match (&self.attributes.archive, &attributes.archive) {
            (Some(before), Some(_)) => self.archive.prune(now, before),
            _ => self.archive = Archive::new(now),
        }
        self.attributes = attributes;
    }

    /// Keeps a message that was just published.
    pub(super) fn archive(&mut self, now: StackTime, notification: &Arc<Notification>) {
        if let Some(policy) = &self.attributes.archive {
            self.archive.prune(now, policy);
            self.archive.kept.push_back(Arc::clone(notification));
        }
    }

    /// BeginningArchiveTime: the earliest point to replay from, to the millisecond as it is shown.
    pub(super) fn archive_beginning(&self, now: StackTime) -> Option<StackTime> {
        let beginning = self.archive.beginning(now, self.attributes.archive.as_ref()?);
        Some(StackTime::from_millis(beginning.as_millis()))
    }

    /// The messages that a replay is of; none without an archive.
    pub(super) fn archived(&self, now: StackTime, replay: &ReplayPolicy) -> Option<Vec<Arc<Notification>>> {
        let policy = self.attributes.archive.as_ref()?;
        let is_meant = |kept: &&Arc<Notification>| policy.keeps(now, kept.at) && replay.covers(kept.at);
        Some(self.archive.kept.iter().filter(is_meant).cloned().collect())
    }
}

#[cfg(test)]
impl crate::core::Core {
    /// How many messages a topic keeps.
    pub(crate) fn archive_len(&self, topic_arn: &str) -> usize {
        let topic = self.topics.find(topic_arn).and_then(|id| self.topics.get(id).ok());
        topic.map_or(0, |topic| topic.archive.kept.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Option<StackDuration>, String> {
        Ok(ArchivePolicy::parse(text)?.map(|policy| policy.retention))
    }

    #[test]
    fn messages_are_kept_for_1_to_365_days() {
        let days = |days: u64| Ok(Some(StackDuration::from_secs(days * 86_400)));
        assert_eq!(parse(r#"{"MessageRetentionPeriod":1}"#), days(1));
        assert_eq!(parse(r#"{"MessageRetentionPeriod":"365"}"#), days(365));
        for period in ["0", "366", "-1", "1.5", r#""x""#] {
            let parsed = parse(&format!(r#"{{"MessageRetentionPeriod":{period}}}"#));
            assert!(parsed.is_err(), "{period}: {parsed:?}");
        }
    }

    #[test]
    fn an_empty_policy_turns_the_archive_off_and_a_strange_one_is_refused() {
        assert_eq!((parse("{}"), parse("")), (Ok(None), Ok(None)));
        for text in ["x", "[1]", "30", r#"{"RetentionPeriod":30}"#] {
            let error = parse(text).expect_err("refused");
            assert!(error.starts_with("failed to parse JSON."), "{error}");
        }
    }
}
