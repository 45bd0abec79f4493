//! Asynchronous invocation: retries, dead letters and destinations (semantics 5.6).

use aws_sdk_lambda::operation::invoke::InvokeOutput;
use aws_sdk_lambda::types::{DeadLetterConfig, InvocationType};
use aws_sdk_sqs::types::Message;
use serde_json::{Value, json};

use super::check::checks;
use super::finding::{Shown, ensure, same, wrong};
use super::function::{Function, payload, record, record_within};
use super::lab::Lab;
use super::queue::{Queue, body};
use super::refusal::not_accepted;
use super::script::Script;

checks! { Lambda:
    Seconds "lambda-async-accepted" "5.6" "an event is answered with 202 and no payload" accepted;
    Seconds "lambda-async-success" "5.6" "a success is told to its destination, with the event and the answer" success;
    Seconds "lambda-async-failure" "5.6" "a failure without retries is told to its destination at once" failure;
    Seconds "lambda-async-dlq" "5.6" "an event that failed goes to the function's dead-letter queue as it came" dead_letter;
    Seconds "lambda-async-dlq-attributes" "5.6" "the dead letter has RequestID, ErrorCode and ErrorMessage" dead_letter_attributes;
    Seconds "lambda-async-no-concurrency" "5.6" "without any concurrency an event is not tried, and told to its destination" no_concurrency;
    Minutes "lambda-async-retries" "5.6" "an event that fails is tried three times in all" retries;
    Minutes "lambda-async-waits" "5.6" "the first retry comes after a minute" waits;
    Seconds "lambda-async-retries-range" "5.6" "more than two retries are refused" retries_range;
    Seconds "lambda-async-age-range" "5.6" "a maximum age of less than 60 s is refused" age_range;
}

async fn send(function: &Function, payload: &str) -> Shown<InvokeOutput> {
    Ok(function.invoking(payload).invocation_type(InvocationType::Event).send().await?)
}

async fn accepted(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let answer = send(&function, r#"{"a":1}"#).await?;
    same("the status and the payload", (answer.status_code(), payload(&answer)), (202, String::new()))
}

async fn success(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Echo).await?;
    send(&function, r#"{"a":1}"#).await?;
    let record = record(&told).await?;
    same("the condition", record["requestContext"]["condition"].as_str(), Some("Success"))?;
    let payloads = [&record["requestPayload"], &record["responsePayload"]];
    same("the payloads", payloads, [&json!({ "a": 1 }), &json!({ "a": 1 })])
}

async fn failure(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Raise).await?;
    send(&function, r#"{"a":1}"#).await?;
    let record = record(&told).await?;
    let context = &record["requestContext"];
    same("the condition", context["condition"].as_str(), Some("RetriesExhausted"))?;
    same("approximateInvokeCount", &context["approximateInvokeCount"], &json!(1))?;
    same("functionError", record["responseContext"]["functionError"].as_str(), Some("Unhandled"))?;
    same("requestPayload", &record["requestPayload"], &json!({ "a": 1 }))
}

/// A function that fails, and its dead-letter queue with a letter of it.
async fn letter(lab: &Lab) -> Shown<Message> {
    let dead = lab.queue(&[]).await?;
    let config = DeadLetterConfig::builder().target_arn(&dead.arn).build();
    let function = lab.function_with(Script::Raise, |create| create.dead_letter_config(config)).await?;
    let put = lab.lambda().put_function_event_invoke_config().function_name(&function.name);
    put.maximum_retry_attempts(0).send().await?;
    send(&function, r#"{"a":1}"#).await?;
    let look = || async { Ok(dead.receiving().send().await?.messages.unwrap_or_default().pop()) };
    match lab.until(20, look).await? {
        Some(letter) => Ok(letter),
        None => wrong("the event in the dead-letter queue within 20 s", "no message"),
    }
}

async fn dead_letter(lab: Lab) -> Shown {
    let seen: Value = serde_json::from_str(body(&letter(&lab).await?)).unwrap_or_default();
    same("the dead letter", seen, json!({ "a": 1 }))
}

async fn dead_letter_attributes(lab: Lab) -> Shown {
    let letter = letter(&lab).await?;
    let attribute = |name: &str| {
        let attribute = letter.message_attributes.as_ref()?.get(name)?;
        Some((attribute.data_type.as_str(), attribute.string_value().unwrap_or_default()))
    };
    let id = attribute("RequestID");
    ensure(id.is_some_and(|(_, id)| !id.is_empty()), "a RequestID", format!("{id:?}"))?;
    same("ErrorCode", attribute("ErrorCode"), Some(("Number", "200")))?;
    same("ErrorMessage", attribute("ErrorMessage"), Some(("String", "the probe said so")))
}

async fn no_concurrency(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Echo).await?;
    let put = lab.lambda().put_function_concurrency().function_name(&function.name);
    put.reserved_concurrent_executions(0).send().await?;
    send(&function, r#"{"a":1}"#).await?;
    let record = record(&told).await?;
    let condition = record["requestContext"]["condition"].as_str().unwrap_or_default();
    ensure(condition != "Success", "another condition than Success", condition)?;
    same("requestPayload", &record["requestPayload"], &json!({ "a": 1 }))
}

/// A function that fails and is tried as often as is usual.
async fn tried(lab: &Lab) -> Shown<Queue> {
    let (function, told) = (lab.function(Script::Raise).await?, lab.queue(&[]).await?);
    function.tell(&told, None).await?;
    send(&function, "{}").await?;
    Ok(told)
}

async fn retries(lab: Lab) -> Shown {
    let told = tried(&lab).await?;
    let record = record_within(&told, 300).await?;
    same("approximateInvokeCount", &record["requestContext"]["approximateInvokeCount"], &json!(3))
}

async fn waits(lab: Lab) -> Shown {
    let told = tried(&lab).await?;
    lab.pass(55).await;
    told.none("nothing told before the retries, which take three minutes").await?;
    record_within(&told, 300).await.map(drop)
}

async fn retries_range(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let put = lab.lambda().put_function_event_invoke_config().function_name(&function.name);
    not_accepted(put.maximum_retry_attempts(3).send().await, "there are at most two retries")
}

async fn age_range(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let put = lab.lambda().put_function_event_invoke_config().function_name(&function.name);
    not_accepted(put.maximum_event_age_in_seconds(59).send().await, "events live 60 s at least")
}
