//! The event of an alarm's change of state, on the default bus (semantics 4.2).

use serde_json::{Value, json};

use super::{World, on_custom};
use crate::tests::arn;

/// A rule takes all events of alarms to the queue `q`.
fn world() -> World {
    let mut world = World::new();
    world.rule_queue("q");
    let pattern = json!({ "source": ["aws.cloudwatch"], "detail-type": ["CloudWatch Alarm State Change"] });
    world.events_ok("PutRule", json!({ "Name": "r", "EventPattern": pattern.to_string() }));
    world.target("default", "r", json!({ "Id": "t", "Arn": arn("q") }));
    world
}

fn alarm_arn(name: &str) -> String {
    format!("arn:aws:cloudwatch:eu-central-1:123456789012:alarm:{name}")
}

#[test]
fn a_metric_alarm_tells_both_states_and_what_it_watches_whatever_its_actions_are() {
    let mut world = world();
    let more = json!({ "AlarmDescription": "d", "ActionsEnabled": false, "TreatMissingData": "ignore" });
    world.put_metric_alarm(on_custom("a", &more)).expect("it is put");
    world.pass(10);
    world.set_state("a", "ALARM");
    world.pass(0);
    let mut event = world.documents("q").remove(0);
    let shown = world.alarm("a");
    assert_eq!(
        (event["source"].take(), event["detail-type"].take(), event["resources"].take()),
        (json!("aws.cloudwatch"), json!("CloudWatch Alarm State Change"), json!([alarm_arn("a")]))
    );
    let mut detail = event["detail"].take();
    let metric = &mut detail["configuration"]["metrics"][0];
    assert!(metric["id"].take().is_string());
    assert_eq!(
        detail,
        json!({
            "alarmName": "a",
            "configuration": {
                "description": "d",
                "metrics": [{
                    "id": null,
                    "metricStat": {
                        "metric": {
                            "dimensions": {},
                            "name": shown["MetricName"],
                            "namespace": shown["Namespace"],
                        },
                        "period": shown["Period"],
                        "stat": shown["Statistic"],
                    },
                    "returnData": true,
                }],
            },
            "previousState": {
                "reason": "Unchecked: Initial alarm creation",
                "timestamp": "2027-01-15T08:00:00.000+0000",
                "value": "INSUFFICIENT_DATA",
            },
            "state": {
                "reason": shown["StateReason"],
                "timestamp": "2027-01-15T08:00:10.000+0000",
                "value": "ALARM",
            },
        })
    );
}

#[test]
fn a_state_that_is_none_other_than_before_is_not_told() {
    let mut world = world();
    world.put_metric_alarm(on_custom("a", &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    world.set_state("a", "INSUFFICIENT_DATA");
    world.pass(0);
    assert!(world.documents("q").is_empty());
}

#[test]
fn a_composite_alarm_tells_its_rule_and_what_suppresses_its_actions() {
    let mut world = world();
    for name in ["a", "maintenance"] {
        world.put_metric_alarm(on_custom(name, &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    }
    let composite = json!({
        "AlarmName": "c",
        "AlarmRule": "ALARM(a)",
        "ActionsSuppressor": "maintenance",
        "ActionsSuppressorWaitPeriod": 120,
        "ActionsSuppressorExtensionPeriod": 180,
    });
    world.put_composite(composite).expect("it is put");
    world.pass(1_000);
    world.documents("q");
    world.set_state("a", "ALARM");
    world.pass(0);
    let of_c = |event: &Value| event["detail"]["alarmName"] == "c";
    let event = world.documents("q").into_iter().find(of_c).expect("its event");
    assert_eq!(event["resources"], json!([alarm_arn("c")]));
    let detail = &event["detail"];
    assert_eq!(
        detail["configuration"],
        json!({
            "alarmRule": "ALARM(a)",
            "actionsSuppressor": "maintenance",
            "actionsSuppressorWaitPeriod": 120,
            "actionsSuppressorExtensionPeriod": 180,
        })
    );
    assert_eq!(detail["state"]["value"], "ALARM");
    assert_eq!(detail["state"]["actionsSuppressedBy"], "WaitPeriod");
    assert_eq!(detail["state"]["actionsSuppressedReason"], "Actions suppressed by WaitPeriod");
    let data: Value =
        serde_json::from_str(detail["state"]["reasonData"].as_str().expect("a text")).expect("JSON");
    assert_eq!(data["triggeringAlarms"][0]["arn"], alarm_arn("a"));
    assert_eq!(detail["previousState"]["value"], "OK");
}
