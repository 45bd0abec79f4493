//! What a topic's policy lets services do (semantics 4.2).

use havoq_pattern::Policy;

use super::topic::Topic;
use crate::acting::Acting;
use crate::place::account_of;

impl Topic {
    /// Whether a service, or a role that one has taken on, may publish. The default policy lets the
    /// alarms of the owner's account and no other service, EventBridge for one; a policy that is
    /// set in its place must name the service.
    pub(super) fn lets_publish(&self, acting: Acting<'_>) -> bool {
        match (&self.attributes.policy, acting) {
            (None, Acting::Service { name, source_arn }) => {
                name == "cloudwatch.amazonaws.com" && account_of(source_arn) == self.account()
            }
            (None, Acting::Role { .. }) => acting.may(None, "SNS:Publish", &self.arn),
            (Some(policy), _) => {
                Policy::parse(policy).is_ok_and(|policy| acting.may(Some(&policy), "SNS:Publish", &self.arn))
            }
        }
    }
}
