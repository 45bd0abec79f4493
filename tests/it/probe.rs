//! `havoq probe`: on our own stack everything is right, and on others it finds what is known of them.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, TcpListener};

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::foreign::Foreign;
use crate::sandbox_command::Served;
use crate::support::{Havoq, Ran, wait_for};

fn probe(arguments: &[&str]) -> Havoq {
    Havoq::new(&[&["probe"], arguments].concat())
}

/// The outcome as JSON.
fn probed(ran: &Ran) -> Value {
    serde_json::from_str(&ran.stdout).unwrap_or_else(|error| panic!("{error}\n{}", ran.all()))
}

/// The checks that are not right, with what was found.
fn not_right(probed: &Value) -> BTreeMap<&str, &Value> {
    let checks = probed["checks"].as_array().expect("checks").iter();
    let not_right = checks.filter(|check| check["outcome"] != "right");
    not_right.map(|check| (check["id"].as_str().expect("an id"), check)).collect()
}

fn count(probed: &Value, service: &str) -> usize {
    probed["checks"].as_array().expect("checks").iter().filter(|check| check["service"] == service).count()
}

#[test]
fn the_sandbox_has_everything_right() {
    let ran = probe(&["--format", "json"]).ran();
    let probed = probed(&ran);
    assert_eq!(not_right(&probed), BTreeMap::new(), "{:#?}", not_right(&probed));
    ran.assert_code(0);
    for (service, least) in [
        ("SQS", 45),
        ("SNS", 15),
        ("CloudWatch", 12),
        ("EventBridge", 60),
        ("Lambda", 25),
        ("DynamoDB", 12),
        ("Scheduler", 12),
        ("Pipes", 8),
    ] {
        assert!(count(&probed, service) >= least, "{service}");
    }
    assert_eq!(probed["totals"]["left_out"], 0);
}

