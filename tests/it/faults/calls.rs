//! Faults of calls, and how often they take hold.

use serde_json::{Value, json};

use super::{Told, boto3, scenario};

const KINDS: &str = "
  - fault: { does: { error: { code: QueueDoesNotExist } }, call: GetQueueAttributes, queue: Error, times: 1 }
  - fault: { does: { error: { code: InternalFailure, status: 500 } }, call: SendMessage, queue: Error, times: 1 }
  - fault: { does: throttle, call: SendMessage, queue: Throttle, times: 2 }
  - fault: { does: denied, call: SendMessage, queue: Denied }
  - fault: { does: { latency: { fixed: 700ms } }, call: SendMessage, queue: Latency, times: 1 }
  - fault: { does: reset, call: SendMessage, queue: Reset, times: 2 }
  - fault: { does: timeout, call: SendMessage, queue: Timeout, times: 1 }
  - fault: { does: lost-response, call: SendMessage, queue: Lost, times: 1 }
  - fault: { does: { failed-entries: { code: Busy } }, call: SendMessageBatch, queue: Failed, times: 1 }
  - fault: { does: { clock-skew: { by: 15m } }, call: GetQueueAttributes, queue: Skew, times: 1 }
";
const HELLO: &str = "5d41402abc4b2a76b9719d911017c592";

/// Sent at this try.
fn sent(retries: u32) -> Value {
    json!({ "retries": retries, "md5": HELLO })
}

fn raised(class: &str, code: &str, status: u16, retries: u32) -> Value {
    json!({ "raised": class, "code": code, "status": status, "retries": retries })
}

#[test]
fn boto3_sees_each_kind_as_the_real_thing() {
    let scenes = [
        "error",
        "throttle",
        "denied",
        "latency",
        "reset",
        "timeout",
        "lost_response",
        "failed_entries",
        "clock_skew",
    ];
    let Some(command) = boto3(&scenes) else { return };
    let queues = ["Error", "Throttle", "Denied", "Latency", "Reset", "Timeout", "Lost", "Failed", "Skew"]
        .map(|it| (it, 30));
    let told = Told::by(&scenario(&command, &queues, KINDS), &[]);
    told.ran.assert_code(0);
    let missing = raised("QueueDoesNotExist", "AWS.SimpleQueueService.NonExistentQueue", 400, 0);
    told.assert("error", json!([missing, sent(1), 1]));
    let throttled = raised("RequestThrottled", "RequestThrottled", 403, 0);
    told.assert("throttle", json!([throttled, sent(1), 1]));
    // Denied is not tried again.
    told.assert("denied", json!([raised("ClientError", "AccessDenied", 403, 0), 0]));
    assert_eq!(told.scenes["latency"][0], sent(0));
    assert!(told.scenes["latency"][1].as_f64() >= Some(0.7), "{}", told.scenes);
    told.assert("reset", json!([{ "raised": "ConnectionClosedError" }, 0, sent(1), 1]));
    told.assert("timeout", json!([{ "raised": "ReadTimeoutError" }, 0]));
    // It was done, and is done again.
    told.assert("lost_response", json!([sent(1), 2]));
    let failed: Vec<Value> = ["a", "b", "c"].iter().map(|id| json!([id, "Busy", false])).collect();
    told.assert("failed_entries", json!([failed, [], 0]));
    let skew = told.scenes["clock_skew"].as_f64().expect("seconds");
    assert!((890.0..910.0).contains(&skew), "{skew}");
    assert_eq!(told.fired(), [1, 1, 2, 1, 1, 2, 1, 1, 1, 1]);
}

const OFTEN: &str = "
  - fault: { does: { error: { code: Oops } }, call: GetQueueAttributes, queue: Every, every: 2 }
  - fault: { does: { error: { code: Oops } }, call: GetQueueAttributes, queue: First, first: 2 }
  - fault: { does: { error: { code: Oops } }, call: GetQueueAttributes, queue: Chance, probability: 0.5 }
  - fault: { does: throttle, call: ReceiveMessage, queue: Window, for: 30s }
  - fault: { does: { error: { code: Oops } }, call: GetQueueAttributes, queue: Mine, consumer: client }
  - fault: { rules: [{ service: sqs, operation: ListQueueTags, probability: 1.0, error: { statusCode: 502, code: Down } }] }
";

#[test]
fn boto3_sees_them_as_often_as_is_said() {
    let Some(command) = boto3(&["every", "first", "chance", "window", "mine", "rules"]) else { return };
    let queues = ["Every", "First", "Chance", "Window", "Mine"].map(|it| (it, 30));
    let told = Told::by(&scenario(&command, &queues, OFTEN), &[]);
    told.ran.assert_code(0);
    told.assert("every", json!([null, "Oops", null, "Oops"]));
    told.assert("first", json!(["Oops", "Oops", null]));
    let chances = told.scenes["chance"].as_array().expect("codes");
    let hit = chances.iter().filter(|code| **code == "Oops").count();
    assert!((4..=16).contains(&hit) && chances.len() == 20, "{chances:?}");
    let codes = told.scenes["window"][0].as_array().expect("codes");
    assert!(
        codes.len() > 1 && codes[..codes.len() - 1].iter().all(|code| code == "RequestThrottled"),
        "{codes:?}"
    );
    // The clock goes on by itself: in real time there would be twice as many.
    assert!(codes.len() < 150 && told.scenes["window"][1].as_f64() > Some(20.0), "{}", told.scenes);
    told.assert("mine", raised("ClientError", "Oops", 400, 0));
    told.assert("rules", raised("ClientError", "Down", 502, 0));
    assert_eq!(told.fired(), [2, 2, hit, codes.len() - 1, 1, 1]);
}

#[test]
fn one_that_never_took_hold_makes_the_scenario_inconclusive() {
    let Some(command) = boto3(&["mine"]) else { return };
    let steps = "
  - fault: { does: { error: { code: Oops } }, call: GetQueueAttributes, queue: Mine }
  - fault: { does: denied, call: SendMessage, queue: Mine }
";
    let told = Told::by(&scenario(&command, &[("Mine", 30)], steps), &[]);
    told.ran.assert_code(3);
    told.assert("mine", raised("ClientError", "Oops", 400, 0));
    assert_eq!(told.fired(), [1, 0]);
    assert!(told.ran.stdout.contains("never fired"), "{}", told.ran.all());
}
