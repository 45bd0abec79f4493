//! What becomes of a batch when its invocation has ended (semantics 5.2), and why.

use std::fmt;

use crate::report::{Report, Void};
use crate::returned::Returned;

/// Whether a mapping asks its function which items failed: FunctionResponseTypes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reporting {
    /// It does not: what the function answers counts for nothing.
    #[default]
    None,
    /// ReportBatchItemFailures.
    BatchItemFailures,
}

/// Which items failed, and why they count as failed or done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub failed: Failed,
    pub reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    None,
    All,
    /// By their ids.
    These(Vec<String>),
}

/// Why messages were deleted or came back, in words that a report can build on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The function answered, and said of no message that it failed.
    Succeeded,
    /// The function reported these messages, and its mapping does not ask for reports: they were
    /// deleted with the rest.
    ReportIgnored { reported: Vec<String> },
    /// The function reported some messages, and the report counts.
    Reported,
    /// The function's report says nothing, so all messages count as failed.
    ReportVoid(Void),
    /// The function, or what ran it, failed with this type of error.
    Failed { error_type: String },
    /// No concurrency was free for the function until the messages were back in their queue.
    Throttled,
    /// The messages were not handed to the function before they were back in their queue.
    LeftOver,
    /// The mapping's filter does not want them.
    Filtered,
}

impl Outcome {
    /// What comes of a batch of items with these ids.
    pub fn of<'a>(
        reporting: Reporting,
        ids: impl Iterator<Item = &'a str> + Clone,
        returned: &Returned,
    ) -> Self {
        let Returned::Response(answer) = returned else {
            let error_type = returned.error_type().unwrap_or_default();
            return Self { failed: Failed::All, reason: Reason::Failed { error_type } };
        };
        let report = Report::read(answer, |id| ids.clone().any(|own| own == id));
        match (reporting, report) {
            (Reporting::None, Report::Failed(reported)) => {
                Self { failed: Failed::None, reason: Reason::ReportIgnored { reported } }
            }
            (Reporting::None, _) | (_, Report::Clean) => {
                Self { failed: Failed::None, reason: Reason::Succeeded }
            }
            (_, Report::Failed(ids)) => Self { failed: Failed::These(ids), reason: Reason::Reported },
            (_, Report::Void(void)) => Self { failed: Failed::All, reason: Reason::ReportVoid(void) },
        }
    }

    /// Whether the item of this id failed.
    pub fn fails(&self, id: &str) -> bool {
        match &self.failed {
            Failed::None => false,
            Failed::All => true,
            Failed::These(ids) => ids.iter().any(|failed| failed == id),
        }
    }
}

impl Reason {
    /// One word for each, for those who compare.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::ReportIgnored { .. } => "report-ignored",
            Self::Reported => "reported",
            Self::ReportVoid(_) => "report-void",
            Self::Failed { .. } => "failed",
            Self::Throttled => "throttled",
            Self::LeftOver => "left-over",
            Self::Filtered => "filtered",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Succeeded => f.write_str("the function succeeded"),
            Self::ReportIgnored { reported } => write!(
                f,
                "the function reported {} failed, but the mapping lacks ReportBatchItemFailures",
                counted(reported.len())
            ),
            Self::Reported => f.write_str("the function reported which messages failed"),
            Self::ReportVoid(void) => write!(f, "the report is void, so the whole batch failed: {void}"),
            Self::Failed { error_type } => write!(f, "the function failed with {error_type}"),
            Self::Throttled => {
                f.write_str("no concurrency was free for the function within the visibility timeout")
            }
            Self::LeftOver => f.write_str("not handed to the function within the visibility timeout"),
            Self::Filtered => f.write_str("the mapping's filter does not match"),
        }
    }
}

fn counted(messages: usize) -> String {
    if messages == 1 { "1 message".to_owned() } else { format!("{messages} messages") }
}

#[cfg(test)]
mod tests {
    use bytes::Bytes;
    use havoq_base::StackDuration;

    use super::*;
    use crate::returned::Exit;

    const BATCH: [&str; 3] = ["m-1", "m-2", "m-3"];

    fn outcome(reporting: Reporting, answer: &'static str) -> Outcome {
        let returned = Returned::Response(Bytes::from_static(answer.as_bytes()));
        Outcome::of(reporting, BATCH.into_iter(), &returned)
    }

