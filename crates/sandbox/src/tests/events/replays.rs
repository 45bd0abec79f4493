//! Replays of archives (semantics 3.5).

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{bus_arn, rule_arn, with, world};
use crate::tests::{World, arn, text};

const ARCHIVE: &str = "arn:aws:events:eu-central-1:123456789012:archive/a";
const ROLE: &str = "arn:aws:iam::123456789012:role/r";
/// When World's clock begins.
const START: u64 = 1_800_000_000;

/// The default bus with an archive, the rule `r` and its queue `q`.
fn archived() -> World {
    let mut world = world(json!({}));
    // What was received does not come back.
    world.set("q", "VisibilityTimeout", "43200").expect("set");
    let members = json!({ "ArchiveName": "a", "EventSourceArn": bus_arn("default") });
    world.events_ok("CreateArchive", members);
    world
}

/// The members of StartReplay for the events of the first hour.
fn members(name: &str, more: Value) -> Value {
    let members = json!({
        "ReplayName": name,
        "EventSourceArn": ARCHIVE,
        "EventStartTime": START,
        "EventEndTime": START + 3_600,
        "Destination": { "Arn": bus_arn("default") },
    });
    with(members, more)
}

fn start(world: &mut World, name: &str, more: Value) -> Value {
    world.events_ok("StartReplay", members(name, more))
}

fn described(world: &mut World, name: &str) -> Value {
    world.events_ok("DescribeReplay", json!({ "ReplayName": name }))
}

fn numbers(documents: &[Value]) -> Vec<u64> {
    documents.iter().map(|document| document["detail"]["n"].as_u64().expect("a number")).collect()
}

#[test]
fn a_replay_sends_the_events_of_a_time_again_with_its_name() {
    let mut world = archived();
    for n in 0..3 {
        world.put("default", json!({ "n": n }));
        world.pass(100);
    }
    let first = world.documents("q");
    let time = json!({ "EventStartTime": START + 100, "EventEndTime": START + 200 });
    let replay = "arn:aws:events:eu-central-1:123456789012:replay/p";
    assert_eq!(
        start(&mut world, "p", time),
        json!({ "ReplayArn": replay, "State": "STARTING", "ReplayStartTime": 1_800_000_300.0 })
    );
    world.pass(10);
    let again = world.documents("q");
    assert_eq!(numbers(&again), [1, 2]);
    let mut replayed = again[0].clone();
    assert_eq!(replayed.as_object_mut().and_then(|event| event.remove("replay-name")), Some(json!("p")));
    assert_eq!(replayed, first[1], "time and id are those of the event");
    assert_eq!(
        described(&mut world, "p"),
        json!({
            "ReplayName": "p",
            "ReplayArn": replay,
            "EventSourceArn": ARCHIVE,
            "State": "COMPLETED",
            "Destination": { "Arn": bus_arn("default") },
            "EventStartTime": 1_800_000_100.0,
            "EventEndTime": 1_800_000_200.0,
            "EventLastReplayedTime": 1_800_000_200.0,
            "ReplayStartTime": 1_800_000_300.0,
            "ReplayEndTime": 1_800_000_302.0,
        })
    );
}

/// No loops: a replay's events would be in the next one twice, and so on.
#[test]
fn what_was_replayed_is_not_archived_again() {
    let mut world = archived();
    world.put("default", json!({ "n": 1 }));
    for name in ["p1", "p2"] {
        start(&mut world, name, json!({}));
        world.pass(10);
    }
    assert_eq!(world.depth("q"), (3, 0, 0));
    let archive = world.events_ok("DescribeArchive", json!({ "ArchiveName": "a" }));
    assert_eq!(archive["EventCount"], 1);
}

#[test]
fn what_was_replayed_is_not_archived_on_another_bus_either() {
    let mut world = archived();
    world.events_ok("CreateEventBus", json!({ "Name": "b" }));
    world.target("default", "r", json!({ "Id": "b", "Arn": bus_arn("b"), "RoleArn": ROLE }));
    let members = json!({ "ArchiveName": "of-b", "EventSourceArn": bus_arn("b") });
    world.events_ok("CreateArchive", members);
    world.put("default", json!({ "n": 1 }));
    let kept = |world: &mut World| {
        world.events_ok("DescribeArchive", json!({ "ArchiveName": "of-b" }))["EventCount"].clone()
    };
    assert_eq!(kept(&mut world), 1);
    start(&mut world, "p", json!({}));
    world.pass(10);
    assert_eq!((world.depth("q").0, kept(&mut world)), (2, json!(1)));
}

#[test]
fn filter_arns_choose_the_rules_that_get_the_events() {
    let mut world = archived();
    world.rule_queue("other");
    world.rule("default", "r2");
    world.target("default", "r2", json!({ "Id": "t", "Arn": arn("other") }));
    world.put("default", json!({ "n": 1 }));
    let filtered = json!({ "Arn": bus_arn("default"), "FilterArns": [rule_arn("r2")] });
    start(&mut world, "p", json!({ "Destination": filtered }));
    world.pass(10);
    assert_eq!((world.depth("q").0, world.depth("other").0), (1, 2));
    assert_eq!(described(&mut world, "p")["Destination"], filtered);
}

