//! restJson1: after Smithy's protocol tests where they apply, and what AWS Lambda makes of it.

use bytes::Bytes;
use havoq_wire::{
    CommonError, Head, LambdaError, NotACall, PipesError, Protocol, Response, SchedulerError, Service, body,
    decode, decode_error, decode_result, failure, success, success_with_payload,
};
use serde_json::{Map, Value, json};

use crate::fixtures::{head, signed};

const INVOKE: &str = "/2015-03-31/functions/f/invocations";

fn lambda(operation: &str) -> Head {
    head(Service::Lambda, Protocol::Rest, operation)
}

fn read(service: &str, method: &str, path: &str) -> (String, Value) {
    let call = decode(&signed(service, method, path)).expect("a call");
    (call.head.operation, call.params)
}

#[test]
fn a_label_s_escapes_are_undone_once() {
    let escaped = "%25%3A%2F%3F%23%5B%5D%40%21%24%26%27%28%29%2A%2B%2C%3B%3D%F0%9F%98%B9";
    let (operation, params) = read("lambda", "GET", &format!("/2015-03-31/functions/{escaped}"));
    assert_eq!(
        (operation.as_str(), &params["FunctionName"]),
        ("GetFunction", &json!("%:/?#[]@!$&'()*+,;=\u{1f639}"))
    );
    let (_, params) = read("lambda", "GET", "/2015-03-31/functions/a%252Fb");
    assert_eq!(params["FunctionName"], "a%2Fb");
    let (_, params) = read("lambda", "GET", "/2015-03-31/functions/a+b");
    assert_eq!(params["FunctionName"], "a+b");
    let problem = decode(&signed("lambda", "GET", "/2015-03-31/functions/%ff")).expect_err("no call");
    assert!(problem.to_string().contains("FunctionName: it is not UTF-8"), "{problem}");
}

#[test]
fn a_query_s_members_are_typed_and_lists_are_repeated() {
    let path = "/2025-12-01/functions/f/durable-executions?Statuses=a&Statuses=b%20c&ReverseOrder=true&MaxItems=3\
                &StartedAfter=1970-01-01T00%3A00%3A01Z&Other=x";
    let (_, params) = read("lambda", "GET", path);
    let expected = json!({
        "FunctionName": "f", "Statuses": ["a", "b c"], "ReverseOrder": true, "MaxItems": 3, "StartedAfter": 1
    });
    assert_eq!(params, expected);
    let problem =
        decode(&signed("lambda", "GET", "/2015-03-31/functions?MaxItems=many")).expect_err("no call");
    assert_eq!(problem.to_string(), "MaxItems: \"many\" is not of the type integer");
}

#[test]
fn the_more_specific_of_two_paths_is_meant() {
    let named = |path| read("lambda", "GET", path).0;
    assert_eq!(named("/2018-10-31/layers?find=LayerVersion&Arn=a"), "GetLayerVersionByArn");
    assert_eq!(named("/2018-10-31/layers?Marker=a"), "ListLayers");
    assert_eq!(
        named("/2019-09-30/functions/f/provisioned-concurrency?List=ALL"),
        "ListProvisionedConcurrencyConfigs"
    );
    assert_eq!(named("/2019-09-30/functions/f/provisioned-concurrency"), "GetProvisionedConcurrencyConfig");
}

#[test]
fn older_sdks_put_a_slash_at_the_end() {
    assert_eq!(read("lambda", "GET", "/2015-03-31/functions/").0, "ListFunctions");
    assert_eq!(
        read("lambda", "GET", "/2015-03-31/event-source-mappings/?FunctionName=f").0,
        "ListEventSourceMappings"
    );
}

#[test]
fn the_signature_tells_whose_tags_are_meant() {
    let path = "/tags/arn%3Aaws%3Ax%3Aa%2Fb";
    let of = |service| decode(&signed(service, "GET", path)).expect("a call").head;
    assert_eq!(of("scheduler").service, Service::Scheduler);
    assert_eq!(of("pipes").service, Service::Pipes);
    assert!(matches!(decode(&signed("lambda", "GET", path)), Err(NotACall::Path(_))));
    assert!(matches!(decode(&signed("sqs", "GET", path)), Err(NotACall::Method(_))));
}

#[test]
fn what_is_not_signed_is_told_by_its_path() {
    let request = http::Request::post(INVOKE).header("content-type", "application/x-www-form-urlencoded");
    let request = request.body(Bytes::from_static(b"{}")).expect("a valid request");
    let call = decode(&request).expect("a call");
    assert_eq!((call.head.service, call.head.operation.as_str()), (Service::Lambda, "Invoke"));
}

