//! Places: each has tables of its own, under its own ARNs; a reset forgets them all.

use serde_json::json;

use super::super::World;
use super::table;
use crate::place::Place;

const ARN: &str = "arn:aws:dynamodb:eu-central-1:123456789012:table/marks";

#[test]
fn a_table_has_the_arn_of_its_place_and_is_found_by_it() {
    let mut world = World::with_table();
    let described = world.tables("DescribeTable", json!({ "TableName": ARN }));
    assert_eq!(described["Table"]["TableArn"], ARN);
    assert_eq!(described["Table"]["TableStatus"], "ACTIVE");
    world.tables("TagResource", json!({ "ResourceArn": ARN, "Tags": [{ "Key": "a", "Value": "b" }] }));
    let tags = world.tables("ListTagsOfResource", json!({ "ResourceArn": ARN }));
    assert_eq!(tags["Tags"], json!([{ "Key": "a", "Value": "b" }]));
    world.tables("PutItem", json!({ "TableName": ARN, "Item": { "id": { "S": "a" } } }));
    assert!(world.get_item("a").is_some());
}

#[test]
fn what_somebody_stored_is_not_changed() {
    let mut world = World::with_table();
    let text = "arn:aws:dynamodb:dynoxide:000000000000:table/marks";
    world.put_item(json!({ "id": { "S": text }, "TableName": { "S": ARN } }));
    let item = world.get_item(text).expect("it is there");
    assert_eq!(item, json!({ "TableName": { "S": ARN }, "id": { "S": text } }));
}

#[test]
fn tables_of_two_places_stand_side_by_side() {
    let mut world = World::with_table();
    let other = world.core.places.at("111111111111", "us-east-1");
    world.put_item(json!({ "id": { "S": "a" } }));
    let key = json!({ "TableName": "marks", "Key": { "id": { "S": "a" } } });
    world.try_tables_at(other, "GetItem", key.clone()).expect_err("no table there");
    let made = world.try_tables_at(other, "CreateTable", table("marks")).expect("it is made");
    assert_eq!(made["TableDescription"]["TableArn"], "arn:aws:dynamodb:us-east-1:111111111111:table/marks");
    let got = world.try_tables_at(other, "GetItem", key).expect("answered");
    assert_eq!(got.get("Item"), None);
}

#[test]
fn a_reset_forgets_all_tables() {
    let mut world = World::with_table();
    world.core.reset();
    assert_eq!(world.tables("ListTables", json!({}))["TableNames"], json!([]));
    let other = world.core.places.at("111111111111", "us-east-1");
    assert_ne!(other, Place::HOME);
}

#[test]
fn two_runs_answer_the_same() {
    let run = || {
        let mut world = World::with_table();
        for n in 0..20 {
            let attributes = (0..20).map(|m| (format!("a{m}"), json!({ "N": m.to_string() })));
            let mut item: serde_json::Map<_, _> = attributes.collect();
            item.insert("id".into(), json!({ "S": n.to_string() }));
            item.insert("set".into(), json!({ "SS": ["c", "a", "b"] }));
            world.put_item(item.into());
        }
        let made = world.tables("DescribeTable", json!({ "TableName": "marks" }));
        format!("{made}{}", world.tables("Scan", json!({ "TableName": "marks" })))
    };
    assert_eq!(run(), run());
}
