//! Replays: a subscription's ReplayPolicy, and the way of a topic's archived messages to it once
//! more (semantics 2.4). Points are from the first on and before the second, so that a replay that
//! starts where another ended repeats nothing.

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::SubscriptionId;
use super::archive::object;
use super::errors::invalid;
use super::pending::{Letter, Occasion, Pendings};
use super::subscription::Subscription;
use super::topic::Topic;
use crate::core::Core;
use crate::timers::Timers;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ReplayPolicy {
    start: StackTime,
    end: Option<StackTime>,
    /// As it was given.
    pub(super) text: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase", deny_unknown_fields)]
struct Document {
    point_type: Option<String>,
    starting_point: Option<String>,
    ending_point: Option<String>,
}

impl ReplayPolicy {
    /// An empty object or text takes the policy away. The error is without the attribute's name.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        let Document { point_type, starting_point, ending_point } = object(text)?;
        if point_type.is_none() && starting_point.is_none() && ending_point.is_none() {
            return Ok(None);
        }
        match point_type.as_deref() {
            Some("Timestamp") => {}
            Some(other) => return Err(format!("PointType: Invalid value [{other}]. Must be Timestamp.")),
            None => return Err("PointType is required".to_owned()),
        }
        let start = point("StartingPoint", &starting_point.ok_or("StartingPoint is required")?)?;
        let end = ending_point.map(|text| point("EndingPoint", &text)).transpose()?;
        if end.is_some_and(|end| end <= start) {
            return Err("EndingPoint must be after StartingPoint".to_owned());
        }
        Ok(Some(Self { start, end, text: text.to_owned() }))
    }

    pub(super) fn covers(&self, at: StackTime) -> bool {
        self.start <= at && self.end.is_none_or(|end| at < end)
    }

    /// Whether what is published now goes to the subscription: past its ending point, it is paused.
    fn lets_through(&self, now: StackTime) -> bool {
        self.end.is_none_or(|end| now < end)
    }
}

fn point(name: &str, text: &str) -> Result<StackTime, String> {
    text.parse().map_err(|_| format!("{name}: Invalid value [{text}]. Must be an ISO 8601 timestamp."))
}

/// How far the replay of a subscription's policy has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Replay {
    /// There is none, or the subscription is not confirmed yet.
    #[default]
    Waiting,
    Started,
    /// There was nothing to replay from.
    Failed,
}

impl Subscription {
    /// Whether it gets what is published now.
    pub(super) fn is_paused(&self, now: StackTime) -> bool {
        self.attributes.replay.as_ref().is_some_and(|policy| !policy.lets_through(now))
    }
}

/// Checks the points of a policy against the archive.
pub(super) fn check(
    now: StackTime,
    topic: &Topic,
    policy: Option<&ReplayPolicy>,
    prefix: &str,
) -> Result<(), ServiceError> {
    let Some(policy) = policy else { return Ok(()) };
    let wrong = |what: &str| Err(invalid(format_args!("{prefix}ReplayPolicy: {what}")));
    match topic.archive_beginning(now) {
        None => wrong("the topic has no ArchivePolicy"),
        Some(beginning) if policy.start < beginning => {
            wrong("StartingPoint is before the topic's BeginningArchiveTime")
        }
        Some(_) if policy.start > now => wrong("StartingPoint is in the future"),
        Some(_) => Ok(()),
    }
}

impl Core {
    /// Starts what the subscription's policy asks for, in place of a replay that is under way.
    pub(super) fn start_replay(&mut self, now: StackTime, id: SubscriptionId) {
        self.pendings.stop_replay(now, id, &mut self.timers);
        let replay = self.replay_archive(now, id);
        if let Ok(sub) = self.topics.subscription_mut(id) {
            sub.replay = replay;
        }
    }

