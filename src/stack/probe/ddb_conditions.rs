//! Conditions and transactions: what idempotency rests on (semantics 6.1, 6.2).

use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_sdk_dynamodb::operation::put_item::PutItemError;
use aws_sdk_dynamodb::operation::transact_write_items::TransactWriteItemsError;
use aws_sdk_dynamodb::operation::transact_write_items::builders::TransactWriteItemsFluentBuilder as Transact;
use aws_sdk_dynamodb::types::{Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem};

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::lab::Lab;
use super::refusal::{refused, succeeds};
use super::table::{Item, Table, item, number, string};

checks! { DynamoDb:
    Seconds "ddb-condition-new" "6.2" "a put that must be new is refused the second time with ConditionalCheckFailedException" new;
    Seconds "ddb-condition-writes-nothing" "6.2" "a write whose condition failed changed nothing" writes_nothing;
    Seconds "ddb-condition-at-once" "6.2" "of two puts at once that must be new, one succeeds" at_once;
    Seconds "ddb-condition-old-item" "6.1" "who loses is shown the item where that is asked" old_item;
    Seconds "ddb-condition-lock" "6.1" "the condition of a lock lets in who comes after its expiry, and nobody before" lock;
    Seconds "ddb-condition-update" "6.2" "an update on a version that is not there any more is refused" update;
    Seconds "ddb-condition-delete" "6.2" "a delete whose condition fails deletes nothing" delete;
    Seconds "ddb-transact-all" "6.2" "a transaction writes all its items" transact_all;
    Seconds "ddb-transact-none" "6.2" "a transaction in which one condition fails writes none" transact_none;
    Seconds "ddb-transact-reasons" "6.2" "it is cancelled with a reason for each item" transact_reasons;
    Seconds "ddb-transact-token" "6.2" "the same token again succeeds, and writes nothing" transact_token;
    Seconds "ddb-transact-token-other" "6.2" "the same token with other items is refused with IdempotentParameterMismatchException" transact_token_other;
    Seconds "ddb-transact-twice" "6.2" "two actions on one item are refused" transact_twice;
}

const FAILED: &[&str] = &["ConditionalCheckFailedException"];

fn first() -> Item {
    item("a", &[("owner", string("first"))])
}

fn second() -> Item {
    item("a", &[("owner", string("second"))])
}

async fn new(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.putting_new(first()).send().await?;
    refused(table.putting_new(second()).send().await, FAILED)
}

async fn writes_nothing(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(first()).await?;
    refused(table.putting_new(second()).send().await, FAILED)?;
    same("the item", table.get("a").await?, Some(first()))
}

async fn at_once(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let (one, other) = tokio::join!(table.putting_new(first()).send(), table.putting_new(second()).send());
    let (winner, loser) = if one.is_ok() { (first(), other) } else { (second(), one) };
    refused(loser, FAILED)?;
    same("the item", table.get("a").await?, Some(winner))
}

async fn old_item(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(first()).await?;
    let put = table.putting_new(second());
    let put = put.return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
    match put.send().await.map_err(SdkError::into_service_error) {
        Err(PutItemError::ConditionalCheckFailedException(failed)) => {
            same("the item of the error", failed.item, Some(first()))
        }
        Err(other) => wrong("ConditionalCheckFailedException", other.code().unwrap_or("no code")),
        Ok(_) => wrong("the put to be refused", "it was accepted"),
    }
}

/// The lock that Powertools takes.
async fn lock(lab: Lab) -> Shown {
    let table = lab.table().await?;
    let locking = |now: i64, owner: &str| {
        let item = item("a", &[("owner", string(owner)), ("expiration", number(now + 100))]);
        table
            .putting(item)
            .condition_expression("attribute_not_exists(#id) OR #expiration < :now")
            .expression_attribute_names("#id", "id")
            .expression_attribute_names("#expiration", "expiration")
            .expression_attribute_values(":now", number(now))
    };
    succeeds("the first lock", locking(1_000, "first").send().await.map_err(Into::into))?;
    refused(locking(1_100, "early").send().await, FAILED)?;
    succeeds("a lock after the expiry", locking(1_101, "late").send().await.map_err(Into::into))?;
    let owner = table.get("a").await?.unwrap_or_default().remove("owner");
    same("the owner", owner, Some(string("late")))
}

