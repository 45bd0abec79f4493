//! The target of a schedule: what may be one, and what it says.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::call::Call;
use super::errors::validation;
use super::universal;
use crate::checks::Checks;
use crate::place::{PlaceName, account_of, region_of};
use crate::targets::{DeadLetterConfig, Limits, RetryPolicy, SqsParameters, TargetKind, service_of};
use crate::unbuilt::not_implemented;

/// A target as it is given and shown.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct TargetInput {
    pub(super) arn: Option<String>,
    pub(super) role_arn: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dead_letter_config: Option<DeadLetterConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_policy: Option<RetryPolicy>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) input: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event_bridge_parameters: Option<EventBridgeParameters>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sqs_parameters: Option<SqsParameters>,
    #[serde(skip_serializing)]
    ecs_parameters: Option<Value>,
    #[serde(skip_serializing)]
    kinesis_parameters: Option<Value>,
    #[serde(skip_serializing)]
    sage_maker_pipeline_parameters: Option<Value>,
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct EventBridgeParameters {
    detail_type: Option<String>,
    source: Option<String>,
}

/// A checked target.
#[derive(Debug)]
pub(super) struct Target {
    /// As it was given, with the retry policy that holds.
    pub(super) given: TargetInput,
    pub(super) role_arn: String,
    pub(super) call: Call,
    pub(super) limits: Limits,
}

impl TargetInput {
    pub(super) fn check_members(&self, checks: &mut Checks) {
        checks.required_text("target.arn", &self.arn, 1, 1_600);
        checks.required("target.roleArn", &self.role_arn);
        if let Some(role) = self.role_arn.as_deref().filter(|role| !is_role(role)) {
            const PATTERN: &str = r"arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@\/-]+";
            let constraint = format!("satisfy regular expression pattern: {PATTERN}");
            checks.fail(format!("'{role}'"), "target.roleArn", constraint);
        }
        let queue = self.dead_letter_config.as_ref().and_then(|config| config.arn.as_deref());
        if let Some(queue) = queue.filter(|queue| !is_standard_queue(queue)) {
            const PATTERN: &str = r"arn:aws[a-z-]*:sqs:[a-z0-9\-]+:\d{12}:[a-zA-Z0-9\-_]+";
            let constraint = format!("satisfy regular expression pattern: {PATTERN}");
            checks.fail(format!("'{queue}'"), "target.deadLetterConfig.arn", constraint);
        }
        if let Some(policy) = self.retry_policy {
            policy.check(checks, "target.retryPolicy");
        }
        let group = self.sqs_parameters.as_ref().and_then(|sqs| sqs.message_group_id.as_deref());
        checks.length("target.sqsParameters.messageGroupId", group, 1, 128);
        if let Some(EventBridgeParameters { detail_type, source }) = &self.event_bridge_parameters {
            checks.required_text("target.eventBridgeParameters.detailType", detail_type, 1, 128);
            checks.required_text("target.eventBridgeParameters.source", source, 1, 256);
        }
        checks.length("target.input", self.input.as_deref(), 1, usize::MAX);
    }

    /// The parameters that only fit one kind of target, by their names.
    fn parameters(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("EcsParameters", self.ecs_parameters.is_some()),
            ("EventBridgeParameters", self.event_bridge_parameters.is_some()),
            ("KinesisParameters", self.kinesis_parameters.is_some()),
            ("SageMakerPipelineParameters", self.sage_maker_pipeline_parameters.is_some()),
            ("SqsParameters", self.sqs_parameters.is_some()),
        ];
        given.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

/// The services whose operations templated targets call, and that the sandbox does not have.
const NOT_BUILT: [&str; 8] =
    ["codebuild", "codepipeline", "ecs", "firehose", "inspector", "kinesis", "sagemaker", "states"];

impl Target {
    pub(super) fn checked(mut given: TargetInput, place: &PlaceName) -> Result<Self, ServiceError> {
        let arn = given.arn.clone().unwrap_or_default();
        let call = match universal::api(&arn) {
            Some(api) => universal::checked(&api, &given)?,
            None => templated(&arn, &given, place)?,
        };
        let limits = RetryPolicy::limits(given.retry_policy);
        given.retry_policy = Some(limits.into());
        let role_arn = given.role_arn.clone().unwrap_or_default();
        Ok(Self { given, role_arn, call, limits })
    }

