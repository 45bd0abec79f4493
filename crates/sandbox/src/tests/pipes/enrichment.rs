//! Enrichment by a function (semantics 3.9).

use serde_json::{Value, json};

use super::{out, world};
use crate::tests::World;
use crate::tests::lambda::{answer, function_arn, raised};

fn enriched(more: Value) -> World {
    let mut world = world();
    world.function("e", 10);
    let mut members = json!({ "Enrichment": function_arn("e") });
    for (name, value) in more.as_object().into_iter().flatten() {
        members[name] = value.clone();
    }
    world.pipe(&out(), members);
    world.send("q", r#"{"id":1}"#);
    world
}

#[test]
fn the_target_gets_what_the_enrichment_gave() {
    let mut world = enriched(json!({ "EnrichmentParameters": { "InputTemplate": "{\"n\":<$.body.id>}" } }));
    let started = world.started_one();
    assert_eq!(started.event(), json!([{ "n": 1 }]));
    world.end(&started, answer(json!([{ "a": 1 }, { "b": 2 }])));
    assert_eq!(world.bodies("out"), [r#"{"a":1}"#, r#"{"b":2}"#]);
    assert_eq!(world.depth("q"), (0, 0, 0));
}

#[test]
fn an_empty_answer_skips_the_target_and_an_empty_event_does_not() {
    for (empty, sent) in [(json!(""), 0), (json!({}), 0), (json!([]), 0), (json!([{}]), 1)] {
        let mut world = enriched(json!({}));
        world.end_next(answer(empty.clone()));
        assert_eq!((world.bodies("out").len(), world.depth("q")), (sent, (0, 0, 0)), "{empty}");
    }
}

#[test]
fn more_than_the_target_takes_at_once_never_gets_there() {
    let mut world = enriched(json!({}));
    world.end_next(answer(Value::Array(vec![json!({ "a": 1 }); 11])));
    assert_eq!((world.bodies("out").len(), world.depth("q")), (0, (0, 1, 0)));
}

#[test]
fn an_enrichment_fails_as_a_whole_and_cannot_report_a_part() {
    let mut world = enriched(json!({}));
    world.end_next(raised());
    assert_eq!((world.outcomes(), world.bodies("out").len()), (vec![(0, 1)], 0));
    world.pass(30);
    let report = json!({ "batchItemFailures": [{ "itemIdentifier": "x" }] });
    world.end_next(answer(report.clone()));
    assert_eq!(world.bodies("out"), [report.to_string()]);
}