    /// Puts the messages on their way as if they were published now; filters come later, as for
    /// all others.
    fn replay_archive(&mut self, now: StackTime, id: SubscriptionId) -> Replay {
        let Ok(sub) = self.topics.subscription(id) else { return Replay::Failed };
        let Some(policy) = sub.attributes.replay.as_ref().filter(|_| sub.is_confirmed()) else {
            return Replay::Waiting;
        };
        let topic = self.topics.get(sub.topic).ok();
        let Some(archived) = topic.and_then(|topic| topic.archived(now, policy)) else {
            return Replay::Failed;
        };
        for notification in archived {
            let group = notification.group_id.clone().filter(|_| sub.is_ordered());
            let letter = Letter::Notification(notification, Occasion::Replayed);
            self.pendings.push(now, sub, letter, group, &mut self.timers);
        }
        Replay::Started
    }

    /// ReplayStatus, of a subscription with a policy.
    pub(super) fn replay_status(&self, now: StackTime, sub: &Subscription) -> Option<&'static str> {
        let policy = sub.attributes.replay.as_ref()?;
        let is_over = || !self.pendings.is_replaying(sub.id) && policy.end.is_none_or(|end| end <= now);
        Some(match sub.replay {
            Replay::Waiting => "Pending",
            Replay::Started if is_over() => "Completed",
            Replay::Started => "In progress",
            Replay::Failed => "Failed",
        })
    }
}

impl Pendings {
    fn is_replaying(&self, id: SubscriptionId) -> bool {
        self.iter().any(|(_, pending)| pending.subscription == id && pending.letter.is_replayed())
    }

    /// Takes back what a replay has not delivered yet.
    fn stop_replay(&mut self, now: StackTime, id: SubscriptionId, timers: &mut Timers) {
        let meant = self.iter().filter(|(_, own)| own.subscription == id && own.letter.is_replayed());
        let stopped: Vec<_> = meant.map(|(delivery, _)| delivery).collect();
        for delivery in stopped {
            self.finish(now, delivery, timers);
        }
    }
}

#[cfg(test)]
impl Core {
    /// The token that confirms a subscription.
    pub(crate) fn token_of(&self, arn: &str) -> Option<String> {
        let sub = self.topics.subscription(self.topics.find_subscription(arn).ok()?).ok()?;
        sub.token().map(|token| token.text.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_replay_policy_has_a_type_a_start_and_maybe_an_end() {
        let policy = |text: &str| ReplayPolicy::parse(text);
        let full = r#"{"PointType":"Timestamp","StartingPoint":"2023-10-01T10:00:00.000Z","EndingPoint":"2023-10-01T12:00:00.000Z"}"#;
        let full = policy(full).expect("valid").expect("a policy");
        let start = StackTime::from_secs(1_696_154_400);
        assert_eq!(full.start, start);
        assert_eq!(full.end.map(|end| end.since(start).as_secs()), Some(7_200));
        assert!(full.covers(start) && !full.covers(StackTime::from_secs(1_696_154_400 + 7_200)));
        assert_eq!((policy(""), policy("{}")), (Ok(None), Ok(None)));
    }

    #[test]
    fn a_bad_replay_policy_is_refused_and_told_why() {
        for (text, expected) in [
            (r#"{"StartingPoint":"2023-10-01T10:00:00Z"}"#, "PointType is required"),
            (r#"{"PointType":"Timestamp"}"#, "StartingPoint is required"),
            (
                r#"{"PointType":"Sequence","StartingPoint":"1"}"#,
                "PointType: Invalid value [Sequence]. Must be Timestamp.",
            ),
            (
                r#"{"PointType":"Timestamp","StartingPoint":"yesterday"}"#,
                "StartingPoint: Invalid value [yesterday]. Must be an ISO 8601 timestamp.",
            ),
            (
                r#"{"PointType":"Timestamp","StartingPoint":"2023-10-01T10:00:00Z","EndingPoint":"2023-10-01T10:00:00Z"}"#,
                "EndingPoint must be after StartingPoint",
            ),
        ] {
            assert_eq!(ReplayPolicy::parse(text), Err(expected.to_owned()));
        }
        let error = ReplayPolicy::parse(r#"{"Point":"x"}"#).expect_err("refused");
        assert!(error.starts_with("failed to parse JSON."), "{error}");
    }
}
