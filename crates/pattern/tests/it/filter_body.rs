//! Filter policies on message bodies (semantics 2.2, and 3.2 for what the operators share with EventBridge).

use havoq_pattern::{FilterOutcome, FilterPolicy, FilterScope, Why};

fn outcome(policy: &str, body: &str) -> FilterOutcome {
    FilterPolicy::parse(policy, FilterScope::MessageBody)
        .unwrap_or_else(|bad| panic!("{policy}: {bad}"))
        .matches_body(body)
}

#[track_caller]
fn each(policy: &str, accepted: &[&str], rejected: &[&str]) {
    for body in accepted {
        assert_eq!(outcome(policy, body), FilterOutcome::Accepted, "{policy} on {body}");
    }
    for body in rejected {
        assert_eq!(outcome(policy, body), FilterOutcome::FilteredOut(Why::MessageBody), "{policy} on {body}");
    }
}

#[test]
fn exact_values() {
    each(
        r#"{"a":["x",5,true,null]}"#,
        &[
            r#"{"a":"x"}"#,
            r#"{"a":5}"#,
            r#"{"a":5.0}"#,
            r#"{"a":true}"#,
            r#"{"a":null}"#,
            r#"{"a":["y","x"]}"#,
        ],
        &[
            r#"{"a":"5"}"#,
            r#"{"a":"X"}"#,
            r#"{"a":false}"#,
            r#"{"a":"true"}"#,
            r#"{"a":""}"#,
            "{}",
            r#"{"a":{}}"#,
        ],
    );
    each(r#"{"a":[""]}"#, &[r#"{"a":""}"#], &[r#"{"a":null}"#, "{}", r#"{"a":[]}"#]);
    each(r#"{"a":[null]}"#, &[r#"{"a":null}"#, r#"{"a":[null]}"#], &[r#"{"a":[]}"#, r#"{"a":""}"#, "{}"]);
}

#[test]
fn the_last_of_two_equal_names_counts() {
    each(r#"{"a":[1],"a":[2]}"#, &[r#"{"a":2}"#, r#"{"a":1,"a":2}"#], &[r#"{"a":1}"#]);
    each(r#"{"a":{"b":[1]},"a.b":[2]}"#, &[r#"{"a":{"b":2}}"#], &[r#"{"a":{"b":1}}"#]);
}

#[test]
fn operators_in_bodies() {
    each(r#"{"a":[{"prefix":"x-"}]}"#, &[r#"{"a":"x-1"}"#], &[r#"{"a":"y"}"#, r#"{"a":null}"#, r#"{"a":1}"#]);
    each(r#"{"a":[{"prefix":""}]}"#, &[r#"{"a":"y"}"#, r#"{"a":""}"#], &[r#"{"a":1}"#]);
    each(r#"{"a":[{"suffix":"-x"}]}"#, &[r#"{"a":"1-x"}"#], &[r#"{"a":"x-1"}"#]);
    each(r#"{"a":[{"prefix":{"equals-ignore-case":"eU-"}}]}"#, &[r#"{"a":"EU-1"}"#], &[r#"{"a":"US-1"}"#]);
    each(r#"{"a":[{"suffix":{"equals-ignore-case":".PNG"}}]}"#, &[r#"{"a":"x.pnG"}"#], &[r#"{"a":"png"}"#]);
    each(r#"{"a":[{"equals-ignore-case":"Ärger"}]}"#, &[r#"{"a":"ÄRGER"}"#], &[r#"{"a":"Arger"}"#]);
    each(
        r#"{"a":[{"anything-but":"x"}]}"#,
        &[r#"{"a":"y"}"#, r#"{"a":null}"#, r#"{"a":1}"#, r#"{"a":["x","y"]}"#],
        &[r#"{"a":"x"}"#, "{}", r#"{"a":[]}"#, r#"{"a":{"x":1}}"#, r#"{"a":["x"]}"#],
    );
    each(r#"{"a":[{"anything-but":[5,6]}]}"#, &[r#"{"a":7}"#, r#"{"a":"5"}"#], &[r#"{"a":5.000}"#, "{}"]);
    each(
        r#"{"a":[{"anything-but":{"prefix":["ab","abc","b"]}}]}"#,
        &[r#"{"a":"a"}"#, r#"{"a":"ca"}"#, r#"{"a":5}"#, r#"{"a":null}"#],
        &[r#"{"a":"abc"}"#, r#"{"a":"abd"}"#, r#"{"a":"b"}"#, r#"{"a":"bz"}"#],
    );
}

#[test]
fn numeric_ranges() {
    each(r#"{"a":[{"numeric":[">=",5]}]}"#, &[r#"{"a":5}"#, r#"{"a":2e9}"#], &[r#"{"a":4.99999}"#]);
    each(r#"{"a":[{"numeric":["<=",5]}]}"#, &[r#"{"a":5}"#, r#"{"a":-5}"#], &[r#"{"a":5.00001}"#]);
    each(
        r#"{"a":[{"numeric":[">=",0,"<",10]}]}"#,
        &[r#"{"a":0}"#, r#"{"a":-0.0}"#, r#"{"a":9.9}"#],
        &[r#"{"a":10}"#],
    );
    each(
        r#"{"a":[{"numeric":["=",5]}]}"#,
        &[r#"{"a":[4,5]}"#],
        &[r#"{"a":"5"}"#, r#"{"a":null}"#, r#"{"a":true}"#],
    );
}

#[test]
fn address_blocks() {
    each(
        r#"{"d":{"$or":[{"v4":[{"cidr":"10.0.0.0/24"}]},{"v6":[{"cidr":"2001:db8:1234:1a00::/64"}]}]}}"#,
        &[r#"{"d":{"v4":"10.0.0.255"}}"#, r#"{"d":{"v6":"2001:0db8:1234:1a00:0000:0000:0000:0000"}}"#],
        &[
            r#"{"d":{"v4":"10.0.0.256"}}"#,
            r#"{"d":{"v6":"2001:0db8:123f:1a01:0000:0000:0000:0000"}}"#,
            r#"{"d":{"v6":"10.0.0.1"}}"#,
        ],
    );
    each(
        r#"{"a":[{"cidr":"0.0.0.0/0"}]}"#,
        &[r#"{"a":"255.1.2.3"}"#],
        &[r#"{"a":"::1"}"#, r#"{"a":"1.2.3"}"#],
    );
    each(r#"{"a":[{"cidr":"::/0"}]}"#, &[r#"{"a":"ff::1"}"#], &[r#"{"a":"1.2.3.4"}"#]);
    each(r#"{"a":[{"cidr":"10.1.2.3/8"}]}"#, &[r#"{"a":"10.9.9.9"}"#], &[r#"{"a":"11.1.2.3"}"#]);
}

#[test]
fn wildcards() {
    each(r#"{"a":[{"wildcard":"*"}]}"#, &[r#"{"a":""}"#, r#"{"a":"x"}"#], &[r#"{"a":5}"#, "{}"]);
    each(
        r#"{"a":[{"wildcard":"a*c"}]}"#,
        &[r#"{"a":"ac"}"#, r#"{"a":"abcc"}"#],
        &[r#"{"a":"a"}"#, r#"{"a":"acb"}"#],
    );
    each(r#"{"a":[{"wildcard":"ab*ba"}]}"#, &[r#"{"a":"abba"}"#], &[r#"{"a":"aba"}"#]);
    each(r#"{"a":[{"wildcard":"*a*a*"}]}"#, &[r#"{"a":"aa"}"#, r#"{"a":"xaxax"}"#], &[r#"{"a":"xax"}"#]);
    each(
        r#"{"a":[{"wildcard":"x\\*y\\\\*"}]}"#,
        &[r#"{"a":"x*y\\z"}"#],
        &[r#"{"a":"xzy\\z"}"#, r#"{"a":"x*yz"}"#],
    );
    each(r#"{"a":[{"wildcard":"plain"}]}"#, &[r#"{"a":"plain"}"#], &[r#"{"a":"plainer"}"#]);
}

#[test]
fn nesting_and_dots_are_the_same() {
    let bodies = [
        r#"{"o":{"n":{"t":"x"}}}"#,
        r#"{"o.n.t":"x"}"#,
        r#"{"o.n":{"t":"x"}}"#,
        r#"{"o":{"n.t":"x"}}"#,
        r#"{"o":{"z":1},"o.n":{"t":"x"}}"#,
    ];
    for policy in [r#"{"o.n.t":["x"]}"#, r#"{"o":{"n":{"t":["x"]}}}"#, r#"{"o":{"n.t":["x"]}}"#] {
        each(
            policy,
            &bodies,
            &[r#"{"o":{"n":{"t":"y"}}}"#, r#"{"o":{"n":"x"}}"#, r#"{"t":"x"}"#, r#"{"o":"x"}"#],
        );
    }
    each(r#"{"ab":[1]}"#, &[r#"{"ab":1}"#], &[r#"{"a":{"b":1}}"#, r#"{"a":{"ab":1}}"#]);
    each(r#"{"o.a":[1],"o.b":[2]}"#, &[r#"{"o.a":1,"o":{"b":2}}"#], &[r#"{"o.a":1,"o":{"b":1}}"#]);
}

#[test]
fn existence() {
    each(
        r#"{"a":{"b":[{"exists":true}]}}"#,
        &[r#"{"a":{"b":null}}"#, r#"{"a":{"b":""}}"#, r#"{"a":{"b":[0]}}"#],
        &[r#"{"a":{"b":[]}}"#, r#"{"a":{"b":{"c":1}}}"#, r#"{"a":{}}"#, "{}"],
    );
    each(
        r#"{"a":{"b":[{"exists":false}]}}"#,
        &["{}", r#"{"a":{}}"#, r#"{"a":1}"#, r#"{"a":{"c":1}}"#],
        &[r#"{"a":{"b":1}}"#, r#"{"a":{"b":null}}"#, r#"{"a.b":1}"#, r#"{"a":[{"c":1},{"b":1}]}"#],
    );
    each(
        r#"{"object":{"key":[{"prefix":"auto-"},"hard"],"more":[{"exists":false}]},"test":[{"exists":false}]}"#,
        &[r#"{"object":{"key":"auto-test"}}"#, r#"{"object":{"key":"hard"}}"#],
        &[
            r#"{"object":{"key":"test-auto"}}"#,
            r#"{"object":{"key":"auto-test"},"test":"is there"}"#,
            r#"{"object":{"key":"auto-test","more":"is there"}}"#,
            r#"{"object":{"test":"auto-test"}}"#,
            r#"{"test":"auto-test"}"#,
        ],
    );
}

#[test]
fn arrays_of_values() {
    let policy = r#"{"headers":{"route-to":["q1"]}}"#;
    each(
        policy,
        &[r#"{"headers":{"route-to":["q1","q2"]}}"#, r#"{"headers":{"route-to":[["q1"]]}}"#],
        &[r#"{"headers":{"route-to":["q3"]}}"#, r#"{"headers":{"route-to":[]}}"#],
    );
    each(r#"{"detail":{"v":[""]}}"#, &[r#"{"resources":[],"detail":{"v":"","r":null}}"#], &[]);
}

#[test]
fn what_is_true_of_different_records_is_not_mixed_up() {
    let policy = r#"{"Records":{"s3":{"object":{"key":[{"prefix":"auto-"}]}},"eventName":[{"prefix":"ObjectCreated:"}]}}"#;
    let created = r#"{"eventName":"ObjectCreated:Put","s3":{"object":{"key":"auto-1"}}}"#;
    let listed = r#"{"eventName":"ObjectCreated:Put","s3":{"object":[[{"key":"auto-1"}]]}}"#;
    let removed = r#"{"eventName":"ObjectRemoved:Delete","s3":{"object":{"key":"auto-1"}}}"#;
    let home = r#"{"eventName":"ObjectCreated:Put","s3":{"object":{"key":"home-1"}}}"#;
    let records = |records: &[&str]| format!(r#"{{"Records":[{}]}}"#, records.join(","));
    for body in [records(&[created]), records(&[listed, removed]), records(&[removed, home, created])] {
        each(policy, &[&body], &[]);
    }
    for body in [records(&[removed]), records(&[home]), records(&[removed, home]), records(&[])] {
        each(policy, &[], &[&body]);
    }
}

#[test]
fn or_in_bodies() {
    each(
        r#"{"$or":[{"metricName":["CPU","Read"]},{"namespace":["EC2","ES"]}],
            "detail":{"scope":["Service"],"$or":[{"source":["cw"]},{"type":["Alarm"]}]}}"#,
        &[
            r#"{"metricName":"CPU","detail":{"scope":"Service","source":"cw"}}"#,
            r#"{"metricName":"Read","detail":{"scope":"Service","source":"cw"}}"#,
            r#"{"namespace":"EC2","detail":{"scope":"Service","source":"cw"}}"#,
            r#"{"namespace":"ES","detail":{"scope":"Service","source":"cw"}}"#,
            r#"{"metricName":"CPU","detail":{"scope":"Service","type":"Alarm"}}"#,
        ],
        &[
            r#"{"metricName":"CPU","detail":{"scope":"cw","type":"Alarm"}}"#,
            r#"{"metricName":"CPU","detail":{"scope":"Service","type":"CPU"}}"#,
            r#"{"metricName":"CPU","detail":{"type":"Alarm"}}"#,
            r#"{"metricName":"CPU","detail":{"scope":"Service"}}"#,
            r#"{"metricName":"CPU","scope":"Service"}"#,
            r#"{"metricName":"EC2","detail":{"scope":"Service","type":"Alarm"}}"#,
            r#"{"namespace":"CPU","detail":{"scope":"Service","type":"Alarm"}}"#,
        ],
    );
}

#[test]
fn a_body_that_is_no_object_cannot_be_filtered() {
    for body in ["plain text", "\"a string\"", "[1]", "5", "", "{\"a\":"] {
        assert_eq!(
            outcome(r#"{"a":[1]}"#, body),
            FilterOutcome::FilteredOut(Why::InvalidMessageBody),
            "{body}"
        );
        assert_eq!(outcome("{}", body), FilterOutcome::Accepted, "{body}");
    }
}
