//! The operations on mappings, and what they refuse (semantics 5.1).

use serde_json::{Value, json};

use crate::tests::{World, arn, text};

fn world() -> World {
    let mut world = World::new();
    world.create("q", &[]);
    world.create_fifo("q.fifo", &[]);
    world.function("f", 3);
    world
}

fn create(more: Value) -> Value {
    let mut members = json!({ "EventSourceArn": arn("q"), "FunctionName": "f" });
    for (name, value) in more.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    members
}

fn refused(more: Value) -> String {
    world().lambda_error("CreateEventSourceMapping", create(more))
}

#[test]
fn a17_a_function_that_may_run_longer_than_the_queue_hides_is_refused_with_both_numbers() {
    let mut world = World::new();
    world.create("q", &[("VisibilityTimeout", "60")]);
    world.function("f", 180);
    let text = "InvalidParameterValueException: Queue visibility timeout: 60 seconds is less than Function timeout: \
                180 seconds";
    assert_eq!(world.lambda_error("CreateEventSourceMapping", create(json!({}))), text);
    world.set("q", "VisibilityTimeout", "180").expect("it is set");
    let uuid = text_of(&world.lambda_ok("CreateEventSourceMapping", create(json!({}))), "UUID");
    // An update is checked as well.
    world.set("q", "VisibilityTimeout", "60").expect("it is set");
    assert_eq!(world.lambda_error("UpdateEventSourceMapping", json!({ "UUID": uuid, "BatchSize": 5 })), text);
}

fn text_of(value: &Value, name: &str) -> String {
    text(&value[name])
}

#[test]
fn a_queue_that_is_not_there_is_refused_as_its_receive_was() {
    assert_eq!(
        refused(json!({ "EventSourceArn": arn("nowhere") })),
        "InvalidParameterValueException: Error occurred while ReceiveMessage. SQS Error Code: \
         AWS.SimpleQueueService.NonExistentQueue. SQS Error Message: The specified queue does not exist."
    );
}

#[test]
fn a_mapping_is_told_with_the_defaults() {
    let mut world = world();
    let created = world.lambda_ok("CreateEventSourceMapping", create(json!({})));
    let uuid = text_of(&created, "UUID");
    assert_eq!(
        created,
        json!({
            "UUID": uuid,
            "BatchSize": 10,
            "MaximumBatchingWindowInSeconds": 0,
            "EventSourceArn": arn("q"),
            "EventSourceMappingArn": format!("arn:aws:lambda:eu-central-1:123456789012:event-source-mapping:{uuid}"),
            "FunctionArn": super::function_arn("f"),
            "LastModified": 1_800_000_000.0,
            "State": "Creating",
            "StateTransitionReason": "USER_INITIATED",
            "FunctionResponseTypes": [],
        })
    );
    let got = world.lambda_ok("GetEventSourceMapping", json!({ "UUID": uuid }));
    assert_eq!(got["State"], "Enabled");
    assert_eq!(
        world.lambda_error("GetEventSourceMapping", json!({ "UUID": "x" })),
        "ResourceNotFoundException: The resource you requested does not exist."
    );
}

#[test]
fn settings_are_kept_and_what_an_update_does_not_give_stays() {
    let mut world = world();
    let pattern = json!({ "body": { "a": [1] } }).to_string();
    let created = world.lambda_ok(
        "CreateEventSourceMapping",
        create(json!({
            "BatchSize": 100, "MaximumBatchingWindowInSeconds": 5, "Enabled": false,
            "FunctionResponseTypes": ["ReportBatchItemFailures"], "ScalingConfig": { "MaximumConcurrency": 7 },
            "FilterCriteria": { "Filters": [{ "Pattern": pattern }] },
        })),
    );
    assert_eq!(created["State"], "Disabled");
    let uuid = text_of(&created, "UUID");
    let updated = world
        .lambda_ok("UpdateEventSourceMapping", json!({ "UUID": uuid, "BatchSize": 50, "Enabled": true }));
    assert_eq!(updated["State"], "Enabling");
    let got = world.lambda_ok("GetEventSourceMapping", json!({ "UUID": uuid }));
    assert_eq!((&got["BatchSize"], &got["MaximumBatchingWindowInSeconds"]), (&json!(50), &json!(5)));
    assert_eq!(got["FunctionResponseTypes"], json!(["ReportBatchItemFailures"]));
    assert_eq!(got["ScalingConfig"], json!({ "MaximumConcurrency": 7 }));
    assert_eq!(got["FilterCriteria"], json!({ "Filters": [{ "Pattern": pattern }] }));
}

