//! The settable attributes of a subscription, and GetSubscriptionAttributes and
//! SetSubscriptionAttributes.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_pattern::FilterScope;
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::SubscriptionId;
use super::delivery_policy::SubscriptionPolicy;
use super::endpoint::Endpoint;
use super::errors::{arn_parts, invalid, missing};
use super::filter::{Filter, scope_name, scope_named};
use super::redrive::{Redrive, Source};
use super::replay::{self, ReplayPolicy};
use super::subscription::{State, Subscription};
use super::topics::Attributes;
use crate::core::Core;
use crate::place::root_of;
use crate::unbuilt::unbuilt;

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SubscriptionAttributes {
    pub(super) raw: bool,
    pub(super) filter: Option<Filter>,
    pub(super) redrive: Option<Redrive>,
    pub(super) delivery_policy: Option<SubscriptionPolicy>,
    pub(super) replay: Option<ReplayPolicy>,
    scope: FilterScope,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct OfSubscription {
    pub(super) subscription_arn: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SetSubscriptionAttributes {
    subscription_arn: Option<String>,
    attribute_name: Option<String>,
    attribute_value: Option<String>,
}

impl Default for SubscriptionAttributes {
    fn default() -> Self {
        let scope = FilterScope::MessageAttributes;
        Self { raw: false, filter: None, redrive: None, delivery_policy: None, replay: None, scope }
    }
}

/// How Subscribe begins its complaints about attributes.
pub(super) const AT_SUBSCRIBE: &str = "Attributes Reason: ";

impl SubscriptionAttributes {
    /// These attributes with some of them set anew. The scope goes first: it says what the filter
    /// policy means.
    pub(super) fn with(
        &self,
        changes: &BTreeMap<String, String>,
        source: Source<'_>,
        prefix: &str,
    ) -> Result<Self, ServiceError> {
        let mut changed = self.clone();
        if let Some(scope) = changes.get("FilterPolicyScope") {
            changed.set_scope(scope, prefix)?;
        }
        for (name, value) in changes {
            changed.set(name, value, source, prefix)?;
        }
        Ok(changed)
    }

    fn set(&mut self, name: &str, value: &str, source: Source<'_>, prefix: &str) -> Result<(), ServiceError> {
        let wrong = |what: String| invalid(format_args!("{prefix}{name}: {what}"));
        match name {
            // It is set already.
            "FilterPolicyScope" => {}
            "RawMessageDelivery" => {
                self.raw = match value.to_ascii_lowercase().as_str() {
                    "true" => true,
                    "false" => false,
                    _ => return Err(wrong(format!("Invalid value [{value}]. Must be true or false."))),
                };
            }
            "FilterPolicy" => self.filter = filter(value, self.scope, prefix)?,
            "RedrivePolicy" => self.redrive = Redrive::parse(value, source).map_err(wrong)?,
            "DeliveryPolicy" => self.delivery_policy = SubscriptionPolicy::parse(value).map_err(wrong)?,
            "ReplayPolicy" if !source.fifo_topic => {
                return Err(wrong("Message replay is only for FIFO topics".to_owned()));
            }
            "ReplayPolicy" => self.replay = ReplayPolicy::parse(value).map_err(wrong)?,
            "SubscriptionRoleArn" => {
                return Err(invalid(format_args!("{prefix}{}", unbuilt(name))));
            }
            _ => return Err(invalid(format_args!("{prefix}AttributeName"))),
        }
        Ok(())
    }

    fn set_scope(&mut self, value: &str, prefix: &str) -> Result<(), ServiceError> {
        self.scope = scope_named(value).ok_or_else(|| {
            let hint = "Please use either MessageBody or MessageAttributes";
            invalid(format_args!("{prefix}FilterPolicyScope: Invalid value [{value}]. {hint}"))
        })?;
        if let Some(there) = &self.filter {
            self.filter = filter(&there.text.clone(), self.scope, prefix)?;
        }
        Ok(())
    }

    fn shown(&self) -> BTreeMap<String, String> {
        let mut shown = BTreeMap::from([("RawMessageDelivery".to_owned(), self.raw.to_string())]);
        if let Some(filter) = &self.filter {
            shown.insert("FilterPolicy".to_owned(), filter.text.clone());
            shown.insert("FilterPolicyScope".to_owned(), scope_name(self.scope).to_owned());
        }
        if let Some(redrive) = &self.redrive {
            shown.insert("RedrivePolicy".to_owned(), redrive.text.clone());
        }
        if let Some(policy) = &self.delivery_policy {
            shown.insert("DeliveryPolicy".to_owned(), policy.text());
        }
        if let Some(policy) = &self.replay {
            shown.insert("ReplayPolicy".to_owned(), policy.text.clone());
        }
        shown
    }
}

fn filter(value: &str, scope: FilterScope, prefix: &str) -> Result<Option<Filter>, ServiceError> {
    Filter::parse(value, scope).map_err(|what| invalid(format_args!("{prefix}{what}")))
}

/// A function gets the envelope always.
pub(super) fn check_raw(
    endpoint: &Endpoint,
    attributes: &SubscriptionAttributes,
    prefix: &str,
) -> Result<(), ServiceError> {
    match endpoint {
        Endpoint::Lambda { .. } if attributes.raw => {
            let what = "Delivery protocol [lambda] does not support raw message delivery.";
            Err(invalid(format_args!("{prefix}RawMessageDelivery: {what}")))
        }
        _ => Ok(()),
    }
}

impl Core {
    pub(crate) fn get_subscription_attributes(
        &self,
        now: StackTime,
        input: OfSubscription,
    ) -> Result<Attributes, ServiceError> {
        let sub = self.topics.subscription(self.subscription_of(input.subscription_arn)?)?;
        Ok(Attributes { attributes: self.shown(now, sub) })
    }

    fn shown(&self, now: StackTime, sub: &Subscription) -> BTreeMap<String, String> {
        let mut shown = sub.attributes.shown();
        let authenticated = matches!(sub.state, State::Confirmed { authenticated: true, .. });
        for (name, value) in [
            ("SubscriptionArn", sub.arn.to_string()),
            ("TopicArn", sub.topic_arn.to_string()),
            ("Protocol", sub.endpoint.protocol().to_owned()),
            ("Endpoint", sub.endpoint.address().to_owned()),
            ("Owner", sub.owner.clone()),
            ("PendingConfirmation", (!sub.is_confirmed()).to_string()),
            ("ConfirmationWasAuthenticated", authenticated.to_string()),
            // Who calls has no name here.
            ("SubscriptionPrincipal", root_of(&sub.owner)),
        ] {
            shown.insert(name.to_owned(), value);
        }
        if let Some(status) = self.replay_status(now, sub) {
            shown.insert("ReplayStatus".to_owned(), status.to_owned());
        }
        if let Endpoint::Http { .. } = sub.endpoint {
            let policy = sub.delivery_policy(self.topics.get(sub.topic).ok());
            shown.insert("EffectiveDeliveryPolicy".to_owned(), policy.text());
        }
        shown
    }

    pub(crate) fn set_subscription_attributes(
        &mut self,
        now: StackTime,
        input: SetSubscriptionAttributes,
    ) -> Result<(), ServiceError> {
        let id = self.subscription_of(input.subscription_arn)?;
        let name = input.attribute_name.ok_or_else(|| missing("AttributeName"))?;
        let replays = name == "ReplayPolicy";
        let change = BTreeMap::from([(name, input.attribute_value.unwrap_or_default())]);
        let sub = self.topics.subscription(id)?;
        let topic = self.topics.get(sub.topic)?;
        let attributes = sub.attributes.with(&change, sub.source(topic), "")?;
        check_raw(&sub.endpoint, &attributes, "")?;
        if attributes.filter.is_some() && sub.attributes.filter.is_none() {
            self.check_filter_count(topic, &sub.owner)?;
        }
        if replays {
            replay::check(now, topic, attributes.replay.as_ref(), "")?;
        }
        self.topics.subscription_mut(id)?.attributes = attributes;
        if replays {
            self.start_replay(now, id);
        }
        Ok(())
    }

    pub(super) fn subscription_of(&self, arn: Option<String>) -> Result<SubscriptionId, ServiceError> {
        let arn = arn.ok_or_else(|| missing("SubscriptionArn"))?;
        arn_parts("SubscriptionArn", &arn)?;
        self.topics.find_subscription(&arn)
    }
}
