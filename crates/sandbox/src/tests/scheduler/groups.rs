//! Groups and their tags.

use serde_json::json;

use super::schedule;
use crate::tests::World;

const GROUP: &str = "arn:aws:scheduler:eu-central-1:123456789012:schedule-group/g";

fn world() -> World {
    let mut world = World::new();
    let tags = json!([{ "Key": "team", "Value": "a" }]);
    let created = world.scheduler("CreateScheduleGroup", json!({ "Name": "g", "Tags": tags }));
    assert_eq!(created.expect("created"), json!({ "ScheduleGroupArn": GROUP }));
    world
}

#[test]
fn a_group_is_shown_and_listed_beside_the_default_one() {
    let mut world = world();
    let shown = json!({
        "Arn": GROUP,
        "Name": "g",
        "State": "ACTIVE",
        "CreationDate": 1_800_000_000.0,
        "LastModificationDate": 1_800_000_000.0,
    });
    assert_eq!(world.scheduler("GetScheduleGroup", json!({ "Name": "g" })), Ok(shown.clone()));
    let listed = world.scheduler("ListScheduleGroups", json!({})).expect("a list");
    assert_eq!(listed["ScheduleGroups"].as_array().map(Vec::len), Some(2));
    let listed = world.scheduler("ListScheduleGroups", json!({ "NamePrefix": "g" }));
    assert_eq!(listed, Ok(json!({ "ScheduleGroups": [shown] })));
}

#[test]
fn a_group_goes_with_its_schedules() {
    let mut world = world();
    world.create("q", &[]);
    let members = schedule("s", "rate(1 minute)", "q", json!({ "GroupName": "g" }));
    world.scheduler("CreateSchedule", members).expect("created");
    world.scheduler("DeleteScheduleGroup", json!({ "Name": "g" })).expect("deleted");
    world.pass(600);
    assert_eq!(world.depth("q"), (1, 0, 0), "no more than the first");
    assert!(world.scheduler("GetScheduleGroup", json!({ "Name": "g" })).is_err());
    world.scheduler("CreateScheduleGroup", json!({ "Name": "g" })).expect("created anew");
    let listed = world.scheduler("ListSchedules", json!({})).expect("a list");
    assert_eq!(listed, json!({ "Schedules": [] }));
}

#[test]
fn nobody_makes_or_deletes_the_default_group() {
    let mut world = world();
    for operation in ["CreateScheduleGroup", "DeleteScheduleGroup"] {
        let refused = world.scheduler_error(operation, json!({ "Name": "default" }));
        let text = "This operation cannot be performed on schedule group default.";
        assert_eq!(refused, ("ValidationException".into(), text.into()));
    }
    assert!(world.scheduler("GetScheduleGroup", json!({ "Name": "default" })).is_ok());
    assert_eq!(
        world.scheduler_error("CreateScheduleGroup", json!({ "Name": "g" })),
        ("ConflictException".into(), "Schedule group g already exists.".into())
    );
}

#[test]
fn a_group_has_tags() {
    let mut world = world();
    let tags = json!([{ "Key": "team", "Value": "b" }, { "Key": "x", "Value": "y" }]);
    world.scheduler("TagResource", json!({ "ResourceArn": GROUP, "Tags": tags })).expect("tagged");
    let of_group = json!({ "ResourceArn": GROUP });
    assert_eq!(world.scheduler("ListTagsForResource", of_group.clone()), Ok(json!({ "Tags": tags })));
    let untag = json!({ "ResourceArn": GROUP, "TagKeys": ["team"] });
    world.scheduler("UntagResource", untag).expect("untagged");
    let left = json!({ "Tags": [{ "Key": "x", "Value": "y" }] });
    assert_eq!(world.scheduler("ListTagsForResource", of_group), Ok(left));
    let (code, _) = world.scheduler_error("ListTagsForResource", json!({ "ResourceArn": "arn:x" }));
    assert_eq!(code, "ResourceNotFoundException");
}
