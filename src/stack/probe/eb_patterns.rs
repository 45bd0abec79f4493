//! What a pattern says without operators: which fields, and which values (semantics 3.2).

use serde_json::{Value, json};

use super::bus::{SOURCE, event_names};
use super::check::checks;
use super::finding::{Shown, same};
use super::lab::Lab;

checks! { EventBridge:
    Seconds "eb-pattern-list" "3.2" "a list takes each of its values" list;
    Seconds "eb-pattern-fields" "3.2" "all fields of a pattern must match, and others are ignored" fields;
    Seconds "eb-pattern-missing" "3.2" "an event without the field does not match" missing;
    Seconds "eb-pattern-nested" "3.2" "a field must be at the same depth" nested;
    Seconds "eb-pattern-dots" "3.2" "a key with dots is the same as nested keys" dots;
    Seconds "eb-pattern-array" "3.2" "a field that is an array matches with any of its elements" array;
    Seconds "eb-pattern-case" "3.2" "values and names are compared with their case" case;
    Seconds "eb-pattern-types" "3.2" "a number, a truth and their texts are not the same" types;
    Seconds "eb-pattern-nothings" "3.2" "null, an empty text and a missing field are three things" nothings;
    Seconds "eb-pattern-envelope" "3.2" "source, detail-type, account and resources can be matched" envelope;
    Seconds "eb-pattern-text-detail" "3.2" "JSON inside a text is a text" text_detail;
    Seconds "eb-pattern-test" "3.2" "TestEventPattern says what a rule does" test;
}

/// Puts events with these details, under their names, and sees which of them the pattern of the
/// detail lets through.
pub(super) async fn lets_through(
    lab: Lab,
    pattern: Value,
    events: &[(&str, Value)],
    expected: &[&str],
) -> Shown {
    lets_events_through(lab, json!({ "detail": pattern }), events, expected).await
}

async fn lets_events_through(lab: Lab, pattern: Value, events: &[(&str, Value)], expected: &[&str]) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    bus.rule(&pattern).await?.to("1", &queue).await?;
    let named = events.iter().map(|(name, detail)| {
        let mut detail = detail.clone();
        detail["name"] = json!(name);
        bus.event(&detail)
    });
    bus.put_all(named.collect()).await?;
    let mut expected: Vec<String> = expected.iter().map(|name| (*name).to_owned()).collect();
    expected.sort();
    same("delivered:", event_names(&queue.take(events.len()).await?)?, expected)
}

async fn list(lab: Lab) -> Shown {
    let events = ["red", "green", "blue"].map(|colour| (colour, json!({ "colour": colour })));
    lets_through(lab, json!({ "colour": ["red", "green"] }), &events, &["green", "red"]).await
}

async fn fields(lab: Lab) -> Shown {
    let events = [
        ("one", json!({ "colour": "red" })),
        ("other", json!({ "colour": "red", "size": "s" })),
        ("both", json!({ "colour": "red", "size": "xl", "more": true })),
    ];
    lets_through(lab, json!({ "colour": ["red"], "size": ["xl"] }), &events, &["both"]).await
}

async fn missing(lab: Lab) -> Shown {
    let events = [("without", json!({})), ("with", json!({ "colour": "red" }))];
    lets_through(lab, json!({ "colour": ["red"] }), &events, &["with"]).await
}

async fn nested(lab: Lab) -> Shown {
    let events = [
        ("flat", json!({ "colour": "red" })),
        ("deep", json!({ "of": { "colour": "red" } })),
        ("deeper", json!({ "of": { "of": { "colour": "red" } } })),
    ];
    lets_through(lab, json!({ "of": { "colour": ["red"] } }), &events, &["deep"]).await
}

async fn dots(lab: Lab) -> Shown {
    let events =
        [("red", json!({ "of": { "colour": "red" } })), ("blue", json!({ "of": { "colour": "blue" } }))];
    lets_through(lab, json!({ "of.colour": ["red"] }), &events, &["red"]).await
}

async fn array(lab: Lab) -> Shown {
    let events =
        [("with", json!({ "colours": ["blue", "red"] })), ("without", json!({ "colours": ["blue"] }))];
    lets_through(lab, json!({ "colours": ["red"] }), &events, &["with"]).await
}

async fn case(lab: Lab) -> Shown {
    let events = [
        ("value", json!({ "colour": "Red" })),
        ("field", json!({ "Colour": "red" })),
        ("same", json!({ "colour": "red" })),
    ];
    lets_through(lab, json!({ "colour": ["red"] }), &events, &["same"]).await
}

async fn types(lab: Lab) -> Shown {
    let events = [
        ("number", json!({ "value": 1 })),
        ("text", json!({ "value": "1" })),
        ("truth", json!({ "value": true })),
        ("true text", json!({ "value": "true" })),
    ];
    lets_through(lab, json!({ "value": [1, true] }), &events, &["number", "truth"]).await
}

async fn nothings(lab: Lab) -> Shown {
    let events = [
        ("null", json!({ "value": null })),
        ("empty", json!({ "value": "" })),
        ("missing", json!({})),
        ("list", json!({ "value": [] })),
    ];
    lets_through(lab, json!({ "value": [null] }), &events, &["null"]).await
}

async fn envelope(lab: Lab) -> Shown {
    let (bus, queue) = (lab.bus().await?, lab.queue(&[]).await?);
    let account = bus.arn.split(':').nth(4).unwrap_or_default();
    let pattern = json!({
        "source": [SOURCE], "detail-type": ["probe"], "account": [account], "resources": ["this"],
    });
    bus.rule(&pattern).await?.to("1", &queue).await?;
    let mut events = ["wanted", "source", "type", "resources"].map(|name| {
        let mut event = bus.event(&json!({ "name": name }));
        event.resources = Some(vec!["other".to_owned(), "this".to_owned()]);
        event
    });
    events[1].source = Some("another".to_owned());
    events[2].detail_type = Some("another".to_owned());
    events[3].resources = Some(vec!["other".to_owned()]);
    bus.put_all(events.to_vec()).await?;
    same("delivered:", event_names(&queue.take(4).await?)?, vec!["wanted".to_owned()])
}

async fn text_detail(lab: Lab) -> Shown {
    let events =
        [("text", json!({ "of": r#"{"colour":"red"}"# })), ("object", json!({ "of": { "colour": "red" } }))];
    lets_through(lab, json!({ "of": { "colour": ["red"] } }), &events, &["object"]).await
}

async fn test(lab: Lab) -> Shown {
    let pattern = json!({ "detail": { "colour": [{ "prefix": "re" }] } }).to_string();
    for (colour, expected) in [("red", true), ("blue", false)] {
        let event = json!({
            "id": "1", "account": "000000000000", "source": SOURCE, "time": "2026-01-01T00:00:00Z",
            "region": "us-east-1", "resources": [], "detail-type": "probe", "detail": { "colour": colour },
        });
        let test = lab.events().test_event_pattern().event_pattern(&pattern).event(event.to_string());
        same(&format!("the answer for {colour}:"), test.send().await?.result(), expected)?;
    }
    Ok(())
}
