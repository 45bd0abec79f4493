//! Answers. `fixtures/answers.json` holds how each of `fixtures/results.json` is written, and
//! `fixtures/failures.json` how errors are; `fixtures/check.py` reads both with botocore, and
//! `fixtures/check.mjs` with the SDK for JavaScript.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_wire::{
    CommonError, EventBridgeError, LambdaError, PipesError, Protocol, Response, SchedulerError, Service,
    SqsError, decode_error, failure, success,
};
use serde_json::{Map, Value, json};

use crate::fixtures::{self, head, text};

/// The protocols that a service's clients speak.
fn protocols(service: Service) -> &'static [Protocol] {
    match service {
        Service::Sqs => &[Protocol::Json, Protocol::Query],
        Service::Sns | Service::Sts => &[Protocol::Query],
        Service::CloudWatch => &[Protocol::Json, Protocol::Query, Protocol::Cbor],
        Service::EventBridge | Service::DynamoDb => &[Protocol::Json],
        Service::Lambda | Service::Scheduler | Service::Pipes => &[Protocol::Rest],
    }
}

fn described(response: &Response) -> Value {
    let header =
        |name: &str| response.headers().get(name).map(|value| value.to_str().expect("a header is text"));
    let body = match std::str::from_utf8(response.body()) {
        Ok(text) => json!({ "text": text }),
        Err(_) => json!({ "base64": STANDARD.encode(response.body()) }),
    };
    let mut described = json!({
        "status": response.status().as_u16(),
        "content-type": header("content-type"),
        "smithy-protocol": header("smithy-protocol"),
        "x-amzn-requestid": header("x-amzn-requestid"),
        "body": body,
    });
    for name in [
        "x-amz-function-error",
        "x-amz-executed-version",
        "x-amz-log-result",
        "x-amzn-errortype",
        "x-amzn-query-error",
        "retry-after",
    ] {
        if let Some(value) = header(name) {
            described[name] = value.into();
        }
    }
    described
}

#[test]
fn each_result_is_written_as_the_clients_read_it() {
    let mut answers = Vec::new();
    for row in fixtures::rows(include_str!("../fixtures/results.json")) {
        let service = fixtures::service(&row);
        for &protocol in protocols(service) {
            let operation = text(&row, "operation");
            let answer = success(&head(service, protocol, operation), &row["result"], "r-1");
            assert!(havoq_wire::decode_result(&head(service, protocol, operation), &answer).is_some());
            let protocol = format!("{protocol:?}");
            let (service, result) = (text(&row, "service"), &row["result"]);
            answers.push(json!({
                "service": service, "protocol": protocol, "operation": operation, "result": result,
                "answer": described(&answer),
            }));
        }
    }
    are_recorded("answers.json", &answers);
}

#[test]
fn each_error_is_written_as_the_clients_read_it() {
    let throttled = LambdaError::TooManyRequestsException.with("Rate Exceeded.");
    let throttled = throttled.detail("Reason", "CallerRateLimitExceeded").detail("retryAfterSeconds", "1");
    let invalid = PipesError::ValidationException.with("no");
    let fields = json!([{ "name": "a", "message": "b" }]);
    let mut failures = Vec::new();
    for (service, protocol, operation, error) in [
        (Service::Sqs, Protocol::Json, "SendMessage", SqsError::QueueDoesNotExist.with("no \"é\"")),
        (
            Service::EventBridge,
            Protocol::Json,
            "DescribeRule",
            EventBridgeError::ResourceNotFoundException.with("no"),
        ),
        (Service::EventBridge, Protocol::Json, "PutRule", CommonError::NotImplemented.with("not yet")),
        (Service::DynamoDb, Protocol::Json, "PutItem", CommonError::NotImplemented.with("not yet")),
        (Service::Lambda, Protocol::Rest, "Invoke", throttled),
        (
            Service::Lambda,
            Protocol::Rest,
            "GetFunction",
            LambdaError::ResourceNotFoundException.with("no \"é\""),
        ),
        (Service::Lambda, Protocol::Rest, "Invoke", LambdaError::ServiceException.with("oh")),
        (Service::Lambda, Protocol::Rest, "Invoke", CommonError::AccessDenied.with("not you")),
        (
            Service::Scheduler,
            Protocol::Rest,
            "GetSchedule",
            SchedulerError::ResourceNotFoundException.with("no"),
        ),
        (Service::Pipes, Protocol::Rest, "CreatePipe", invalid.detail("fieldList", fields)),
        (Service::Pipes, Protocol::Rest, "DescribePipe", PipesError::NotFoundException.with("no")),
    ] {
        let answer = failure(&head(service, protocol, operation), &error, "r-1");
        let details: Map<_, _> =
            error.details.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        failures.push(json!({
            "service": format!("{service:?}"), "protocol": format!("{protocol:?}"), "operation": operation,
            "code": decode_error(&answer).expect("an error").0, "message": error.message, "details": details,
            "answer": described(&answer),
        }));
    }
    are_recorded("failures.json", &failures);
}

