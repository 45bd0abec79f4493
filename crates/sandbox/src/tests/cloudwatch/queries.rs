//! GetMetricData.

use serde_json::{Value, json};

use super::{START, World, message};

fn metric(id: &str, name: &str, stat: &str, period: u64) -> Value {
    json!({ "Id": id, "MetricStat": { "Metric": { "Namespace": "Custom", "MetricName": name }, "Period": period,
        "Stat": stat } })
}

fn ask(queries: &Value) -> Value {
    json!({ "MetricDataQueries": queries, "StartTime": START, "EndTime": START + 300 })
}

/// `a` is 1, 2 and 3 in the first minutes, `b` 10 in the second.
fn world() -> World {
    let mut world = World::new();
    world.pass(300);
    let datum = |name: &str, minute: u64, value: f64| json!({ "MetricName": name, "Value": value, "Timestamp": START + minute * 60 });
    let data = json!([datum("a", 0, 1.0), datum("a", 1, 2.0), datum("a", 2, 3.0), datum("b", 1, 10.0)]);
    world.put_data("Custom", data).expect("it is put");
    world
}

#[test]
fn each_query_has_its_label_and_its_values_the_newest_first() {
    let queries =
        json!([metric("q1", "a", "Sum", 60), metric("q2", "b", "Sum", 60), metric("q3", "c", "Sum", 60)]);
    let found = world().get_data(ask(&queries)).expect("data");
    let at = |minute: u64| (START + minute * 60) as f64;
    assert_eq!(
        found,
        json!({
            "MetricDataResults": [
                { "Id": "q1", "Label": "a", "Timestamps": [at(2), at(1), at(0)], "Values": [3.0, 2.0, 1.0],
                  "StatusCode": "Complete" },
                { "Id": "q2", "Label": "b", "Timestamps": [at(1)], "Values": [10.0], "StatusCode": "Complete" },
                { "Id": "q3", "Label": "c", "Timestamps": [], "Values": [], "StatusCode": "Complete" },
            ],
            "Messages": [],
        })
    );
    let mut ascending = ask(&json!([metric("q1", "a", "Sum", 60)]));
    ascending["ScanBy"] = json!("TimestampAscending");
    let found = world().get_data(ascending).expect("data");
    assert_eq!(found["MetricDataResults"][0]["Values"], json!([1.0, 2.0, 3.0]));
}

#[test]
fn labels_tell_what_differs() {
    let labels = |queries: Value| -> Vec<Value> {
        let found = world().get_data(ask(&queries)).expect("data");
        let results = found["MetricDataResults"].as_array().cloned().unwrap_or_default();
        results.iter().map(|result| result["Label"].clone()).collect()
    };
    let both = json!([metric("x", "a", "Sum", 60), metric("y", "a", "Minimum", 30)]);
    assert_eq!(labels(both), ["a Sum 60", "a Minimum 30"]);
    let stats = json!([metric("x", "a", "Sum", 60), metric("y", "a", "Minimum", 60)]);
    assert_eq!(labels(stats), ["a Sum", "a Minimum"]);
    let periods = json!([metric("x", "a", "Sum", 60), metric("y", "a", "Sum", 30)]);
    assert_eq!(labels(periods), ["a 60", "a 30"]);
    assert_eq!(labels(json!([metric("x", "a", "Sum", 60), metric("y", "a", "Sum", 60)])), ["a", "a"]);
}

#[test]
fn of_several_units_the_first_by_name_is_taken_and_that_is_said() {
    let mut world = World::new();
    let data = json!([
        { "MetricName": "m", "Value": 60.0, "Unit": "Seconds" },
        { "MetricName": "m", "Value": 60000.0, "Unit": "Milliseconds" },
    ]);
    world.put_data("Custom", data).expect("it is put");
    let found = world.get_data(ask(&json!([metric("m1", "m", "Average", 60)]))).expect("data");
    let result = &found["MetricDataResults"][0];
    assert_eq!(result["Values"], json!([60000.0]));
    let text = "Multiple units returned: '[Milliseconds, Seconds]'";
    assert_eq!(result["Messages"], json!([{ "Code": "MultipleUnits", "Value": text }]));
    let mut seconds = metric("m1", "m", "Average", 60);
    seconds["MetricStat"]["Unit"] = json!("Seconds");
    let found = world.get_data(ask(&json!([seconds]))).expect("data");
    assert_eq!(found["MetricDataResults"][0]["Values"], json!([60.0]));
    assert_eq!(found["MetricDataResults"][0]["Messages"], Value::Null);
}

#[test]
fn expressions_are_computed_and_queries_can_be_kept_to_oneself() {
    let mut hidden = metric("m1", "a", "Sum", 60);
    hidden["ReturnData"] = json!(false);
    let queries = json!([
        hidden,
        metric("m2", "b", "Sum", 60),
        { "Id": "e1", "Expression": "m1 + m2 * 2", "Label": "both" },
        { "Id": "e2", "Expression": "SUM(METRICS())" },
    ]);
    let found = world().get_data(ask(&queries)).expect("data");
    let results = found["MetricDataResults"].as_array().expect("results");
    let short: Vec<_> =
        results.iter().map(|result| json!([result["Id"], result["Label"], result["Values"]])).collect();
    assert_eq!(
        short,
        [json!(["m2", "b", [10.0]]), json!(["e1", "both", [22.0]]), json!(["e2", "e2", [3.0, 12.0, 1.0]])]
    );
}

