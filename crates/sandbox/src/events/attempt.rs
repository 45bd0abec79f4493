//! One attempt at a target. What comes of it is in `outcome`.

use std::sync::Arc;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde_json::{Value, json};

use super::event::{Event, time_text};
use super::invocation::{Invocation, InvocationId};
use crate::acting::Acting;
use crate::core::Core;
use crate::shaping::Source;
use crate::targets::{ErrorCode, TOO_OLD, TargetDelivery, TargetError, TargetKind};

const SERVICE: &str = "events.amazonaws.com";

/// An event as a rule's target gets it.
pub(super) struct RuleInput<'a> {
    event: &'a Event,
    rule_arn: &'a str,
    rule_name: &'a str,
}

impl Source for RuleInput<'_> {
    const PREDEFINED: &'static [&'static str] = &[
        "aws.events.rule-arn",
        "aws.events.rule-name",
        "aws.events.event.ingestion-time",
        "aws.events.event",
        "aws.events.event.json",
    ];

    fn document(&self) -> &Value {
        &self.event.document
    }

    fn predefined(&self, name: &str) -> Option<Value> {
        match name {
            "aws.events.rule-arn" => Some(json!(self.rule_arn)),
            "aws.events.rule-name" => Some(json!(self.rule_name)),
            "aws.events.event.ingestion-time" => Some(json!(time_text(self.event.ingested))),
            "aws.events.event" => Some(without_detail(&self.event.document)),
            "aws.events.event.json" => Some(self.event.document.clone()),
            _ => None,
        }
    }
}

/// AWS was seen to leave the detail out, and to write the type without a dash.
fn without_detail(document: &Value) -> Value {
    let members = document.as_object().into_iter().flatten().filter(|(name, _)| *name != "detail");
    let renamed = |name: &str| if name == "detail-type" { "detailType".to_owned() } else { name.to_owned() };
    members.map(|(name, value)| (renamed(name), value.clone())).collect()
}

impl Invocation {
    /// A target with a role is called by it. Any other is called by the service on the rule's behalf,
    /// and its own policy must let it.
    fn acting(&self) -> Acting<'_> {
        match &self.target.given.role_arn {
            Some(arn) => Acting::Role { arn },
            None => self.as_service(),
        }
    }

    /// Dead letters are sent by the service, whoever calls the target.
    pub(super) fn as_service(&self) -> Acting<'_> {
        Acting::Service { name: SERVICE, source_arn: &self.rule_arn }
    }
}

impl Core {
    /// Makes an attempt that is due, or finds that the event has become too old.
    pub(crate) fn invoke_target(&mut self, now: StackTime, id: InvocationId) {
        let Some(mut invocation) = self.events.invocations.take(id) else { return };
        if invocation.is_too_old(now)
            && let Some(error) = invocation.error.take()
        {
            return self.give_up_invocation(now, &invocation, &error, Some(TOO_OLD));
        }
        invocation.attempts += 1;
        let retried = invocation.attempts > 1;
        let counters = self.events.counters_of(&invocation.rule);
        counters.attempts += 1;
        counters.retries += u64::from(retried);
        match self.attempt(now, &invocation) {
            Ok(given_id) => self.invoked(now, &invocation, given_id),
            Err(error) if error.code.is_retryable() => self.retry_invocation(now, id, invocation, error),
            Err(error) => self.give_up_invocation(now, &invocation, &error, None),
        }
    }

    fn attempt(&mut self, now: StackTime, step: &Invocation) -> Result<Option<MessageId>, TargetError> {
        let target = Arc::clone(&step.target);
        if target.kind == TargetKind::Bus {
            return self.forward_event(now, &step.rule, &target.given.arn, step.acting(), &step.event);
        }
        let input = RuleInput { event: &step.event, rule_arn: &step.rule_arn, rule_name: &step.rule.name };
        let payload = target.shape.apply(&input).map_err(|reason| ErrorCode::InvalidJson.with(reason))?;
        let delivery = TargetDelivery {
            target_arn: &target.given.arn,
            acting: step.acting(),
            payload,
            message_group_id: target.given.message_group_id().map(str::to_owned),
            trace_header: step.event.trace_header.clone(),
        };
        self.deliver_to_target(now, delivery)
    }
}
