//! One subscription.

use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};

use super::delivery_policy::Effective;
use super::endpoint::Endpoint;
use super::redrive::Source;
use super::replay::Replay;
use super::subscription_attributes::SubscriptionAttributes;
use super::topic::Topic;
use super::{SubscriptionId, TopicId};
use crate::place::region_of;

#[derive(Debug)]
pub(super) struct Subscription {
    pub(super) id: SubscriptionId,
    pub(super) topic: TopicId,
    pub(super) topic_arn: Arc<str>,
    pub(super) arn: Arc<str>,
    pub(super) endpoint: Endpoint,
    /// The account that it belongs to.
    pub(super) owner: String,
    pub(super) attributes: SubscriptionAttributes,
    pub(super) state: State,
    pub(super) replay: Replay,
    /// Where the sandbox is reached by those who follow the URLs in messages.
    pub(super) address: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    Pending(Token),
    Confirmed {
        authenticated: bool,
        /// Only signed calls may take it back.
        authenticate_unsubscribe: bool,
        /// None when there was nothing to confirm.
        token: Option<Token>,
    },
}

/// What proves that an endpoint's owner wants to hear.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) text: String,
    pub(super) made: StackTime,
}

impl Token {
    /// Tokens are valid for two days.
    pub(super) fn is_valid(&self, now: StackTime) -> bool {
        now.since(self.made) <= StackDuration::from_secs(2 * 86_400)
    }
}

impl Subscription {
    pub(super) fn is_confirmed(&self) -> bool {
        matches!(self.state, State::Confirmed { .. })
    }

    pub(super) fn region(&self) -> &str {
        region_of(&self.topic_arn)
    }

    pub(super) fn token(&self) -> Option<&Token> {
        match &self.state {
            State::Pending(token) => Some(token),
            State::Confirmed { token, .. } => token.as_ref(),
        }
    }

    /// Messages above 256 KiB go to queues only (semantics 2.1).
    pub(super) fn takes_large(&self) -> bool {
        matches!(self.endpoint, Endpoint::Sqs { .. })
    }

    /// Whether the order of a FIFO topic's groups is kept on the way.
    pub(super) fn is_ordered(&self) -> bool {
        self.topic_arn.ends_with(".fifo") && self.endpoint.is_fifo()
    }

    pub(super) fn source<'a>(&'a self, topic: &'a Topic) -> Source<'a> {
        Source {
            region: topic.region(),
            owner: &self.owner,
            fifo_topic: topic.attributes.fifo,
            fifo_queue: self.endpoint.is_fifo(),
        }
    }

    pub(super) fn delivery_policy(&self, topic: Option<&Topic>) -> Effective {
        let topic = topic.and_then(|topic| topic.attributes.delivery_policy.as_ref());
        Effective::of(topic, self.attributes.delivery_policy.as_ref())
    }
}