    fn reported(answer: &'static str) -> Outcome {
        outcome(Reporting::BatchItemFailures, answer)
    }

    #[test]
    fn without_report_batch_item_failures_a_normal_return_deletes_all() {
        for answer in ["", "null", "{}", "\"done\"", "not json", r#"{"batchItemFailures":[{"foo":"x"}]}"#] {
            let outcome = outcome(Reporting::None, answer);
            assert_eq!((outcome.failed, outcome.reason), (Failed::None, Reason::Succeeded), "{answer}");
        }
    }

    #[test]
    fn a_report_is_ignored_when_the_mapping_lacks_report_batch_item_failures() {
        let outcome = outcome(Reporting::None, r#"{"batchItemFailures":[{"itemIdentifier":"m-2"}]}"#);
        assert_eq!(outcome.failed, Failed::None);
        assert_eq!(
            outcome.reason.to_string(),
            "the function reported 1 message failed, but the mapping lacks ReportBatchItemFailures"
        );
    }

    #[test]
    fn an_empty_or_null_report_is_a_success_of_the_whole_batch() {
        for answer in ["", "null", "{}", r#"{"batchItemFailures":[]}"#, r#"{"batchItemFailures":null}"#] {
            let outcome = reported(answer);
            assert_eq!((outcome.failed, outcome.reason), (Failed::None, Reason::Succeeded), "{answer}");
        }
    }

    #[test]
    fn listed_ids_come_back_and_the_rest_is_deleted() {
        let outcome =
            reported(r#"{"batchItemFailures":[{"itemIdentifier":"m-2"},{"itemIdentifier":"m-3"}]}"#);
        assert_eq!(BATCH.map(|id| outcome.fails(id)), [false, true, true]);
        assert_eq!(outcome.reason, Reason::Reported);
    }

    #[test]
    fn a_malformed_report_fails_the_whole_batch() {
        for (answer, void) in [
            ("{\"batchItemFailures\":[", Void::NotJson),
            ("[]", Void::NotAReport),
            ("\"done\"", Void::NotAReport),
            (r#"{"batchItemFailures":{}}"#, Void::NotAReport),
            (r#"{"batchItemFailures":[{"foo":"notvalid"}]}"#, Void::NoIdentifier),
            (r#"{"batchItemFailures":["m-1"]}"#, Void::NoIdentifier),
            (r#"{"batchItemFailures":[{"itemIdentifier":""}]}"#, Void::EmptyIdentifier),
            (r#"{"batchItemFailures":[{"itemIdentifier":null}]}"#, Void::NullIdentifier),
            (r#"{"batchItemFailures":[{"itemIdentifier":7}]}"#, Void::UnknownIdentifier("7".to_owned())),
        ] {
            let outcome = reported(answer);
            assert_eq!((outcome.failed, outcome.reason), (Failed::All, Reason::ReportVoid(void)), "{answer}");
        }
    }

    #[test]
    fn one_wrong_id_voids_the_whole_report() {
        let answer = r#"{"batchItemFailures":[{"itemIdentifier":"m-1"},{"itemIdentifier":"m-9"}]}"#;
        let outcome = reported(answer);
        assert_eq!(outcome.failed, Failed::All);
        assert_eq!(
            outcome.reason.to_string(),
            "the report is void, so the whole batch failed: no message of the batch has the itemIdentifier m-9"
        );
    }

    #[test]
    fn any_error_fails_the_whole_batch_whatever_was_reported() {
        let error = Bytes::from_static(br#"{"errorType":"ValueError","errorMessage":"no"}"#);
        for (returned, error_type) in [
            (Returned::FunctionError { error_type: None, payload: error }, "ValueError"),
            (Returned::Exited(Exit::Signal(9)), "Runtime.ExitError"),
            (Returned::TimedOut(StackDuration::from_secs(3)), "Sandbox.Timedout"),
            (Returned::TooLarge, "Function.ResponseSizeTooLarge"),
        ] {
            let outcome = Outcome::of(Reporting::BatchItemFailures, BATCH.into_iter(), &returned);
            assert_eq!(outcome.failed, Failed::All);
            assert_eq!(outcome.reason, Reason::Failed { error_type: error_type.to_owned() });
        }
    }
}
