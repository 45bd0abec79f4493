//! What havoq itself does to the sandbox's topics, without HTTP.

use std::collections::BTreeMap;

use havoq_wire::ServiceError;

use super::sandbox::Sandbox;
use crate::place::Place;
use crate::sns::{Address, Subscribe};

/// A subscription that havoq makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subscribing<'a> {
    pub topic_arn: &'a str,
    /// `sqs` or `http`.
    pub protocol: &'a str,
    pub endpoint: &'a str,
    pub attributes: &'a BTreeMap<String, String>,
    /// Where clients reach the sandbox, such as `http://127.0.0.1:9324`: the start of the URLs in
    /// its messages.
    pub address: &'a str,
}

impl Sandbox {
    /// Creates a standard topic without attributes and gives its ARN.
    pub fn create_topic(&self, name: &str) -> Result<String, ServiceError> {
        self.enter(|core, now| core.create_topic(now, Place::HOME, name))
    }

    /// Subscribes an endpoint and gives the subscription's ARN. A queue is confirmed at once, an
    /// HTTP endpoint when it answers what it is asked.
    pub fn subscribe(&self, subscribing: &Subscribing<'_>) -> Result<String, ServiceError> {
        let input = Subscribe {
            topic_arn: Some(subscribing.topic_arn.to_owned()),
            protocol: Some(subscribing.protocol.to_owned()),
            endpoint: Some(subscribing.endpoint.to_owned()),
            attributes: subscribing.attributes.clone(),
            return_subscription_arn: true,
        };
        let address = Address(subscribing.address.trim_end_matches('/').to_owned());
        self.enter(|core, now| Ok(core.subscribe(now, Place::HOME, input, &address)?.subscription_arn))
    }
}
