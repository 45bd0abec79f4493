//! CloudWatch over HTTP, in the protocols that its clients speak.

use std::sync::Arc;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::{Head, Request, Upstream, decode_error, decode_result};
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
    let no_number = super::on_custom("a", &json!({ "Threshold": "NaN" }));
    let (status, refused) = call_json(&sandbox, "PutMetricAlarm", no_number).await;
    let shape = &refused["__type"];
    assert_eq!((status, shape), (400, &json!("com.amazon.coral.validate#ValidationException")));
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

/// A CBOR item; numbers are doubles.
fn cbor(item: &Value) -> Vec<u8> {
    let head = |major: u8, length: usize| {
        let short = u8::try_from(length).expect("a short item");
        if short < 24 { vec![major << 5 | short] } else { vec![major << 5 | 24, short] }
    };
    match item {
        Value::Object(members) => {
            let pairs = members.iter().flat_map(|(name, value)| [cbor(&json!(name)), cbor(value)].concat());
            head(5, members.len()).into_iter().chain(pairs).collect()
        }
        Value::Array(items) => head(4, items.len()).into_iter().chain(items.iter().flat_map(cbor)).collect(),
        Value::String(text) => [head(3, text.len()), text.as_bytes().to_vec()].concat(),
        Value::Number(number) if number.is_u64() => head(0, number.as_u64().unwrap_or_default() as usize),
        number => [vec![0xfb], number.as_f64().expect("a number").to_be_bytes().to_vec()].concat(),
    }
}

fn cbor_request(operation: &str, members: &Value) -> Request {
    http::Request::post(format!("/service/GraniteServiceVersion20100801/operation/{operation}"))
        .header("host", "127.0.0.1:9324")
        .header("smithy-protocol", "rpc-v2-cbor")
        .header("content-type", "application/cbor")
        .body(Bytes::from(cbor(members)))
        .expect("a valid request")
}

fn query_request(body: &str) -> Request {
    http::Request::post("/")
        .header("host", "127.0.0.1:9324")
        .header("content-type", "application/x-www-form-urlencoded")
        .header(
            "authorization",
            "AWS4-HMAC-SHA256 Credential=key/20270115/eu-central-1/monitoring/aws4_request",
        )
        .body(Bytes::from(format!("{body}&Version=2010-08-01")))
        .expect("a valid request")
}

/// The members of a successful answer.
async fn read(sandbox: &Sandbox, request: Request) -> Value {
    let head = Head::of(&request).expect("a call");
    let response = sandbox.forward(request).await.expect("an answer");
    assert_eq!(decode_error(&response), None);
    decode_result(&head, &response).expect("a result")
}

#[tokio::test]
async fn alarms_and_data_over_cbor_as_today_s_sdks_send_them() {
    let sandbox = sandbox();
    let alarm = super::on_custom("a", &json!({ "Period": 10, "Threshold": 0.5 }));
    read(&sandbox, cbor_request("PutMetricAlarm", &alarm)).await;
    let found = read(&sandbox, cbor_request("DescribeAlarms", &json!({}))).await;
    assert_eq!(found["MetricAlarms"][0]["Threshold"], 0.5);
    assert_eq!(found["LogAlarms"], json!([]));
    let data = json!({ "Namespace": "Custom", "MetricData": [{ "MetricName": "m", "Values": [1.5, 2.5] }] });
    read(&sandbox, cbor_request("PutMetricData", &data)).await;
    let asked = json!({ "Namespace": "Custom", "MetricName": "m", "StartTime": START as f64,
        "EndTime": START as f64 + 60.5, "Period": 60, "Statistics": ["Sum"] });
    let found = read(&sandbox, cbor_request("GetMetricStatistics", &asked)).await;
    assert_eq!(found["Datapoints"][0]["Sum"], 4.0);
    let refused =
        cbor_request("SetAlarmState", &json!({ "AlarmName": "a", "StateValue": "X", "StateReason": "" }));
    let response = sandbox.forward(refused).await.expect("an answer");
    assert_eq!(response.status(), 400);
    assert_eq!(decode_error(&response).map(|(code, _)| code).as_deref(), Some("ValidationError"));
}

#[tokio::test]
async fn alarms_and_data_over_query_as_older_clients_send_them() {
    let sandbox = sandbox();
    let put = "Action=PutMetricAlarm&AlarmName=a&Namespace=Custom&MetricName=m&Statistic=Sum&Period=60\
               &EvaluationPeriods=1&Threshold=1.5&ComparisonOperator=GreaterThanThreshold\
               &Dimensions.member.1.Name=d&Dimensions.member.1.Value=v&ActionsEnabled=false";
    read(&sandbox, query_request(put)).await;
    let found = read(&sandbox, query_request("Action=DescribeAlarms&AlarmNames.member.1=a")).await;
    let alarm = &found["MetricAlarms"][0];
    assert_eq!((&alarm["Threshold"], &alarm["ActionsEnabled"]), (&json!(1.5), &json!(false)));
    assert_eq!(alarm["Dimensions"], json!([{ "Name": "d", "Value": "v" }]));
    let data = "Action=PutMetricData&Namespace=Custom&MetricData.member.1.MetricName=m\
                &MetricData.member.1.Values.member.1=1&MetricData.member.1.Values.member.2=2\
                &MetricData.member.1.Timestamp=2027-01-15T08%3A00%3A00Z";
    read(&sandbox, query_request(data)).await;
    let asked = "Action=GetMetricStatistics&Namespace=Custom&MetricName=m&StartTime=2027-01-15T08%3A00%3A00Z\
                 &EndTime=2027-01-15T08%3A01%3A00Z&Period=60&Statistics.member.1=Sum";
    assert_eq!(read(&sandbox, query_request(asked)).await["Datapoints"][0]["Sum"], 3.0);
    let set = "Action=SetAlarmState&AlarmName=none&StateValue=OK&StateReason=r";
    let response = sandbox.forward(query_request(set)).await.expect("an answer");
    assert_eq!(response.status(), 404);
    assert_eq!(decode_error(&response).map(|(code, _)| code).as_deref(), Some("ResourceNotFound"));
}
