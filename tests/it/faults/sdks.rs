//! The same as seen by the SDK for JavaScript.

use std::path::Path;

use serde_json::{Value, json};

use super::{Told, command, scenario};
use crate::support::{provided, root};

const STEPS: &str = "
  - fault: { does: { error: { code: QueueDoesNotExist } }, call: GetQueueAttributes, queue: Error, times: 1 }
  - fault: { does: { error: { code: InternalFailure, status: 500 } }, call: SendMessage, queue: Error, times: 1 }
  - fault: { does: throttle, call: SendMessage, queue: Throttle, times: 1 }
  - fault: { does: denied, call: SendMessage, queue: Denied }
  - fault: { does: reset, call: SendMessage, queue: Reset, times: 1 }
  - fault: { does: lost-response, call: SendMessage, queue: Lost, times: 1 }
  - fault: { does: { failed-entries: { code: Busy, sender_fault: true } }, call: SendMessageBatch, queue: Failed, times: 1 }
";

fn sent(attempts: u32) -> Value {
    json!({ "attempts": attempts })
}

#[test]
fn the_sdk_for_javascript_sees_them_as_the_real_thing() {
    let Some(modules) = provided("HAVOQ_TEST_NODE_MODULES") else { return };
    let beside = modules.with_file_name("fault_calls.mjs");
    std::fs::copy(root().join("tests/consumers/faults/calls.mjs"), &beside).expect("a copy");
    let queues = ["Error", "Throttle", "Denied", "Reset", "Lost", "Failed"].map(|it| (it, 30));
    let told = Told::by(&scenario(&command(&[Path::new("node"), &beside], &[]), &queues, STEPS), &[]);
    told.ran.assert_code(0);
    let missing = json!({ "raised": "QueueDoesNotExist", "modelled": true, "status": 400, "attempts": 1 });
    told.assert("error", json!([missing, sent(2), 1]));
    told.assert("throttle", json!([sent(2), 1]));
    let denied = json!({ "raised": "AccessDenied", "modelled": false, "status": 403, "attempts": 1 });
    told.assert("denied", json!([denied, 0]));
    told.assert("reset", json!([sent(2), 1]));
    told.assert("lost_response", json!([sent(2), 2]));
    let failed: Vec<Value> = ["a", "b", "c"].iter().map(|id| json!([id, "Busy", true])).collect();
    told.assert("failed_entries", json!(failed));
}
