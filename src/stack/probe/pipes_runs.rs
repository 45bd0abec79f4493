//! Pipes from a queue: what they take from it, and what their targets get (semantics 3.9).

use aws_sdk_pipes::types::{
    PipeTargetEventBridgeEventBusParameters, PipeTargetInvocationType, PipeTargetLambdaFunctionParameters,
    PipeTargetParameters, RequestedPipeState,
};
use serde_json::json;

use super::bus::json_of;
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::lab::Lab;
use super::mapped::all_bodies;
use super::pipe::{one_at_a_time, template};
use super::refusal::refused;
use super::script::Script;

checks! { Pipes:
    Seconds "pipe-moves" "3.9" "a message goes from the source to the target, and is deleted" moves;
    Seconds "pipe-template" "3.9" "a template picks what the target gets" by_template;
    Seconds "pipe-bus" "3.9" "a bus gets an event with the pipe's source and type" to_bus;
    Seconds "pipe-filter" "3.9" "a message that the filter does not take is deleted, and not delivered" filter;
    Seconds "pipe-filter-form" "3.9" "a text is deleted where the filter asks for JSON" filter_form;
    Seconds "pipe-stopped" "3.9" "a stopped pipe takes nothing" stopped;
    Seconds "pipe-started" "3.9" "it goes on once it is started" started;
    Seconds "pipe-target-fails" "3.9" "what the target does not take comes back, and the source's dead-letter queue gets it" target_fails;
    Seconds "pipe-function-fails" "3.9" "so is what a function that is the target fails with" function_fails;
    Seconds "pipe-function-reports" "3.9" "what such a function reports comes back, and the rest is deleted" function_reports;
    Seconds "pipe-enrichment" "3.9" "the target gets what the enrichment made of the message" enrichment;
    Seconds "pipe-enrichment-empty" "3.9" "where the enrichment returns nothing, the target is skipped and the message deleted" enrichment_empty;
    Seconds "pipe-again" "3.9" "a pipe that is created again is refused with ConflictException" again;
    Seconds "pipe-missing" "3.9" "a pipe that is not there is refused with NotFoundException" missing;
}

async fn moves(lab: Lab) -> Shown {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    lab.piped(lab.piping(&lab.short_name()?, &source, &target.arn)).await?;
    source.queue.send("a").await?;
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    target.one("the message in the target queue").await.map(drop)
}

