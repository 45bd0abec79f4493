//! Matches of event patterns a second, on one core, for patterns as rules have them. `benches/run match` calls it.

use std::hint::black_box;

use havoq_pattern::{Dialect, EventPattern};
use serde_json::Value;

const EVENT: &str = r#"{"version":"0","id":"6a7e8feb-b491-4cf7-a9f1-bf3703467718","detail-type":"EC2 Instance State-change Notification",
    "source":"aws.ec2","account":"111122223333","time":"2026-11-22T18:43:48Z","region":"eu-central-1",
    "resources":["arn:aws:ec2:eu-central-1:111122223333:instance/i-1234567890abcdef0"],
    "detail":{"instance-id":"i-1234567890abcdef0","state":"terminated","limit":42,"path":"/var/lib/data/file.png",
    "lines":[{"sku":"A-1","count":1},{"sku":"B-2","count":2},{"sku":"C-3","count":3}]}}"#;

/// What they are called, and whether they take the event.
const PATTERNS: &[(&str, &str, bool)] = &[
    (
        "typical: source, detail-type and one field",
        r#"{"source":["aws.ec2"],"detail-type":["EC2 Instance State-change Notification"],"detail":{"state":["stopped","terminated"]}}"#,
        true,
    ),
    ("typical, of another source", r#"{"source":["aws.s3"],"detail":{"state":["terminated"]}}"#, false),
    (
        "anything-but, numeric and exists",
        r#"{"detail":{"state":[{"anything-but":["pending","running"]}],"limit":[{"numeric":[">",0,"<=",100]}],"reason":[{"exists":false}]}}"#,
        true,
    ),
    ("wildcard", r#"{"detail":{"path":[{"wildcard":"/var/*/data/*.png"}]}}"#, true),
    ("two fields of records in an array", r#"{"detail":{"lines":{"sku":["C-3"],"count":[3]}}}"#, true),
    (
        "$or of three",
        r#"{"source":["aws.ec2"],"detail":{"$or":[{"state":["x"]},{"limit":[{"numeric":[">",50]}]},{"path":[{"suffix":".png"}]}]}}"#,
        true,
    ),
];

const ROUNDS: usize = 9;
const MATCHES: u32 = 300_000;

fn main() {
    let event: Value = serde_json::from_str(EVENT).expect("the event is JSON");
    println!(
        "| pattern | million matches in a second of one core, median of {ROUNDS} rounds (best) |\n|---|---|"
    );
    for (name, pattern, taken) in PATTERNS {
        let pattern = EventPattern::parse(pattern, Dialect::EventBridge).expect("the pattern is one");
        assert_eq!(pattern.matches(&event), *taken, "{name}");
        let mut rates: Vec<f64> = (0..ROUNDS).map(|_| rate(&pattern, &event)).collect();
        rates.sort_by(f64::total_cmp);
        println!("| {name} | {:.1} ({:.1}) |", rates[ROUNDS / 2], rates[ROUNDS - 1]);
    }
}

fn rate(pattern: &EventPattern, event: &Value) -> f64 {
    let began = processor_seconds();
    for _ in 0..MATCHES {
        black_box(black_box(pattern).matches(black_box(event)));
    }
    f64::from(MATCHES) / (processor_seconds() - began) / 1e6
}

/// Time on the processor, so that what else the machine does counts little.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").expect("Linux keeps count");
    let nanoseconds = stat.split(' ').next().and_then(|text| text.parse::<f64>().ok());
    nanoseconds.expect("the first number is time on the processor") / 1e9
}