    pub(super) fn dead_letter_queue(&self) -> Option<&str> {
        self.given.dead_letter_config.as_ref()?.arn.as_deref()
    }
}

fn templated(arn: &str, given: &TargetInput, place: &PlaceName) -> Result<Call, ServiceError> {
    let service = service_of(arn)
        .ok_or_else(|| validation(format!("Provided Arn is not in correct format. Arn: {arn}")))?;
    let unsupported = || match NOT_BUILT.contains(&service) {
        true => not_implemented(format_args!("a target of the service {service}")),
        false => validation(format!("{service} is not a supported service for a target.")),
    };
    let kind = TargetKind::of(arn).ok_or_else(unsupported)?;
    if region_of(arn) != &*place.region {
        let text = format!("The target ARN provided does not match the current region {}.", place.region);
        return Err(validation(text));
    }
    let own = match kind {
        TargetKind::Queue => "SqsParameters",
        TargetKind::Bus => "EventBridgeParameters",
        TargetKind::Topic | TargetKind::Function => "",
    };
    if let Some(other) = given.parameters().find(|name| *name != own) {
        return Err(validation(format!("Parameters {other} not supported for the target.")));
    }
    match kind {
        TargetKind::Queue => queue(arn, given),
        TargetKind::Topic => Ok(Call::Topic { arn: arn.to_owned() }),
        TargetKind::Function => {
            check_json(given)?;
            Ok(Call::Function { arn: arn.to_owned() })
        }
        TargetKind::Bus => {
            check_json(given)?;
            let missing = || validation("Parameters EventBridgeParameters must be specified.");
            let EventBridgeParameters { detail_type, source } =
                given.event_bridge_parameters.clone().ok_or_else(missing)?;
            let (detail_type, source) = (detail_type.unwrap_or_default(), source.unwrap_or_default());
            Ok(Call::Bus { arn: arn.to_owned(), detail_type, source })
        }
    }
}

/// A FIFO queue needs a group, and must deduplicate by content: there is no other id (semantics 3.8).
fn queue(arn: &str, given: &TargetInput) -> Result<Call, ServiceError> {
    let group_id = given.sqs_parameters.as_ref().and_then(|sqs| sqs.message_group_id.clone());
    match (arn.ends_with(".fifo"), &group_id) {
        (true, None) => Err(validation("Parameters SqsParameters must be specified.")),
        (false, Some(_)) => Err(validation("Parameters MessageGroupId not valid for the target.")),
        _ => Ok(Call::Queue { arn: arn.to_owned(), group_id }),
    }
}

/// Functions and buses take only JSON.
fn check_json(given: &TargetInput) -> Result<(), ServiceError> {
    match given.input.as_deref().map(serde_json::from_str::<Value>) {
        Some(Err(_)) => Err(validation("JSON syntax error in input for the target.")),
        _ => Ok(()),
    }
}

fn is_role(arn: &str) -> bool {
    let mut parts = arn.splitn(6, ':');
    let start = (parts.next(), parts.next().is_some_and(|partition| partition.starts_with("aws")));
    let service = (parts.next(), parts.next());
    let account = parts.next().is_some_and(crate::place::is_account);
    let name = parts.next().and_then(|resource| resource.strip_prefix("role/"));
    let is_name = |name: &str| {
        let is_one = |letter: char| letter.is_alphanumeric() || "_+=,.@/-".contains(letter);
        !name.is_empty() && name.chars().all(is_one)
    };
    start == (Some("arn"), true) && service == (Some("iam"), Some("")) && account && name.is_some_and(is_name)
}

fn is_standard_queue(arn: &str) -> bool {
    let name = crate::place::name_of(arn);
    service_of(arn) == Some("sqs")
        && crate::place::is_account(account_of(arn))
        && !name.is_empty()
        && name.bytes().all(crate::place::is_name_byte)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_role_goes_by_its_arn() {
        for arn in ["arn:aws:iam::123456789012:role/r", "arn:aws:iam::123456789012:role/service-role/a+b"] {
            assert!(is_role(arn), "{arn}");
        }
        for arn in [
            "r",
            "arn:aws:iam::1:role/r",
            "arn:aws:iam::123456789012:user/r",
            "arn:aws:iam::123456789012:role/",
        ] {
            assert!(!is_role(arn), "{arn}");
        }
    }

    #[test]
    fn a_dead_letter_queue_is_a_standard_queue() {
        assert!(is_standard_queue("arn:aws:sqs:us-east-1:123456789012:q"));
        for arn in ["arn:aws:sqs:us-east-1:123456789012:q.fifo", "arn:aws:sns:us-east-1:123456789012:q", "q"]
        {
            assert!(!is_standard_queue(arn), "{arn}");
        }
    }
}