#[test]
fn the_outcome_is_json_of_a_fixed_form() {
    let ran = probe(&["--only", "sqs-batch-empty", "--format", "json"]).ran();
    ran.assert_code(0);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn the_outcome_is_a_table_with_the_totals_last() {
    let ran = probe(&["--only", "sqs-batch-empty", "--only", "sqs-delete-twice"]).ran();
    ran.assert_code(0);
    insta::assert_snapshot!(ran.stdout);
}

#[test]
fn bad_usage_says_what_is_wrong() {
    for (arguments, code, told) in [
        (&["--on", "somewhere"][..], 2, "expected `sandbox`, `aws` or a URL"),
        (&["--only", "sqs-batch-emtpy"], 2, "did you mean `sqs-batch-empty`?"),
        (&["--only", "poison"], 2, "docs/probe.md"),
        (&["--format", "xml"], 2, "table, json"),
        (&["--on", "aws"], 4, "--on aws is refused"),
    ] {
        let ran = probe(arguments).ran();
        ran.assert_code(code);
        assert!(ran.stderr.contains(told) && ran.stdout.is_empty(), "{}", ran.all());
    }
}

#[test]
fn a_stack_that_is_not_there_is_an_error() {
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
    let url = format!("http://{}", free.local_addr().expect("an address"));
    drop(free);
    let ran = probe(&["--on", &url]).ran();
    ran.assert_code(5);
    assert!(ran.stderr.contains("did not answer") && ran.stderr.contains("hint:"), "{}", ran.all());
}

/// The same checks, on a clock that cannot be moved.
#[test]
fn a_sandbox_at_a_url_is_right_in_real_time_and_nothing_is_left_there() {
    let served = Served::start(&[]);
    let url = served.url();
    let mut arguments = vec!["--on", &url, "--format", "json"];
    for family in [
        "sqs-visibility",
        "sqs-dlq",
        "sqs-move",
        "sqs-retention",
        "sns-dlq",
        "cw-action",
        "eb-dlq",
        "ddb-condition",
        "pipe-filter",
    ] {
        arguments.extend(["--only", family]);
    }
    let ran = probe(&arguments).ran();
    let probed = probed(&ran);
    assert_eq!(not_right(&probed), BTreeMap::new(), "{:#?}", not_right(&probed));
    ran.assert_code(0);
    // Of retention two, and the dead-letter queue's.
    assert_eq!(probed["totals"]["left_out"], 3);
    assert_eq!(served.queues(), Vec::<String>::new());
}

#[test]
fn what_was_found_is_kept_for_the_next_time() {
    let served = Served::start(&[]);
    let cache = tempfile::tempdir().expect("a folder");
    let url = served.url();
    let ask = |more: &[&str]| {
        let arguments = [&["--on", &url, "--only", "sqs-delete-twice"], more].concat();
        probe(&arguments).env("XDG_CACHE_HOME", &cache.path().display().to_string()).ran()
    };
    ask(&[]).assert_code(0);
    let file = cache.path().join("havoq/probe");
    let file = std::fs::read_dir(file).expect("a folder").next().expect("a file").expect("a file").path();
    let changed = std::fs::read_to_string(&file).expect("findings").replace("\"right\"", "\"wrong\"");
    std::fs::write(&file, changed).expect("written");
    // It was not looked at again.
    ask(&[]).assert_code(1);
    ask(&["--fresh"]).assert_code(0);
    ask(&[]).assert_code(0);
}

#[test]
fn an_interrupted_probe_leaves_nothing_behind() {
    let served = Served::start(&[]);
    let running = probe(&["--on", &served.url(), "--only", "cw-alarm", "--only", "sqs", "--slow"]).start();
    wait_for("a queue", || (!served.queues().is_empty()).then_some(()));
    running.signal(Signal::SIGINT);
    let ran = running.ran();
    ran.assert_code(130);
    assert_eq!(served.queues(), Vec::<String>::new(), "{}", ran.all());
}

/// The outcomes of these checks on a stack.
fn outcomes(stack: &Foreign, checks: &[(&str, &str)]) {
    let url = stack.url();
    let mut arguments = vec!["--format", "json", "--on", &url];
    for (id, _) in checks {
        arguments.extend(["--only", *id]);
    }
    let ran = probe(&arguments).ran();
    let probed = probed(&ran);
    let found: BTreeMap<&str, &str> = probed["checks"]
        .as_array()
        .expect("checks")
        .iter()
        .filter_map(|check| Some((check["id"].as_str()?, check["outcome"].as_str()?)))
        .collect();
    for (id, outcome) in checks {
        assert_eq!(found.get(id), Some(outcome), "{id}: {}", ran.all());
    }
    assert_eq!(found.len(), checks.len());
    ran.assert_code(1);
    stack.assert_nothing_left();
}

/// What is known of both: no policy is enforced, nothing is refused for its being too soon, and no
/// event goes to a target's dead-letter queue.
const OF_BOTH: [(&str, &str); 8] = [
    ("sqs-visibility-returns", "right"),
    ("sqs-dlq-after-maximum", "right"),
    ("sqs-policy-denies-send", "wrong"),
    ("sqs-redrive-denied", "wrong"),
    ("sqs-delete-recreate", "wrong"),
    ("sns-envelope-id", "right"),
    ("eb-dlq-denied", "wrong"),
    ("ddb-condition-new", "right"),
];

#[test]
fn ministack_is_known() {
    let Some(stack) = Foreign::ministack() else { return };
    outcomes(
        &stack,
        &[
            &OF_BOTH[..],
            &[
                ("sqs-move-to-source", "absent"),
                ("sns-dlq-deleted", "wrong"),
                ("eb-put-anyway", "right"),
                ("lambda-mapping-consumes", "right"),
                ("lambda-report-some", "right"),
                // Its pipes are kept, and move nothing.
                ("pipe-moves", "wrong"),
            ],
        ]
        .concat(),
    );
}

#[test]
fn moto_is_known() {
    let Some(stack) = Foreign::moto() else { return };
    // What befalls a target is the publisher's error there.
    let own = [("sqs-move-to-source", "absent"), ("eb-put-anyway", "wrong")];
    outcomes(&stack, &[&OF_BOTH[..], &own].concat());
}
