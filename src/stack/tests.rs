//! Templates as the embedded stack makes them.

use std::path::Path;
use std::sync::Arc;

use havoq_base::clock::Pace;
use havoq_base::{Clock, RunStart, Seed, StackTime};
use havoq_wire::Service;
use serde_json::{Value, json};

use super::provision::Embedded;
use super::spec::StackSpec;
use crate::guard::{Target, admit};
use crate::history::{HistoryFile, Recorder};
use crate::scenario::load;

/// The stack of a good file, and where its history is.
async fn provision(name: &str) -> (Embedded, tempfile::TempDir) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/scenario/tests/good/{name}.yaml"));
    let scenario = load(&path).unwrap_or_else(|problems| panic!("{problems:#?}"));
    let folder = tempfile::tempdir().expect("a folder");
    let clock = Clock::new(Pace::Virtual, StackTime::from_secs(1_800_000_000), RunStart::now());
    let file = HistoryFile::create(folder.path().join("history.jsonl")).expect("a file");
    let recorder = Recorder::new(name, 1, clock.clone(), Arc::new(file));
    let spec =
        StackSpec { template: &scenario.stack, name, clock, seed: Seed(1), recorder, heard: Vec::new() };
    let permit = admit(&Target::Sandbox).expect("one's own stack");
    let stack = Embedded::provision(&permit, &spec).await.unwrap_or_else(|error| panic!("{error}"));
    (stack, folder)
}

fn arn<'a>(stack: &'a Embedded, id: &str) -> &'a str {
    let made = stack.resources().iter().find(|resource| resource.id == id);
    &made.unwrap_or_else(|| panic!("{id} is made; lacks: {:#?}", stack.lacks())).arn
}

async fn call(stack: &Embedded, service: Service, operation: &str, input: Value) -> Value {
    stack.call(service, operation, &input).await.unwrap_or_else(|error| panic!("{operation}: {error}"))
}

#[tokio::test]
async fn a_stack_of_many_services_is_made() {
    let (stack, _folder) = provision("services").await;
    let url = |name: &str| format!("http://localhost/000000000000/{name}");
    let asked = json!({ "QueueUrl": url("orders.fifo"), "AttributeNames": ["All"] });
    let told = call(&stack, Service::Sqs, "GetQueueAttributes", asked).await;
    assert_eq!(told["Attributes"]["FifoThroughputLimit"], "perMessageGroupId");
    let asked = json!({ "QueueUrl": url("inbox"), "AttributeNames": ["Policy"] });
    let told = call(&stack, Service::Sqs, "GetQueueAttributes", asked).await;
    let policy = told["Attributes"]["Policy"].as_str().expect("a policy");
    assert!(policy.contains(arn(&stack, "Shipped")), "{policy}");
    for (topic, count) in [("Ops", 1), ("Orders", 1)] {
        let asked = json!({ "TopicArn": arn(&stack, topic) });
        let told = call(&stack, Service::Sns, "ListSubscriptionsByTopic", asked).await;
        assert_eq!(told["Subscriptions"].as_array().map(Vec::len), Some(count), "{topic}");
    }
    let asked = json!({ "EventBusName": "shop" });
    let rules = call(&stack, Service::EventBridge, "ListRules", asked).await;
    assert_eq!(rules["Rules"][0]["Arn"], arn(&stack, "Shipped"));
    let asked = json!({ "TableName": arn(&stack, "Marks") });
    let told = call(&stack, Service::DynamoDb, "DescribeTimeToLive", asked).await;
    assert_eq!(told["TimeToLiveDescription"]["TimeToLiveStatus"], "ENABLED");
    assert!(arn(&stack, "Tick").starts_with("arn:aws:scheduler:us-east-1:000000000000:schedule/default/"));
    assert!(arn(&stack, "Kept").contains(":archive/"));
}

#[tokio::test]
async fn what_a_serverless_function_stands_for_is_made() {
    let (stack, _folder) = provision("serverless").await;
    let asked = json!({ "EventBusName": "shop" });
    let rules = call(&stack, Service::EventBridge, "ListRules", asked).await;
    assert_eq!(rules["Rules"][0]["Arn"], arn(&stack, "FulfilShipped"));
    let asked = json!({ "Name": "nightly" });
    let rule = call(&stack, Service::EventBridge, "DescribeRule", asked).await;
    assert_eq!((&rule["State"], &rule["ScheduleExpression"]), (&json!("DISABLED"), &json!("rate(1 day)")));
}
