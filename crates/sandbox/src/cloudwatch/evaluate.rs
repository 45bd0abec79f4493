//! What the datapoints of the evaluation range make of an alarm's state (semantics 4.1).

use super::metric_rule::MetricRule;
use super::series::Datapoint;
use super::spec::{AlarmState, MissingData};

/// How many periods are looked at beyond EvaluationPeriods, in case some are missing. The size is
/// not published; the documentation's example takes 5 for 3 (semantics 4.1).
pub(crate) const SPARE_PERIODS: u32 = 2;

/// An alarm's evaluation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Evaluation {
    /// None keeps the state.
    pub(crate) state: Option<AlarmState>,
    /// The real datapoints that were judged, oldest first.
    pub(crate) judged: Vec<Datapoint>,
    /// All that the evaluation rests on, newest first: those, and as many periods without data as
    /// there are too few of them.
    pub(crate) evaluated: Vec<Datapoint>,
    /// How many of the periods to judge had to be filled, or stayed unknown.
    pub(crate) missing: usize,
}

/// Judges the datapoints of the evaluation range, oldest first.
pub(crate) fn evaluate(rule: &MetricRule, range: &[Datapoint]) -> Evaluation {
    let wanted = rule.evaluation_periods as usize;
    let real: Vec<Datapoint> = range.iter().filter(|point| point.value.is_some()).copied().collect();
    // The newest real ones are judged, wherever in the range they are; treatMissingData matters
    // only when there are too few of them.
    let judged = real[real.len().saturating_sub(wanted)..].to_vec();
    let missing = wanted - judged.len();
    let empty = range.iter().rev().filter(|point| point.value.is_none()).take(missing);
    let mut evaluated: Vec<_> = judged.iter().chain(empty).copied().collect();
    evaluated.sort_by_key(|point| std::cmp::Reverse(point.start));
    let breaching = judged.iter().filter(|point| breaches(rule, point)).count();
    let needed = rule.needed() as usize;
    let state = if breaching >= needed {
        Some(AlarmState::Alarm)
    } else if missing == 0 {
        Some(AlarmState::Ok)
    } else {
        with_missing(rule, range, breaching + missing >= needed, breaching == judged.len())
    };
    Evaluation { state, judged, evaluated, missing }
}

pub(crate) fn breaches(rule: &MetricRule, point: &Datapoint) -> bool {
    point.value.is_some_and(|value| rule.comparison.breaches(value, rule.threshold))
}

/// Too few real points, and those do not make an alarm by themselves. `filled_alarms`: they would
/// if the missing ones were breaching; `all_breach`: not one of them is good.
fn with_missing(
    rule: &MetricRule,
    range: &[Datapoint],
    filled_alarms: bool,
    all_breach: bool,
) -> Option<AlarmState> {
    match rule.missing_data() {
        MissingData::Breaching if filled_alarms => Some(AlarmState::Alarm),
        MissingData::Breaching | MissingData::NotBreaching => Some(AlarmState::Ok),
        MissingData::Missing | MissingData::Ignore if !all_breach => Some(AlarmState::Ok),
        MissingData::Ignore => None,
        MissingData::Missing if range.iter().all(|point| point.value.is_none()) => {
            Some(AlarmState::InsufficientData)
        }
        MissingData::Missing if breach_is_old(rule, range) => Some(AlarmState::Alarm),
        // A breach that is too young. The documentation says that this is no alarm, and that
        // INSUFFICIENT_DATA takes a range without any data.
        MissingData::Missing => Some(AlarmState::Ok),
    }
}

/// The premature-alarm rule: the oldest breaching point of the last N is at least M periods old,
/// and nothing newer is good. (A good one has been found already.)
fn breach_is_old(rule: &MetricRule, range: &[Datapoint]) -> bool {
    let window = &range[range.len().saturating_sub(rule.evaluation_periods as usize)..];
    let oldest = window.iter().position(|point| breaches(rule, point));
    oldest.is_some_and(|index| window.len() - index >= rule.needed() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cloudwatch::{AlarmSpec, dlq_alarm};
    use havoq_base::StackTime;

    const MODES: [MissingData; 4] =
        [MissingData::Missing, MissingData::Ignore, MissingData::Breaching, MissingData::NotBreaching];

    /// The states of all four modes for a row of the table: `O`K, `A`LARM, `I`NSUFFICIENT, `k`eep.
    fn states(needed: u32, of: u32, row: &str) -> String {
        let points: Vec<Datapoint> = row
            .chars()
            .map(|point| {
                let value = Some(point).filter(|p| *p != '-').map(|p| f64::from(p == 'X'));
                Datapoint { start: StackTime::default(), value, samples: 1.0 }
            })
            .collect();
        let state = |missing_data| {
            let alarm = dlq_alarm("q");
            let spec =
                AlarmSpec { evaluation_periods: of, datapoints_to_alarm: needed, missing_data, ..alarm };
            let rule = MetricRule::from(&spec);
            match evaluate(&rule, &points).state {
                Some(AlarmState::Ok) => 'O',
                Some(AlarmState::Alarm) => 'A',
                Some(AlarmState::InsufficientData) => 'I',
                None => 'k',
            }
        };
        MODES.into_iter().map(state).collect()
    }

    #[test]
    fn the_table_of_semantics_4_1_for_3_of_3() {
        assert_eq!(states(3, 3, "0-X-X"), "OOOO");
        assert_eq!(states(3, 3, "0----"), "OOOO");
        assert_eq!(states(3, 3, "-----"), "IkAO");
        assert_eq!(states(3, 3, "0XX-X"), "AAAA");
        assert_eq!(states(3, 3, "--X--"), "AkAO");
    }

    #[test]
    fn the_table_of_semantics_4_1_for_2_of_3() {
        assert_eq!(states(2, 3, "0-X-X"), "AAAA");
        assert_eq!(states(2, 3, "00X0X"), "AAAA");
        assert_eq!(states(2, 3, "0-X--"), "OOAO");
        assert_eq!(states(2, 3, "----0"), "OOAO");
        assert_eq!(states(2, 3, "---X-"), "AkAO");
    }

    #[test]
    fn a_breach_younger_than_m_periods_is_no_alarm_yet() {
        assert_eq!(states(3, 3, "---X-"), "OkAO");
        assert_eq!(states(3, 3, "----X"), "OkAO");
        assert_eq!(states(2, 3, "----X"), "OkAO");
        assert_eq!(states(1, 1, "--X"), "AAAA");
    }

    #[test]
    fn treat_missing_data_is_unused_while_enough_real_points_are_in_the_range() {
        assert_eq!(states(1, 1, "0--"), "OOOO");
        assert_eq!(states(1, 1, "X--"), "AAAA");
        assert_eq!(states(1, 1, "---"), "IkAO");
    }
}