#[test]
fn a_batch_above_10_needs_a_window_and_a_fifo_queue_has_neither() {
    assert_eq!(
        refused(json!({ "BatchSize": 11 })),
        "InvalidParameterValueException: Maximum batch window in seconds must be greater than 0 if maximum batch size \
         is greater than 10"
    );
    assert!(refused(json!({ "EventSourceArn": arn("q.fifo"), "BatchSize": 11 })).contains("FIFO"));
    let windowed = json!({ "EventSourceArn": arn("q.fifo"), "MaximumBatchingWindowInSeconds": 1 });
    assert!(refused(windowed).contains("FIFO"));
}

#[test]
fn maximum_concurrency_is_from_2_to_1000() {
    for (most, is_fine) in [(1, false), (2, true), (1_000, true), (1_001, false)] {
        let members = create(json!({ "ScalingConfig": { "MaximumConcurrency": most } }));
        assert_eq!(world().lambda("CreateEventSourceMapping", members).is_ok(), is_fine, "{most}");
    }
}

#[test]
fn filters_that_are_no_patterns_are_refused() {
    assert_eq!(
        refused(json!({ "FilterCriteria": { "Filters": [{ "Pattern": "{\"eventSource\":\"aws:sqs\"}" }] } })),
        "InvalidParameterValueException: Invalid filter pattern definition."
    );
}

#[test]
fn other_refusals_have_lambda_s_texts() {
    assert_eq!(
        refused(json!({ "FunctionName": "nowhere" })),
        "InvalidParameterValueException: Function does not exist"
    );
    assert_eq!(
        refused(json!({ "EventSourceArn": null })),
        "InvalidParameterValueException: Unrecognized event source."
    );
    assert_eq!(
        refused(json!({ "DestinationConfig": { "OnFailure": { "Destination": arn("q") } } })),
        "InvalidParameterValueException: Unsupported DestinationConfig parameter for given event source mapping type."
    );
    let mut world = world();
    let uuid = world.map("q", "f", json!({}));
    assert_eq!(
        world.lambda_error("CreateEventSourceMapping", create(json!({}))),
        format!(
            "ResourceConflictException: An event source mapping with SQS arn (\" {} \") and function (\" f \") already \
             exists. Please update or delete the existing mapping with UUID {uuid}",
            arn("q")
        )
    );
}

#[test]
fn mappings_are_listed_by_queue_and_function() {
    let mut world = world();
    world.function("g", 3);
    let uuids =
        [world.map("q", "f", json!({})), world.map("q", "g", json!({})), world.map("q.fifo", "g", json!({}))];
    let mut listed = |members: Value| {
        let listed = world.lambda_ok("ListEventSourceMappings", members);
        let mappings = listed["EventSourceMappings"].as_array().cloned().expect("a list");
        let mut uuids: Vec<_> = mappings.iter().map(|mapping| text(&mapping["UUID"])).collect();
        uuids.sort_unstable();
        uuids
    };
    let sorted = |mut wanted: Vec<String>| {
        wanted.sort_unstable();
        wanted
    };
    assert_eq!(listed(json!({})), sorted(uuids.to_vec()));
    assert_eq!(listed(json!({ "EventSourceArn": arn("q") })), sorted(uuids[..2].to_vec()));
    assert_eq!(listed(json!({ "FunctionName": "g" })), sorted(uuids[1..].to_vec()));
}
