//! Parts of a target that rules and schedules write alike.

use serde::{Deserialize, Serialize};

/// Where goes what a target did not take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct DeadLetterConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) arn: Option<String>,
}

/// What a FIFO queue needs to know.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct SqsParameters {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) message_group_id: Option<String>,
}
