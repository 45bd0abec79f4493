//! What answers say of a pipe.

use serde::Serialize;

use super::input::Spec;
use super::pipe::{Pipe, State};
use crate::cloudwatch::epoch;

/// What all operations on a pipe answer.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Changed {
    arn: String,
    name: String,
    desired_state: &'static str,
    current_state: &'static str,
    creation_time: f64,
    last_modified_time: f64,
}

#[derive(Debug, Serialize)]
pub(crate) struct Described {
    #[serde(flatten)]
    changed: Changed,
    #[serde(flatten)]
    spec: Spec,
    #[serde(rename = "Tags")]
    tags: std::collections::BTreeMap<String, String>,
}

/// One pipe of a list.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    #[serde(flatten)]
    changed: Changed,
    #[serde(rename = "Source")]
    source: String,
    #[serde(rename = "Target")]
    target: String,
    #[serde(rename = "Enrichment", skip_serializing_if = "Option::is_none")]
    enrichment: Option<String>,
}

impl State {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Running => "RUNNING",
            Self::Stopped => "STOPPED",
            Self::Deleting => "DELETING",
        }
    }
}

impl Pipe {
    /// `passing` is a state that AWS shows for a while after a change.
    pub(super) fn changed(&self, passing: Option<&'static str>) -> Changed {
        Changed {
            arn: self.arn.clone(),
            name: self.name.clone(),
            desired_state: if self.state == State::Deleting { "DELETED" } else { self.state.name() },
            current_state: passing.unwrap_or(self.state.name()),
            creation_time: epoch(self.created),
            last_modified_time: epoch(self.modified),
        }
    }

    pub(super) fn described(&self) -> Described {
        Described { changed: self.changed(None), spec: self.spec.clone(), tags: self.tags.clone() }
    }

    pub(super) fn listed(&self) -> Listed {
        Listed {
            changed: self.changed(None),
            source: self.spec.source.clone(),
            target: self.spec.target.clone(),
            enrichment: self.spec.enrichment.clone(),
        }
    }
}
