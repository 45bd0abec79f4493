//! Faults of what is delivered, and of what is said to be done about it.

use serde_json::{Value, json};

use super::{Told, boto3, scenario};

const SCENES: &[&str] = &[
    "twice",
    "late",
    "lost_receive",
    "empty_receive",
    "short_batch",
    "reorder",
    "swallow",
    "failed_of_a_label",
];
const QUEUES: &[(&str, u32)] = &[
    ("Twice", 60),
    ("Late", 60),
    ("Unseen", 30),
    ("Empty", 60),
    ("Short", 60),
    ("Order", 30),
    ("Swallow", 30),
    ("Entries", 30),
];
const STEPS: &str = "
  - fault: { does: { duplicate-delivery: { after: 2s } }, queue: Twice, times: 1 }
  - fault: { does: { late: { by: 20s } }, queue: Late, times: 1 }
  - fault: { does: lost-receive, queue: Unseen, times: 1 }
  - fault: { does: empty-receive, queue: Empty, times: 1 }
  - fault: { does: { short-batch: { to: 2 } }, queue: Short, times: 1 }
  - fault: { does: reorder, queue: Order, times: 1 }
  - fault: { does: swallow, call: DeleteMessage, of: swallowed, times: 1 }
  - fault: { does: failed-entries, call: DeleteMessageBatch, of: failed, times: 1 }
  - send: { to: Twice, as: twice }
  - send: { to: Late, as: late }
  - send: { to: Unseen, as: unseen }
  - send: { to: Empty, as: empty }
  - send: { to: Short, count: 3, as: short }
  - send: { to: Order, count: 3, as: order }
  - send: { to: Swallow, as: swallowed }
  - send: { to: Entries, count: 2, as: others }
  - send: { to: Entries, as: failed }
";

/// A message by its label and its receive count.
fn came(label: &str, count: u32) -> Value {
    json!([format!("{label}-1"), count])
}

#[test]
fn boto3_sees_each_kind_as_the_real_thing() {
    let Some(command) = boto3(SCENES) else { return };
    let told = Told::by(&scenario(&command, QUEUES, STEPS), &[]);
    told.ran.assert_code(0);
    let done = json!({ "retries": 0, "md5": null });
    told.assert("twice", json!([[came("twice", 1), came("twice", 2)], [done, done]]));
    told.assert("late", json!([came("late", 1), done]));
    // In flight as far as the stack knows, and so received a second time.
    told.assert("lost_receive", json!([[], came("unseen", 2)]));
    told.assert("empty_receive", json!([[], came("empty", 1)]));
    told.assert("short_batch", json!([2, 3]));
    let [one, other] = [0, 1].map(|at| told.scenes["reorder"][at].as_array().expect("an order").clone());
    assert_eq!(one, other.into_iter().rev().collect::<Vec<_>>());
    told.assert("swallow", json!([came("swallowed", 1), done, came("swallowed", 2), done]));
    told.assert("failed_of_a_label", json!([["failed-1"], 2, came("failed", 2)]));
    assert_eq!(told.fired(), [1; 8]);
    let events = told.ran.events();
    assert!(events.iter().any(|event| event["kind"] == "deleted" && event["undone"] == true));
    let forged = events.iter().filter(|event| event["kind"] == "received" && !event["fault"].is_null());
    assert_eq!(forged.count(), 2, "twice and late");
}
