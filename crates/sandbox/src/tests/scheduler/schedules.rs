//! CreateSchedule, UpdateSchedule, GetSchedule, DeleteSchedule and ListSchedules.

use serde_json::{Value, json};

use super::{ROLE, schedule, schedule_arn};
use crate::tests::{World, arn};

#[test]
fn a_schedule_is_shown_with_what_holds_where_nothing_was_told() {
    let mut world = World::new();
    let created = world.scheduler("CreateSchedule", schedule("s", "rate(1 hour)", "q", json!({})));
    assert_eq!(created.expect("created"), json!({ "ScheduleArn": schedule_arn("s") }));
    assert_eq!(
        world.scheduler("GetSchedule", json!({ "Name": "s" })).expect("it is there"),
        json!({
            "Arn": schedule_arn("s"),
            "GroupName": "default",
            "Name": "s",
            "ScheduleExpression": "rate(1 hour)",
            "ScheduleExpressionTimezone": "UTC",
            "State": "ENABLED",
            "CreationDate": 1_800_000_000.0,
            "LastModificationDate": 1_800_000_000.0,
            "Target": {
                "Arn": arn("q"),
                "RoleArn": ROLE,
                "Input": "hello",
                "RetryPolicy": { "MaximumEventAgeInSeconds": 86_400, "MaximumRetryAttempts": 185 },
            },
            "FlexibleTimeWindow": { "Mode": "OFF" },
            "ActionAfterCompletion": "NONE",
        })
    );
}

#[test]
fn an_update_replaces_everything() {
    let mut world = World::new();
    world.schedule(
        "rate(1 hour)",
        "q",
        json!({ "Description": "d", "State": "DISABLED", "ScheduleExpressionTimezone": "Europe/Berlin" }),
    );
    world.pass(10);
    let updated = world.scheduler("UpdateSchedule", schedule("s", "rate(2 hours)", "q", json!({})));
    assert_eq!(updated.expect("updated"), json!({ "ScheduleArn": schedule_arn("s") }));
    let shown = world.scheduler("GetSchedule", json!({ "Name": "s" })).expect("it is there");
    assert_eq!((&shown["Description"], &shown["State"]), (&Value::Null, &json!("ENABLED")));
    assert_eq!((&shown["ScheduleExpressionTimezone"]), (&json!("UTC")));
    assert_eq!((&shown["CreationDate"]), (&json!(1_800_000_000.0)));
    assert_eq!((&shown["LastModificationDate"]), (&json!(1_800_000_010.0)));
}

#[test]
fn a_name_is_taken_once_in_a_group_but_a_repeated_call_with_its_token_is_answered_again() {
    let mut world = World::new();
    let members = schedule("s", "rate(1 hour)", "q", json!({ "ClientToken": "t" }));
    let first = world.scheduler("CreateSchedule", members.clone());
    assert_eq!(world.scheduler("CreateSchedule", members), first);
    assert_eq!(
        world.scheduler_error("CreateSchedule", schedule("s", "rate(1 hour)", "q", json!({}))),
        ("ConflictException".into(), "Schedule s already exists.".into())
    );
    world.scheduler("CreateScheduleGroup", json!({ "Name": "g" })).expect("a group");
    let elsewhere = schedule("s", "rate(1 hour)", "q", json!({ "GroupName": "g" }));
    assert!(world.scheduler("CreateSchedule", elsewhere).is_ok());
}

#[test]
fn what_is_not_there_is_told() {
    let mut world = World::new();
    let missing = |what: &str| ("ResourceNotFoundException".to_owned(), format!("{what} does not exist."));
    let no_schedule = missing("Schedule s");
    assert_eq!(world.scheduler_error("GetSchedule", json!({ "Name": "s" })), no_schedule);
    assert_eq!(world.scheduler_error("DeleteSchedule", json!({ "Name": "s" })), no_schedule);
    let members = schedule("s", "rate(1 hour)", "q", json!({}));
    assert_eq!(world.scheduler_error("UpdateSchedule", members), no_schedule);
    let no_group = missing("Schedule group g");
    let members = schedule("s", "rate(1 hour)", "q", json!({ "GroupName": "g" }));
    assert_eq!(world.scheduler_error("CreateSchedule", members), no_group);
    assert_eq!(world.scheduler_error("GetSchedule", json!({ "Name": "s", "GroupName": "g" })), no_group);
    assert_eq!(world.scheduler_error("ListSchedules", json!({ "GroupName": "g" })), no_group);
}

fn names(list: &Value) -> Vec<&str> {
    let schedules = list["Schedules"].as_array().expect("a list");
    schedules.iter().map(|schedule| schedule["Name"].as_str().expect("a name")).collect()
}

#[test]
fn schedules_are_listed_in_pages_and_by_group_prefix_and_state() {
    let mut world = World::new();
    for group in ["g", "g-2"] {
        world.scheduler("CreateScheduleGroup", json!({ "Name": group })).expect("a group");
    }
    for (name, more) in [
        ("a1", json!({})),
        ("a2", json!({ "State": "DISABLED" })),
        ("b1", json!({ "GroupName": "g" })),
        ("b2", json!({ "GroupName": "g-2" })),
    ] {
        let members = schedule(name, "rate(1 hour)", "q", more);
        world.scheduler("CreateSchedule", members).expect("created");
    }
    let mut list = |members| world.scheduler("ListSchedules", members).expect("a list");
    assert_eq!(names(&list(json!({}))), ["a1", "a2", "b1", "b2"]);
    assert_eq!(names(&list(json!({ "GroupName": "g" }))), ["b1"]);
    assert_eq!(names(&list(json!({ "NamePrefix": "a" }))), ["a1", "a2"]);
    assert_eq!(names(&list(json!({ "State": "DISABLED" }))), ["a2"]);
    let mut seen = Vec::new();
    let mut token = Value::Null;
    for _ in 0..4 {
        let page = list(json!({ "MaxResults": 1, "NextToken": token }));
        seen.extend(names(&page).into_iter().map(str::to_owned));
        token = page["NextToken"].clone();
    }
    assert_eq!((seen, token), (vec!["a1".into(), "a2".into(), "b1".into(), "b2".into()], Value::Null));
    assert_eq!(
        list(json!({ "GroupName": "g" }))["Schedules"][0],
        json!({
            "Arn": "arn:aws:scheduler:eu-central-1:123456789012:schedule/g/b1",
            "Name": "b1",
            "GroupName": "g",
            "State": "ENABLED",
            "CreationDate": 1_800_000_000.0,
            "LastModificationDate": 1_800_000_000.0,
            "Target": { "Arn": arn("q") },
        })
    );
}
