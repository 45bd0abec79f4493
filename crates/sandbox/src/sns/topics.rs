//! The topics.

use std::collections::BTreeSet;

use havoq_wire::ServiceError;

use crate::core::Core;
use crate::place::Place;
use crate::sqs::invalid_parameter;

/// All topics, by ARN.
#[derive(Debug, Default)]
pub(crate) struct Topics(BTreeSet<String>);

impl Topics {
    pub(crate) fn contains(&self, arn: &str) -> bool {
        self.0.contains(arn)
    }
}

impl Core {
    pub(crate) fn create_topic(&mut self, place: Place, name: &str) -> Result<String, ServiceError> {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if name.is_empty() || name.len() > 256 || !name.bytes().all(legal) {
            return Err(invalid_parameter("Invalid parameter: Topic Name"));
        }
        let arn = self.places.arn(place, "sns", name);
        self.topics.0.insert(arn.clone());
        Ok(arn)
    }
}
