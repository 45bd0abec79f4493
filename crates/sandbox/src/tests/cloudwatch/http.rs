//! CloudWatch over HTTP, in the protocols that its clients speak.

use std::sync::Arc;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::{Request, Upstream};
use serde_json::{Value, json};

use super::START;
use crate::shell::{Places, Sandbox, Settings};

fn sandbox() -> Sandbox {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(START), RunStart::now());
    let settings = Settings {
        clock,
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    Sandbox::new(settings, Box::new(|_, _| {}))
}

/// The status and the body.
async fn answer(sandbox: &Sandbox, request: Request) -> (u16, Bytes) {
    let response = sandbox.forward(request).await.expect("an answer");
    (response.status().as_u16(), response.body().clone())
}

async fn call_json(sandbox: &Sandbox, operation: &str, members: Value) -> (u16, Value) {
    let request = http::Request::post("/")
        .header("host", "127.0.0.1:9324")
        .header("x-amz-target", format!("GraniteServiceVersion20100801.{operation}"))
        .header("content-type", "application/x-amz-json-1.0")
        .body(Bytes::from(members.to_string()))
        .expect("a valid request");
    let (status, body) = answer(sandbox, request).await;
    (status, serde_json::from_slice(&body).unwrap_or_default())
}

#[tokio::test]
async fn alarms_and_data_over_json() {
    let sandbox = sandbox();
    let alarm = super::on_custom("a", &json!({}));
    assert_eq!(call_json(&sandbox, "PutMetricAlarm", alarm).await.0, 200);
    let (status, found) = call_json(&sandbox, "DescribeAlarms", json!({})).await;
    assert_eq!((status, &found["MetricAlarms"][0]["AlarmName"]), (200, &json!("a")));
    assert_eq!(found["CompositeAlarms"], json!([]));
    let data = json!({ "Namespace": "Custom", "MetricData": [{ "MetricName": "m", "Value": 1.0 }] });
    assert_eq!(call_json(&sandbox, "PutMetricData", data).await.0, 200);
    let (_, listed) = call_json(&sandbox, "ListMetrics", json!({})).await;
    assert_eq!(listed["Metrics"], json!([{ "Namespace": "Custom", "MetricName": "m", "Dimensions": [] }]));
    let members = json!({ "AlarmName": "none", "StateValue": "OK", "StateReason": "r" });
    let (status, refused) = call_json(&sandbox, "SetAlarmState", members).await;
    assert_eq!(status, 404);
    assert_eq!(refused["__type"], "com.amazonaws.cloudwatch.v2010_08_01#ResourceNotFound");
}

#[tokio::test]
async fn what_is_not_built_or_not_known_is_told_apart() {
    let sandbox = sandbox();
    let (status, refused) = call_json(&sandbox, "PutDashboard", json!({})).await;
    assert_eq!(status, 400);
    assert!(super::super::text(&refused["message"]).contains("PutDashboard is not implemented"), "{refused}");
    let (_, refused) = call_json(&sandbox, "Nonsense", json!({})).await;
    assert!(super::super::text(&refused["__type"]).ends_with("UnknownOperationException"), "{refused}");
}

#[tokio::test]
async fn an_alarm_put_in_process_is_the_same_alarm() {
    let sandbox = Arc::new(sandbox());
    sandbox.put_alarm(crate::cloudwatch::dlq_alarm("dlq")).expect("it is put");
    let (_, found) = call_json(&sandbox, "DescribeAlarms", json!({})).await;
    assert_eq!(found["MetricAlarms"][0]["TreatMissingData"], "notBreaching");
    assert_eq!(found["MetricAlarms"][0]["Dimensions"], json!([{ "Name": "QueueName", "Value": "dlq" }]));
}
