//! DescribeAlarmHistory (semantics 4.2).

use serde_json::{Value, json};

use super::{START, World, on_custom};

fn data(item: &Value) -> Value {
    serde_json::from_str(item["HistoryData"].as_str().expect("a text")).expect("JSON")
}

#[test]
fn a_change_of_state_keeps_both_states_and_their_data() {
    let mut world = World::new();
    let members = json!({ "Unit": "Seconds", "Statistic": "Average", "Threshold": 21.0 });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    let values = json!([{ "MetricName": "m", "Values": [21.0, 22.0], "Unit": "Seconds" }]);
    world.put_data("Custom", values).expect("it is put");
    world.pass(60);
    let items = world.history(json!({ "AlarmName": "a", "HistoryItemType": "StateUpdate" }));
    assert_eq!(items.len(), 1);
    assert_eq!(items[0]["HistorySummary"], "Alarm updated from INSUFFICIENT_DATA to ALARM");
    assert_eq!(items[0]["AlarmType"], "MetricAlarm");
    let reason =
        "Threshold Crossed: 1 datapoint [21.5 (15/01/27 08:00:00)] was greater than the threshold (21.0).";
    let expected = json!({
        "version": "1.0",
        "oldState": {
            "stateValue": "INSUFFICIENT_DATA",
            "stateReason": "Unchecked: Initial alarm creation",
        },
        "newState": {
            "stateValue": "ALARM",
            "stateReason": reason,
            "stateReasonData": {
                "version": "1.0",
                "queryDate": "2027-01-15T08:01:00.000+0000",
                "startDate": "2027-01-15T08:00:00.000+0000",
                "unit": "Seconds",
                "statistic": "Average",
                "period": 60,
                "recentDatapoints": [21.5],
                "threshold": 21.0,
                "evaluatedDatapoints": [
                    { "timestamp": "2027-01-15T08:00:00.000+0000", "sampleCount": 2.0, "value": 21.5 },
                ],
            },
        },
    });
    assert_eq!(items[0]["HistoryData"].as_str(), Some(expected.to_string().as_str()));
}

#[test]
fn periods_without_data_are_evaluated_datapoints_without_a_value() {
    let mut world = World::new();
    let members = json!({ "EvaluationPeriods": 2, "TreatMissingData": "breaching" });
    world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
    world.pass(60);
    let alarm = world.alarm("a");
    assert_eq!(
        alarm["StateReason"],
        "Threshold Crossed: no datapoints were received for 2 periods and 2 missing datapoints were treated as \
         [Breaching]."
    );
    let data: Value = serde_json::from_str(alarm["StateReasonData"].as_str().expect("a text")).expect("JSON");
    assert_eq!(data["recentDatapoints"], json!([]));
    assert_eq!(data["startDate"], Value::Null);
    let at = |minute: u64| format!("2027-01-15T0{}.000+0000", ["7:59:00", "8:00:00"][minute as usize]);
    assert_eq!(data["evaluatedDatapoints"], json!([{ "timestamp": at(1) }, { "timestamp": at(0) }]));
}

#[test]
fn making_changing_and_deleting_an_alarm_is_kept_beyond_its_life() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("a", &json!({ "AlarmDescription": "why" }))).expect("it is put");
    world.put_metric_alarm(on_custom("a", &json!({ "Threshold": 5.0 }))).expect("it is put");
    world.delete_alarms(&["a"]).expect("it is deleted");
    let items =
        world.history(json!({ "HistoryItemType": "ConfigurationUpdate", "ScanBy": "TimestampAscending" }));
    let summaries: Vec<_> = items.iter().map(|item| item["HistorySummary"].clone()).collect();
    assert_eq!(summaries, ["Alarm \"a\" created", "Alarm \"a\" updated", "Alarm \"a\" deleted"]);
    let types: Vec<_> = items.iter().map(|item| data(item)["type"].clone()).collect();
    assert_eq!(types, ["Create", "Update", "Delete"]);
    let created = data(&items[0])["createdAlarm"].clone();
    assert_eq!(created["alarmDescription"], "why");
    assert_eq!(created["threshold"], 10.0);
    assert_eq!(data(&items[1])["updatedAlarm"]["threshold"], 5.0);
}

#[test]
fn history_is_found_by_alarm_type_date_and_comes_in_pages_the_newest_first() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("a", &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    world.put_metric_alarm(on_custom("b", &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    world.put_composite(json!({ "AlarmName": "c", "AlarmRule": "ALARM(a)" })).expect("it is put");
    for (seconds, state) in [(10, "ALARM"), (10, "OK"), (10, "ALARM")] {
        world.pass(seconds);
        world.set_state("a", state);
    }
    let mut times = |members: Value| -> Vec<u64> {
        let items = world.history(members);
        items.iter().map(|item| item["Timestamp"].as_f64().map_or(0, |at| at as u64) - START).collect()
    };
    assert_eq!(times(json!({ "AlarmName": "a", "HistoryItemType": "StateUpdate" })), [30, 20, 10]);
    assert_eq!(times(json!({ "AlarmName": "a", "ScanBy": "TimestampAscending" })), [0, 10, 20, 30]);
    let dates = json!({ "AlarmName": "a", "StartDate": START + 15, "EndDate": START + 25 });
    assert_eq!(times(dates), [20]);
    assert_eq!(
        times(json!({ "AlarmTypes": ["CompositeAlarm"], "HistoryItemType": "StateUpdate" })),
        [30, 20, 10, 0]
    );
    assert_eq!(times(json!({})).len(), 5, "metric alarms alone");
    let mut members = json!({ "AlarmName": "a", "MaxRecords": 3 });
    let found = world
        .cw(members.clone(), |core, _, input| core.describe_alarm_history(crate::place::Place::HOME, input));
    members["NextToken"] = found.expect("a page")["NextToken"].clone();
    assert_eq!(world.history(members).len(), 1);
}

#[test]
fn history_is_kept_for_30_days() {
    let mut world = World::new();
    world.put_metric_alarm(on_custom("a", &json!({ "TreatMissingData": "ignore" }))).expect("it is put");
    world.pass(31 * 86_400);
    world.set_state("a", "OK");
    assert_eq!(world.history(json!({})).len(), 1);
}
