//! Lists in pages of 100: ListSubscriptions, ListSubscriptionsByTopic, and what ListTopics shares
//! with them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::invalid;
use super::subscription::Subscription;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Page {
    pub(super) next_token: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PageOfTopic {
    topic_arn: Option<String>,
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SubscriptionList {
    subscriptions: Vec<Listed>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_token: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Listed {
    subscription_arn: String,
    owner: String,
    protocol: String,
    endpoint: String,
    topic_arn: String,
}

const PAGE: usize = 100;

/// One page of things, which come in the order of their ARNs, and the token of the next one.
pub(super) fn page<T>(
    token: Option<&str>,
    things: impl Iterator<Item = T>,
    arn: impl Fn(&T) -> &str,
) -> Result<(Vec<T>, Option<String>), ServiceError> {
    let after = token.filter(|token| !token.is_empty()).map(|token| {
        let arn = STANDARD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        arn.ok_or_else(|| invalid("NextToken"))
    });
    let after = after.transpose()?;
    let mut things = things.skip_while(|thing| after.as_deref().is_some_and(|after| arn(thing) <= after));
    let page: Vec<_> = things.by_ref().take(PAGE).collect();
    let next = things.next().and(page.last()).map(|last| STANDARD.encode(arn(last)));
    Ok((page, next))
}

impl Core {
    /// Those whose topic is in the caller's place.
    pub(crate) fn list_subscriptions(
        &self,
        place: Place,
        input: Page,
    ) -> Result<SubscriptionList, ServiceError> {
        let start = self.places.arn(place, "sns", "");
        let subscriptions = self.topics.subscriptions().filter(|sub| sub.arn.starts_with(&start));
        SubscriptionList::page(input.next_token.as_deref(), subscriptions)
    }

    pub(crate) fn list_subscriptions_by_topic(
        &mut self,
        now: StackTime,
        place: Place,
        input: PageOfTopic,
    ) -> Result<SubscriptionList, ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let topic = self.topics.get(id)?;
        let mut subscriptions: Vec<_> = self.topics.subscriptions_of(topic).collect();
        subscriptions.sort_unstable_by_key(|sub| &sub.arn);
        SubscriptionList::page(input.next_token.as_deref(), subscriptions.into_iter())
    }
}

impl SubscriptionList {
    fn page<'a>(
        token: Option<&str>,
        all: impl Iterator<Item = &'a Subscription>,
    ) -> Result<Self, ServiceError> {
        let (found, next_token) = page(token, all, |sub| &sub.arn)?;
        Ok(Self { subscriptions: found.into_iter().map(Listed::of).collect(), next_token })
    }
}

impl Listed {
    /// One that waits to be confirmed does not show its ARN.
    fn of(sub: &Subscription) -> Self {
        let arn = if sub.is_confirmed() { &*sub.arn } else { "PendingConfirmation" };
        Self {
            subscription_arn: arn.to_owned(),
            owner: sub.owner.clone(),
            protocol: sub.endpoint.protocol().to_owned(),
            endpoint: sub.endpoint.address().to_owned(),
            topic_arn: sub.topic_arn.to_string(),
        }
    }
}