/// Minute after minute of the events' own time, and in any order within.
#[test]
fn a_thousand_events_are_replayed_by_the_minute_and_none_is_lost() {
    let mut world = archived();
    for n in 0..1_000 {
        world.put("default", json!({ "n": n }));
        world.pass(3);
    }
    let receive_all = |world: &mut World| {
        let mut all = Vec::new();
        loop {
            let some = numbers(&world.documents("q"));
            if some.is_empty() {
                return all;
            }
            all.extend(some);
        }
    };
    assert_eq!(receive_all(&mut world).len(), 1_000);
    start(&mut world, "p", json!({}));
    let mut order = Vec::new();
    for second in 1..=50_u64 {
        world.pass(1);
        let minute = receive_all(&mut world);
        let of_minute: BTreeSet<_> = minute.iter().map(|n| n / 20).collect();
        assert_eq!((minute.len(), of_minute), (20, BTreeSet::from([second - 1])));
        order.extend(minute);
        let state = if second < 50 { "RUNNING" } else { "COMPLETED" };
        assert_eq!(described(&mut world, "p")["State"], state);
    }
    assert!(!order.is_sorted(), "AWS promises no order within a minute");
    let all: BTreeSet<_> = order.into_iter().collect();
    assert_eq!(all, (0..1_000).collect());
    world.pass(100);
    assert_eq!(receive_all(&mut world), [0; 0]);
}

#[test]
fn a_cancelled_replay_stops() {
    let mut world = archived();
    for n in 0..5 {
        world.put("default", json!({ "n": n }));
        world.pass(60);
    }
    world.documents("q");
    start(&mut world, "p", json!({}));
    world.pass(2);
    let cancelled = world.events_ok("CancelReplay", json!({ "ReplayName": "p" }));
    assert_eq!(cancelled["State"], "CANCELLING");
    world.pass(60);
    assert_eq!(numbers(&world.documents("q")), [0, 1]);
    let replay = described(&mut world, "p");
    assert_eq!((&replay["State"], &replay["ReplayEndTime"]), (&json!("CANCELLED"), &json!(1_800_000_303.0)));
    assert_eq!(
        world.events_error("CancelReplay", json!({ "ReplayName": "p" })),
        "IllegalStatusException: Replay p is not in a valid state for this operation."
    );
}

#[test]
fn what_aws_refuses_is_refused_in_its_words() {
    let mut world = archived();
    let mut refused = |more: Value| world.events_error("StartReplay", members("p", more));
    assert_eq!(
        refused(json!({ "Destination": { "Arn": bus_arn("b") } })),
        "ResourceNotFoundException: Event bus b does not exist."
    );
    assert_eq!(
        refused(json!({ "EventEndTime": START })),
        "ValidationException: Parameter EventEndTime is not valid. Reason: EventStartTime must be before \
         EventEndTime."
    );
    assert_eq!(
        refused(json!({ "EventSourceArn": ARCHIVE.replace("/a", "/x") })),
        "ValidationException: Parameter EventSourceArn is not valid. Reason: Archive x does not exist."
    );
    world.events_ok("CreateEventBus", json!({ "Name": "b" }));
    assert_eq!(
        world.events_error("StartReplay", members("p", json!({ "Destination": { "Arn": bus_arn("b") } }))),
        "ValidationException: Parameter Destination.Arn is not valid. Reason: Cross event bus replay is not \
         permitted."
    );
    start(&mut world, "p", json!({}));
    assert_eq!(
        world.events_error("StartReplay", members("p", json!({}))),
        "ResourceAlreadyExistsException: Replay p already exists."
    );
    assert_eq!(
        world.events_error("DescribeReplay", json!({ "ReplayName": "x" })),
        "ResourceNotFoundException: Replay x does not exist."
    );
}

#[test]
fn ten_replays_are_active_at_a_time() {
    let mut world = archived();
    for n in 0..10 {
        start(&mut world, &format!("p{n}"), json!({}));
    }
    let text = "LimitExceededException: The requested resource exceeds the maximum number allowed.";
    assert_eq!(world.events_error("StartReplay", members("q", json!({}))), text);
    world.pass(1);
    start(&mut world, "q", json!({}));
}

#[test]
fn replays_are_listed_and_kept_for_90_days() {
    let mut world = archived();
    for name in ["p1", "p2", "q1"] {
        start(&mut world, name, json!({}));
    }
    world.pass(10);
    start(&mut world, "p3", json!({}));
    let names = |world: &mut World, filter: Value| -> Vec<String> {
        let listed = world.events_ok("ListReplays", filter);
        let replays = listed["Replays"].as_array().expect("a list");
        replays.iter().map(|replay| text(&replay["ReplayName"])).collect()
    };
    assert_eq!(names(&mut world, json!({ "NamePrefix": "p" })), ["p1", "p2", "p3"]);
    assert_eq!(names(&mut world, json!({ "State": "STARTING" })), ["p3"]);
    assert_eq!(names(&mut world, json!({ "EventSourceArn": ARCHIVE })).len(), 4);
    assert_eq!(names(&mut world, json!({ "Limit": 3 })).len(), 3);
    world.pass(90 * 86_400 - 5);
    assert_eq!(names(&mut world, json!({})), ["p3"]);
}
