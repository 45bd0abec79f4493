//! AddPermission and RemovePermission: statements of a queue's policy, added and removed by name.

use std::collections::BTreeMap;

use havoq_base::StackTime;
use havoq_wire::{ServiceError, SqsError};
use serde::Deserialize;
use serde_json::{Value, json};

use super::QueueId;
use super::errors::{invalid_value, missing};
use super::policy::{MOST_STATEMENTS, is_owners_alone};
use crate::core::Core;
use crate::permission::{statement, statements};
use crate::place::{is_account, is_name_byte};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AddPermission {
    label: String,
    #[serde(rename = "AWSAccountIds")]
    accounts: Vec<String>,
    actions: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RemovePermission {
    label: String,
}

/// What can be shared.
const SHARED: [&str; 9] = [
    "*",
    "ChangeMessageVisibility",
    "DeleteMessage",
    "GetQueueAttributes",
    "GetQueueUrl",
    "ListDeadLetterSourceQueues",
    "PurgeQueue",
    "ReceiveMessage",
    "SendMessage",
];

/// How many actions one permission can name.
const MOST_ACTIONS: usize = 7;

impl AddPermission {
    fn check(&self) -> Result<(), ServiceError> {
        let label = &self.label;
        if label.is_empty() {
            return Err(missing("Label"));
        }
        if label.len() > 80 || !label.bytes().all(is_name_byte) {
            let reason =
                "Can only include alphanumeric characters, hyphens, or underscores. 1 to 80 in length";
            return Err(invalid_value(label, "Label", reason));
        }
        if self.accounts.is_empty() {
            return Err(missing("AWSAccountIds"));
        }
        if !self.accounts.iter().all(|account| is_account(account)) {
            let value = format!("[{}]", self.accounts.join(", "));
            return Err(invalid_value(value, "PrincipalId", "Unable to verify."));
        }
        if self.actions.is_empty() {
            return Err(missing("ActionName"));
        }
        self.actions.iter().try_for_each(|action| check_action(action))?;
        let count = self.actions.len();
        if count > MOST_ACTIONS {
            let text = format!("{count} Actions were found, maximum allowed is {MOST_ACTIONS}.");
            return Err(SqsError::OverLimit.with(text));
        }
        Ok(())
    }
}

fn check_action(action: &str) -> Result<(), ServiceError> {
    if SHARED.contains(&action) {
        return Ok(());
    }
    let reason = if is_owners_alone(action) {
        "Only the queue owner is allowed to invoke this action."
    } else {
        "Please refer to the appropriate WSDL for a list of valid actions."
    };
    Err(invalid_value(format!("SQS:{action}"), "ActionName", reason))
}

impl Core {
    pub(crate) fn add_queue_permission(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: AddPermission,
    ) -> Result<(), ServiceError> {
        input.check()?;
        let queue = self.queues.get(id)?;
        let mut policy = self.policy_of(id)?.unwrap_or_else(|| {
            let name = format!("{}/SQSDefaultPolicy", queue.arn);
            json!({ "Version": "2008-10-17", "Id": name, "Statement": [] })
        });
        let new = statement(&input.label, &input.accounts, "SQS", &input.actions, &queue.arn);
        let statements = statements(&mut policy);
        if statements.contains(&new) {
            return Ok(());
        }
        if statements.iter().any(|statement| statement["Sid"] == input.label) {
            return Err(invalid_value(&input.label, "Label", "Already exists."));
        }
        let count = statements.len() + 1;
        if count > MOST_STATEMENTS {
            let text = format!("{count} Statements were found, maximum allowed is {MOST_STATEMENTS}.");
            return Err(SqsError::OverLimit.with(text));
        }
        statements.push(new);
        self.set_policy(now, id, policy.to_string())
    }

    pub(crate) fn remove_queue_permission(
        &mut self,
        now: StackTime,
        id: QueueId,
        input: RemovePermission,
    ) -> Result<(), ServiceError> {
        let label = Some(input.label).filter(|label| !label.is_empty()).ok_or_else(|| missing("Label"))?;
        let mut policy = self.policy_of(id)?.unwrap_or_default();
        let statements = statements(&mut policy);
        let before = statements.len();
        statements.retain(|statement| statement["Sid"] != label);
        if statements.len() == before {
            return Err(invalid_value(label, "Label", "can't find label."));
        }
        let text = if statements.is_empty() { String::new() } else { policy.to_string() };
        self.set_policy(now, id, text)
    }

    fn policy_of(&self, id: QueueId) -> Result<Option<Value>, ServiceError> {
        let policy = &self.queues.get(id)?.attributes.policy;
        Ok(policy.as_ref().and_then(|policy| serde_json::from_str(&policy.text).ok()))
    }

    fn set_policy(&mut self, now: StackTime, id: QueueId, text: String) -> Result<(), ServiceError> {
        let queue = self.queues.get_mut(id)?;
        queue.attributes = queue.attributes.with(&BTreeMap::from([("Policy".to_owned(), text)]))?;
        queue.modified = now;
        Ok(())
    }
}
