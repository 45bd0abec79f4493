//! PutEvents (semantics 3.1).

use serde_json::json;

use super::{entry, world};
use crate::fact::Fact;
use crate::tests::World;

#[test]
fn an_event_reaches_the_queue_of_a_rule_that_takes_it_in_its_envelope() {
    let mut world = world(json!({}));
    let id = world.put("default", json!({ "b": 1, "a": [2] }));
    let envelope = &world.documents("q")[0];
    assert_eq!(
        envelope.to_string(),
        json!({
            "version": "0",
            "id": id,
            "detail-type": "t",
            "source": "s",
            "account": "123456789012",
            "time": "2027-01-15T08:00:00Z",
            "region": "eu-central-1",
            "resources": [],
            "detail": { "b": 1, "a": [2] },
        })
        .to_string()
    );
}

#[test]
fn the_answer_has_an_entry_for_each_with_an_id_or_an_error() {
    let mut world = world(json!({}));
    let without = |name: &str| {
        let mut entry = entry("default", json!({}));
        entry.as_object_mut().expect("an object").remove(name);
        entry
    };
    let mut malformed = entry("default", json!({}));
    malformed["Detail"] = json!("[1]");
    let mut reserved = entry("default", json!({}));
    reserved["Source"] = json!("aws.s3");
    let entries = [
        without("Source"),
        without("DetailType"),
        without("Detail"),
        malformed,
        reserved,
        without("EventBusName"),
    ];
    let put = world.events_ok("PutEvents", json!({ "Entries": entries }));
    assert_eq!(put["FailedEntryCount"], 5);
    let errors: Vec<_> = put["Entries"].as_array().expect("a list")[..5].to_vec();
    let required = |name: &str| {
        json!({
            "ErrorCode": "InvalidArgument",
            "ErrorMessage": format!("Parameter {name} is not valid. Reason: {name} is a required argument."),
        })
    };
    assert_eq!(
        errors,
        [
            required("Source"),
            required("DetailType"),
            required("Detail"),
            json!({ "ErrorCode": "MalformedDetail", "ErrorMessage": "Detail is malformed." }),
            json!({
                "ErrorCode": "NotAuthorizedForSourceException",
                "ErrorMessage": "Not authorized for the source.",
            }),
        ]
    );
    assert!(put["Entries"][5]["EventId"].is_string());
    world.pass(0);
    assert_eq!(world.depth("q"), (1, 0, 0));
}

#[test]
fn more_than_ten_entries_and_none_fail_the_call() {
    let mut world = world(json!({}));
    let entries = vec![entry("default", json!({})); 11];
    let error = world.events_error("PutEvents", json!({ "Entries": entries }));
    let one = "PutEventsRequestEntry(time=null, source=s, resources=null, detailType=t, detail={}, \
               eventBusName=default, traceHeader=null, kmsKeyIdentifier=null, internalMetadata=null)";
    let all = [one; 11].join(", ");
    assert_eq!(
        error,
        format!(
            "ValidationException: 1 validation error detected: Value '[{all}]' at 'entries' failed to satisfy \
             constraint: Member must have length less than or equal to 10"
        )
    );
    assert!(world.events("PutEvents", json!({ "Entries": [] })).is_err());
    world.pass(0);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

/// The size is that of the texts, and 14 for a time.
#[test]
fn over_1_mib_nothing_is_accepted() {
    let mut world = world(json!({}));
    let sized = |total: usize| {
        // The source and the detail type have one byte each, the time counts 14.
        let filler = "x".repeat(total - 2 - 14 - r#"{"a":""}"#.len());
        let mut entry = entry("default", json!({ "a": filler }));
        entry["Time"] = json!(1_800_000_000);
        entry
    };
    let two = json!({ "Entries": [sized(524_288), sized(524_289)] });
    assert_eq!(
        world.events_error("PutEvents", two),
        "ValidationException: Total size of the entries in the request is over the limit."
    );
    world.pass(0);
    assert_eq!(world.depth("q"), (0, 0, 0));
    assert!(world.events("PutEvents", json!({ "Entries": [sized(524_288), sized(524_288)] })).is_ok());
}

#[test]
fn an_event_for_a_bus_that_does_not_exist_is_silently_gone() {
    let mut world = world(json!({}));
    world.facts();
    let id = world.put("none", json!({}));
    assert_eq!(world.depth("q"), (0, 0, 0));
    let unmatched = Fact::Unmatched { channel: "none".to_owned(), message_id: id.into() };
    assert_eq!(world.facts(), [unmatched]);
}

#[test]
fn an_event_that_no_rule_takes_is_known_to_the_history() {
    let mut world = World::new();
    let id = world.put("default", json!({}));
    let facts = world.facts();
    assert!(matches!(&facts[..], [Fact::Published { .. }, Fact::Unmatched { message_id, .. }]
        if message_id.as_str() == id));
}

#[test]
fn an_event_has_the_time_that_it_was_given_and_whole_seconds() {
    let mut world = world(json!({}));
    let mut early = entry("default", json!({}));
    early["Time"] = json!(1_700_000_000.75);
    world.events_ok("PutEvents", json!({ "Entries": [early] }));
    world.pass(0);
    assert_eq!(world.documents("q")[0]["time"], "2023-11-14T22:13:20Z");
}

/// Duplicate keys in a detail: the last one wins (semantics 3.2).
#[test]
fn of_a_key_that_comes_twice_the_last_one_counts() {
    let mut world = world(json!({}));
    let mut twice = entry("default", json!({}));
    twice["Detail"] = json!(r#"{"a": 1, "a": 2}"#);
    world.events_ok("PutEvents", json!({ "Entries": [twice] }));
    world.pass(0);
    assert_eq!(world.documents("q")[0]["detail"].to_string(), r#"{"a":2}"#);
}
