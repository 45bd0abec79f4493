//! Members that the APIs of several services share when they speak of targets.

use serde::{Deserialize, Serialize};

/// Where goes what a target did not take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DeadLetterConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arn: Option<String>,
}

/// What a queue is told beside the message.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SqsParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message_group_id: Option<String>,
}
