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

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::sync::Arc;

    use havoq_base::{StackDuration, StackTime};
    use havoq_lambda::{Code, FunctionSpec};

    use super::*;

    fn function(script: Script) -> Arc<FunctionSpec> {
        let variables = [(NAME, script.name()), (SAYS, script.says())];
        Arc::new(FunctionSpec {
            name: "f".to_owned(),
            arn: "arn:aws:lambda:us-east-1:000000000000:function:f".to_owned(),
            version: "$LATEST".to_owned(),
            handler: None,
            runtime: None,
            timeout: StackDuration::from_secs(3),
            memory_mb: 128,
            environment: variables.map(|(name, value)| (name.to_owned(), value.to_owned())).into(),
            code: Code::Elsewhere("nowhere".to_owned()),
        })
    }

    async fn here(script: Script, event: &str) -> Result<Value, Value> {
        let invocation = Invocation {
            request_id: "r".to_owned(),
            function: function(script),
            invoked_arn: "f".to_owned(),
            payload: Bytes::from(event.to_owned()),
            deadline: StackTime::from_secs(1),
            trace_id: None,
            client_context: None,
        };
        let value = |bytes: &[u8]| serde_json::from_slice(bytes).expect("JSON");
        match Played.invoke(invocation).await {
            Returned::Response(payload) => Ok(value(&payload)),
            Returned::FunctionError { payload, .. } => Err(value(&payload)["errorMessage"].clone()),
            other => panic!("{other:?}"),
        }
    }

    fn in_python(script: Script, event: &str) -> Result<Value, Value> {
        const RUN: &str = "import index, json, sys\n\
            try: print(json.dumps({'Ok': index.handler(json.loads(sys.argv[1]), None)}))\n\
            except ValueError as error: print(json.dumps({'Err': str(error)}))";
        let mut python = Command::new("python3");
        python.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src/stack/probe/python"));
        python.env("PYTHONDONTWRITEBYTECODE", "1").env(NAME, script.name()).env(SAYS, script.says());
        let ran = python.args(["-c", RUN, event]).output().expect("Python");
        serde_json::from_slice(&ran.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(&ran.stderr)))
    }

    #[tokio::test]
    async fn the_same_is_played_here_and_in_python() {
        let sound = json!({
            "messageId": "1", "receiptHandle": "h", "body": "bad", "md5OfBody": "m", "awsRegion": "r",
            "eventSource": "aws:sqs", "eventSourceARN": "a", "md5OfMessageAttributes": "m",
            "attributes": {
                "ApproximateReceiveCount": "1", "SentTimestamp": "1", "SenderId": "s",
                "ApproximateFirstReceiveTimestamp": "1",
            },
            "messageAttributes": { "colour": {
                "stringValue": "red", "stringListValues": [], "binaryListValues": [], "dataType": "String",
            } },
        });
        let mut unsound = sound.clone();
        unsound["eventSource"] = json!("aws:s3");
        unsound["attributes"]["SenderId"] = json!(1);
        unsound["messageAttributes"]["colour"]["dataType"] = json!("Number");
        let events = [
            CALL.to_owned(),
            json!({ "a": 1 }).to_string(),
            json!({ "Records": [sound] }).to_string(),
            json!({ "Records": [unsound] }).to_string(),
        ];
        for script in [
            Script::Echo,
            Script::Raise,
            Script::RaiseOnBad,
            Script::ReportBad,
            Script::Says(r#"{"a":[null]}"#),
            Script::Judge(Part::Source),
            Script::Judge(Part::Attributes),
            Script::Judge(Part::MessageAttributes),
        ] {
            for event in &events {
                assert_eq!(here(script, event).await, in_python(script, event), "{script:?} {event}");
            }
        }
    }
}
