//! What answers say of a function.

use std::collections::BTreeMap;

use havoq_lambda::{Code, LATEST};
use serde::Serialize;

use super::function::Function;
use crate::cloudwatch::iso;

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Configuration {
    function_name: String,
    function_arn: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    runtime: Option<String>,
    role: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    handler: Option<String>,
    code_size: u64,
    code_sha256: String,
    description: String,
    timeout: u64,
    memory_size: u32,
    last_modified: String,
    version: &'static str,
    environment: Environment,
    #[serde(skip_serializing_if = "Option::is_none")]
    dead_letter_config: Option<DeadLetterConfig>,
    tracing_config: Tracing,
    revision_id: String,
    state: &'static str,
    last_update_status: &'static str,
    package_type: &'static str,
    architectures: [&'static str; 1],
    ephemeral_storage: EphemeralStorage,
    logging_config: Logging,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Environment {
    variables: BTreeMap<String, String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct DeadLetterConfig {
    target_arn: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Tracing {
    mode: &'static str,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct EphemeralStorage {
    size: u32,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct Logging {
    log_format: &'static str,
    log_group: String,
}

impl Configuration {
    pub(super) fn of(function: &Function) -> Self {
        let spec = &function.spec;
        let is_zip = spec.runtime.is_some() || matches!(spec.code, Code::Zip(_));
        Self {
            function_name: spec.name.clone(),
            function_arn: spec.arn.clone(),
            runtime: spec.runtime.clone(),
            role: function.role.clone(),
            handler: spec.handler.clone(),
            code_size: function.code_size,
            code_sha256: function.code_sha256.clone(),
            description: function.description.clone(),
            timeout: spec.timeout.as_secs(),
            memory_size: spec.memory_mb,
            last_modified: iso(function.modified),
            version: LATEST,
            environment: Environment { variables: spec.environment.clone() },
            dead_letter_config: function
                .dead_letters
                .clone()
                .map(|target_arn| DeadLetterConfig { target_arn }),
            tracing_config: Tracing { mode: "PassThrough" },
            revision_id: function.revision.clone(),
            state: "Active",
            last_update_status: "Successful",
            package_type: if is_zip { "Zip" } else { "Image" },
            architectures: ["x86_64"],
            ephemeral_storage: EphemeralStorage { size: 512 },
            logging_config: Logging { log_format: "Text", log_group: format!("/aws/lambda/{}", spec.name) },
        }
    }
}
