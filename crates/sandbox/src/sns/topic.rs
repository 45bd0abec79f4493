//! One topic.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;

use super::archive::Archive;
use super::dedup::Fifo;
use super::metrics::Counters;
use super::topic_attributes::TopicAttributes;
use super::{SubscriptionId, TopicId};
use crate::place::{Place, account_of, name_of, region_of};

#[derive(Debug)]
pub(super) struct Topic {
    pub(super) id: TopicId,
    pub(super) place: Place,
    pub(super) arn: Arc<str>,
    pub(super) attributes: TopicAttributes,
    pub(super) tags: BTreeMap<String, String>,
    /// In the order in which they were made.
    pub(super) subscriptions: Vec<SubscriptionId>,
    pub(super) subscriptions_deleted: u64,
    /// The last call on it (semantics 2.5).
    pub(super) last_action: StackTime,
    pub(super) counters: Counters,
    /// What a FIFO topic remembers.
    pub(super) fifo: Fifo,
    pub(super) archive: Archive,
}

impl Topic {
    /// The last part of the ARN.
    pub(super) fn name(&self) -> &str {
        name_of(&self.arn)
    }

    pub(super) fn account(&self) -> &str {
        account_of(&self.arn)
    }

    pub(super) fn region(&self) -> &str {
        region_of(&self.arn)
    }

    /// The policy that is in force; the default one lets the owner's account do everything.
    pub(super) fn policy(&self) -> String {
        self.attributes.policy.clone().unwrap_or_else(|| default_policy(&self.arn, self.account()))
    }
}

fn default_policy(arn: &str, account: &str) -> String {
    serde_json::json!({
        "Version": "2008-10-17",
        "Id": "__default_policy_ID",
        "Statement": [{
            "Sid": "__default_statement_ID",
            "Effect": "Allow",
            "Principal": { "AWS": "*" },
            "Action": [
                "SNS:GetTopicAttributes",
                "SNS:SetTopicAttributes",
                "SNS:AddPermission",
                "SNS:RemovePermission",
                "SNS:DeleteTopic",
                "SNS:Subscribe",
                "SNS:ListSubscriptionsByTopic",
                "SNS:Publish",
            ],
            "Resource": arn,
            "Condition": { "StringEquals": { "AWS:SourceOwner": account } },
        }],
    })
    .to_string()
}
