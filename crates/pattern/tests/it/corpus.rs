//! Texts that parsers have stumbled over: each is read as everything that this crate reads.

use std::path::Path;

use havoq_pattern::{
    AccessRequest, Dialect, EventPattern, FilterPolicy, FilterScope, JsonPath, Policy, Principal,
};

#[test]
fn the_corpus_is_read_without_a_crash() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut files = 0;
    for entry in std::fs::read_dir(&folder).expect("the corpus") {
        let path = entry.expect("an entry").path();
        let bytes = std::fs::read(&path).expect("a file");
        read(&String::from_utf8_lossy(&bytes));
        files += 1;
    }
    assert!(files >= 10, "the corpus has lost its files: {files}");
}

fn read(text: &str) {
    for scope in [FilterScope::MessageAttributes, FilterScope::MessageBody] {
        if let Ok(policy) = FilterPolicy::parse(text, scope) {
            policy.matches_body(text);
            policy.matches_attributes(std::iter::empty());
        }
    }
    for dialect in [Dialect::EventBridge, Dialect::Pipes, Dialect::Lambda] {
        if let (Ok(pattern), Ok(event)) = (EventPattern::parse(text, dialect), serde_json::from_str(text)) {
            pattern.matches(&event);
        }
    }
    if let Ok(policy) = FilterPolicy::parse(r#"{"a":[{"exists":true}]}"#, FilterScope::MessageBody) {
        policy.matches_body(text);
    }
    if let Ok(policy) = Policy::parse(text) {
        let context = [("aws:SourceArn", text)];
        policy.decide(&AccessRequest {
            principal: Principal::Service(text),
            action: text,
            resource: text,
            context: &context,
        });
    }
    drop(JsonPath::parse(text));
}