#[test]
fn a_path_of_no_operation_is_answered_in_rest() {
    for (method, path) in [("PATCH", INVOKE), ("POST", "/2015-03-31/functions//invocations"), ("GET", "/")] {
        let request = signed("lambda", method, path);
        let problem = decode(&request).expect_err("no call");
        let head = Head::guess(&request);
        assert_eq!((head.service, head.protocol), (Service::Lambda, Protocol::Rest));
        let answer = failure(&head, &problem.answer(head.protocol), "r-1");
        assert_eq!(answer.status(), 404);
        assert_eq!(answer.headers()["x-amzn-errortype"], "UnknownOperationException");
    }
}

#[test]
fn members_that_stand_elsewhere_are_not_looked_for_in_the_body() {
    let mut request = signed("lambda", "PUT", "/2015-03-31/functions/f/code");
    *request.body_mut() = Bytes::from_static(br#"{"FunctionName":"g","Publish":true}"#);
    assert_eq!(decode(&request).expect("a call").params, json!({ "FunctionName": "f", "Publish": true }));
    let mut request = signed("lambda", "PUT", "/2019-09-25/functions/f/event-invoke-config");
    *request.body_mut() = Bytes::from_static(br#"{"Qualifier":"of the query"}"#);
    assert_eq!(decode(&request).expect("a call").params, json!({ "FunctionName": "f" }));
    let mut request = signed("lambda", "DELETE", "/2015-03-31/functions/f");
    *request.body_mut() = Bytes::from_static(b"no JSON");
    assert_eq!(decode(&request).expect("a call").params, json!({ "FunctionName": "f" }));
}

#[test]
fn a_body_that_is_no_json_is_a_serialization_error() {
    let mut request = signed("scheduler", "POST", "/schedules/s");
    *request.body_mut() = Bytes::from_static(b"{");
    let problem = decode(&request).expect_err("no call");
    let answer = failure(&Head::guess(&request), &problem.answer(Protocol::Rest), "r-1");
    assert_eq!(answer.status(), 400);
    assert_eq!(decode_error(&answer).expect("an error").0, "SerializationException");
}

#[test]
fn what_a_function_is_invoked_with_is_the_body_as_it_came() {
    let mut request = signed("lambda", "POST", &format!("{INVOKE}?Qualifier=live"));
    request.headers_mut().insert("x-amz-invocation-type", "Event".parse().expect("a header"));
    *request.body_mut() = Bytes::from_static(b"blobby \xff blob");
    let call = decode(&request).expect("a call");
    assert_eq!(call.params, json!({ "FunctionName": "f", "Qualifier": "live", "InvocationType": "Event" }));
    let plain = body(&request).expect("a body");
    assert_eq!((&plain[..], plain.as_ptr()), (&b"blobby \xff blob"[..], request.body().as_ptr()));
    let whole: Map<String, Value> = call.head.input(&request).expect("an input");
    assert_eq!(whole["Payload"], "YmxvYmJ5IP8gYmxvYg==");
}

#[test]
fn what_a_function_returned_is_the_body_as_it_came() {
    let result = json!({ "StatusCode": 200, "FunctionError": "Unhandled", "ExecutedVersion": "$LATEST", "LogResult": null });
    let payload = Bytes::from_static(b"blobby \xff blob");
    let answer = success_with_payload(&lambda("Invoke"), &result, payload.clone(), "r-1");
    assert_eq!((answer.status().as_u16(), answer.body().as_ptr()), (200, payload.as_ptr()));
    let header = |name| answer.headers().get(name).map(|value| value.to_str().expect("text"));
    assert_eq!(header("x-amz-function-error"), Some("Unhandled"));
    assert_eq!(header("x-amz-executed-version"), Some("$LATEST"));
    assert_eq!(header("x-amz-log-result"), None);
    assert_eq!(header("content-type"), Some("application/json"));
    assert_eq!(header("x-amzn-requestid"), Some("r-1"));
    let read = json!({ "StatusCode": 200, "FunctionError": "Unhandled", "ExecutedVersion": "$LATEST" });
    assert_eq!(decode_result(&lambda("Invoke"), &answer), Some(read));
}

#[test]
fn an_answer_s_status_is_the_operation_s_or_what_the_result_says() {
    let status = |operation, result| {
        let answer = success(&lambda(operation), &result, "r-1");
        (answer.status().as_u16(), String::from_utf8_lossy(answer.body()).into_owned())
    };
    assert_eq!(
        status("CreateFunction", json!({ "FunctionName": "f" })),
        (201, r#"{"FunctionName":"f"}"#.into())
    );
    assert_eq!(status("TagResource", json!(null)), (204, String::new()));
    assert_eq!(status("Invoke", json!({ "StatusCode": 202 })), (202, String::new()));
    assert_eq!(status("DeleteFunction", json!({ "StatusCode": 204 })), (204, String::new()));
    // A server answers with an object where all members stand elsewhere or there are none.
    assert_eq!(status("DeleteFunction", json!({ "StatusCode": 202 })), (202, "{}".into()));
    let answer = success(&head(Service::Scheduler, Protocol::Rest, "DeleteSchedule"), &json!({}), "r-1");
    assert_eq!((answer.status().as_u16(), &answer.body()[..]), (200, &b"{}"[..]));
}

#[test]
fn a_result_that_no_header_can_hold_is_a_fault_of_the_service() {
    for (result, problem) in [
        (json!({ "FunctionError": "a\nb" }), "FunctionError: \"a\\nb\" cannot stand in a header"),
        (json!({ "StatusCode": 99 }), "StatusCode: 99 is no status"),
        (json!({ "Payload": "?" }), "Payload: not the base64 text of a blob"),
        (json!([]), "not a structure"),
    ] {
        let answer = success(&lambda("Invoke"), &result, "r-1");
        assert_eq!(answer.status(), 500);
        let (_, message) = decode_error(&answer).expect("an error");
        assert!(message.contains(problem), "{message}");
    }
}

fn told(service: Service, error: &havoq_wire::ServiceError) -> (u16, String, Value) {
    let answer = failure(&head(service, Protocol::Rest, ""), error, "r-1");
    assert_eq!(answer.headers()["x-amzn-requestid"], "r-1");
    assert_eq!(answer.headers()["content-type"], "application/json");
    let kind = answer.headers()["x-amzn-errortype"].to_str().expect("text").to_owned();
    (answer.status().as_u16(), kind, serde_json::from_slice(answer.body()).expect("JSON"))
}

#[test]
fn an_error_s_message_is_called_as_its_service_calls_it() {
    let missing = LambdaError::ResourceNotFoundException.with("no");
    let expected = (404, "ResourceNotFoundException".to_owned(), json!({ "Type": "User", "Message": "no" }));
    assert_eq!(told(Service::Lambda, &missing), expected);
    let conflict = LambdaError::ResourceConflictException.with("no");
    assert_eq!(told(Service::Lambda, &conflict).2, json!({ "Type": "User", "message": "no" }));
    assert_eq!(
        told(Service::Scheduler, &SchedulerError::ConflictException.with("no")).2,
        json!({ "Message": "no" })
    );
    assert_eq!(told(Service::Pipes, &PipesError::NotFoundException.with("no")).2, json!({ "message": "no" }));
    let denied = CommonError::AccessDenied.with("no");
    assert_eq!(
        told(Service::Lambda, &denied),
        (403, "AccessDeniedException".to_owned(), json!({ "Message": "no" }))
    );
}

#[test]
fn an_error_s_details_stand_beside_its_message_or_in_a_header() {
    let error = LambdaError::TooManyRequestsException.with("Rate Exceeded.");
    let error = error
        .detail("Reason", "ReservedFunctionConcurrentInvocationLimitExceeded")
        .detail("retryAfterSeconds", "1");
    let answer = failure(&lambda("Invoke"), &error, "r-1");
    assert_eq!(answer.headers()["retry-after"], "1");
    let expected = json!({
        "Reason": "ReservedFunctionConcurrentInvocationLimitExceeded", "Type": "User", "message": "Rate Exceeded."
    });
    assert_eq!(serde_json::from_slice::<Value>(answer.body()).expect("JSON"), expected);
    assert_eq!(answer.status(), 429);
}

#[test]
fn an_error_is_named_by_its_header_or_its_body_and_only_the_name_is_told() {
    let named = |kind: Option<&str>, body: &'static str| {
        let mut response = Response::new(Bytes::from_static(body.as_bytes()));
        *response.status_mut() = http::StatusCode::INTERNAL_SERVER_ERROR;
        let headers = response.headers_mut();
        kind.map(|kind| headers.insert("x-amzn-errortype", kind.parse().expect("a header")));
        decode_error(&response).expect("an error").0
    };
    let address = "http://internal.amazon.com/coral/com.amazon.coral.validate/";
    assert_eq!(named(Some("FooError"), ""), "FooError");
    assert_eq!(named(Some(&format!("FooError:{address}")), ""), "FooError");
    assert_eq!(named(Some(&format!("aws.protocoltests.restjson#FooError:{address}")), ""), "FooError");
    for body in [
        r#"{"code":"FooError"}"#,
        r#"{"code":"aws.protocoltests.restjson#FooError"}"#,
        r#"{"code":"aws.protocoltests.restjson#FooError:http://internal.amazon.com/coral/"}"#,
        r#"{"__type":"FooError"}"#,
        r#"{"__type":"aws.protocoltests.restjson#FooError"}"#,
        r#"{"__type":"aws.protocoltests.restjson#FooError:http://internal.amazon.com/coral/"}"#,
    ] {
        assert_eq!(named(None, body), "FooError", "{body}");
    }
}
