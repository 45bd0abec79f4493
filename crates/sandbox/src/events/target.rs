//! One target of a rule, and what it may be.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::attempt::RuleInput;
use super::errors::validation;
use super::names::{NAME_PATTERN, is_name_char};
use crate::checks::Checks;
use crate::place::{account_of, region_of};
use crate::shaping::{InputTransformer, Shape};
use crate::targets::{DeadLetterConfig, RetryPolicy, SqsParameters, TargetKind, service_of};
use crate::unbuilt::not_implemented;

/// A target as it is given and shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct TargetInput {
    pub(super) id: String,
    pub(super) arn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) role_arn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input_transformer: Option<InputTransformer>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) sqs_parameters: Option<SqsParameters>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dead_letter_config: Option<DeadLetterConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_policy: Option<RetryPolicy>,
}

/// A checked target.
#[derive(Debug)]
pub(crate) struct Target {
    /// As it was given.
    pub(super) given: TargetInput,
    pub(super) kind: TargetKind,
    /// What is made of an event.
    pub(super) shape: Shape,
}

impl Target {
    /// What facts call it: its rule and its id.
    pub(super) fn subscription(&self, rule_arn: &str) -> String {
        format!("{rule_arn}#{}", self.given.id)
    }
}

impl TargetInput {
    /// The limits of the members, which AWS's front end checks for all targets at once.
    pub(super) fn check_members(&self, checks: &mut Checks, index: usize) {
        let member = |name: &str| format!("targets.{}.member.{name}", index + 1);
        checks.characters(&member("id"), Some(&self.id), NAME_PATTERN, is_name_char);
        checks.length(&member("id"), Some(&self.id), 1, 64);
        checks.length(&member("arn"), Some(&self.arn), 1, 1_600);
        checks.length(&member("roleArn"), self.role_arn.as_deref(), 1, 1_600);
        checks.length(&member("input"), self.input.as_deref(), 0, 8_192);
        checks.length(&member("inputPath"), self.input_path.as_deref(), 0, 256);
        if let Some(transformer) = &self.input_transformer {
            transformer.check(checks, &member("inputTransformer"));
        }
        let group_id = self.message_group_id();
        checks.length(&member("sqsParameters.messageGroupId"), group_id, 0, 100);
        if let Some(policy) = self.retry_policy {
            policy.check(checks, &member("retryPolicy"));
        }
    }

    /// What only the service itself can tell. The bus is in `region` of `account`.
    pub(super) fn prepare(self, account: &str, region: &str) -> Result<Target, ServiceError> {
        let Self { id, arn, .. } = &self;
        let Some(service) = service_of(arn) else {
            let text =
                format!("Parameter {arn} is not valid. Reason: Provided Arn is not in correct format.");
            return Err(validation(text));
        };
        let kind = TargetKind::of(arn)
            .ok_or_else(|| not_implemented(format_args!("a target of the service {service}")))?;
        if arn.ends_with(".fifo") && kind == TargetKind::Queue && self.message_group_id().is_none() {
            let text = format!("Parameter(s) SqsParameters must be specified for target: {id}.");
            return Err(validation(text));
        }
        if kind == TargetKind::Bus {
            self.check_bus(account)?;
        }
        check_dead_letter_queue(self.dead_letter_config.as_ref(), region)?;
        let shape = Shape::new::<RuleInput<'_>>(
            self.input.as_deref(),
            self.input_path.as_deref(),
            self.input_transformer.as_ref(),
        );
        let shape = shape.map_err(|bad| validation(bad.of_target(id)))?;
        Ok(Target { kind, shape, given: self })
    }

    /// An event goes to another bus as it is, and by a role alone.
    fn check_bus(&self, account: &str) -> Result<(), ServiceError> {
        if self.role_arn.is_none() {
            return Err(validation(format!("RoleArn is required for target {}.", self.arn)));
        }
        let is_shaped = self.input.is_some() || self.input_path.is_some() || self.input_transformer.is_some();
        if is_shaped && account_of(&self.arn) != account {
            return Err(validation(format!(
                "Input, InputPath and InputTransformer are not available for target {}, a bus of another account.",
                self.id
            )));
        }
        if is_shaped {
            return Err(not_implemented("an input of a target that is a bus"));
        }
        Ok(())
    }

    pub(super) fn message_group_id(&self) -> Option<&str> {
        self.sqs_parameters.as_ref()?.message_group_id.as_deref()
    }

    pub(super) fn dead_letter_queue(&self) -> Option<&str> {
        self.dead_letter_config.as_ref()?.arn.as_deref()
    }
}

/// A dead-letter queue must be a standard queue of the same region (semantics 3.4).
pub(super) fn check_dead_letter_queue(
    config: Option<&DeadLetterConfig>,
    region: &str,
) -> Result<(), ServiceError> {
    let Some(arn) = config.and_then(|config| config.arn.as_deref()) else { return Ok(()) };
    match service_of(arn) {
        Some("sqs") if arn.ends_with(".fifo") => {
            Err(validation("SQS FIFO is not supported by Dead Letter Queues."))
        }
        Some("sqs") if region_of(arn) != region => {
            Err(validation(format!("The dead letter queue {arn} is not in the same Region.")))
        }
        Some("sqs") => Ok(()),
        Some(service) => Err(validation(format!("{service} is not supported as a dead letter resource."))),
        None => Err(validation(format!(
            "Parameter {arn} is not valid. Reason: Provided Arn is not in correct format."
        ))),
    }
}
