//! What the batch operations share (semantics 1.7).

use std::collections::BTreeSet;

use havoq_wire::{ServiceError, SqsError};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::apart::{Apart, Member};
use crate::place::is_name_byte;

/// The members that every batch has, the queue's URL apart.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase", bound = "T: Deserialize<'de>")]
pub(crate) struct Batch<T> {
    #[serde(default = "Vec::new")]
    entries: Vec<Apart<Id, T>>,
}

#[derive(Debug)]
struct Id;

impl Member for Id {
    const NAME: &'static str = "Id";
    /// One that is no text is complained of as an id.
    type Value = Option<Value>;
}

/// An entry of a batch: its id, and the input of the single operation.
#[derive(Debug)]
pub(crate) struct Entry<T> {
    pub(crate) id: String,
    pub(crate) input: T,
}

/// The result of a batch; a list without entries is absent.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Outcome<T> {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) successful: Vec<T>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) failed: Vec<Failure>,
}

/// The result of an entry that has none but its success.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Done {
    pub(crate) id: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Failure {
    pub(crate) id: String,
    pub(crate) sender_fault: bool,
    pub(crate) code: String,
    pub(crate) message: String,
}

const MOST: usize = 10;

impl<T> Batch<T> {
    /// The entries, unless something fails the call as a whole. `kind` is their type's name.
    pub(crate) fn entries(self, kind: &str) -> Result<Vec<Entry<T>>, ServiceError> {
        let count = self.entries.len();
        if count == 0 {
            let text = format!("There should be at least one {kind} in the request.");
            return Err(SqsError::EmptyBatchRequest.with(text));
        }
        if count > MOST {
            let text = format!("Maximum number of entries per request are {MOST}. You have sent {count}.");
            return Err(SqsError::TooManyEntriesInBatchRequest.with(text));
        }
        let mut ids = BTreeSet::new();
        let entries = self.entries.into_iter().map(|entry| {
            let id = checked_id(entry.member)?;
            if !ids.insert(id.clone()) {
                return Err(SqsError::BatchEntryIdsNotDistinct.with(format!("Id {id} repeated.")));
            }
            Ok(Entry { id, input: entry.rest })
        });
        entries.collect()
    }
}

fn checked_id(id: Option<Value>) -> Result<String, ServiceError> {
    match id {
        Some(Value::String(id)) if (1..=80).contains(&id.len()) && id.bytes().all(is_name_byte) => Ok(id),
        _ => Err(SqsError::InvalidBatchEntryId.with(
            "A batch entry id can only contain alphanumeric characters, hyphens and underscores. \
             It can be at most 80 letters long.",
        )),
    }
}

/// Does each entry by itself; an operation's result tells its entry's id.
pub(crate) fn run<I, T>(
    entries: Vec<Entry<I>>,
    mut operation: impl FnMut(String, I) -> Result<T, ServiceError>,
) -> Outcome<T> {
    let mut outcome = Outcome { successful: Vec::new(), failed: Vec::new() };
    for Entry { id, input } in entries {
        match operation(id.clone(), input) {
            Ok(result) => outcome.successful.push(result),
            Err(error) => outcome.failed.push(Failure {
                id,
                sender_fault: error.sender,
                code: error.query_code.into_owned(),
                message: error.message,
            }),
        }
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqs::parse;
    use serde_json::json;

    fn error(entries: Value) -> ServiceError {
        let batch: Batch<Value> = parse(json!({ "Entries": entries })).expect("a batch");
        batch.entries("SendMessageBatchRequestEntry").expect_err("refused as a whole")
    }

    #[test]
    fn whole_call_errors_have_prefixed_codes() {
        let twenty: Vec<_> = (0..20).map(|n| json!({ "Id": n.to_string() })).collect();
        let many = error(json!(twenty));
        assert_eq!(many.query_code, "AWS.SimpleQueueService.TooManyEntriesInBatchRequest");
        assert_eq!(many.message, "Maximum number of entries per request are 10. You have sent 20.");
        assert_eq!(error(json!([])).query_code, "AWS.SimpleQueueService.EmptyBatchRequest");
        let twice = error(json!([{ "Id": "a" }, { "Id": "a" }]));
        assert_eq!(twice.query_code, "AWS.SimpleQueueService.BatchEntryIdsNotDistinct");
        for id in [json!({ "Id": "a b" }), json!({ "Id": "" }), json!({}), json!({ "Id": "x".repeat(81) })] {
            assert_eq!(error(json!([id])).query_code, "AWS.SimpleQueueService.InvalidBatchEntryId");
        }
    }
}
