//! Metric alarms over random data, against a model that knows nothing but a list of values.

use proptest::prelude::*;
use serde_json::json;

use super::{World, on_custom};

/// Semantics 4.1, written as plainly as it can be. `minutes` holds each minute's value.
fn expected(
    minutes: &[Option<f64>],
    needed: usize,
    of: usize,
    missing: &str,
    before: &'static str,
) -> &'static str {
    let range: Vec<_> = (0..of + 2).map(|back| minutes.len().checked_sub(of + 2 - back)).collect();
    let range: Vec<Option<f64>> =
        range.into_iter().map(|index| index.and_then(|index| minutes[index])).collect();
    let real: Vec<f64> = range.iter().flatten().copied().collect();
    let judged = &real[real.len().saturating_sub(of)..];
    let bad = judged.iter().filter(|value| **value > 10.0).count();
    let good = judged.len() - bad;
    let filled = of - judged.len();
    if bad >= needed {
        return "ALARM";
    }
    if filled == 0 {
        return "OK";
    }
    match missing {
        "notBreaching" => "OK",
        "breaching" if bad + filled >= needed => "ALARM",
        "breaching" => "OK",
        _ if good > 0 => "OK",
        "ignore" => before,
        _ if real.is_empty() => "INSUFFICIENT_DATA",
        _ => {
            let window = &range[2..];
            let oldest = window.iter().position(|value| value.is_some_and(|value| value > 10.0));
            if oldest.is_some_and(|oldest| of - oldest >= needed) { "ALARM" } else { "OK" }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn an_alarm_does_what_the_table_says(
        minutes in prop::collection::vec(prop_oneof![Just(None), Just(Some(5.0)), Just(Some(20.0))], 1..25),
        of in 1..5usize,
        less in 0..4usize,
        missing in prop::sample::select(vec!["missing", "ignore", "breaching", "notBreaching"]),
    ) {
        let needed = of.saturating_sub(less).max(1);
        let mut world = World::new();
        let members = json!({ "EvaluationPeriods": of, "DatapointsToAlarm": needed, "TreatMissingData": missing });
        world.put_metric_alarm(on_custom("a", &members)).expect("it is put");
        let mut state = "INSUFFICIENT_DATA";
        for (index, value) in minutes.iter().enumerate() {
            if let Some(value) = value {
                world.put_data("Custom", json!([{ "MetricName": "m", "Value": value }])).expect("it is put");
            }
            world.pass(60);
            state = expected(&minutes[..=index], needed, of, missing, state);
            prop_assert_eq!(world.state("a"), state, "after minute {}", index);
        }
    }
}
