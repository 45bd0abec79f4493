//! The same on a stack that is not ours.

use serde_json::json;

use super::{Told, boto3, scenario};
use crate::foreign::Foreign;

const STEPS: &str = "
  - fault: { does: throttle, call: SendMessage, queue: Throttle, times: 2 }
  - fault: { does: denied, call: SendMessage, queue: Denied }
  - fault: { does: lost-response, call: SendMessage, queue: Lost, times: 1 }
  - fault: { does: { failed-entries: { code: Busy } }, call: SendMessageBatch, queue: Failed, times: 1 }
  - fault: { does: swallow, call: DeleteMessage, of: swallowed, times: 1 }
  - send: { to: Swallow, as: swallowed }
";

#[test]
fn boto3_sees_them_on_moto_too() {
    let scenes = ["throttle", "denied", "lost_response", "failed_entries", "swallow"];
    let Some(command) = boto3(&scenes) else { return };
    let Some(stack) = Foreign::moto() else { return };
    let queues = ["Throttle", "Denied", "Lost", "Failed", "Swallow"].map(|it| (it, 3));
    let told = Told::by(&scenario(&command, &queues, STEPS), &["--on", &stack.url()]);
    told.ran.assert_code(0);
    let sent = json!({ "retries": 1, "md5": "5d41402abc4b2a76b9719d911017c592" });
    assert_eq!((&told.scenes["throttle"][1], &told.scenes["throttle"][2]), (&sent, &json!(1)));
    assert_eq!(told.scenes["denied"][1], 0);
    told.assert("lost_response", json!([sent, 2]));
    assert_eq!(told.scenes["failed_entries"][2], 0);
    assert_eq!(told.scenes["swallow"][2], json!(["swallowed-1", 2]));
    assert_eq!(told.fired(), [2, 1, 1, 1, 1]);
    stack.assert_nothing_left();
}
