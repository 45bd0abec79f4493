//! Times are the stack's: when tables were made, and when items expire.

use serde_json::{Value, json};

use super::super::World;

#[test]
fn a_table_was_made_when_the_stack_s_clock_says() {
    let mut world = World::with_table();
    let made = world.now.as_secs() as f64;
    world.pass(86_400);
    let described = world.tables("DescribeTable", json!({ "TableName": "marks" }));
    assert_eq!(described["Table"]["CreationDateTime"].as_f64(), Some(made));
}

/// With a table whose items expire by `until`.
fn expiring() -> World {
    let mut world = World::with_table();
    let specification = json!({ "AttributeName": "until", "Enabled": true });
    let input = json!({ "TableName": "marks", "TimeToLiveSpecification": specification });
    world.tables("UpdateTimeToLive", input);
    world
}

fn put(world: &mut World, id: &str, lives: u64) {
    let until = (world.now.as_secs() + lives).to_string();
    world.put_item(json!({ "id": { "S": id }, "until": { "N": until } }));
}

fn ids(world: &mut World) -> Vec<String> {
    let scanned = world.tables("Scan", json!({ "TableName": "marks" }));
    let items = scanned["Items"].as_array().expect("items").iter();
    let mut ids: Vec<_> = items.map(|item| item["id"]["S"].as_str().expect("an id").to_owned()).collect();
    ids.sort();
    ids
}

#[test]
fn an_expired_item_is_there_until_it_is_deleted_within_the_hour() {
    let mut world = expiring();
    put(&mut world, "short", 60);
    put(&mut world, "long", 7_200);
    world.put_item(json!({ "id": { "S": "for ever" } }));
    world.pass(61);
    assert_eq!(ids(&mut world), ["for ever", "long", "short"], "expired, and not deleted yet");
    world.pass(3_600);
    assert_eq!(ids(&mut world), ["for ever", "long"]);
    world.pass(100_000);
    assert_eq!(ids(&mut world), ["for ever"]);
}

#[test]
fn without_time_to_live_nothing_expires() {
    let mut world = World::with_table();
    put(&mut world, "a", 60);
    world.pass(1_000_000);
    assert_eq!(ids(&mut world), ["a"]);
}

#[test]
fn time_to_live_is_told() {
    let mut world = expiring();
    let told: Value = world.tables("DescribeTimeToLive", json!({ "TableName": "marks" }));
    assert_eq!(told["TimeToLiveDescription"]["TimeToLiveStatus"], "ENABLED");
    assert_eq!(told["TimeToLiveDescription"]["AttributeName"], "until");
}
