//! Policies and messages that are made to be slow, or deep. Each test would not end if the cost exploded.

use havoq_pattern::{FilterOutcome, FilterPolicy, FilterScope};

fn accepts(policy: &str, body: &str) -> bool {
    let policy = FilterPolicy::parse(policy, FilterScope::MessageBody).expect(policy);
    policy.matches_body(body) == FilterOutcome::Accepted
}

#[test]
fn a_wildcard_reads_a_long_text_once() {
    let text = "a".repeat(200_000);
    let policy = format!(r#"{{"k":[{{"wildcard":"*{}b*{}b*c"}}]}}"#, "a".repeat(50_000), "a".repeat(50_000));
    assert!(!accepts(&policy, &format!(r#"{{"k":"{text}"}}"#)));
}

#[test]
fn long_lists_are_searched() {
    let list = |letter: char| -> String {
        (0..20_000).map(|n| format!("\"{letter}{n}x\"")).collect::<Vec<_>>().join(",")
    };
    let body = format!(r#"{{"k":[{}]}}"#, list('a'));
    for end in ["prefix", "suffix", "equals-ignore-case"] {
        let policy = format!(r#"{{"k":[{{"anything-but":{{"{end}":[{}]}}}}]}}"#, list('a'));
        assert!(!accepts(&policy, &body));
    }
    let policy = format!(r#"{{"k":[{{"anything-but":[{}]}}]}}"#, list('a'));
    assert!(!accepts(&policy, &body));
}

#[test]
fn arrays_are_not_multiplied_with_each_other() {
    let array = format!("[{}]", vec!["1"; 5_000].join(","));
    let policy = r#"{"a":[1],"b":[1],"c":[1],"d":[1],"e":[2]}"#;
    assert!(!accepts(policy, &format!(r#"{{"a":{array},"b":{array},"c":{array},"d":{array},"e":{array}}}"#)));
    let records = format!("[{}]", vec![r#"{"a":1,"b":[1,1,1,1],"c":[1,1,1,1],"d":1}"#; 2_000].join(","));
    assert!(!accepts(r#"{"r":{"a":[1],"b":[1],"c":[1],"d":[2]}}"#, &format!(r#"{{"r":{records}}}"#)));
}

#[test]
fn names_with_dots_are_not_multiplied_with_each_other() {
    // Each level can be passed by two names, and no way leads to the value.
    let path = |depth: usize| vec!["a"; depth].join(".");
    let body = (0..60).fold("1".to_owned(), |inner, _| {
        format!(r#"{{"a":{inner},"a.a":{inner_short}}}"#, inner_short = "2")
    });
    let fields: Vec<String> = (2..60).map(|depth| format!(r#""{}":[3]"#, path(depth))).collect();
    let policy = format!(r#"{{"$or":[{{{}}},{{"z":[1]}}]}}"#, fields.join(","));
    assert!(!accepts(&policy, &body));
    // Each level has another name with a dot, which leads half of the way, and the last level has no value.
    for other in ["z.z", "a.a"] {
        let body = (0..60).fold("2".to_owned(), |inner, _| format!(r#"{{"{other}":3,"a":{inner}}}"#));
        assert!(!accepts(&format!(r#"{{"{}":[1]}}"#, path(60)), &body));
        assert!(!accepts(&format!(r#"{{"{0}":[1],"{0}.b":[1]}}"#, path(60)), &body));
    }
    // A hundred thousand levels in one name.
    let policy = format!(r#"{{"{}":[1]}}"#, path(100_000));
    assert!(accepts(&policy, &format!(r#"{{"{}":1}}"#, path(100_000))));
}

#[test]
fn deep_documents_are_no_documents() {
    let deep = |depth: usize| format!("{}1{}", "[".repeat(depth), "]".repeat(depth));
    assert!(accepts(r#"{"a":[1]}"#, &format!(r#"{{"a":{}}}"#, deep(100))));
    assert!(!accepts(r#"{"a":[1]}"#, &format!(r#"{{"a":{}}}"#, deep(100_000))));
    assert!(FilterPolicy::parse(&"{\"a\":".repeat(40_000), FilterScope::MessageBody).is_err());
}

#[test]
fn many_fields_in_many_branches() {
    let fields: Vec<String> = (0..8_000).map(|n| format!(r#""k{n}":[1]"#)).collect();
    let branches: Vec<String> = (0..70).map(|n| format!(r#"{{"b{n}":[1]}}"#)).collect();
    let policy =
        format!(r#"{{"$or":[{{{},"$or":[{}]}},{{"z":[1]}}]}}"#, fields.join(","), branches.join(","));
    assert!(!accepts(&policy, r#"{"k0":1}"#));
}
