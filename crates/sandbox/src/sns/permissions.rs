//! AddPermission and RemovePermission: statements of a topic's policy.

use havoq_base::StackTime;
use havoq_wire::ServiceError;
use serde::Deserialize;
use serde_json::Value;

use super::TopicId;
use super::errors::{invalid, missing};
use crate::core::Core;
use crate::permission::{statement, statements};
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct AddPermission {
    topic_arn: Option<String>,
    label: Option<String>,
    #[serde(rename = "AWSAccountId")]
    accounts: Vec<String>,
    action_name: Vec<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RemovePermission {
    topic_arn: Option<String>,
    label: Option<String>,
}

/// What a statement can allow.
const ACTIONS: [&str; 8] = [
    "GetTopicAttributes",
    "SetTopicAttributes",
    "AddPermission",
    "RemovePermission",
    "DeleteTopic",
    "Subscribe",
    "ListSubscriptionsByTopic",
    "Publish",
];

impl Core {
    pub(crate) fn add_topic_permission(
        &mut self,
        now: StackTime,
        place: Place,
        input: AddPermission,
    ) -> Result<(), ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let label = input.label.ok_or_else(|| missing("Label"))?;
        if !input.action_name.iter().all(|action| ACTIONS.contains(&action.as_str())) {
            return Err(invalid("Policy statement action out of service scope!"));
        }
        let resource = self.topics.get(id)?.arn.to_string();
        let new = statement(&label, &input.accounts, "SNS", &input.action_name, &resource);
        self.edit_statements(id, |statements| {
            if statements.iter().any(|there| there["Sid"] == label) {
                return Err(invalid("Statement already exists"));
            }
            statements.push(new);
            Ok(())
        })
    }

    pub(crate) fn remove_topic_permission(
        &mut self,
        now: StackTime,
        place: Place,
        input: RemovePermission,
    ) -> Result<(), ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let label = input.label.ok_or_else(|| missing("Label"))?;
        self.edit_statements(id, |statements| {
            statements.retain(|there| there["Sid"] != label);
            Ok(())
        })
    }

    fn edit_statements(
        &mut self,
        id: TopicId,
        edit: impl FnOnce(&mut Vec<Value>) -> Result<(), ServiceError>,
    ) -> Result<(), ServiceError> {
        let topic = self.topics.get_mut(id)?;
        let mut policy: Value =
            serde_json::from_str(&topic.policy()).map_err(|_| invalid("Policy Error: null"))?;
        edit(statements(&mut policy))?;
        topic.attributes.policy = Some(policy.to_string());
        Ok(())
    }
}