#[test]
fn datapoints_come_in_pages() {
    let mut world = world();
    let mut asked = ask(&json!([metric("m1", "a", "Sum", 60), metric("m2", "b", "Sum", 60)]));
    asked["MaxDatapoints"] = json!(2);
    let first = world.get_data(asked.clone()).expect("data");
    assert_eq!(first["MetricDataResults"][0]["Values"], json!([3.0, 2.0]));
    assert_eq!(first["MetricDataResults"][0]["StatusCode"], "PartialData");
    asked["NextToken"] = first["NextToken"].clone();
    let second = world.get_data(asked).expect("data");
    let values: Vec<_> =
        second["MetricDataResults"].as_array().into_iter().flatten().map(|r| r["Values"].clone()).collect();
    assert_eq!(values, [json!([1.0]), json!([10.0])]);
    assert_eq!(second["NextToken"], Value::Null);
}

#[test]
fn what_is_wrong_with_a_query_is_said() {
    let mut world = world();
    let mut refused = |queries: Value| message(world.get_data(ask(&queries)));
    assert_eq!(
        refused(json!([metric("m1", "a", "Min", 60)])),
        "The value Min for parameter MetricDataQueries.member.1.MetricStat.Stat is not a valid statistic."
    );
    assert!(refused(json!([metric("M1", "a", "Sum", 60)])).contains("not a valid identifier"));
    assert!(
        refused(json!([metric("m1", "a", "Sum", 60), metric("m1", "a", "Sum", 60)])).contains("not unique")
    );
    assert!(refused(json!([{ "Id": "e1", "Expression": "e1 + 1" }])).contains("depends on itself"));
    assert!(refused(json!([{ "Id": "e1", "Expression": "SEARCH(\"x\")" }])).contains("SEARCH"));
    assert!(refused(json!([{ "Id": "e1", "Expression": "1 +" }])).contains("unexpected end"));
    assert!(refused(json!([{ "Id": "e1" }])).contains("must be specified"));
    assert!(refused(json!([])).contains("between 1 and 500"));
}

/// `e1` follows `m1`, and each of the others, up to `e{count}`, the one before it. The last returns data.
fn chain(count: usize, on: impl Fn(&str) -> String) -> Value {
    let mut queries = vec![metric("m1", "a", "Sum", 60)];
    for n in 1..=count {
        let before = if n == 1 { "m1".to_owned() } else { format!("e{}", n - 1) };
        queries.push(json!({ "Id": format!("e{n}"), "Expression": on(&before) }));
    }
    for query in &mut queries[..count] {
        query["ReturnData"] = json!(false);
    }
    json!(queries)
}

#[test]
fn a_query_is_computed_once_however_often_it_is_referred_to() {
    let doubled = chain(60, |before| format!("{before} + {before}"));
    let found = world().get_data(ask(&doubled)).expect("data");
    let values = [3.0, 2.0, 1.0].map(|value| value * 2_f64.powi(60));
    assert_eq!(found["MetricDataResults"][0]["Values"], json!(values));
    let lists = chain(60, |before| format!("[{before}, {before}]"));
    assert!(message(world().get_data(ask(&lists))).contains("at most 500 time series"));
}

#[test]
fn queries_that_build_on_one_another_may_be_as_many_and_as_long_as_a_call_may_hold() {
    let same = |queries: Value| {
        let found = world().get_data(ask(&queries)).expect("data");
        assert_eq!(found["MetricDataResults"][0]["Values"], json!([3.0, 2.0, 1.0]));
    };
    same(chain(499, |before| format!("{before}{}", "+0".repeat(1_000))));
    same(chain(499, |before| format!("{}{before}", "-".repeat(48))));
    let mut round = chain(499, str::to_owned);
    round[1]["Expression"] = json!("e499");
    assert!(message(world().get_data(ask(&round))).contains("depends on itself"));
}

#[test]
fn a_word_that_fill_knows_is_no_reference_to_a_query() {
    let queries = json!([
        metric("m1", "b", "Sum", 60),
        { "Id": "repeat", "Expression": "FILL(m1, repeat) + 1" },
    ]);
    let found = world().get_data(ask(&queries)).expect("data");
    assert_eq!(found["MetricDataResults"][1]["Values"], json!([11.0, 11.0, 11.0, 11.0]));
}

#[test]
fn a_call_over_all_time_looks_where_data_is_and_fills_no_gap_of_years() {
    let mut asked = ask(&json!([metric("m1", "a", "Sum", 1)]));
    asked["StartTime"] = json!(0);
    let found = world().get_data(asked.clone()).expect("data");
    assert_eq!(found["MetricDataResults"][0]["Values"], json!([3.0, 2.0, 1.0]));
    let fill = json!({ "Id": "e1", "Expression": "FILL(m1, 0)" });
    asked["MetricDataQueries"].as_array_mut().expect("queries").push(fill.clone());
    assert!(message(world().get_data(asked)).contains("FILL over 1800000300 periods"));
    let filled = world().get_data(ask(&json!([metric("m1", "a", "Sum", 60), fill]))).expect("data");
    assert_eq!(filled["MetricDataResults"][1]["Values"], json!([0.0, 0.0, 3.0, 2.0, 1.0]));
}

#[test]
fn a_queue_s_metrics_are_there_without_any_alarm() {
    let mut world = World::new();
    world.create("q", &[]);
    world.send("q", "four5");
    world.pass(60);
    let query = |id: &str, name: &str| {
        json!({ "Id": id, "MetricStat": { "Period": 60, "Stat": "Sum", "Metric": { "Namespace": "AWS/SQS",
            "MetricName": name, "Dimensions": [{ "Name": "QueueName", "Value": "q" }] } } })
    };
    let queries = json!([query("sent", "NumberOfMessagesSent"), query("size", "SentMessageSize")]);
    let found = world.get_data(ask(&queries)).expect("data");
    assert_eq!(found["MetricDataResults"][0]["Values"], json!([1.0]));
    assert_eq!(found["MetricDataResults"][1]["Values"], json!([5.0]));
}
