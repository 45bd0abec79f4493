//! PublishBatch. What is wrong with one entry fails the call as a whole, as on AWS.

use std::collections::BTreeSet;

use havoq_base::StackTime;
use havoq_base::ids::MessageId;
use havoq_wire::{ServiceError, SnsError};
use serde::{Deserialize, Serialize};

use super::publish::{Publish, Published};
use crate::core::Core;
use crate::place::{Place, is_name_byte};

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PublishBatch {
    topic_arn: Option<String>,
    publish_batch_request_entries: Vec<Publish>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct BatchPublished {
    successful: Vec<EntryPublished>,
    failed: [(); 0],
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct EntryPublished {
    id: String,
    message_id: MessageId,
    #[serde(skip_serializing_if = "Option::is_none")]
    sequence_number: Option<String>,
}

const MOST: usize = 10;

impl Core {
    pub(crate) fn publish_batch(
        &mut self,
        now: StackTime,
        place: Place,
        input: PublishBatch,
        trace_header: Option<String>,
    ) -> Result<BatchPublished, ServiceError> {
        let id = self.topic_of(now, place, input.topic_arn.as_deref())?;
        let entries = input.publish_batch_request_entries;
        check_entries(&entries)?;
        let attributes = &self.topics.get(id)?.attributes;
        let drafts = entries.into_iter().enumerate().map(|(index, mut entry)| {
            let path = format!("publishBatchRequestEntries.{}.member.", index + 1);
            let id = std::mem::take(&mut entry.id);
            Ok((id, entry.check(attributes, &path)?))
        });
        let drafts = drafts.collect::<Result<Vec<_>, ServiceError>>()?;
        if drafts.iter().map(|(_, draft)| draft.size).sum::<u64>() > attributes.message_limit() {
            return Err(SnsError::BatchRequestTooLong
                .with("The length of all the messages put together is more than the limit."));
        }
        let published = drafts.into_iter().map(|(entry, draft)| {
            let Published { message_id, sequence_number } =
                self.accept(now, id, draft, trace_header.clone())?;
            Ok(EntryPublished { id: entry, message_id, sequence_number })
        });
        Ok(BatchPublished { successful: published.collect::<Result<_, ServiceError>>()?, failed: [] })
    }
}

fn check_entries(entries: &[Publish]) -> Result<(), ServiceError> {
    if entries.is_empty() {
        return Err(SnsError::EmptyBatchRequest.with("The batch request doesn't contain any entries."));
    }
    if entries.len() > MOST {
        return Err(SnsError::TooManyEntriesInBatchRequest
            .with("The batch request contains more entries than permissible."));
    }
    for Publish { id, .. } in entries {
        let wrong = |what: &str| {
            SnsError::InvalidBatchEntryId
                .with(format!("The Id of a batch entry in the batch request {what}: {id}"))
        };
        if id.len() > 80 {
            return Err(wrong("is too long"));
        }
        if id.is_empty() || !id.bytes().all(is_name_byte) {
            return Err(wrong("contains an impermissible character"));
        }
    }
    let ids: BTreeSet<_> = entries.iter().map(|entry| &entry.id).collect();
    if ids.len() < entries.len() {
        return Err(SnsError::BatchEntryIdsNotDistinct
            .with("Two or more batch entries in the request have the same Id."));
    }
    Ok(())
}
