//! Scheduler as clients reach it, over REST.

use std::collections::BTreeMap;

use bytes::Bytes;
use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackDuration, StackTime};
use havoq_wire::Upstream;
use serde_json::{Value, json};

use super::{schedule, schedule_arn};
use crate::shell::{Places, Sandbox, Settings};

fn sandbox() -> (Sandbox, Clock) {
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let settings = Settings {
        clock: clock.clone(),
        seed: Seed(1),
        account: "123456789012".into(),
        region: "eu-central-1".into(),
        places: Places::One,
    };
    let sandbox = Sandbox::new(settings, Box::new(|_, _| {}));
    sandbox.create_queue("q", &BTreeMap::new()).expect("created");
    (sandbox, clock)
}

/// The status and the body of an answer.
async fn call(sandbox: &Sandbox, method: &str, path: &str, body: Value) -> (u16, Value) {
    let scope = "Credential=k/20270115/eu-central-1/scheduler/aws4_request";
    let request = http::Request::builder()
        .method(method)
        .uri(path)
        .header("host", "h")
        .header("content-type", "application/json")
        .header("authorization", format!("AWS4-HMAC-SHA256 {scope}, SignedHeaders=host, Signature=s"));
    let body = if body.is_null() { Bytes::new() } else { Bytes::from(body.to_string()) };
    let response = sandbox.forward(request.body(body).expect("a valid request")).await.expect("an answer");
    let value = serde_json::from_slice(response.body()).unwrap_or_default();
    (response.status().as_u16(), value)
}

#[tokio::test]
async fn a_schedule_is_made_shown_listed_and_does_its_work() {
    let (sandbox, clock) = sandbox();
    let mut members = schedule("s", "at(2027-01-15T08:30:00)", "q", json!({ "EndDate": 1_900_000_000 }));
    // The name is in the path.
    members.as_object_mut().expect("an object").remove("Name");
    let created = call(&sandbox, "POST", "/schedules/s", members.clone()).await;
    assert_eq!(created, (200, json!({ "ScheduleArn": schedule_arn("s") })));
    let (status, refused) = call(&sandbox, "POST", "/schedules/s", members.clone()).await;
    assert_eq!((status, &refused["Message"]), (409, &json!("Schedule s already exists.")));
    let (status, shown) = call(&sandbox, "GET", "/schedules/s?groupName=default", Value::Null).await;
    assert_eq!((status, &shown["Name"], &shown["EndDate"]), (200, &json!("s"), &json!(1_900_000_000.0)));
    let list = "/schedules?ScheduleGroup=default&NamePrefix=s&MaxResults=5";
    let (status, listed) = call(&sandbox, "GET", list, Value::Null).await;
    assert_eq!((status, &listed["Schedules"][0]["Name"]), (200, &json!("s")));
    assert_eq!(call(&sandbox, "PUT", "/schedules/s", members).await.0, 200);

    let due = sandbox.freeze().next_delivery_timer();
    assert_eq!(due, Some(StackTime::from_secs(1_800_001_800)));
    sandbox.freeze().jump_to(clock.now() + StackDuration::from_secs(1_801));
    assert_eq!(sandbox.freeze().depth("q").map(|depth| depth.visible), Some(1));
    assert_eq!(call(&sandbox, "DELETE", "/schedules/s", Value::Null).await.0, 200);
    assert_eq!(call(&sandbox, "GET", "/schedules/s", Value::Null).await.0, 404);
}

#[tokio::test]
async fn a_group_and_its_tags_are_reached_by_their_paths() {
    let (sandbox, _) = sandbox();
    let tags = json!([{ "Key": "a", "Value": "b" }]);
    let (status, made) = call(&sandbox, "POST", "/schedule-groups/g", json!({ "Tags": tags })).await;
    assert_eq!(status, 200);
    assert_eq!(call(&sandbox, "GET", "/schedule-groups/g", Value::Null).await.0, 200);
    let (_, groups) = call(&sandbox, "GET", "/schedule-groups?NamePrefix=g", Value::Null).await;
    assert_eq!(groups["ScheduleGroups"].as_array().map(Vec::len), Some(1));
    let arn = made["ScheduleGroupArn"].as_str().expect("an ARN");
    let path = format!("/tags/{}", arn.replace(':', "%3A").replace('/', "%2F"));
    assert_eq!(call(&sandbox, "GET", &path, Value::Null).await, (200, json!({ "Tags": tags })));
    let more = json!({ "Tags": [{ "Key": "c", "Value": "d" }] });
    assert_eq!(call(&sandbox, "POST", &path, more).await.0, 200);
    assert_eq!(call(&sandbox, "DELETE", &format!("{path}?TagKeys=a"), Value::Null).await.0, 200);
    let left = json!({ "Tags": [{ "Key": "c", "Value": "d" }] });
    assert_eq!(call(&sandbox, "GET", &path, Value::Null).await, (200, left));
    assert_eq!(call(&sandbox, "DELETE", "/schedule-groups/g", Value::Null).await.0, 200);
}
