//! The calls by which the embedded stack makes what has no type of its own in havoq: pure functions
//! from the template's resources to inputs in the API's names. Nothing is called here.

mod functions;
mod made;
mod messaging;
#[cfg(test)]
mod tests;

use havoq_wire::Service;
use serde_json::Value;

pub(super) use functions::function;
pub(super) use made::made;
pub(super) use messaging::topic;

/// One call.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ApiCall {
    pub(super) service: Service,
    pub(super) operation: &'static str,
    pub(super) input: Value,
}

/// The members under which answers tell the ARN of what was made.
const ARNS: [&str; 9] = [
    "EventBusArn",
    "RuleArn",
    "ArchiveArn",
    "ScheduleArn",
    "SubscriptionArn",
    "TopicArn",
    "FunctionArn",
    "TableArn",
    "Arn",
];

/// The ARN of what was made, as the answer tells it; empty for what has none.
pub(super) fn arn_in(answer: &Value) -> String {
    let told = answer.get("TableDescription").unwrap_or(answer);
    let arn = ARNS.iter().find_map(|member| told.get(*member)?.as_str());
    arn.unwrap_or_default().to_owned()
}
