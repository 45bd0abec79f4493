//! Composite alarms (semantics 4.2).

use serde_json::{Value, json};

use super::{World, message, on_custom};

/// Two metric alarms `a` and `b` that keep the state they are set to, and `c` on both.
fn world(rule: &str) -> World {
    let mut world = World::new();
    for name in ["a", "b"] {
        world.put_metric_alarm(on_custom(name, &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    }
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": rule })).expect("it is put");
    world
}

#[test]
fn a_composite_is_evaluated_when_it_is_put_and_all_children_count() {
    let mut world = world("ALARM(a) OR INSUFFICIENT_DATA(b)");
    let composite = world.alarm("c");
    assert_eq!(composite["StateValue"], "ALARM");
    let arn = "arn:aws:cloudwatch:eu-central-1:123456789012:alarm:";
    assert_eq!(composite["StateReason"], format!("{arn}c was created and its alarm rule evaluates to ALARM"));
    let state = json!({ "value": "INSUFFICIENT_DATA", "timestamp": "2027-01-15T08:00:00.000+0000" });
    let child = |name: &str| json!({ "arn": format!("{arn}{name}"), "state": state });
    let data = json!({ "triggeringAlarms": [child("a"), child("b")] });
    assert_eq!(composite["StateReasonData"].as_str(), Some(data.to_string().as_str()));
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": "FALSE" })).expect("it is put");
    assert_eq!(
        world.alarm("c")["StateReason"],
        format!("{arn}c was updated and its alarm rule evaluates to OK")
    );
}

/// As recorded from AWS: the child that changed is told, and a change that changes nothing is not.
#[test]
fn a_composite_follows_its_children() {
    let mut world = world("ALARM(a) OR ALARM(b)");
    let triggering = |world: &mut World| -> (String, String) {
        let composite = world.alarm("c");
        let data: Value =
            serde_json::from_str(composite["StateReasonData"].as_str().expect("a text")).expect("JSON");
        let child = &data["triggeringAlarms"][0];
        let name = super::super::text(&child["arn"]).rsplit(':').next().map(str::to_owned);
        (super::super::text(&composite["StateValue"]), name.unwrap_or_default())
    };
    for (child, state) in [("a", "ALARM"), ("a", "OK"), ("b", "ALARM"), ("b", "OK"), ("a", "ALARM")] {
        world.pass(1);
        world.set_state(child, state);
        assert_eq!(triggering(&mut world), (state.to_owned(), child.to_owned()));
    }
    world.set_state("b", "ALARM");
    assert_eq!(triggering(&mut world), ("ALARM".into(), "a".into()), "it was in ALARM already");
}

#[test]
fn rules_combine_states_with_and_or_not() {
    for (rule, states) in [
        ("ALARM(a) AND ALARM(b)", "OK OK OK ALARM"),
        ("ALARM(a) AND NOT ALARM(b)", "OK ALARM OK OK"),
        ("NOT (ALARM(a) OR ALARM(b))", "ALARM OK OK OK"),
        ("OK(a) OR ALARM(b)", "ALARM OK ALARM ALARM"),
        ("TRUE AND OK(\"a\")", "ALARM OK ALARM OK"),
    ] {
        let mut world = world(rule);
        let mut seen = Vec::new();
        for (a, b) in [("OK", "OK"), ("ALARM", "OK"), ("OK", "ALARM"), ("ALARM", "ALARM")] {
            world.set_state("a", a);
            world.set_state("b", b);
            seen.push(world.state("c"));
        }
        assert_eq!(seen.join(" "), states, "{rule}");
    }
}

#[test]
fn a_state_that_was_set_stays_until_a_child_changes() {
    let mut world = world("ALARM(a)");
    world.set_state("c", "ALARM");
    world.pass(600);
    assert_eq!(world.state("c"), "ALARM");
    world.set_state("b", "ALARM");
    assert_eq!(world.state("c"), "ALARM", "b is no child");
    world.set_state("a", "OK");
    assert_eq!(world.state("c"), "OK");
}

#[test]
fn composites_can_have_composite_children_and_a_circle_ends() {
    let mut world = world("ALARM(a)");
    world.put_composite(json!({ "AlarmName": "d", "AlarmRule": "ALARM(c)" })).expect("it is put");
    world.set_state("a", "ALARM");
    assert_eq!(world.state("d"), "ALARM");
    // AWS lets one make a circle, and stops evaluating in it.
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": "ALARM(a) AND OK(d)" })).expect("it is put");
    assert_eq!(["c", "d"].map(|name| world.state(name)), ["OK", "OK"]);
    world.set_state("a", "OK");
    world.set_state("a", "ALARM");
    assert_eq!(["c", "d"].map(|name| world.state(name)), ["ALARM", "ALARM"]);
    assert!(message(world.delete_alarms(&["c"])).starts_with("Cannot delete c as"));
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": "FALSE" })).expect("it is put");
    world.delete_alarms(&["d"]).expect("the circle is broken");
}

#[test]
fn what_is_wrong_with_a_composite_is_said_in_aws_s_words() {
    let mut world = world("ALARM(a)");
    let mut refused =
        |rule: &str| message(world.put_composite(json!({ "AlarmName": "x", "AlarmRule": rule })));
    assert_eq!(
        refused("ALARM(a) OR ALARM(gone) OR OK(lost) OR OK(gone)"),
        "Could not save the composite alarm as alarms [gone, lost] in the alarm rule do not exist"
    );
    assert_eq!(refused("()"), "Error in AlarmRule [Unsupported token ')' at char 1]");
    let metric = json!({ "AlarmName": "a", "AlarmRule": "TRUE" });
    assert!(message(world.put_composite(metric)).contains("exists already"));
    let wait = json!({ "AlarmName": "x", "AlarmRule": "TRUE", "ActionsSuppressorWaitPeriod": 1 });
    assert!(message(world.put_composite(wait)).contains("only be set with an ActionsSuppressor"));
    let none = json!({ "AlarmName": "x", "AlarmRule": "TRUE", "ActionsSuppressor": "none",
        "ActionsSuppressorWaitPeriod": 1, "ActionsSuppressorExtensionPeriod": 1 });
    assert!(message(world.put_composite(none)).contains("does not exist"));
    let two = message(world.put_composite(json!({ "AlarmRule": "" })));
    assert!(two.starts_with("2 validation errors detected: Value null at 'alarmName'"), "{two}");
}
