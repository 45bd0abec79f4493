//! What a target gets instead of the whole event (semantics 3.3).

use aws_sdk_eventbridge::types::InputTransformer;
use aws_sdk_eventbridge::types::builders::TargetBuilder;
use serde_json::{Value, json};

use super::bus::{everything, json_of, target};
use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;
use super::queue::body;
use super::refusal::refused;

checks! { EventBridge:
    Seconds "eb-input-constant" "3.3" "Input is what the target gets" constant;
    Seconds "eb-input-path" "3.3" "InputPath picks a part of the event" path;
    Seconds "eb-input-path-text" "3.3" "a text that InputPath picks arrives in quotes" path_text;
    Seconds "eb-input-exclusive" "3.3" "Input and InputPath together are refused" exclusive;
    Seconds "eb-transform-text" "3.3" "a template in quotes arrives in quotes, with the values in their places" text;
    Seconds "eb-transform-json" "3.3" "a value without quotes in a template of JSON is the JSON value" in_json;
    Seconds "eb-transform-missing" "3.3" "a path that leads nowhere gives an empty text" missing;
    Seconds "eb-transform-undeclared" "3.3" "a template with a name that no path has is refused" undeclared;
    Seconds "eb-transform-rule" "3.3" "the rule's name and ARN can be put in" of_rule;
    Seconds "eb-transform-event" "3.3" "the whole event can be put in" of_event;
}

/// The body that a target of this kind gets.
async fn body_with(
    lab: &Lab,
    detail: &Value,
    with: impl FnOnce(TargetBuilder) -> TargetBuilder,
) -> Shown<String> {
    let (bus, _, queue) = lab.routed_with(with).await?;
    bus.put(detail).await?;
    Ok(body(&queue.one("a message in the target queue").await?).to_owned())
}

fn template(paths: &[(&str, &str)], template: &str) -> InputTransformer {
    let start = InputTransformer::builder().input_template(template);
    let built = paths.iter().fold(start, |built, (name, path)| built.input_paths_map(*name, *path)).build();
    built.expect("its template is given")
}

async fn transformed(lab: &Lab, detail: &Value, transformer: InputTransformer) -> Shown<String> {
    body_with(lab, detail, |target| target.input_transformer(transformer)).await
}

async fn constant(lab: Lab) -> Shown {
    let seen = body_with(&lab, &json!({ "name": "a" }), |target| target.input(r#"{"always":1}"#)).await?;
    same("the body", seen.as_str(), r#"{"always":1}"#)
}

async fn path(lab: Lab) -> Shown {
    let detail = json!({ "of": { "colour": "red" } });
    let seen = body_with(&lab, &detail, |target| target.input_path("$.detail")).await?;
    let seen: Value = serde_json::from_str(&seen).unwrap_or_default();
    same("the body", seen, json!({ "of": { "colour": "red" } }))
}

async fn path_text(lab: Lab) -> Shown {
    let detail = json!({ "name": "a" });
    let seen = body_with(&lab, &detail, |target| target.input_path("$.detail.name")).await?;
    same("the body", seen.as_str(), "\"a\"")
}

async fn exclusive(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    let both = target("1", &queue.arn).input("{}").input_path("$.detail");
    refused(rule.putting_target(both).send().await, &["ValidationException"])
}

async fn text(lab: Lab) -> Shown {
    let transformer = template(&[("name", "$.detail.name"), ("of", "$.source")], "\"<name> of <of>\"");
    let seen = transformed(&lab, &json!({ "name": "a" }), transformer).await?;
    same("the body", seen.as_str(), "\"a of havoq.probe\"")
}

async fn in_json(lab: Lab) -> Shown {
    let paths = [("list", "$.detail.list"), ("name", "$.detail.name")];
    let transformer = template(&paths, r#"{"list": <list>, "name": <name>, "text": "it is <name>"}"#);
    let seen = transformed(&lab, &json!({ "list": [1, 2], "name": "a" }), transformer).await?;
    let seen: Value = serde_json::from_str(&seen).unwrap_or_default();
    same("the body", seen, json!({ "list": [1, 2], "name": "a", "text": "it is a" }))
}

async fn missing(lab: Lab) -> Shown {
    let transformer = template(&[("none", "$.detail.none")], "\"[<none>]\"");
    let seen = transformed(&lab, &json!({ "name": "a" }), transformer).await?;
    same("the body", seen.as_str(), "\"[]\"")
}

async fn undeclared(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    let rule = bus.rule(&everything()).await?;
    let transformer = template(&[("name", "$.detail.name")], "\"<other>\"");
    let put = rule.putting_target(target("1", &queue.arn).input_transformer(transformer));
    refused(put.send().await, &["ValidationException"])
}

async fn of_rule(lab: Lab) -> Shown {
    let transformer = template(&[], r#"{"name": "<aws.events.rule-name>", "arn": "<aws.events.rule-arn>"}"#);
    let (bus, rule, queue) = lab.routed_with(|target| target.input_transformer(transformer)).await?;
    bus.put(&json!({ "name": "a" })).await?;
    let seen = json_of(&queue.one("a message in the target queue").await?)?;
    same("the body", seen, json!({ "name": rule.name, "arn": rule.arn }))
}

async fn of_event(lab: Lab) -> Shown {
    let transformer = template(&[], r#"{"event": <aws.events.event.json>}"#);
    let (bus, _, queue) = lab.routed_with(|target| target.input_transformer(transformer)).await?;
    let id = bus.put(&json!({ "name": "a" })).await?;
    let seen = json_of(&queue.one("a message in the target queue").await?)?;
    let told = [&seen["event"]["id"], &seen["event"]["detail"]["name"]].map(|value| value.as_str());
    same("the event's id and name", told, [Some(id.as_str()), Some("a")])
}
