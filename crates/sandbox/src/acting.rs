//! Who acts when one service calls on another's resource, and whether the resource's policy lets
//! it. Of the resources themselves this knows nothing.

use havoq_pattern::{AccessRequest, Decision, Policy, Principal};

use crate::place::account_of;

/// Who acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Acting<'a> {
    /// A service such as `sns.amazonaws.com`, on behalf of a resource.
    Service { name: &'a str, source_arn: &'a str },
    /// A role that a service has taken on. What the role's own policies say is not looked at: within
    /// its account it may do what the resource does not deny.
    Role { arn: &'a str },
}

impl<'a> Acting<'a> {
    /// Who it is in a record of refusals.
    pub(crate) fn principal(self) -> &'a str {
        match self {
            Self::Service { name, .. } => name,
            Self::Role { arn } => arn,
        }
    }

    /// Whether a resource with this policy, or none, lets it do something.
    pub(crate) fn may(self, policy: Option<&Policy>, action: &str, resource: &str) -> bool {
        let decision = policy.map_or(Decision::NoStatement, |policy| self.decide(policy, action, resource));
        match (self, decision) {
            (_, Decision::Allow) => true,
            (_, Decision::ExplicitDeny) | (Self::Service { .. }, Decision::NoStatement) => false,
            (Self::Role { arn }, Decision::NoStatement) => account_of(arn) == account_of(resource),
        }
    }

    /// What a policy says of it.
    pub(crate) fn decide(self, policy: &Policy, action: &str, resource: &str) -> Decision {
        let mut context = match self {
            Self::Service { name, source_arn } => service_context(name, source_arn),
            Self::Role { arn } => vec![
                ("aws:PrincipalAccount", account_of(arn)),
                ("aws:PrincipalArn", arn),
                ("aws:PrincipalIsAWSService", "false"),
            ],
        };
        // Every call counts as an encrypted one: policies that ask for it would lock everyone out of
        // a sandbox on the caller's own machine.
        context.push(("aws:SecureTransport", "true"));
        let principal = match self {
            Self::Service { name, .. } => Principal::Service(name),
            Self::Role { arn } => Principal::Account { id: account_of(arn), arn: Some(arn) },
        };
        policy.decide(&AccessRequest { principal, action, resource, context: &context })
    }
}

/// What policies can ask of a service that acts on behalf of a resource.
fn service_context<'a>(service: &'a str, source_arn: &'a str) -> Vec<(&'static str, &'a str)> {
    let account = account_of(source_arn);
    let mut context = vec![
        ("aws:SourceArn", source_arn),
        ("aws:SourceAccount", account),
        ("aws:PrincipalIsAWSService", "true"),
        ("aws:PrincipalServiceName", service),
        ("aws:PrincipalServiceNamesList", service),
    ];
    // The older name of the account, which SNS and CloudWatch still give.
    if matches!(service, "sns.amazonaws.com" | "cloudwatch.amazonaws.com") {
        context.push(("aws:SourceOwner", account));
    }
    context
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const QUEUE: &str = "arn:aws:sqs:us-east-1:111111111111:q";
    const RULE: &str = "arn:aws:events:us-east-1:111111111111:rule/r";

    fn policy(effect: &str, principal: serde_json::Value) -> Policy {
        let text = json!({
            "Statement": [{
                "Effect": effect, "Principal": principal, "Action": "sqs:SendMessage", "Resource": "*",
            }],
        });
        Policy::parse(&text.to_string()).expect("a policy")
    }

    fn may(acting: Acting<'_>, policy: Option<&Policy>) -> bool {
        acting.may(policy, "sqs:SendMessage", QUEUE)
    }

    #[test]
    fn a_service_needs_a_statement_that_allows_it() {
        let service = Acting::Service { name: "events.amazonaws.com", source_arn: RULE };
        assert!(!may(service, None));
        assert!(may(service, Some(&policy("Allow", json!({ "Service": "events.amazonaws.com" })))));
        assert!(!may(service, Some(&policy("Allow", json!({ "Service": "sns.amazonaws.com" })))));
    }

    #[test]
    fn a_role_of_the_same_account_may_do_what_is_not_denied() {
        let role = Acting::Role { arn: "arn:aws:iam::111111111111:role/r" };
        assert!(may(role, None));
        assert!(!may(role, Some(&policy("Deny", json!("*")))));
    }

    #[test]
    fn a_role_of_another_account_needs_a_statement() {
        let role = Acting::Role { arn: "arn:aws:iam::222222222222:role/r" };
        assert!(!may(role, None));
        assert!(may(role, Some(&policy("Allow", json!({ "AWS": "222222222222" })))));
    }
}