fn are_recorded(name: &str, rows: &[Value]) {
    let lines: Vec<String> = rows.iter().map(Value::to_string).collect();
    let text = format!("[\n{}\n]\n", lines.join(",\n"));
    let path = format!("{}/tests/fixtures/{name}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("HAVOQ_UPDATE_FIXTURES").is_some() {
        std::fs::write(&path, &text).expect("the fixtures can be written");
    }
    let expected = std::fs::read_to_string(&path).expect("the fixtures are there");
    assert_eq!(text, expected, "HAVOQ_UPDATE_FIXTURES=1 writes them anew; then run check.py and check.mjs");
}

#[test]
fn a_result_that_does_not_fit_the_model_is_a_fault_of_the_service() {
    for protocol in [Protocol::Query, Protocol::Cbor] {
        let result = json!({ "Datapoints": [{ "Sum": "many" }] });
        let answer = success(&head(Service::CloudWatch, protocol, "GetMetricStatistics"), &result, "r-1");
        assert_eq!(answer.status(), 500);
        let (code, message) = decode_error(&answer).expect("an error");
        assert_eq!(code, "InternalFailure");
        assert!(message.contains("Datapoints.0.Sum: \"many\" is not of the type double"), "{message}");
    }
}

#[test]
fn an_operation_without_output_has_no_json_body() {
    let (queue, alarm) = ((Service::Sqs, "DeleteMessage"), (Service::CloudWatch, "PutMetricAlarm"));
    for (service, operation) in [queue, alarm] {
        let head = head(service, Protocol::Json, operation);
        let answer = success(&head, &(), "r-1");
        assert!(answer.body().is_empty());
        assert_eq!(answer.headers()["content-type"], "application/x-amz-json-1.0");
        assert_eq!(havoq_wire::decode_result(&head, &answer), Some(json!({})));
    }
    let head = |protocol| head(Service::CloudWatch, protocol, "PutMetricAlarm");
    assert!(success(&head(Protocol::Cbor), &(), "r-1").body().is_empty());
    let query = success(&head(Protocol::Query), &(), "r-1");
    assert!(!String::from_utf8_lossy(query.body()).contains("Result"));
}

#[test]
fn an_answer_without_a_result_has_its_metadata_and_in_cbor_no_body() {
    let answer = success(&head(Service::Sqs, Protocol::Query, "DeleteMessage"), &json!({}), "r-1");
    assert_eq!(
        &answer.body()[..],
        b"<DeleteMessageResponse xmlns=\"http://queue.amazonaws.com/doc/2012-11-05/\">\
          <ResponseMetadata><RequestId>r-1</RequestId></ResponseMetadata></DeleteMessageResponse>"
    );
    let answer = success(&head(Service::CloudWatch, Protocol::Cbor, "PutMetricData"), &json!({}), "r-1");
    assert!(answer.body().is_empty());
    assert_eq!(answer.headers()["smithy-protocol"], "rpc-v2-cbor");
    assert_eq!(answer.headers().get("content-type"), None);
}
