//! Queue policies: who may call on a queue. The owner may do everything that no statement denies;
//! services and other accounts need a statement that allows it.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_pattern::{AccessRequest, BadPolicy, Decision, Policy, Principal};
use havoq_wire::{CommonError, ServiceError, SqsError};

use super::QueueId;
use crate::acting::Acting;
use crate::core::Core;
use crate::fact::Fact;
use crate::place::{Place, root_of};

/// The policy of a queue.
#[derive(Clone, Debug)]
pub(crate) struct QueuePolicy {
    /// As it was set.
    pub(crate) text: String,
    parsed: Arc<Policy>,
}

/// How many statements a policy can have.
pub(crate) const MOST_STATEMENTS: usize = 20;

impl QueuePolicy {
    /// `None` for the empty text, which removes a policy.
    pub(crate) fn parse(text: &str) -> Result<Option<Self>, ServiceError> {
        if text.is_empty() {
            return Ok(None);
        }
        let bad = |_| SqsError::InvalidAttributeValue.with(BadPolicy::SQS_TEXT);
        let parsed = Policy::parse(text).map_err(bad)?;
        if !parsed.stays_within("sqs") {
            return Err(SqsError::InvalidAttributeValue.with(BadPolicy::SQS_TEXT));
        }
        let count = parsed.statement_count();
        if count > MOST_STATEMENTS {
            return Err(SqsError::OverLimit.with(format!(
                "{count} statements were found in the submitted policy, max allowed is {MOST_STATEMENTS}"
            )));
        }
        Ok(Some(Self { text: text.to_owned(), parsed: Arc::new(parsed) }))
    }
}

/// What only the owner may ask for, whatever a policy allows.
const OWNERS_ALONE: [&str; 11] = [
    "AddPermission",
    "CancelMessageMoveTask",
    "CreateQueue",
    "DeleteQueue",
    "ListMessageMoveTasks",
    "ListQueueTags",
    "RemovePermission",
    "SetQueueAttributes",
    "StartMessageMoveTask",
    "TagQueue",
    "UntagQueue",
];

/// Whether an operation is one of those that cannot be shared.
pub(crate) fn is_owners_alone(operation: &str) -> bool {
    OWNERS_ALONE.contains(&operation)
}

impl Core {
    /// Whether somebody at `caller` may do an operation on a queue.
    pub(crate) fn authorize(
        &mut self,
        now: StackTime,
        id: QueueId,
        caller: Place,
        operation: &str,
    ) -> Result<(), ServiceError> {
        let queue = self.queues.get(id)?;
        let (caller, owner) = (&self.places.name(caller).account, &self.places.name(queue.place).account);
        if queue.attributes.policy.is_none() && caller == owner {
            return Ok(());
        }
        let user = root_of(caller);
        let principal = Principal::Account { id: caller, arn: Some(&user) };
        let context = [
            ("aws:PrincipalAccount", &**caller),
            ("aws:PrincipalArn", &user),
            ("aws:PrincipalIsAWSService", "false"),
        ];
        // A batch is allowed by what allows its single operation.
        let action = operation.strip_suffix("Batch").unwrap_or(operation);
        let decision = self.decide(id, principal, action, &context);
        let why = match decision {
            Decision::ExplicitDeny => "with an explicit deny in a resource-based policy".to_owned(),
            _ if caller == owner => return Ok(()),
            Decision::Allow if !is_owners_alone(operation) => return Ok(()),
            Decision::Allow | Decision::NoStatement => {
                format!("because no resource-based policy allows the {} action", named(action))
            }
        };
        let text = format!(
            "User: {user} is not authorized to perform: {} on resource: {} {why}",
            named(action),
            queue.arn
        );
        self.denied(now, id, user, action);
        Err(CommonError::AccessDenied.with(text))
    }

    /// Puts a refusal on record.
    pub(crate) fn denied(&self, now: StackTime, id: QueueId, principal: String, action: &str) {
        if let Ok(queue) = self.queues.get(id) {
            let queue = queue.name.to_string();
            self.emit(now, Fact::Denied { queue, principal, action: action.to_owned() });
        }
    }

    /// Whether a service, or a role that one has taken on, may send to a queue.
    pub(crate) fn service_may_send(&self, id: QueueId, acting: Acting<'_>) -> bool {
        self.queues.get(id).is_ok_and(|queue| {
            let policy = queue.attributes.policy.as_ref().map(|policy| &*policy.parsed);
            acting.may(policy, "sqs:SendMessage", &queue.arn)
        })
    }

    fn decide(
        &self,
        id: QueueId,
        principal: Principal<'_>,
        action: &str,
        context: &[(&str, &str)],
    ) -> Decision {
        let Ok(queue) = self.queues.get(id) else { return Decision::NoStatement };
        let Some(policy) = &queue.attributes.policy else { return Decision::NoStatement };
        // Every call counts as an encrypted one: policies that ask for it would lock everyone out of
        // a sandbox on the caller's own machine.
        let context = [context, &[("aws:SecureTransport", "true")]].concat();
        let action = format!("sqs:{action}");
        let request = AccessRequest { principal, action: &action, resource: &queue.arn, context: &context };
        policy.parsed.decide(&request)
    }
}

/// An action as refusals write it.
fn named(action: &str) -> String {
    format!("sqs:{}", action.to_ascii_lowercase())
}
