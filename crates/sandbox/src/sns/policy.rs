//! What a topic's policy lets services do (semantics 4.2).

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};

use super::topic::Topic;
use crate::place::account_of;
use crate::sqs::service_context;

impl Topic {
    /// Whether a service may publish on behalf of a resource. The default policy lets the services
    /// of the owner's account; one that is set in its place must name the service.
    pub(super) fn lets_publish(&self, service: &str, source_arn: &str) -> bool {
        let source_account = account_of(source_arn);
        let Some(policy) = &self.attributes.policy else { return source_account == self.account() };
        let mut context = service_context(service, source_arn).to_vec();
        context.push(("aws:SourceOwner", source_account));
        let request = AccessRequest {
            principal: Principal::Service(service),
            action: "SNS:Publish",
            resource: &self.arn,
            context: &context,
        };
        Policy::parse(policy).is_ok_and(|policy| policy.decide(&request) == Decision::Allow)
    }
}
