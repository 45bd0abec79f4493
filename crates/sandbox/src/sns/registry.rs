//! Which topics and subscriptions there are. An id is never used again, so what still refers to a
//! deleted one finds nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_wire::ServiceError;

use super::errors::{no_subscription, no_topic};
use super::subscription::Subscription;
use super::topic::Topic;
use super::{SubscriptionId, TopicId};

#[derive(Debug, Default)]
pub(crate) struct Topics {
    topics: Vec<Option<Topic>>,
    by_arn: BTreeMap<Arc<str>, TopicId>,
    subscriptions: Vec<Option<Subscription>>,
    subscriptions_by_arn: BTreeMap<Arc<str>, SubscriptionId>,
}

impl Topics {
    pub(super) fn find(&self, arn: &str) -> Option<TopicId> {
        self.by_arn.get(arn).copied()
    }

    pub(super) fn get(&self, id: TopicId) -> Result<&Topic, ServiceError> {
        self.topics.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(no_topic)
    }

    pub(super) fn get_mut(&mut self, id: TopicId) -> Result<&mut Topic, ServiceError> {
        self.topics.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or_else(no_topic)
    }

    /// All topics, by ARN.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Topic> {
        self.by_arn.values().filter_map(|id| self.get(*id).ok())
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Topic> {
        self.topics.iter_mut().flatten()
    }

    pub(super) fn next_topic(&self) -> TopicId {
        TopicId(self.topics.len() as u32)
    }

    pub(super) fn insert(&mut self, topic: Topic) {
        self.by_arn.insert(Arc::clone(&topic.arn), topic.id);
        self.topics.push(Some(topic));
    }

    /// Its subscriptions stay, without a topic: AWS removes them later, and none gets anything.
    pub(super) fn remove(&mut self, id: TopicId) {
        if let Some(topic) = self.topics.get_mut(id.0 as usize).and_then(Option::take) {
            self.by_arn.remove(&topic.arn);
        }
    }

    pub(super) fn next_subscription(&self) -> SubscriptionId {
        SubscriptionId(self.subscriptions.len() as u32)
    }

    pub(super) fn insert_subscription(&mut self, subscription: Subscription) -> Result<(), ServiceError> {
        self.get_mut(subscription.topic)?.subscriptions.push(subscription.id);
        self.subscriptions_by_arn.insert(Arc::clone(&subscription.arn), subscription.id);
        self.subscriptions.push(Some(subscription));
        Ok(())
    }

    pub(super) fn remove_subscription(&mut self, id: SubscriptionId) {
        let Some(gone) = self.subscriptions.get_mut(id.0 as usize).and_then(Option::take) else { return };
        self.subscriptions_by_arn.remove(&gone.arn);
        if let Ok(topic) = self.get_mut(gone.topic) {
            topic.subscriptions.retain(|subscription| *subscription != id);
            topic.subscriptions_deleted += 1;
        }
    }

    pub(super) fn subscription(&self, id: SubscriptionId) -> Result<&Subscription, ServiceError> {
        self.subscriptions.get(id.0 as usize).and_then(Option::as_ref).ok_or_else(no_subscription)
    }

    pub(super) fn subscription_mut(&mut self, id: SubscriptionId) -> Result<&mut Subscription, ServiceError> {
        self.subscriptions.get_mut(id.0 as usize).and_then(Option::as_mut).ok_or_else(no_subscription)
    }

    pub(super) fn find_subscription(&self, arn: &str) -> Result<SubscriptionId, ServiceError> {
        self.subscriptions_by_arn.get(arn).copied().ok_or_else(no_subscription)
    }

    /// All subscriptions, by ARN.
    pub(super) fn subscriptions(&self) -> impl Iterator<Item = &Subscription> {
        self.subscriptions_by_arn.values().filter_map(|id| self.subscription(*id).ok())
    }

    /// The subscriptions of a topic, in the order in which they were made.
    pub(super) fn subscriptions_of(&self, topic: &Topic) -> impl Iterator<Item = &Subscription> {
        topic.subscriptions.iter().filter_map(|id| self.subscription(*id).ok())
    }
}
