//! The operators of patterns (semantics 3.2).

use serde_json::json;

use super::check::checks;
use super::eb_patterns::lets_through;
use super::finding::Shown;
use super::lab::Lab;

checks! { EventBridge:
    Seconds "eb-operator-prefix" "3.2" "prefix" prefix;
    Seconds "eb-operator-suffix" "3.2" "suffix" suffix;
    Seconds "eb-operator-ignore-case" "3.2" "equals-ignore-case" ignore_case;
    Seconds "eb-operator-prefix-ignore-case" "3.2" "prefix with equals-ignore-case inside" prefix_ignore_case;
    Seconds "eb-operator-anything-but" "3.2" "anything-but takes other values and null, and nothing where there is no field" anything_but;
    Seconds "eb-operator-anything-but-prefix" "3.2" "anything-but takes a prefix" anything_but_prefix;
    Seconds "eb-operator-anything-but-case" "3.2" "anything-but takes equals-ignore-case with a list" anything_but_case;
    Seconds "eb-operator-anything-but-wildcard" "3.2" "anything-but takes a wildcard" anything_but_wildcard;
    Seconds "eb-operator-exists" "3.2" "exists: true takes a value, null too, and neither an object nor an empty list" exists;
    Seconds "eb-operator-not-exists" "3.2" "exists: false takes what has no such field, or no parent of it" not_exists;
    Seconds "eb-operator-numeric" "3.2" "numeric compares numbers, and texts never" numeric;
    Seconds "eb-operator-numeric-range" "3.2" "numeric has both ends of a range" numeric_range;
    Seconds "eb-operator-cidr" "3.2" "cidr takes the addresses of a block" cidr;
    Seconds "eb-operator-wildcard" "3.2" "wildcard: an asterisk stands for any characters, or none" wildcard;
    Seconds "eb-operator-or" "3.2" "$or takes what matches one of its patterns, beside the other fields" or;
    Seconds "eb-operator-mixed" "3.2" "a list of values and operators takes what one of them takes" mixed;
}

/// Events with these texts as their values, under their own names.
fn texts<const N: usize>(values: [&'static str; N]) -> [(&'static str, serde_json::Value); N] {
    values.map(|value| (value, json!({ "value": value })))
}

async fn prefix(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "prefix": "blu" }] });
    lets_through(lab, pattern, &texts(["blue", "blu", "Blue", "a blue"]), &["blue", "blu"]).await
}

async fn suffix(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "suffix": ".png" }] });
    lets_through(lab, pattern, &texts(["a.png", "a.PNG", "a.png.gz"]), &["a.png"]).await
}

async fn ignore_case(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "equals-ignore-case": "rEd" }] });
    lets_through(lab, pattern, &texts(["red", "RED", "reds"]), &["red", "RED"]).await
}

async fn prefix_ignore_case(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "prefix": { "equals-ignore-case": "RE" } }] });
    lets_through(lab, pattern, &texts(["red", "Read", "dread"]), &["red", "Read"]).await
}

async fn anything_but(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "anything-but": ["red", "green"] }] });
    let events = [
        ("red", json!({ "value": "red" })),
        ("blue", json!({ "value": "blue" })),
        ("null", json!({ "value": null })),
        ("missing", json!({})),
    ];
    lets_through(lab, pattern, &events, &["blue", "null"]).await
}

async fn anything_but_prefix(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "anything-but": { "prefix": "init" } }] });
    lets_through(lab, pattern, &texts(["initial", "final"]), &["final"]).await
}

async fn anything_but_case(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "anything-but": { "equals-ignore-case": ["red", "blue"] } }] });
    lets_through(lab, pattern, &texts(["RED", "Blue", "green"]), &["green"]).await
}

async fn anything_but_wildcard(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "anything-but": { "wildcard": "*/lib/*" } }] });
    lets_through(lab, pattern, &texts(["a/lib/b", "a/bin/b"]), &["a/bin/b"]).await
}

async fn exists(lab: Lab) -> Shown {
    let events = [
        ("text", json!({ "value": "a" })),
        ("null", json!({ "value": null })),
        ("object", json!({ "value": { "a": 1 } })),
        ("empty list", json!({ "value": [] })),
        ("missing", json!({})),
    ];
    lets_through(lab, json!({ "value": [{ "exists": true }] }), &events, &["text", "null"]).await
}

async fn not_exists(lab: Lab) -> Shown {
    let events = [
        ("there", json!({ "of": { "value": "a" } })),
        ("missing", json!({ "of": { "other": "a" } })),
        ("no parent", json!({ "other": "a" })),
    ];
    let pattern = json!({ "of": { "value": [{ "exists": false }] } });
    lets_through(lab, pattern, &events, &["missing", "no parent"]).await
}

async fn numeric(lab: Lab) -> Shown {
    let events = [
        ("above", json!({ "value": 5.5 })),
        ("at", json!({ "value": 5 })),
        ("text", json!({ "value": "6" })),
        ("null", json!({ "value": null })),
    ];
    lets_through(lab, json!({ "value": [{ "numeric": [">", 5] }] }), &events, &["above"]).await
}

async fn numeric_range(lab: Lab) -> Shown {
    let events = [0, 1, 10, 11].map(|value| json!({ "value": value }));
    let [below, low, high, above] = events;
    let events = [("below", below), ("low", low), ("high", high), ("above", above)];
    lets_through(lab, json!({ "value": [{ "numeric": [">", 0, "<=", 10] }] }), &events, &["low", "high"])
        .await
}

async fn cidr(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "cidr": "10.1.0.0/16" }] });
    lets_through(lab, pattern, &texts(["10.1.2.3", "10.2.0.1", "no address"]), &["10.1.2.3"]).await
}

async fn wildcard(lab: Lab) -> Shown {
    let pattern = json!({ "value": [{ "wildcard": "dir/*.png" }] });
    lets_through(lab, pattern, &texts(["dir/a.png", "dir/.png", "dir/a.jpg"]), &["dir/a.png", "dir/.png"])
        .await
}

async fn or(lab: Lab) -> Shown {
    let events = [
        ("first", json!({ "kind": "x", "colour": "red" })),
        ("second", json!({ "kind": "x", "size": 2 })),
        ("neither", json!({ "kind": "x", "colour": "blue", "size": 1 })),
        ("other kind", json!({ "kind": "y", "colour": "red" })),
    ];
    let pattern =
        json!({ "kind": ["x"], "$or": [{ "colour": ["red"] }, { "size": [{ "numeric": [">", 1] }] }] });
    lets_through(lab, pattern, &events, &["first", "second"]).await
}

async fn mixed(lab: Lab) -> Shown {
    let pattern = json!({ "value": ["red", { "prefix": "bl" }, { "exists": false }] });
    let missing = ("missing", json!({}));
    let [red, blue, green] = texts(["red", "blue", "green"]);
    lets_through(lab, pattern, &[red, blue, green, missing], &["red", "blue", "missing"]).await
}
