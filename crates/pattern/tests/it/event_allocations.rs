//! Matching an event allocates nothing.

use havoq_pattern::{Dialect, EventPattern};
use serde_json::json;

/// One pattern with every operator.
const PATTERN: &str = r#"{
    "source": ["shop.orders", "shop.returns"],
    "detail": {
        "state": [{"anything-but": {"prefix": ["init", "test"]}}],
        "file": [{"anything-but": {"suffix": [".txt", ".png"]}}],
        "kind": [{"anything-but": {"equals-ignore-case": ["GIFT", "Sample"]}}],
        "path": [{"anything-but": {"wildcard": ["*/tmp/*", "*.bak"]}}],
        "name": [{"prefix": {"equals-ignore-case": "MÜL"}}, {"suffix": {"equals-ignore-case": "x"}}],
        "city": [{"equals-ignore-case": "BERLIN"}],
        "total": [{"numeric": [">", 0, "<=", 1000]}],
        "from": [{"cidr": "10.0.0.0/8"}, {"cidr": "2001:db8::/32"}],
        "note": [null, {"exists": false}],
        "lines": {"sku": [{"wildcard": "A-*-9"}], "count": [2, {"anything-but": [3, 4]}]},
        "$or": [{"paid": [true]}, {"voucher": [{"exists": true}]}, {"credit": {"left": [{"numeric": [">", 5]}]}}]
    }
}"#;

#[test]
fn a_match_allocates_nothing() {
    let pattern = EventPattern::parse(PATTERN, Dialect::EventBridge).expect("a pattern");
    let detail = |count: u32| {
        json!({"state": "sent", "file": "a.pdf", "kind": "book", "path": "/a/b", "name": "Müller", "city": "Berlin",
            "total": 12.5, "from": "10.1.2.3", "lines": [{"sku": "B-1-9", "count": 1}, {"sku": "A-1-9", "count": count}],
            "credit": {"left": 6}})
    };
    let event = |count| json!({"source": "shop.orders", "detail": detail(count), "a.b": 1, "detail.x": 2});
    for (count, taken) in [(2, true), (5, true), (3, false)] {
        let event = event(count);
        let mut matches = false;
        let allocations = allocation_counter::measure(|| matches = pattern.matches(&event));
        assert_eq!((matches, allocations.count_total), (taken, 0), "{count}");
    }
}
