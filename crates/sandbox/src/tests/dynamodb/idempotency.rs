//! What Powertools' idempotency asks of a table (semantics 6.1), and what others do (semantics 6.2).

use serde_json::{Value, json};

use super::super::World;
use havoq_wire::ServiceError;

/// The lock that Powertools takes: condition and names as its DynamoDB layer writes them.
fn lock(world: &mut World, id: &str, remaining: u64) -> Result<Value, ServiceError> {
    let (secs, millis) = (world.now.as_secs(), world.now.as_millis());
    world.try_tables(
        "PutItem",
        json!({
            "TableName": "marks",
            "Item": {
                "id": { "S": id },
                "status": { "S": "INPROGRESS" },
                "expiration": { "N": (secs + 3_600).to_string() },
                "in_progress_expiration": { "N": (millis + remaining * 1_000).to_string() },
            },
            "ConditionExpression": "attribute_not_exists(#id) OR #expiry < :now OR (#status = :inprogress AND attribute_exists(#in_progress_expiry) AND #in_progress_expiry < :now_in_millis)",
            "ExpressionAttributeNames": {
                "#id": "id",
                "#expiry": "expiration",
                "#in_progress_expiry": "in_progress_expiration",
                "#status": "status",
            },
            "ExpressionAttributeValues": {
                ":now": { "N": secs.to_string() },
                ":now_in_millis": { "N": millis.to_string() },
                ":inprogress": { "S": "INPROGRESS" },
            },
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        }),
    )
}

/// What it writes when the handler has returned.
fn complete(world: &mut World, id: &str, result: &str) -> Value {
    let expiration = (world.now.as_secs() + 3_600).to_string();
    world.tables(
        "UpdateItem",
        json!({
            "TableName": "marks",
            "Key": { "id": { "S": id } },
            "UpdateExpression": "SET #response_data = :response_data, #expiry = :expiry, #status = :status",
            "ExpressionAttributeNames": { "#response_data": "data", "#expiry": "expiration", "#status": "status" },
            "ExpressionAttributeValues": {
                ":response_data": { "S": result },
                ":expiry": { "N": expiration },
                ":status": { "S": "COMPLETED" },
            },
            "ReturnValues": "ALL_NEW",
        }),
    )
}

fn detail(refusal: &ServiceError, name: &str) -> Option<Value> {
    let mut details = refusal.details.iter();
    details.find(|(known, _)| *known == name).map(|(_, value)| value.clone())
}

fn old(refused: Result<Value, ServiceError>) -> Value {
    let refusal = refused.expect_err("the lock is taken");
    assert_eq!(refusal.shape_name(), "ConditionalCheckFailedException");
    detail(&refusal, "Item").expect("the item that is there")
}

#[test]
fn the_loser_of_the_lock_sees_the_item_that_is_there() {
    let mut world = World::with_table();
    lock(&mut world, "a", 30).expect("nobody has it");
    let held = old(lock(&mut world, "a", 30));
    assert_eq!(held["status"]["S"], "INPROGRESS");
    lock(&mut world, "b", 30).expect("another key is another lock");
}

#[test]
fn a_lock_in_progress_lapses_when_its_own_time_is_over() {
    let mut world = World::with_table();
    lock(&mut world, "a", 30).expect("nobody has it");
    world.pass(30);
    old(lock(&mut world, "a", 30));
    world.pass(1);
    lock(&mut world, "a", 30).expect("the mark has lapsed");
}

#[test]
fn a_completed_record_holds_until_its_expiration() {
    let mut world = World::with_table();
    lock(&mut world, "a", 30).expect("nobody has it");
    let new = complete(&mut world, "a", "\"done\"");
    assert_eq!(new["Attributes"]["data"]["S"], "\"done\"");
    world.pass(3_600);
    let kept = old(lock(&mut world, "a", 30));
    assert_eq!(kept["status"]["S"], "COMPLETED");
    assert_eq!(kept["data"]["S"], "\"done\"");
    world.pass(1);
    lock(&mut world, "a", 30).expect("the record has expired");
}

#[test]
fn a_failed_condition_of_attribute_not_exists_names_no_item_unless_asked() {
    let mut world = World::with_table();
    world.put_item(json!({ "id": { "S": "a" }, "n": { "N": "1" } }));
    let put = json!({
        "TableName": "marks", "Item": { "id": { "S": "a" } }, "ConditionExpression": "attribute_not_exists(id)",
    });
    let refusal = world.try_tables("PutItem", put).expect_err("it is there");
    assert_eq!(detail(&refusal, "Item"), None);
    assert_eq!(refusal.message, "The conditional request failed");
    assert_eq!(world.get_item("a").expect("unchanged")["n"]["N"], "1");
}

#[test]
fn a_transaction_is_done_whole_or_not_at_all_and_says_which_part_failed() {
    let mut world = World::with_table();
    world.put_item(json!({ "id": { "S": "there" } }));
    let put = |id: &str| {
        let condition = "attribute_not_exists(id)";
        json!({ "Put": { "TableName": "marks", "Item": { "id": { "S": id } }, "ConditionExpression": condition } })
    };
    let input = json!({ "TransactItems": [put("new"), put("there")] });
    let refusal = world.try_tables("TransactWriteItems", input).expect_err("one is there");
    assert_eq!(refusal.shape_name(), "TransactionCanceledException");
    let reasons = detail(&refusal, "CancellationReasons").expect("it has reasons");
    assert_eq!(
        (&reasons[0]["Code"], &reasons[1]["Code"]),
        (&json!("None"), &json!("ConditionalCheckFailed"))
    );
    assert_eq!(world.get_item("new"), None);
    world.tables("TransactWriteItems", json!({ "TransactItems": [put("new"), put("more")] }));
    assert!(world.get_item("new").is_some() && world.get_item("more").is_some());
}

#[test]
fn a_transaction_s_token_is_good_for_ten_minutes() {
    let mut world = World::with_table();
    let add = |world: &mut World, n: u32| {
        let update = json!({
            "TableName": "marks",
            "Key": { "id": { "S": "count" } },
            "UpdateExpression": "ADD n :n",
            "ExpressionAttributeValues": { ":n": { "N": n.to_string() } },
        });
        let input = json!({ "ClientRequestToken": "token", "TransactItems": [{ "Update": update }] });
        world.try_tables("TransactWriteItems", input)
    };
    let count = |world: &mut World| world.get_item("count").expect("it is there")["n"]["N"].clone();
    for life in ["1", "2", "3"] {
        add(&mut world, 1).expect("done");
        world.pass(599);
        add(&mut world, 1).expect("it was done already");
        assert_eq!(count(&mut world), life);
        let refusal = add(&mut world, 2).expect_err("another payload");
        assert_eq!(refusal.shape_name(), "IdempotentParameterMismatchException");
        world.pass(1);
    }
}