async fn update(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(item("a", &[("version", number(1))])).await?;
    let updating = || {
        let update = table.updating("a", "SET version = :next").condition_expression("version = :known");
        update
            .expression_attribute_values(":next", number(2))
            .expression_attribute_values(":known", number(1))
    };
    updating().send().await?;
    refused(updating().send().await, FAILED)
}

async fn delete(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(first()).await?;
    let delete = lab.dynamodb().delete_item().table_name(&table.name).key("id", string("a"));
    let delete = delete.condition_expression("#owner = :me").expression_attribute_names("#owner", "owner");
    refused(delete.expression_attribute_values(":me", string("second")).send().await, FAILED)?;
    same("the item", table.get("a").await?, Some(first()))
}

/// A transaction that puts new items of these ids.
fn transacting(table: &Table, ids: &[&str]) -> Transact {
    ids.iter().fold(table.lab.dynamodb().transact_write_items(), |transact, id| {
        let put = Put::builder().table_name(&table.name).set_item(Some(item(id, &[])));
        let put = put.condition_expression("attribute_not_exists(id)").build();
        let put = put.expect("its table and its item are given");
        transact.transact_items(TransactWriteItem::builder().put(put).build())
    })
}

async fn transact_all(lab: Lab) -> Shown {
    let table = lab.table().await?;
    transacting(&table, &["a", "b"]).send().await?;
    let there = (table.get("a").await?.is_some(), table.get("b").await?.is_some());
    same("whether both are there", there, (true, true))
}

async fn transact_none(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(first()).await?;
    refused(transacting(&table, &["b", "a"]).send().await, &["TransactionCanceledException"])?;
    ensure(table.get("b").await?.is_none(), "none of the items of a cancelled transaction", "one")
}

async fn transact_reasons(lab: Lab) -> Shown {
    let table = lab.table().await?;
    table.put(first()).await?;
    match transacting(&table, &["b", "a"]).send().await.map_err(SdkError::into_service_error) {
        Err(TransactWriteItemsError::TransactionCanceledException(cancelled)) => {
            let reasons = cancelled.cancellation_reasons.unwrap_or_default();
            let codes: Vec<_> = reasons.iter().map(|reason| reason.code().unwrap_or_default()).collect();
            same("the reasons", codes, vec!["None", "ConditionalCheckFailed"])
        }
        Err(other) => wrong("TransactionCanceledException", other.code().unwrap_or("no code")),
        Ok(_) => wrong("the transaction to be refused", "it was accepted"),
    }
}

/// A token that no other call has: it may have 36 characters.
fn token(lab: &Lab) -> Shown<String> {
    let name = lab.short_name()?;
    Ok(name[name.len().saturating_sub(36)..].to_owned())
}

async fn transact_token(lab: Lab) -> Shown {
    let (table, token) = (lab.table().await?, token(&lab)?);
    let transacting = || transacting(&table, &["a"]).client_request_token(&token);
    transacting().send().await?;
    lab.dynamodb().delete_item().table_name(&table.name).key("id", string("a")).send().await?;
    succeeds("the same transaction again", transacting().send().await.map_err(Into::into))?;
    ensure(table.get("a").await?.is_none(), "nothing written by the second call", "an item")
}

async fn transact_token_other(lab: Lab) -> Shown {
    let (table, token) = (lab.table().await?, token(&lab)?);
    transacting(&table, &["a"]).client_request_token(&token).send().await?;
    let other = transacting(&table, &["b"]).client_request_token(&token);
    refused(other.send().await, &["IdempotentParameterMismatchException"])
}

async fn transact_twice(lab: Lab) -> Shown {
    let table = lab.table().await?;
    refused(transacting(&table, &["a", "a"]).send().await, &["ValidationException"])
}
