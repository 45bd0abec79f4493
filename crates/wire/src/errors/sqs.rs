//! The errors of SQS's model (semantics 1.15).

use super::modelled::modelled;

modelled! {
    /// The errors of SQS. Those of every service are in [`CommonError`](super::CommonError).
    SqsError of Sqs {
        BatchEntryIdsNotDistinct => "BatchEntryIdsNotDistinct",
        BatchRequestTooLong => "BatchRequestTooLong",
        EmptyBatchRequest => "EmptyBatchRequest",
        InvalidAddress => "InvalidAddress",
        InvalidAttributeName => "InvalidAttributeName",
        InvalidAttributeValue => "InvalidAttributeValue",
        InvalidBatchEntryId => "InvalidBatchEntryId",
        InvalidMessageContents => "InvalidMessageContents",
        MessageNotInflight => "MessageNotInflight",
        OverLimit => "OverLimit",
        PurgeQueueInProgress => "PurgeQueueInProgress",
        QueueDeletedRecently => "QueueDeletedRecently",
        QueueDoesNotExist => "QueueDoesNotExist",
        QueueNameExists => "QueueNameExists",
        ReceiptHandleIsInvalid => "ReceiptHandleIsInvalid",
        RequestThrottled => "RequestThrottled",
        ResourceNotFound => "ResourceNotFoundException",
        TooManyEntriesInBatchRequest => "TooManyEntriesInBatchRequest",
        UnsupportedOperation => "UnsupportedOperation",
    }
}
