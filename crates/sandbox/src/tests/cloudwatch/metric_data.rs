//! PutMetricData, GetMetricStatistics, ListMetrics.

use serde_json::{Value, json};

use super::{START, World, message};

/// The statistics of `Custom` `m` over the first minutes.
fn statistics(world: &mut World, members: &Value) -> Value {
    let mut asked = json!({
        "Namespace": "Custom",
        "MetricName": "m",
        "StartTime": START,
        "EndTime": START + 600,
        "Period": 60,
        "Statistics": ["SampleCount", "Average", "Sum", "Minimum", "Maximum"],
    });
    for (member, value) in members.as_object().expect("members") {
        asked[member] = value.clone();
    }
    world.statistics(asked).expect("statistics")["Datapoints"].clone()
}

#[test]
fn values_with_counts_statistic_sets_and_single_values_add_up() {
    let mut world = World::new();
    world.pass(61);
    for data in [
        json!([{ "MetricName": "m", "Values": [1.0, 10.0], "Counts": [2.0, 4.0], "Unit": "Count" }]),
        json!([{ "MetricName": "m", "Value": 3.0, "Unit": "Count" }]),
        json!([{ "MetricName": "m", "Unit": "Count", "StatisticValues":
            { "SampleCount": 3.0, "Sum": 6.0, "Minimum": 0.0, "Maximum": 4.0 } }]),
    ] {
        world.put_data("Custom", data).expect("it is put");
    }
    assert_eq!(
        statistics(&mut world, &json!({})),
        json!([{ "Timestamp": (START + 60) as f64, "SampleCount": 10.0, "Average": 5.1, "Sum": 51.0, "Minimum": 0.0,
            "Maximum": 10.0, "Unit": "Count" }])
    );
}

#[test]
fn percentiles_are_exact_where_values_were_put_and_missing_for_statistic_sets() {
    let mut world = World::new();
    let values: Vec<f64> = (1..=10).map(f64::from).collect();
    world.put_data("Custom", json!([{ "MetricName": "m", "Values": values }])).expect("it is put");
    let asked = json!({ "Statistics": [], "ExtendedStatistics": ["p90", "tm90", "IQM", "PR(:3)"] });
    assert_eq!(
        statistics(&mut world, &asked)[0]["ExtendedStatistics"],
        json!({ "IQM": 6.0, "PR(:3)": 30.0, "p90": 9.0, "tm90": 5.0 })
    );
    let set = json!({ "SampleCount": 2.0, "Sum": 6.0, "Minimum": 0.0, "Maximum": 6.0 });
    world.put_data("Custom", json!([{ "MetricName": "m", "StatisticValues": set }])).expect("it is put");
    assert_eq!(statistics(&mut world, &asked)[0]["ExtendedStatistics"], Value::Null);
}

