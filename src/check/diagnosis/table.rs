//! The diagnoses that havoq can make, in plain words. docs/verdicts.md carries the same table.

/// An anti-pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnosis {
    pub id: &'static str,
    pub title: &'static str,
    /// The usual fix.
    pub fix: &'static str,
}

/// The diagnosis with this id.
pub fn known(id: &str) -> Option<&'static Diagnosis> {
    TABLE.iter().find(|diagnosis| diagnosis.id == id)
}

/// All that havoq can make, for the docs and for reports.
pub fn diagnoses() -> &'static [Diagnosis] {
    TABLE
}

const TABLE: &[Diagnosis] = &[
    Diagnosis {
        id: "no-idempotency",
        title: "the consumer repeats its side effect when a message comes again",
        fix: "record the message id or a business key together with the effect, and skip what is recorded",
    },
    Diagnosis {
        id: "deleted-before-effect",
        title: "the message is deleted before its work is done",
        fix: "delete only after the side effect has committed",
    },
    Diagnosis {
        id: "marked-before-effect",
        title: "the message is marked as done before its work is done, so a retry skips it",
        fix: "write the mark together with the effect or after it, or let an unfinished mark lapse",
    },
    Diagnosis {
        id: "swallowed-error",
        title: "the consumer deletes a message that it could not process",
        fix: "let the failure leave the message in the queue, so that the redrive policy can dead-letter it",
    },
    Diagnosis {
        id: "never-deleted",
        title: "the effect is committed and the message is never deleted",
        fix: "delete (acknowledge) the message once its effect has committed",
    },
    Diagnosis {
        id: "crashes-on-poison",
        title: "an invalid message ends the consumer's process",
        fix: "catch the failure of one message, leave that message to the dead-letter queue and go on",
    },
    Diagnosis {
        id: "effect-from-invalid-message",
        title: "a message that should have been refused caused a side effect",
        fix: "validate the whole message before the first side effect",
    },
    Diagnosis {
        id: "visibility-shorter-than-processing",
        title: "the visibility timeout ends while the message is still being processed",
        fix: "set the visibility timeout above the longest processing time (6 x a Lambda function's timeout), or extend it by heartbeat",
    },
    Diagnosis {
        id: "cannot-delete",
        title: "the consumer is not allowed to delete what it has processed",
        fix: "allow it sqs:DeleteMessage on the queue, and alert when deletes are denied",
    },
    Diagnosis {
        id: "delete-failure-ignored",
        title: "a delete failed and was not tried again",
        fix: "check each entry of DeleteMessageBatch, retry what failed, and alert on what cannot be deleted",
    },
    Diagnosis {
        id: "retry-burn",
        title: "failures set the visibility to 0, so all receives are used up at once",
        fix: "back off: leave the visibility timeout as it is or set a growing one",
    },
    Diagnosis {
        id: "no-dlq",
        title: "the queue has no dead-letter queue, so a failing message comes back until it expires",
        fix: "give the queue a RedrivePolicy with a monitored dead-letter queue",
    },
    Diagnosis {
        id: "max-receive-count-one",
        title: "maxReceiveCount 1 dead-letters a message on the first crash or transient error",
        fix: "set maxReceiveCount to 3 to 5",
    },
    Diagnosis {
        id: "report-ignored",
        title: "the function reports failed messages, and its mapping does not ask for reports",
        fix: "set FunctionResponseTypes to ReportBatchItemFailures on the event source mapping",
    },
    Diagnosis {
        id: "throttled-into-dlq",
        title: "the function had no concurrency free, and each refused invocation used up a receive",
        fix: "limit the mapping with MaximumConcurrency instead, and set maxReceiveCount to 5 or more",
    },
    Diagnosis {
        id: "whole-batch-retry",
        title: "a message whose work was done comes back with the rest of its batch",
        fix: "report only the messages that failed (ReportBatchItemFailures), and make the work idempotent",
    },
    Diagnosis {
        id: "done-and-dead-lettered",
        title: "a message whose work was done is dead-lettered, since each later receive refused it",
        fix: "let in-progress marks lapse before the last receive, and delete what is found to be done",
    },
    Diagnosis {
        id: "alarm-cannot-fire",
        title: "the alarm watches something that never shows the failure",
        fix: "watch the Maximum of ApproximateNumberOfMessagesVisible in AWS/SQS, with the dead-letter queue's QueueName",
    },
    Diagnosis {
        id: "alarm-on-drained-dlq",
        title: "the alarm watches the depth of a dead-letter queue that a consumer drains",
        fix: "alarm on arrivals, or let nothing but a redrive take messages out of the dead-letter queue",
    },
    Diagnosis {
        id: "poison-loop",
        title: "a message was redriven while its cause was not fixed, and was dead-lettered again",
        fix: "fix and deploy the consumer first, then redrive",
    },
    Diagnosis {
        id: "unknown",
        title: "the history does not show a known anti-pattern",
        fix: "read the story above event by event",
    },
];
