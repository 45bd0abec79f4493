//! The reason of a change of state, in CloudWatch's words (semantics 4.2).

use super::dates;
use super::evaluate::{Evaluation, breaches};
use super::metric_rule::MetricRule;
use super::number;
use super::series::Datapoint;
use super::spec::{AlarmState, Comparison, MissingData};

pub(crate) fn reason(rule: &MetricRule, state: AlarmState, evaluation: &Evaluation) -> String {
    let missing = evaluation.missing;
    if state == AlarmState::InsufficientData {
        return format!("Insufficient Data: {} {} unknown.", datapoints(missing), were(missing));
    }
    let alarms = state == AlarmState::Alarm;
    let (breaching, good): (Vec<_>, Vec<_>) =
        evaluation.judged.iter().partition(|point| breaches(rule, point));
    let deciding = if alarms { &breaching } else { &good };
    let treated = match rule.missing_data() {
        MissingData::Breaching if alarms => Some("Breaching"),
        MissingData::NotBreaching if !alarms => Some("NonBreaching"),
        _ => None,
    };
    match treated {
        Some(treated) if deciding.is_empty() => format!(
            "Threshold Crossed: no datapoints were received for {} and {} {} treated as [{treated}].",
            counted(missing, "period"),
            counted(missing, "missing datapoint"),
            were(missing),
        ),
        // Nothing but breaches, and too few of them: those are named, with what it would take.
        None if deciding.is_empty() => {
            format!("Threshold Crossed: {}{}.", decided(rule, true, &breaching, true), transition(rule, true))
        }
        _ if rule.datapoints_to_alarm.is_some() => {
            format!(
                "Threshold Crossed: {}{}.",
                decided(rule, alarms, deciding, true),
                transition(rule, alarms)
            )
        }
        _ => format!("Threshold Crossed: {}.", decided(rule, alarms, deciding, false)),
    }
}

/// Which datapoints were on which side of the threshold, the newest first, and out of how many.
fn decided(rule: &MetricRule, above: bool, deciding: &[&Datapoint], out_of: bool) -> String {
    let count = deciding.len();
    let counted = if out_of {
        format!("{count} out of the last {}", datapoints(rule.evaluation_periods as usize))
    } else {
        datapoints(count)
    };
    let values = deciding
        .iter()
        .rev()
        .filter_map(|point| Some(format!("{} ({})", number::text(point.value?), dates::short(point.start))));
    format!(
        "{counted} [{}] {} {}{} the threshold ({})",
        values.collect::<Vec<_>>().join(", "),
        were(count),
        if above { "" } else { "not " },
        relation(rule.comparison),
        number::text(rule.threshold),
    )
}

/// How many datapoints the transition takes, which M of N alarms add.
fn transition(rule: &MetricRule, alarms: bool) -> String {
    let (minimum, transition) = if alarms {
        (rule.needed(), "OK -> ALARM")
    } else {
        (rule.evaluation_periods - rule.needed() + 1, "ALARM -> OK")
    };
    format!(" (minimum {} for {transition} transition)", datapoints(minimum as usize))
}

fn relation(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::GreaterThanOrEqualToThreshold => "greater than or equal to",
        Comparison::GreaterThanThreshold => "greater than",
        Comparison::LessThanThreshold => "less than",
        Comparison::LessThanOrEqualToThreshold => "less than or equal to",
    }
}

fn datapoints(count: usize) -> String {
    counted(count, "datapoint")
}

fn counted(count: usize, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}

fn were(count: usize) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloudwatch::{AlarmSpec, dlq_alarm};

    fn said(spec: &AlarmSpec, state: AlarmState, evaluation: &Evaluation) -> String {
        reason(&MetricRule::from(spec), state, evaluation)
    }

    fn evaluation(judged: Vec<Datapoint>, missing: usize) -> Evaluation {
        Evaluation { state: None, evaluated: judged.clone(), judged, missing }
    }

    fn point(value: f64) -> Datapoint {
        let start = "2026-11-05T10:15:00Z".parse().expect("a time");
        Datapoint { start, value: Some(value), samples: 1.0 }
    }

    #[test]
    fn reasons_are_worded_as_semantics_4_2_observed_them() {
        let spec = AlarmSpec { threshold: 21.0, ..dlq_alarm("q") };
        let judged = |judged: Vec<Datapoint>, missing| evaluation(judged, missing);
        assert_eq!(
            said(&spec, AlarmState::Alarm, &judged(vec![point(21.5)], 0)),
            "Threshold Crossed: 1 datapoint [21.5 (05/11/26 10:15:00)] was greater than the threshold (21.0)."
        );
        assert_eq!(
            said(&spec, AlarmState::Ok, &judged(vec![point(3.0)], 0)),
            "Threshold Crossed: 1 datapoint [3.0 (05/11/26 10:15:00)] was not greater than the threshold (21.0)."
        );
        let spec = AlarmSpec { missing_data: MissingData::Breaching, evaluation_periods: 2, ..spec };
        let spec = AlarmSpec { datapoints_to_alarm: 2, ..spec };
        assert_eq!(
            said(&spec, AlarmState::Alarm, &judged(vec![], 2)),
            "Threshold Crossed: no datapoints were received for 2 periods and 2 missing datapoints were treated \
             as [Breaching]."
        );
        assert_eq!(
            said(&spec, AlarmState::InsufficientData, &judged(vec![], 2)),
            "Insufficient Data: 2 datapoints were unknown."
        );
    }

    #[test]
    fn too_few_breaches_are_named_with_what_it_takes() {
        let spec = AlarmSpec { evaluation_periods: 3, datapoints_to_alarm: 3, ..dlq_alarm("q") };
        let spec = AlarmSpec { missing_data: MissingData::Missing, ..spec };
        assert_eq!(
            said(&spec, AlarmState::Ok, &evaluation(vec![point(1.0)], 2)),
            "Threshold Crossed: 1 out of the last 3 datapoints [1.0 (05/11/26 10:15:00)] was greater than the \
             threshold (0.0) (minimum 3 datapoints for OK -> ALARM transition)."
        );
    }

    #[test]
    fn m_of_n_says_how_many_of_the_last_and_how_many_it_takes() {
        let spec = AlarmSpec { evaluation_periods: 3, datapoints_to_alarm: 2, ..dlq_alarm("q") };
        let judged = vec![point(1.0), point(0.0), point(2.0)];
        assert_eq!(
            said(&spec, AlarmState::Alarm, &evaluation(judged, 0)),
            "Threshold Crossed: 2 out of the last 3 datapoints [2.0 (05/11/26 10:15:00), 1.0 (05/11/26 10:15:00)] \
             were greater than the threshold (0.0) (minimum 2 datapoints for OK -> ALARM transition)."
        );
    }
}
