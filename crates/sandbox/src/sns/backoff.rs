//! Retry policies of HTTP endpoints (semantics 2.3): how often, and how long apart.

use havoq_base::StackDuration;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Backoff {
    Linear,
    Arithmetic,
    Geometric,
    Exponential,
}

/// A retry policy as it was given, in the order in which SNS shows its members.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct GivenRetries {
    #[serde(skip_serializing_if = "Option::is_none")]
    min_delay_target: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_delay_target: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_max_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_no_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    num_min_delay_retries: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    backoff_function: Option<Backoff>,
}

/// A retry policy in force.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Retries {
    min_delay_target: u64,
    max_delay_target: u64,
    pub(super) num_retries: u32,
    num_max_delay_retries: u32,
    num_no_delay_retries: u32,
    num_min_delay_retries: u32,
    backoff_function: Backoff,
}

/// All retries of a message together, and each delay, last an hour at most.
const LONGEST: u64 = 3_600;
const MOST_RETRIES: u32 = 100;

impl GivenRetries {
    pub(super) fn in_force(given: Option<&Self>) -> Retries {
        let nothing = Self::default();
        let given = given.unwrap_or(&nothing);
        Retries {
            min_delay_target: given.min_delay_target.unwrap_or(20),
            max_delay_target: given.max_delay_target.unwrap_or(20),
            num_retries: given.num_retries.unwrap_or(3),
            num_max_delay_retries: given.num_max_delay_retries.unwrap_or(0),
            num_no_delay_retries: given.num_no_delay_retries.unwrap_or(0),
            num_min_delay_retries: given.num_min_delay_retries.unwrap_or(0),
            backoff_function: given.backoff_function.unwrap_or(Backoff::Linear),
        }
    }

    pub(super) fn check(given: Option<&Self>) -> Result<(), String> {
        let Retries {
            min_delay_target: min,
            max_delay_target: max,
            num_retries,
            num_max_delay_retries,
            num_no_delay_retries,
            num_min_delay_retries,
            ..
        } = Self::in_force(given);
        if !(1..=LONGEST).contains(&min) || !(min..=LONGEST).contains(&max) {
            return Err(format!(
                "minDelayTarget must be at least 1 and at most maxDelayTarget, which must be at most {LONGEST}"
            ));
        }
        let phases = [num_max_delay_retries, num_no_delay_retries, num_min_delay_retries];
        let phased = phases.into_iter().fold(0_u32, u32::saturating_add);
        if num_retries > MOST_RETRIES || phased > num_retries {
            return Err(format!(
                "numRetries must be at least the sum of its phases and at most {MOST_RETRIES}"
            ));
        }
        Ok(())
    }
}

impl Retries {
    /// How long after the last failure the n-th retry is made, counted from 1: at once, then after
    /// the least delay, then after growing ones, then after the longest.
    pub(super) fn delay(&self, retry: u32) -> Option<StackDuration> {
        if retry > self.num_retries {
            return None;
        }
        let growing = self.num_retries
            - self.num_no_delay_retries
            - self.num_min_delay_retries
            - self.num_max_delay_retries;
        let mut nth = retry - 1;
        for (count, delay) in
            [(self.num_no_delay_retries, 0), (self.num_min_delay_retries, self.min_delay_target)]
        {
            if nth < count {
                return Some(StackDuration::from_secs(delay));
            }
            nth -= count;
        }
        let millis = if nth < growing { self.backoff(nth, growing) } else { self.max_delay_target * 1_000 };
        Some(StackDuration::from_millis(millis))
    }

    /// The n-th of some growing delays, in milliseconds. SNS shows its four functions as curves
    /// from the least to the longest delay, and gives no formulas.
    fn backoff(&self, nth: u32, of: u32) -> u64 {
        let (min, max) = (self.min_delay_target as f64, self.max_delay_target as f64);
        let along = if of > 1 { f64::from(nth) / f64::from(of - 1) } else { 0.0 };
        let secs = match self.backoff_function {
            Backoff::Linear => min + (max - min) * along,
            Backoff::Arithmetic => min + (max - min) * along * (along + 1.0) / 2.0,
            Backoff::Geometric => min * (max / min).powf(along),
            Backoff::Exponential => min + (max - min) * (f64::exp2(along * 8.0) - 1.0) / 255.0,
        };
        (secs * 1_000.0).round() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delays(text: &str) -> Vec<u64> {
        let given: Option<GivenRetries> = serde_json::from_str(text).expect("a policy or null");
        GivenRetries::check(given.as_ref()).expect("a sound one");
        let retries = GivenRetries::in_force(given.as_ref());
        (1..).map_while(|retry| retries.delay(retry)).map(StackDuration::as_millis).collect()
    }

    #[test]
    fn without_a_policy_there_are_3_retries_20_s_apart() {
        assert_eq!(delays("null"), [20_000, 20_000, 20_000]);
    }

    #[test]
    fn a_policy_has_four_phases() {
        let policy = r#"{"numRetries":8,"numNoDelayRetries":1,"numMinDelayRetries":2,"numMaxDelayRetries":2,
            "minDelayTarget":1,"maxDelayTarget":5}"#;
        assert_eq!(delays(policy), [0, 1_000, 1_000, 1_000, 3_000, 5_000, 5_000, 5_000]);
    }

    #[test]
    fn each_backoff_function_grows_from_the_least_to_the_longest_delay() {
        for function in ["linear", "arithmetic", "geometric", "exponential"] {
            let delays = delays(&format!(
                r#"{{"numRetries":10,"minDelayTarget":1,"maxDelayTarget":100,"backoffFunction":"{function}"}}"#
            ));
            assert_eq!((delays[0], delays[9]), (1_000, 100_000), "{function}");
            assert!(delays.is_sorted(), "{function}");
        }
    }
}
