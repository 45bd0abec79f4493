//! What targets get of an event (semantics 3.3).

use serde_json::{Value, json};

use super::{rule_arn, world};

/// The body of the message that `q` gets.
fn body(more: Value, detail: Value) -> String {
    let mut world = world(more);
    world.put("default", detail);
    world.one("q").content.body.clone()
}

fn transformed(paths: Value, template: &str, detail: Value) -> String {
    body(json!({ "InputTransformer": { "InputPathsMap": paths, "InputTemplate": template } }), detail)
}

#[test]
fn an_input_is_a_constant() {
    assert_eq!(body(json!({ "Input": r#"{ "a" : 1 }"# }), json!({})), r#"{ "a" : 1 }"#);
}

#[test]
fn an_input_path_sends_json_and_a_text_in_quotes() {
    let detail = json!({ "payload": { "id": "baz", "n": 1 } });
    assert_eq!(body(json!({ "InputPath": "$.detail.payload" }), detail.clone()), r#"{"id":"baz","n":1}"#);
    assert_eq!(body(json!({ "InputPath": "$.detail.payload.id" }), detail), r#""baz""#);
}

#[test]
fn a_transformer_puts_values_into_its_template() {
    let paths = json!({ "detail-type": "$.detail-type", "time": "$.time", "none": "$.detail.none" });
    let template = r#"{"type": <detail-type>,  "time": "at <time>", "none": <none>}"#;
    let text = r#"{"type": "t",  "time": "at 2027-01-15T08:00:00Z", "none": ""}"#;
    assert_eq!(transformed(paths.clone(), template, json!({})), text);
    assert_eq!(transformed(paths, r#""Event <detail-type>, <none>""#, json!({})), r#""Event t, ""#);
}

#[test]
fn a_transformer_knows_the_rule_and_the_event() {
    let template = r#""<aws.events.rule-arn> <aws.events.rule-name> <aws.events.event.ingestion-time>""#;
    let text = format!("\"{} r 2027-01-15T08:00:00Z\"", rule_arn("r"));
    assert_eq!(transformed(json!({}), template, json!({})), text);

    let template = r#"{"event": <aws.events.event>, "json": <aws.events.event.json>}"#;
    let text = transformed(json!({}), template, json!({ "a": 1 }));
    let made: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&made["event"]["detailType"], made["event"].get("detail")), (&json!("t"), None));
    assert_eq!((&made["json"]["detail-type"], &made["json"]["detail"]), (&json!("t"), &json!({ "a": 1 })));
}

/// AWS was seen not to deliver it; it is an error that no retry mends.
#[test]
fn what_does_not_become_json_goes_to_the_dead_letter_queue() {
    let transformer =
        json!({ "InputPathsMap": { "payload": "$.detail" }, "InputTemplate": r#"{"payload": "<payload>"}"# });
    let mut world =
        world(json!({ "InputTransformer": transformer, "DeadLetterConfig": { "Arn": super::arn("dlq") } }));
    world.rule_queue("dlq");
    world.put("default", json!({ "a": "b" }));
    assert_eq!((world.depth("q"), world.depth("dlq")), ((0, 0, 0), (1, 0, 0)));
    assert_eq!(world.dead_letter()["ERROR_CODE"], "INVALID_JSON");
}

/// A dead letter is the event, whatever its target would have got (semantics 3.4).
#[test]
fn a_dead_letter_is_the_event_and_not_what_was_made_of_it() {
    let mut world = world(json!({ "Input": "1", "DeadLetterConfig": { "Arn": super::arn("dlq") } }));
    world.rule_queue("dlq");
    world.set("q", "Policy", "").expect("taken away");
    let id = world.put("default", json!({}));
    assert_eq!(world.documents("dlq")[0]["id"], id);
}