async fn by_template(lab: Lab) -> Shown {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    let piping = lab.piping(&lab.short_name()?, &source, &target.arn);
    lab.piped(piping.target_parameters(template(r#"{"colour": <$.body.colour>}"#))).await?;
    source.queue.send(r#"{"colour":"red","size":1}"#).await?;
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    let seen = json_of(&target.one("the message in the target queue").await?)?;
    same("the body", seen, json!({ "colour": "red" }))
}

async fn to_bus(lab: Lab) -> Shown {
    let (source, (bus, _, queue)) = (lab.source().await?, lab.routed().await?);
    let parameters = PipeTargetEventBridgeEventBusParameters::builder()
        .source(super::bus::SOURCE)
        .detail_type("piped")
        .build();
    let parameters = PipeTargetParameters::builder()
        .event_bridge_event_bus_parameters(parameters)
        .input_template(r#"{"name": <$.body.name>}"#);
    let piping = lab.piping(&lab.short_name()?, &source, &bus.arn);
    lab.piped(piping.target_parameters(parameters.build())).await?;
    source.queue.send(r#"{"name":"a"}"#).await?;
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    let event = super::bus::delivered(&queue).await?;
    same(
        "detail-type and detail",
        [&event["detail-type"], &event["detail"]],
        [&json!("piped"), &json!({ "name": "a" })],
    )
}

/// What arrives of these messages where the filter takes the kind x.
async fn filtered(lab: &Lab, messages: &[&str]) -> Shown<Vec<String>> {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    let parameters = one_at_a_time(Some(r#"{"body":{"kind":["x"]}}"#));
    let piping = lab.piping(&lab.short_name()?, &source, &target.arn).source_parameters(parameters);
    lab.piped(piping.target_parameters(template("<$.body.kind>"))).await?;
    for message in messages {
        source.queue.send(message).await?;
    }
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    all_bodies(&target, messages.len()).await
}

/// One message of the kind x, however its text is written.
fn one_x(seen: &[String]) -> Shown {
    let is_x = matches!(seen, [one] if one.trim_matches('"') == "x");
    ensure(is_x, "the message of the kind x alone", format!("{seen:?}"))
}

async fn filter(lab: Lab) -> Shown {
    one_x(&filtered(&lab, &[r#"{"kind":"y"}"#, r#"{"kind":"x"}"#]).await?)
}

async fn filter_form(lab: Lab) -> Shown {
    one_x(&filtered(&lab, &["text", r#"{"kind":"x"}"#]).await?)
}

async fn stopped(lab: Lab) -> Shown {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    let piping = lab.piping(&lab.short_name()?, &source, &target.arn);
    lab.piped(piping.desired_state(RequestedPipeState::Stopped)).await?;
    source.queue.send("a").await?;
    lab.pass(8).await;
    let seen = source.queue.counts().await?;
    ensure(seen.visible == 1, "the message in the source queue", format!("{seen:?}"))
}

async fn started(lab: Lab) -> Shown {
    let (source, target, name) = (lab.source().await?, lab.queue(&[]).await?, lab.short_name()?);
    let piping = lab.piping(&name, &source, &target.arn);
    lab.piped(piping.desired_state(RequestedPipeState::Stopped)).await?;
    source.queue.send("a").await?;
    lab.pipes().start_pipe().name(&name).send().await?;
    lab.settled(&name).await?;
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    target.one("the message in the target queue").await.map(drop)
}

async fn target_fails(lab: Lab) -> Shown {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    lab.piped(lab.piping(&lab.short_name()?, &source, &target.arn)).await?;
    lab.sqs().delete_queue().queue_url(&target.url).send().await?;
    source.queue.send("a").await?;
    same("dead-lettered:", source.left_over().await?, vec!["a".to_owned()])
}

/// What is dead-lettered of messages that a function gets as a pipe's target.
async fn to_function(lab: &Lab, script: Script, messages: &[&str]) -> Shown<Vec<String>> {
    let (source, function) = (lab.source().await?, lab.function(script).await?);
    let waits = PipeTargetLambdaFunctionParameters::builder()
        .invocation_type(PipeTargetInvocationType::RequestResponse)
        .build();
    let parameters = PipeTargetParameters::builder().lambda_function_parameters(waits).build();
    let piping = lab.piping(&lab.short_name()?, &source, &function.arn);
    lab.piped(piping.target_parameters(parameters)).await?;
    for message in messages {
        source.queue.send(message).await?;
    }
    source.left_over().await
}

async fn function_fails(lab: Lab) -> Shown {
    let seen = to_function(&lab, Script::Raise, &["a"]).await?;
    same("dead-lettered:", seen, vec!["a".to_owned()])
}

async fn function_reports(lab: Lab) -> Shown {
    let seen = to_function(&lab, Script::ReportBad, &["a", "bad"]).await?;
    same("dead-lettered:", seen, vec!["bad".to_owned()])
}

/// What arrives of a message that this function enriches.
async fn enriched(lab: &Lab, script: Script) -> Shown<Vec<String>> {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    let function = lab.function(script).await?;
    let piping = lab.piping(&lab.short_name()?, &source, &target.arn).enrichment(&function.arn);
    lab.piped(piping.target_parameters(template("<$.colour>"))).await?;
    source.queue.send("a").await?;
    same("dead-lettered:", source.left_over().await?, Vec::new())?;
    all_bodies(&target, 2).await
}

async fn enrichment(lab: Lab) -> Shown {
    let seen = enriched(&lab, Script::Says(r#"[{"colour":"red"}]"#)).await?;
    let is_red = matches!(&seen[..], [one] if one.trim_matches('"') == "red");
    ensure(is_red, "what the enrichment said", format!("{seen:?}"))
}

async fn enrichment_empty(lab: Lab) -> Shown {
    same("delivered:", enriched(&lab, Script::Says("[]")).await?, Vec::new())
}

async fn again(lab: Lab) -> Shown {
    let (source, target, name) = (lab.source().await?, lab.queue(&[]).await?, lab.short_name()?);
    lab.piped(lab.piping(&name, &source, &target.arn)).await?;
    refused(lab.piping(&name, &source, &target.arn).send().await, &["ConflictException"])
}

async fn missing(lab: Lab) -> Shown {
    let (source, target) = (lab.source().await?, lab.queue(&[]).await?);
    lab.piped(lab.piping(&lab.short_name()?, &source, &target.arn)).await?;
    refused(lab.pipes().describe_pipe().name(lab.short_name()?).send().await, &["NotFoundException"])
}
