//! Calls as clients make them.

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::{Response, Service, Upstream, decode_error};
use serde_json::{Value, json};

use super::table;
use crate::shell::{Places, Sandbox, Settings};

fn sandbox() -> Sandbox {
    let settings = Settings {
        clock: Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now()),
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::Many,
    };
    Sandbox::new(settings, Box::new(|_, _| {}))
}

async fn call(sandbox: &Sandbox, operation: &str, body: &str) -> Response {
    let request = http::Request::post("/")
        .header("host", "127.0.0.1:4566")
        .header("x-amz-target", format!("DynamoDB_20120810.{operation}"))
        .header("content-type", "application/x-amz-json-1.0");
    let request = request.body(Bytes::from(body.to_owned())).expect("a valid request");
    sandbox.forward(request).await.expect("an answer")
}

fn header<'a>(response: &'a Response, name: &str) -> &'a str {
    response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

#[tokio::test]
async fn answers_are_json_with_their_checksum() {
    let sandbox = sandbox();
    let made = call(&sandbox, "CreateTable", &table("marks").to_string()).await;
    assert_eq!(decode_error(&made), None);
    let item = json!({ "TableName": "marks", "Item": { "id": { "S": "a" }, "b": { "B": "AAE=" } } });
    let put = call(&sandbox, "PutItem", &item.to_string()).await;
    assert_eq!((put.status().as_u16(), &put.body()[..]), (200, &b"{}"[..]));
    let key = json!({ "TableName": "marks", "Key": { "id": { "S": "a" } } });
    let got = call(&sandbox, "GetItem", &key.to_string()).await;
    assert_eq!(header(&got, "content-type"), "application/x-amz-json-1.0");
    assert_eq!(header(&got, "x-amz-crc32"), crc32fast::hash(got.body()).to_string());
    assert_eq!(&got.body()[..], br#"{"Item":{"b":{"B":"AAE="},"id":{"S":"a"}}}"#);
}

#[tokio::test]
async fn an_error_holds_all_that_it_has_to_say() {
    let sandbox = sandbox();
    call(&sandbox, "CreateTable", &table("marks").to_string()).await;
    let put = json!({
        "TableName": "marks",
        "Item": { "id": { "S": "a" } },
        "ConditionExpression": "attribute_not_exists(id)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    });
    call(&sandbox, "PutItem", &put.to_string()).await;
    let refused = call(&sandbox, "PutItem", &put.to_string()).await;
    assert_eq!(refused.status().as_u16(), 400);
    assert_eq!(header(&refused, "x-amz-crc32"), crc32fast::hash(refused.body()).to_string());
    let body: Value = serde_json::from_slice(refused.body()).expect("JSON");
    assert_eq!(body["__type"], "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException");
    assert_eq!(body["Item"], json!({ "id": { "S": "a" } }));
}

#[tokio::test]
async fn a_call_without_http_is_the_same_call() {
    let sandbox = sandbox();
    let made = sandbox.call(Service::DynamoDb, "CreateTable", &table("marks")).await.expect("it is made");
    assert_eq!(made["TableDescription"]["TableName"], "marks");
    let again = sandbox.call(Service::DynamoDb, "CreateTable", &table("marks")).await;
    assert_eq!(again.expect_err("it is there").shape_name(), "ResourceInUseException");
    let topic = sandbox.call(Service::Sns, "CreateTopic", &json!({ "Name": "ops" })).await.expect("made");
    assert_eq!(topic["TopicArn"], "arn:aws:sns:eu-central-1:123456789012:ops");
    let none = sandbox.call(Service::Sns, "DeleteTopic", &json!({ "TopicArn": "no" })).await;
    assert_eq!(none.expect_err("no ARN").shape_name(), "InvalidParameterException");
    let nothing = sandbox.call(Service::Sns, "DeleteTopic", &topic).await.expect("it is gone");
    assert_eq!(nothing, json!({}));
}

#[tokio::test]
async fn what_is_no_json_is_refused_as_such() {
    let refused = call(&sandbox(), "PutItem", "{").await;
    assert_eq!(refused.status().as_u16(), 400);
    let (code, _) = decode_error(&refused).expect("an error");
    assert_eq!(code, "SerializationException");
}
