//! One entry of PutEvents, and what is wrong with it (semantics 3.1).

use std::fmt;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(super) struct Entry {
    /// In seconds since the epoch.
    pub(super) time: Option<f64>,
    pub(super) source: Option<String>,
    pub(super) resources: Vec<String>,
    pub(super) detail_type: Option<String>,
    pub(super) detail: Option<String>,
    pub(super) event_bus_name: Option<String>,
    pub(super) trace_header: Option<String>,
}

/// What an entry came to.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum EntryResult {
    #[serde(rename_all = "PascalCase")]
    Taken {
        event_id: MessageId,
    },
    Failed(EntryError),
}

#[derive(Debug, PartialEq, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct EntryError {
    pub(super) error_code: &'static str,
    pub(super) error_message: String,
}

/// What there is of a sound entry.
#[derive(Debug)]
pub(super) struct Sound<'a> {
    pub(super) source: &'a str,
    pub(super) detail_type: &'a str,
    pub(super) detail: Value,
    pub(super) time: Option<StackTime>,
}

impl Entry {
    /// What counts for the size of a request (semantics 3.1).
    pub(super) fn size(&self) -> usize {
        let texts = [&self.source, &self.detail_type, &self.detail].into_iter().flatten();
        let texts: usize = texts.chain(&self.resources).map(String::len).sum();
        texts + if self.time.is_some() { 14 } else { 0 }
    }

    pub(super) fn check(&self) -> Result<Sound<'_>, EntryError> {
        let source = required("Source", self.source.as_deref())?;
        let detail_type = required("DetailType", self.detail_type.as_deref())?;
        let detail = required("Detail", self.detail.as_deref())?;
        // Sources of AWS's own are reserved, and AWS says so in these words.
        if source.starts_with("aws.") {
            return Err(error("NotAuthorizedForSourceException", "Not authorized for the source."));
        }
        let detail = serde_json::from_str(detail).ok().filter(Value::is_object);
        let detail = detail.ok_or_else(|| error("MalformedDetail", "Detail is malformed."))?;
        let time = self.time.map(|seconds| StackTime::from_micros((seconds.max(0.0) * 1e6) as u64));
        Ok(Sound { source, detail_type, detail, time })
    }
}

fn required<'a>(name: &str, value: Option<&'a str>) -> Result<&'a str, EntryError> {
    let missing = || {
        let text = format!("Parameter {name} is not valid. Reason: {name} is a required argument.");
        error("InvalidArgument", text)
    };
    value.filter(|value| !value.is_empty()).ok_or_else(missing)
}

pub(super) fn error(error_code: &'static str, error_message: impl Into<String>) -> EntryError {
    EntryError { error_code, error_message: error_message.into() }
}

/// As AWS's front end writes it in a complaint about a list.
impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |value: &Option<String>| value.as_deref().unwrap_or("null").to_owned();
        let resources = match &self.resources[..] {
            [] => "null".to_owned(),
            all => format!("[{}]", all.join(", ")),
        };
        write!(
            f,
            "PutEventsRequestEntry(time={}, source={}, resources={resources}, detailType={}, detail={}, \
             eventBusName={}, traceHeader={}, kmsKeyIdentifier=null, internalMetadata=null)",
            self.time.map_or_else(|| "null".to_owned(), |time| time.to_string()),
            text(&self.source),
            text(&self.detail_type),
            text(&self.detail),
            text(&self.event_bus_name),
            text(&self.trace_header),
        )
    }
}
