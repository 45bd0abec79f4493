//! Tables and items (semantics 6.2).

use aws_sdk_dynamodb::types::{ReturnValue, TimeToLiveSpecification};

use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::refusal::refused;
use super::table::{Table, item, number, string};

checks! { DynamoDb:
    Seconds "ddb-item-kept" "6.2" "an item that was put is read as it is" kept;
    Seconds "ddb-item-replaced" "6.2" "a put replaces the whole item" replaced;
    Seconds "ddb-item-deleted" "6.2" "a deleted item is gone, and to delete it again is no error" deleted;
    Seconds "ddb-table-again" "6.2" "a table that is created again is refused with ResourceInUseException" again;
    Seconds "ddb-table-missing" "6.2" "a table that is not there is refused with ResourceNotFoundException" missing;
    Seconds "ddb-key-missing" "6.2" "an item without its key is refused with ValidationException" key_missing;
    Seconds "ddb-query-order" "6.2" "a query gives the items of a key in the order of the other" query_order;
    Seconds "ddb-update-adds" "6.2" "ADD makes what is not there, and counts what is" update_adds;
    Seconds "ddb-update-at-once" "6.2" "no update is lost among many at once" at_once;
    Seconds "ddb-update-old" "6.2" "an update gives the item before it where that is asked" update_old;
    Seconds "ddb-ttl-later" "6.1" "an item whose time is to come is there" ttl_later;
    Seconds "ddb-ttl-text" "6.1" "an item whose time is no number stays" ttl_text;
}

async fn kept(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let sent = item("a", &[("text", string("")), ("number", number(-7))]);
    table.put(sent.clone()).await?;
    same("the item", table.get("a").await?, Some(sent))
}

async fn replaced(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(item("a", &[("old", string("x"))])).await?;
    table.put(item("a", &[("new", string("x"))])).await?;
    same("the item", table.get("a").await?, Some(item("a", &[("new", string("x"))])))
}

async fn deleted(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(item("a", &[])).await?;
    for _ in 0..2 {
        lab.dynamodb().delete_item().table_name(&table.name).key("id", string("a")).send().await?;
    }
    same("the item", table.get("a").await?, None)
}

async fn again(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let create = lab.creating_table(&table.name, &["id"]);
    refused(create.send().await, &["ResourceInUseException"])
}

async fn missing(lab: Lab) -> Shown {
    lab.table().await?;
    let missing = Table { name: lab.short_name()?, lab };
    refused(missing.putting(item("a", &[])).send().await, &["ResourceNotFoundException"])
}

async fn key_missing(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let mut without = item("a", &[("text", string("x"))]);
    without.remove("id");
    refused(table.putting(without).send().await, &["ValidationException"])
}

async fn query_order(lab: Lab) -> Shown {
    let table = lab.table_by(&["id", "at"]).await?;
    for (id, at) in [("a", "3"), ("a", "1"), ("b", "0"), ("a", "2")] {
        table.put(item(id, &[("at", string(at))])).await?;
    }
    let query = lab.dynamodb().query().table_name(&table.name).key_condition_expression("id = :id");
    let found = query.expression_attribute_values(":id", string("a")).send().await?;
    let seen: Vec<&str> =
        found.items().iter().filter_map(|item| Some(item.get("at")?.as_s().ok()?.as_str())).collect();
    same("found:", seen, vec!["1", "2", "3"])
}

/// What the item counts.
async fn count(table: &Table) -> Shown<Option<String>> {
    let item = table.get("a").await?.unwrap_or_default();
    Ok(item.get("count").and_then(|count| count.as_n().ok()).cloned())
}

async fn add_one(table: &Table) -> Shown {
    let update = table.updating("a", "ADD #count :one").expression_attribute_names("#count", "count");
    update.expression_attribute_values(":one", number(1)).send().await?;
    Ok(())
}

async fn update_adds(lab: Lab) -> Shown {
    let table = lab.table().await?;
    add_one(&table).await?;
    add_one(&table).await?;
    same("the count", count(&table).await?.as_deref(), Some("2"))
}

async fn at_once(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let all = tokio::join!(
        add_one(&table),
        add_one(&table),
        add_one(&table),
        add_one(&table),
        add_one(&table),
        add_one(&table)
    );
    for one in [all.0, all.1, all.2, all.3, all.4, all.5] {
        one?;
    }
    same("the count", count(&table).await?.as_deref(), Some("6"))
}

async fn update_old(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(item("a", &[("text", string("old"))])).await?;
    let update = table.updating("a", "SET #text = :new").expression_attribute_names("#text", "text");
    let update = update.expression_attribute_values(":new", string("new"));
    let old = update.return_values(ReturnValue::AllOld).send().await?.attributes;
    same("the old item", old, Some(item("a", &[("text", string("old"))])))
}

/// A table whose items expire at what `until` says.
async fn expiring(lab: &Lab) -> Shown<Table> {
    let table = lab.table().await?;
    let specification = TimeToLiveSpecification::builder().attribute_name("until").enabled(true);
    let update = lab.dynamodb().update_time_to_live().table_name(&table.name);
    let specification = specification.build().expect("its two members are given");
    update.time_to_live_specification(specification).send().await?;
    Ok(table)
}

async fn ttl_later(lab: Lab) -> Shown {
    let table = expiring(&lab).await?;
    table.put(item("a", &[("until", number(lab.now_seconds() + 3_600))])).await?;
    lab.pass(5).await;
    ensure(table.get("a").await?.is_some(), "the item", "none")
}

async fn ttl_text(lab: Lab) -> Shown {
    let table = expiring(&lab).await?;
    table.put(item("a", &[("until", string("1"))])).await?;
    lab.pass(5).await;
    ensure(table.get("a").await?.is_some(), "the item", "none")
}
