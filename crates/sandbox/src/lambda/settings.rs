//! The settings that CreateFunction and UpdateFunctionConfiguration share. Those that change
//! nothing here, such as layers or a network, are taken and not told again.

use std::collections::BTreeMap;

use havoq_base::StackDuration;
use havoq_lambda::FunctionSpec;
use havoq_wire::ServiceError;
use serde::Deserialize;

use super::errors::{invalid, validation};
use super::function::Function;
use crate::checks::Checks;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Settings {
    pub(super) runtime: Option<String>,
    pub(super) role: Option<String>,
    handler: Option<String>,
    description: Option<String>,
    timeout: Option<i64>,
    memory_size: Option<i64>,
    environment: Option<Environment>,
    dead_letter_config: Option<DeadLetterConfig>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct Environment {
    variables: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
struct DeadLetterConfig {
    target_arn: Option<String>,
}

/// The most bytes of all variables, as JSON.
const LARGEST_ENVIRONMENT: usize = 4_096;

impl Settings {
    pub(super) fn check(&self) -> Result<(), ServiceError> {
        let mut checks = Checks::default();
        checks.range("timeout", self.timeout, 1, 900);
        checks.range("memorySize", self.memory_size, 128, 10_240);
        checks.length("description", self.description.as_deref(), 0, 256);
        if let Some(role) = self.role.as_deref().filter(|role| !is_role(role)) {
            let pattern = "arn:(aws[a-zA-Z-]*)?:iam::\\d{12}:role/?[a-zA-Z_0-9+=,.@\\-_/]+";
            checks.fail(
                format!("'{role}'"),
                "role",
                format!("satisfy regular expression pattern: {pattern}"),
            );
        }
        checks.done(validation)?;
        if let Some(environment) = &self.environment {
            let text = serde_json::Value::from_iter(environment.variables.clone()).to_string();
            if text.len() > LARGEST_ENVIRONMENT {
                return Err(invalid(format!(
                    "Lambda was unable to configure your environment variables because the environment variables you \
                     have provided exceeded the 4KB limit. String measured: {text}"
                )));
            }
        }
        let target = self.dead_letter_config.as_ref().and_then(|config| config.target_arn.as_deref());
        match target.filter(|arn| !arn.is_empty()) {
            Some(arn) if !is_dead_letter_target(arn) => {
                Err(invalid(format!("The provided target ARN {arn} is not an SQS queue or an SNS topic.")))
            }
            _ => Ok(()),
        }
    }

    /// Puts what is given in the place of what is there.
    pub(super) fn apply(self, function: &mut Function) {
        let mut spec = FunctionSpec::clone(&function.spec);
        if self.runtime.is_some() {
            spec.runtime = self.runtime;
        }
        if self.handler.is_some() {
            spec.handler = self.handler;
        }
        if let Some(timeout) = self.timeout {
            spec.timeout = StackDuration::from_secs(timeout.unsigned_abs());
        }
        if let Some(memory) = self.memory_size {
            spec.memory_mb = u32::try_from(memory).unwrap_or(spec.memory_mb);
        }
        if let Some(environment) = self.environment {
            spec.environment = environment.variables;
        }
        function.spec = std::sync::Arc::new(spec);
        if let Some(role) = self.role {
            function.role = role;
        }
        if let Some(description) = self.description {
            function.description = description;
        }
        if let Some(config) = self.dead_letter_config {
            function.dead_letters = config.target_arn.filter(|arn| !arn.is_empty());
        }
    }
}

fn is_role(arn: &str) -> bool {
    matches!(arn.split(':').collect::<Vec<_>>()[..], ["arn", _, "iam", "", account, role]
        if crate::place::is_account(account) && role.starts_with("role/") && role.len() > 5)
}

/// Standard queues and topics only (semantics 5.6).
fn is_dead_letter_target(arn: &str) -> bool {
    let service = arn.split(':').nth(2);
    arn.split(':').count() == 6 && matches!(service, Some("sqs" | "sns")) && !arn.ends_with(".fifo")
}
