//! Archives (semantics 3.5).

use serde_json::{Value, json};

use super::{bus_arn, world};
use crate::tests::World;

const ARN: &str = "arn:aws:events:eu-central-1:123456789012:archive/a";

fn create(world: &mut World, bus: &str, more: Value) -> Value {
    let members = super::with(json!({ "ArchiveName": "a", "EventSourceArn": bus_arn(bus) }), more);
    world.events_ok("CreateArchive", members)
}

fn described(world: &mut World) -> Value {
    world.events_ok("DescribeArchive", json!({ "ArchiveName": "a" }))
}

fn count(world: &mut World) -> Value {
    described(world)["EventCount"].clone()
}

#[test]
fn an_archive_is_made_shown_and_listed() {
    let mut world = World::new();
    let state = json!({ "ArchiveArn": ARN, "State": "ENABLED", "CreationTime": 1_800_000_000.0 });
    let pattern = json!({ "source": ["s"] }).to_string();
    let more = json!({ "Description": "d", "RetentionDays": 1, "EventPattern": pattern });
    assert_eq!(create(&mut world, "default", more), state);
    let mut shown = json!({
        "ArchiveName": "a",
        "EventSourceArn": bus_arn("default"),
        "State": "ENABLED",
        "RetentionDays": 1,
        "SizeBytes": 0,
        "EventCount": 0,
        "CreationTime": 1_800_000_000.0,
    });
    let listed =
        |world: &mut World, filter: Value| world.events_ok("ListArchives", filter)["Archives"].take();
    for filter in [
        json!({ "NamePrefix": "a" }),
        json!({ "State": "ENABLED" }),
        json!({ "EventSourceArn": bus_arn("default") }),
    ] {
        assert_eq!(listed(&mut world, filter), json!([shown]));
    }
    assert_eq!(listed(&mut world, json!({ "NamePrefix": "b" })), json!([]));
    for (name, value) in
        [("ArchiveArn", json!(ARN)), ("Description", json!("d")), ("EventPattern", json!(pattern))]
    {
        shown[name] = value;
    }
    assert_eq!(described(&mut world), shown);
    let updated = json!({ "ArchiveName": "a", "RetentionDays": 2 });
    assert_eq!(world.events_ok("UpdateArchive", updated), state);
    let updated = described(&mut world);
    assert_eq!((&updated["RetentionDays"], &updated["Description"]), (&json!(2), &json!("d")));
    world.events_ok("DeleteArchive", json!({ "ArchiveName": "a" }));
    assert_eq!(listed(&mut world, json!({})), json!([]));
}

#[test]
fn what_aws_refuses_is_refused_in_its_words() {
    let mut world = World::new();
    let missing = "ResourceNotFoundException: Event bus b does not exist.";
    let on_b = json!({ "ArchiveName": "a", "EventSourceArn": bus_arn("b") });
    assert_eq!(world.events_error("CreateArchive", on_b), missing);
    assert_eq!(world.events_error("ListArchives", json!({ "EventSourceArn": bus_arn("b") })), missing);
    create(&mut world, "default", json!({}));
    let again = json!({ "ArchiveName": "a", "EventSourceArn": bus_arn("default") });
    let text = "ResourceAlreadyExistsException: Archive a already exists.";
    assert_eq!(world.events_error("CreateArchive", again), text);
    for operation in ["DescribeArchive", "DeleteArchive"] {
        let text = "ResourceNotFoundException: Archive x does not exist.";
        assert_eq!(world.events_error(operation, json!({ "ArchiveName": "x" })), text);
    }
    assert_eq!(
        world.events_error("UpdateArchive", json!({ "ArchiveName": "x" })),
        "ValidationException: At least one of EventPattern, RetentionDays or Description must be provided."
    );
    assert_eq!(
        world.events_error("ListArchives", json!({ "NamePrefix": "a", "State": "ENABLED" })),
        "ValidationException: At most one filter is allowed for ListArchives. Use either : State, \
         EventSourceArn, or NamePrefix."
    );
    let bad = json!({ "ArchiveName": "c", "EventSourceArn": bus_arn("default"), "EventPattern": "x" });
    assert!(world.events_error("CreateArchive", bad).starts_with("InvalidEventPatternException: "));
}

#[test]
fn an_archive_keeps_the_events_of_its_bus_that_match_its_pattern() {
    let mut world = world(json!({}));
    world.events_ok("CreateEventBus", json!({ "Name": "b" }));
    let pattern = json!({ "detail": { "kept": [true] } }).to_string();
    create(&mut world, "default", json!({ "EventPattern": pattern }));
    world.put("default", json!({ "kept": true }));
    world.put("default", json!({ "kept": false }));
    world.put("b", json!({ "kept": true }));
    assert_eq!(count(&mut world), 1);
    // 1 + 1 + 13 for source, type and detail, and 20 for the time.
    assert_eq!(described(&mut world)["SizeBytes"], 35);
}

#[test]
fn retention_is_by_days_and_0_days_are_for_ever() {
    let mut world = world(json!({}));
    create(&mut world, "default", json!({ "RetentionDays": 1 }));
    world.put("default", json!({}));
    world.pass(3_600);
    world.put("default", json!({}));
    world.pass(86_400 - 3_601);
    assert_eq!(count(&mut world), 2);
    world.pass(1);
    assert_eq!(count(&mut world), 1);
    world.events_ok("UpdateArchive", json!({ "ArchiveName": "a", "RetentionDays": 0 }));
    world.pass(400 * 86_400);
    assert_eq!(count(&mut world), 1);
}
