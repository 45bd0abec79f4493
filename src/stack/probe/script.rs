//! What the functions of checks do: each is told by its environment which script it plays. On a
//! stack it is Python that plays them (python/index.py); on the sandbox of a check it is done here,
//! so that the probe needs no Python.

use bytes::Bytes;
use havoq_lambda::{Functions, Invocation, Returned, Running};
use serde_json::{Value, json};

/// What a function does with an event.
#[derive(Clone, Copy, Debug)]
pub(super) enum Script {
    /// It returns what it got.
    Echo,
    Raise,
    /// It raises if the batch has a message `bad`.
    RaiseOnBad,
    /// It reports the messages `bad` as failed.
    ReportBad,
    /// It returns this JSON.
    Says(&'static str),
    /// It raises if the records are not as they should be.
    Judge(Part),
    /// It outlives every timeout.
    Sleep,
    /// Its process exits.
    Exit,
}

/// Of a record of SQS (semantics 5.4).
#[derive(Clone, Copy, Debug)]
pub(super) enum Part {
    Source,
    Attributes,
    MessageAttributes,
}

/// What each function answers whatever its script is, to show that it runs.
pub(super) const CALL: &str = r#"{"havoq":"there?"}"#;
pub(super) const ANSWER: &str = r#"{"havoq":"here"}"#;

/// The variables of the environment.
pub(super) const NAME: &str = "HAVOQ_PROBE";
pub(super) const SAYS: &str = "HAVOQ_PROBE_SAYS";

impl Script {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Echo => "echo",
            Self::Raise => "raise",
            Self::RaiseOnBad => "raise-on-bad",
            Self::ReportBad => "report-bad",
            Self::Says(_) => "says",
            Self::Judge(Part::Source) => "judge-source",
            Self::Judge(Part::Attributes) => "judge-attributes",
            Self::Judge(Part::MessageAttributes) => "judge-message-attributes",
            Self::Sleep => "sleep",
            Self::Exit => "exit",
        }
    }

    /// What it returns if it is to say something.
    pub(super) fn says(self) -> &'static str {
        if let Self::Says(text) = self { text } else { "null" }
    }
}

/// Plays the scripts on a check's own sandbox.
pub(super) struct Played;

impl Functions for Played {
    fn invoke(&self, invocation: Invocation) -> Running {
        Box::pin(async move { played(&invocation).await })
    }
}

async fn played(invocation: &Invocation) -> Returned {
    let event: Value = serde_json::from_slice(&invocation.payload).unwrap_or_default();
    if event == json!({ "havoq": "there?" }) {
        return Returned::Response(Bytes::from_static(ANSWER.as_bytes()));
    }
    let variable = |name| invocation.function.environment.get(name).map_or("", String::as_str);
    let records = event["Records"].as_array().map_or(&[][..], Vec::as_slice);
    let bad: Vec<&Value> = records.iter().filter(|record| record["body"] == "bad").collect();
    match variable(NAME) {
        "raise" => raised("the probe said so"),
        "raise-on-bad" if !bad.is_empty() => raised("the probe said so"),
        "report-bad" => {
            let failures: Vec<Value> =
                bad.iter().map(|record| json!({ "itemIdentifier": record["messageId"] })).collect();
            response(json!({ "batchItemFailures": failures }).to_string())
        }
        "says" => response(variable(SAYS).to_owned()),
        // Its timeout aborts it.
        "sleep" => std::future::pending().await,
        "exit" => Returned::Exited(havoq_lambda::Exit::Status(1)),
        name if name.starts_with("judge-") && !records.iter().all(|record| is_sound(name, record)) => {
            raised("the event is not as it should be")
        }
        _ => Returned::Response(invocation.payload.clone()),
    }
}

fn response(text: String) -> Returned {
    Returned::Response(Bytes::from(text))
}

fn raised(message: &str) -> Returned {
    let payload = json!({ "errorMessage": message, "errorType": "ValueError" }).to_string();
    Returned::FunctionError { error_type: Some("ValueError".to_owned()), payload: Bytes::from(payload) }
}

fn is_sound(judge: &str, record: &Value) -> bool {
    let texts = |of: &Value, names: &[&str]| names.iter().all(|name| of[*name].is_string());
    match judge {
        "judge-source" => {
            let names = ["messageId", "receiptHandle", "body", "md5OfBody", "eventSourceARN", "awsRegion"];
            record["eventSource"] == "aws:sqs" && texts(record, &names)
        }
        "judge-attributes" => {
            let times = ["SentTimestamp", "ApproximateFirstReceiveTimestamp"];
            let names = ["ApproximateReceiveCount", "SenderId"];
            texts(&record["attributes"], &times) && texts(&record["attributes"], &names)
        }
        _ => {
            let colour = json!({
                "stringValue": "red", "stringListValues": [], "binaryListValues": [], "dataType": "String",
            });
            record["messageAttributes"]["colour"] == colour && record["md5OfMessageAttributes"].is_string()
        }
    }
}
