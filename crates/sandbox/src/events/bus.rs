//! One bus.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::bus_policy::BusPolicy;
use super::names::BusKey;
use super::rule::Rule;
use crate::targets::DeadLetterConfig;

/// What a bus is set to, beside its policy. Events are not encrypted and nothing is logged: of a key
/// and a log only their names are kept.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct BusSettings {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) description: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) kms_key_identifier: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) dead_letter_config: Option<DeadLetterConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) log_config: Option<Value>,
}

#[derive(Debug)]
pub(super) struct Bus {
    pub(super) key: BusKey,
    pub(super) arn: String,
    pub(super) settings: BusSettings,
    pub(super) policy: Option<BusPolicy>,
    pub(super) tags: BTreeMap<String, String>,
    /// By name.
    pub(super) rules: BTreeMap<Arc<str>, Rule>,
    /// None for the default bus, which nobody created.
    pub(super) created: Option<StackTime>,
    pub(super) modified: Option<StackTime>,
}

impl Bus {
    pub(super) fn new(key: BusKey, arn: String) -> Self {
        Self {
            key,
            arn,
            settings: BusSettings::default(),
            policy: None,
            tags: BTreeMap::new(),
            rules: BTreeMap::new(),
            created: None,
            modified: None,
        }
    }
}