#[test]
fn units_are_kept_apart() {
    let mut world = World::new();
    let data = json!([
        { "MetricName": "m", "Value": 5.0, "Unit": "Seconds" },
        { "MetricName": "m", "Value": 5.0 },
    ]);
    world.put_data("Custom", data).expect("it is put");
    let found = statistics(&mut world, &json!({ "Statistics": ["Average"] }));
    let units: Vec<_> = found.as_array().into_iter().flatten().map(|point| point["Unit"].clone()).collect();
    assert_eq!(units, ["None", "Seconds"]);
    let found = statistics(&mut world, &json!({ "Unit": "Seconds" }));
    assert_eq!(found.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_late_value_joins_its_minute_and_a_fine_one_its_second() {
    let mut world = World::new();
    world.pass(300);
    let data = json!([
        { "MetricName": "m", "Value": 1.0, "Timestamp": START + 59 },
        { "MetricName": "m", "Value": 2.0, "Timestamp": START + 61, "StorageResolution": 1 },
        { "MetricName": "m", "Value": 3.0, "Timestamp": START + 75, "StorageResolution": 1 },
        { "MetricName": "m", "Value": 4.0, "Timestamp": START },
    ]);
    world.put_data("Custom", data).expect("it is put");
    let sums = |found: Value| -> Vec<(f64, f64)> {
        let points = found.as_array().cloned().unwrap_or_default();
        let number = |value: &Value| value.as_f64().expect("a number");
        points.iter().map(|p| (number(&p["Timestamp"]) - START as f64, number(&p["Sum"]))).collect()
    };
    assert_eq!(sums(statistics(&mut world, &json!({}))), [(0.0, 5.0), (60.0, 5.0)]);
    assert_eq!(
        sums(statistics(&mut world, &json!({ "Period": 10, "EndTime": START + 80 }))),
        [(0.0, 5.0), (60.0, 2.0), (70.0, 3.0)]
    );
}

#[test]
fn what_is_wrong_with_a_datum_is_said_in_aws_s_words() {
    let mut world = World::new();
    let both = json!([{ "MetricName": "m", "Value": 1.0, "Values": [1.0] }]);
    assert_eq!(
        message(world.put_data("Custom", both)),
        "The parameters MetricData.member.1.Value and MetricData.member.1.Values are mutually exclusive and you have \
         specified both."
    );
    let set = json!({ "SampleCount": 1.0, "Sum": 1.0, "Minimum": 1.0, "Maximum": 1.0 });
    let both = json!([{ "MetricName": "m", "Value": 1.0, "StatisticValues": set }]);
    assert_eq!(
        message(world.put_data("Custom", both)),
        "The parameters MetricData.member.1.Value and MetricData.member.1.StatisticValues are mutually exclusive and \
         you have specified both."
    );
    let sizes = json!([{ "MetricName": "m", "Values": [1.0], "Counts": [1.0, 2.0] }]);
    assert_eq!(
        message(world.put_data("Custom", sizes)),
        "The parameters MetricData.member.1.Values and MetricData.member.1.Counts must be of the same size."
    );
    let datum = json!([{ "MetricName": "m", "Value": 1.0 }]);
    assert_eq!(
        message(world.put_data("AWS/SQS", datum)),
        "The value AWS/ for parameter Namespace is invalid."
    );
    let fine = json!([{ "MetricName": "m", "Value": 1.0, "StorageResolution": 300 }]);
    assert_eq!(
        message(world.put_data("Custom", fine)),
        "The parameter MetricData.member.1.StorageResolution must be a value in the set [ 1, 60 ]."
    );
    for at in [START - 15 * 86_400, START + 3 * 3_600] {
        let far = json!([{ "MetricName": "m", "Value": 1.0, "Timestamp": at }]);
        assert_eq!(
            message(world.put_data("Custom", far)),
            "The parameter MetricData.member.1.Timestamp must specify a time within the past two weeks."
        );
    }
    for word in ["NaN", "Infinity", "-Infinity"] {
        let refused = world.put_data("Custom", json!([{ "MetricName": "m", "Value": word }]));
        let refused = refused.expect_err("it is refused");
        assert_eq!(refused.query_code, "InvalidParameterValue");
        assert_eq!(
            refused.message,
            format!("The value {word} for parameter MetricData.member.1.Value is invalid.")
        );
        let counted = json!([{ "MetricName": "m", "Values": [1.0], "Counts": [word] }]);
        assert_eq!(
            world.put_data("Custom", counted).expect_err("it is refused").query_code,
            "InvalidParameterValue"
        );
    }
    assert!(world.put_data("Custom", json!([])).is_err());
    assert!(world.put_data("Custom", json!([{ "MetricName": "m" }])).is_err());
    assert!(world.put_data("Custom", json!([{ "MetricName": "m\u{0}", "Value": 1.0 }])).is_err());
    assert_eq!(world.listed(json!({})), Vec::<String>::new(), "nothing of a refused call is kept");
}

#[test]
fn what_is_wrong_with_a_question_is_said_in_aws_s_words() {
    let mut world = World::new();
    let asked = |period: u64, end: u64| {
        json!({ "Namespace": "n", "MetricName": "m", "StartTime": START, "EndTime": end, "Period": period,
            "Statistics": ["SampleCount"] })
    };
    assert_eq!(
        message(world.statistics(asked(1, START + 86_400))),
        "You have requested up to 86400 datapoints, which exceeds the limit of 1440. You may reduce the datapoints \
         requested by increasing Period, or decreasing the time range."
    );
    assert_eq!(
        message(world.statistics(asked(60, START))),
        "The parameter StartTime must be less than the parameter EndTime."
    );
    let nothing = world.statistics(asked(60, START + 60)).expect("an answer");
    assert_eq!(nothing, json!({ "Label": "m", "Datapoints": [] }));
    let mut wrong = asked(60, START + 60);
    wrong["Statistics"] = json!(["Min"]);
    assert_eq!(
        message(world.statistics(wrong)),
        "The parameter Statistics.member.1 must be a value in the set [ Minimum, Maximum, Average, SampleCount, Sum ]."
    );
}

#[test]
fn metrics_are_listed_by_namespace_name_and_dimensions() {
    let mut world = World::new();
    world.create("q", &[]);
    world.pass(60);
    let with = |name: &str, value: &str| json!([{ "Name": name, "Value": value }]);
    let data = json!([
        { "MetricName": "a", "Value": 1.0, "Dimensions": with("d", "1") },
        { "MetricName": "b", "Value": 1.0, "Dimensions": with("d", "2") },
        { "MetricName": "b", "Value": 1.0 },
    ]);
    world.put_data("Custom", data).expect("it is put");
    assert_eq!(world.listed(json!({ "Namespace": "Custom" })), ["a", "b", "b"]);
    assert_eq!(world.listed(json!({ "MetricName": "b", "Dimensions": [{ "Name": "d" }] })), ["b"]);
    assert_eq!(world.listed(json!({ "Dimensions": with("d", "1") })), ["a"]);
    let of_queue = json!({ "Namespace": "AWS/SQS", "Dimensions": with("QueueName", "q") });
    assert_eq!(world.listed(of_queue).len(), 8);
    world.pass(4 * 3_600);
    assert_eq!(
        world.listed(json!({ "Namespace": "Custom", "RecentlyActive": "PT3H" })),
        Vec::<String>::new()
    );
    assert_eq!(world.listed(json!({ "Namespace": "AWS/SQS", "RecentlyActive": "PT3H" })).len(), 8);
    world.pass(15 * 86_400);
    assert_eq!(world.listed(json!({})), Vec::<String>::new());
}
