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

/// One page of ARNs, which come in order, and the token of the next one.
pub(super) fn page<'a>(
    token: Option<&str>,
    arns: impl Iterator<Item = &'a str>,
) -> Result<(Vec<&'a str>, Option<String>), ServiceError> {
    let after = token.filter(|token| !token.is_empty()).map(|token| {
        let arn = STANDARD.decode(token).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        arn.ok_or_else(|| invalid("NextToken"))
    });
    let after = after.transpose()?;
    let mut arns = arns.skip_while(|arn| after.as_deref().is_some_and(|after| *arn <= after));
    let page: Vec<_> = arns.by_ref().take(PAGE).collect();
    let next = arns.next().and(page.last()).map(|last| STANDARD.encode(last));
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
        let arns = self.topics.subscriptions().map(|sub| &*sub.arn).filter(|arn| arn.starts_with(&start));
        self.listed(page(input.next_token.as_deref(), arns)?)
    }

    pub(crate) fn list_subscriptions_by_topic(
        &mut self,
        now: StackTime,
        place: Place,
        input: PageOfTopic,
    ) -> Result<SubscriptionList, ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let topic = self.topics.get(id)?;
        let mut arns: Vec<_> = self.topics.subscriptions_of(topic).map(|sub| &*sub.arn).collect();
        arns.sort_unstable();
        self.listed(page(input.next_token.as_deref(), arns.into_iter())?)
    }

    fn listed(
        &self,
        (arns, next_token): (Vec<&str>, Option<String>),
    ) -> Result<SubscriptionList, ServiceError> {
        let found = arns.into_iter().map(|arn| self.topics.subscription(self.topics.find_subscription(arn)?));
        let subscriptions = found.map(|sub| sub.map(Listed::of)).collect::<Result<_, _>>()?;
        Ok(SubscriptionList { subscriptions, next_token })
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
