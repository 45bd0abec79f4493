//! Subscribe, ConfirmSubscription and Unsubscribe (semantics 2.1, 2.3).

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_wire::{ServiceError, SnsError};
use serde::{Deserialize, Serialize};

use super::SubscriptionId;
use super::endpoint::Endpoint;
use super::errors::{arn_parts, invalid, missing};
use super::replay::{self, Replay};
use super::subscription::{State, Subscription, Token};
use super::subscription_attributes::{AT_SUBSCRIBE, OfSubscription, SubscriptionAttributes, check_raw};
use super::topic::Topic;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Subscribe {
    pub(crate) topic_arn: Option<String>,
    pub(crate) protocol: Option<String>,
    pub(crate) endpoint: Option<String>,
    pub(crate) attributes: BTreeMap<String, String>,
    pub(crate) return_subscription_arn: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ConfirmSubscription {
    topic_arn: Option<String>,
    token: Option<String>,
    /// A string in the API, not a boolean.
    authenticate_on_unsubscribe: Option<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct SubscriptionArn {
    pub(crate) subscription_arn: String,
}

/// Where the sandbox is reached, for the URLs in messages.
#[derive(Clone, Debug)]
pub(crate) struct Address(pub(crate) String);

/// Whether a call is signed. The links in messages are not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Signed {
    Yes,
    No,
}

/// Limits of semantics 2.1 and 2.2.
const MOST_WITH_LARGE_MESSAGES: usize = 100;
const MOST_FILTERS_OF_TOPIC: usize = 200;
const MOST_FILTERS_OF_ACCOUNT: usize = 10_000;

impl Core {
    pub(crate) fn subscribe(
        &mut self,
        now: StackTime,
        place: Place,
        input: Subscribe,
        address: &Address,
    ) -> Result<SubscriptionArn, ServiceError> {
        let topic = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let topic = self.topics.get(topic)?;
        let protocol = input.protocol.ok_or_else(|| missing("Protocol"))?;
        let endpoint = Endpoint::new(&protocol, input.endpoint.unwrap_or_default())?;
        check_kind(topic, &endpoint)?;
        let there = self.topics.subscriptions_of(topic).find(|sub| sub.endpoint == endpoint);
        let id = match there.map(|sub| sub.id) {
            Some(id) => self.same_subscription(id, &input.attributes)?,
            None => self.new_subscription(now, place, topic.id, endpoint, &input.attributes, address)?,
        };
        let sub = self.topics.subscription(id)?;
        let (arn, pending) = (sub.arn.to_string(), !sub.is_confirmed());
        if pending {
            self.ask_to_confirm(now, id)?;
        }
        let hidden = pending && !input.return_subscription_arn;
        Ok(SubscriptionArn { subscription_arn: if hidden { "pending confirmation".to_owned() } else { arn } })
    }

    /// Subscribing an endpoint again changes nothing, and asks for nothing other than what is.
    fn same_subscription(
        &self,
        id: SubscriptionId,
        attributes: &BTreeMap<String, String>,
    ) -> Result<SubscriptionId, ServiceError> {
        let sub = self.topics.subscription(id)?;
        let source = sub.source(self.topics.get(sub.topic)?);
        if sub.attributes.with(attributes, source, AT_SUBSCRIBE)? != sub.attributes {
            return Err(invalid("Attributes Reason: Subscription already exists with different attributes"));
        }
        Ok(id)
    }

    fn new_subscription(
        &mut self,
        now: StackTime,
        place: Place,
        topic: super::TopicId,
        endpoint: Endpoint,
        attributes: &BTreeMap<String, String>,
        address: &Address,
    ) -> Result<SubscriptionId, ServiceError> {
        let owner = self.places.name(place).account.to_string();
        // A queue of the caller's own account needs no confirmation; a function has its policy.
        let is_trusted = matches!(endpoint, Endpoint::Lambda { .. }) || endpoint.account() == Some(&owner);
        let state = if is_trusted {
            State::Confirmed { authenticated: true, authenticate_unsubscribe: false, token: None }
        } else {
            State::Pending(self.new_token(now))
        };
        let topic = self.topics.get(topic)?;
        let mut sub = Subscription {
            id: self.topics.next_subscription(),
            topic: topic.id,
            topic_arn: Arc::clone(&topic.arn),
            arn: Arc::clone(&topic.arn),
            endpoint,
            owner,
            attributes: SubscriptionAttributes::default(),
            state,
            replay: Replay::default(),
            address: address.0.clone(),
        };
        if topic.attributes.takes_large_messages()
            && (!sub.takes_large() || topic.subscriptions.len() >= MOST_WITH_LARGE_MESSAGES)
        {
            return Err(invalid("Endpoint Reason: the topic's MaximumMessageSize is above 256 KiB"));
        }
        sub.attributes = sub.attributes.with(attributes, sub.source(topic), AT_SUBSCRIBE)?;
        check_raw(&sub.endpoint, &sub.attributes, AT_SUBSCRIBE)?;
        if sub.attributes.filter.is_some() {
            self.check_filter_count(topic, &sub.owner)?;
        }
        replay::check(now, topic, sub.attributes.replay.as_ref(), AT_SUBSCRIBE)?;
        let name = self.new_id();
        sub.arn = Arc::from(format!("{}:{name}", sub.topic_arn));
        let (id, replays) = (sub.id, sub.attributes.replay.is_some());
        self.topics.insert_subscription(sub)?;
        if replays {
            self.start_replay(now, id);
        }
        Ok(id)
    }

    /// Whether there may be one more filter policy (semantics 2.2).
    pub(super) fn check_filter_count(&self, topic: &Topic, owner: &str) -> Result<(), ServiceError> {
        let has_filter = |sub: &&Subscription| sub.attributes.filter.is_some();
        let of_topic = self.topics.subscriptions_of(topic).filter(has_filter).count();
        let of_owner =
            self.topics.subscriptions().filter(|sub| sub.owner == owner).filter(has_filter).count();
        if of_topic >= MOST_FILTERS_OF_TOPIC || of_owner >= MOST_FILTERS_OF_ACCOUNT {
            let text = "The maximum number of filter policies is reached";
            return Err(SnsError::FilterPolicyLimitExceeded.with(text));
        }
        Ok(())
    }

    fn new_token(&mut self, now: StackTime) -> Token {
        let text = (0..9).map(|_| self.new_id().replace('-', "")).collect();
        Token { text, made: now }
    }

    /// Confirms what the token is of. The topic's ARN need only be of the caller's region, as on
    /// AWS, and confirming again is no error.
    pub(crate) fn confirm_subscription(
        &mut self,
        now: StackTime,
        place: Place,
        input: ConfirmSubscription,
        signed: Signed,
    ) -> Result<SubscriptionArn, ServiceError> {
        let topic_arn = input.topic_arn.ok_or_else(|| missing("TopicArn"))?;
        let token = input.token.ok_or_else(|| missing("Token"))?;
        let is_it =
            |sub: &&Subscription| sub.token().is_some_and(|own| own.text == token && own.is_valid(now));
        let found = self.topics.subscriptions().find(is_it);
        let own_region = &*self.places.name(place).region;
        // A link is not signed, so it comes from nowhere; on AWS its host names the region.
        let region = found.filter(|_| signed == Signed::No).map_or(own_region, Subscription::region);
        if topic_arn.split(':').nth(3) != Some(region) {
            return Err(invalid("Topic"));
        }
        if !token.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(SnsError::InvalidParameter.with("Invalid token"));
        }
        let id = found.ok_or_else(|| invalid("Token"))?.id;
        let sub = self.topics.subscription_mut(id)?;
        let arn = sub.arn.to_string();
        if let State::Pending(token) = &sub.state {
            sub.state = State::Confirmed {
                authenticated: signed == Signed::Yes,
                authenticate_unsubscribe: signed == Signed::Yes
                    && input.authenticate_on_unsubscribe.as_deref() == Some("true"),
                token: Some(token.clone()),
            };
            if sub.attributes.replay.is_some() {
                self.start_replay(now, id);
            }
        }
        Ok(SubscriptionArn { subscription_arn: arn })
    }

    /// One that is not there is taken back already.
    pub(crate) fn unsubscribe(
        &mut self,
        now: StackTime,
        input: OfSubscription,
        signed: Signed,
    ) -> Result<(), ServiceError> {
        let arn = input.subscription_arn.ok_or_else(|| missing("SubscriptionArn"))?;
        if arn_parts("SubscriptionArn", &arn)?.len() < 7 {
            return Err(invalid("SubscriptionId"));
        }
        let Ok(id) = self.topics.find_subscription(&arn) else { return Ok(()) };
        let sub = self.topics.subscription(id)?;
        if signed == Signed::No
            && matches!(sub.state, State::Confirmed { authenticate_unsubscribe: true, .. })
        {
            return Err(SnsError::AuthorizationError.with("User is not authorized to perform this action"));
        }
        self.topics.remove_subscription(id);
        self.pendings.leave_steady(now, |pending| pending.subscription == id, &mut self.timers);
        Ok(())
    }
}

/// Semantics 2.1: a FIFO queue has no place on a standard topic, nor anything else on a FIFO one.
fn check_kind(topic: &Topic, endpoint: &Endpoint) -> Result<(), ServiceError> {
    let reason = |text: &str| invalid(format_args!("Invalid parameter: Endpoint Reason: {text}"));
    match endpoint {
        Endpoint::Sqs { .. } if endpoint.is_fifo() && !topic.attributes.fifo => {
            Err(reason("FIFO SQS Queues can not be subscribed to standard SNS topics"))
        }
        Endpoint::Http { .. } | Endpoint::Lambda { .. } if topic.attributes.fifo => {
            Err(reason("Only SQS queues can be subscribed to FIFO SNS topics"))
        }
        _ => Ok(()),
    }
}
