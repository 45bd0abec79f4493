//! How targets of rules and of schedules are tried again (semantics 3.4, 3.8): for 24 h and up to 185 times unless the target says
//! less, with delays that grow exponentially and are jittered. AWS does not tell the delays; here
//! they are 1 s, 2 s, 4 s and so on up to 10 min, each longer or shorter by up to a quarter. So the
//! default policy ends after 24 h, some 150 retries.

use havoq_base::{StackDuration, StackTime};
use serde::{Deserialize, Serialize};

use crate::checks::Checks;

/// As a target has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct RetryPolicy {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maximum_retry_attempts: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) maximum_event_age_in_seconds: Option<i64>,
}

/// What a retry policy comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Limits {
    pub(crate) retries: u32,
    pub(crate) age: StackDuration,
}

const MOST_RETRIES: u32 = 185;
const OLDEST: u64 = 86_400;
const LONGEST: StackDuration = StackDuration::from_secs(600);
/// From this retry on, all delays are the longest.
const STEADY: u32 = 11;

/// The end of attempts, in the words of `EXHAUSTED_RETRY_CONDITION`, of what has become too old.
pub(crate) const TOO_OLD: &str = "MaximumEventAgeInSeconds";

/// What comes after an attempt that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Next {
    /// In the words of `EXHAUSTED_RETRY_CONDITION`.
    GiveUp(&'static str),
    /// `told` says whether it is news: of the attempts at the longest intervals, only the first is, and none
    /// that is due only to be given up.
    Again { due: StackTime, told: bool },
}

impl RetryPolicy {
    pub(crate) fn check(self, checks: &mut Checks, member: &str) {
        let member = |name: &str| format!("{member}.{name}");
        checks.range(&member("maximumRetryAttempts"), self.maximum_retry_attempts, 0, MOST_RETRIES.into());
        checks.range(
            &member("maximumEventAgeInSeconds"),
            self.maximum_event_age_in_seconds,
            60,
            OLDEST as i64,
        );
    }

    pub(crate) fn limits(given: Option<Self>) -> Limits {
        let Self { maximum_retry_attempts, maximum_event_age_in_seconds } = given.unwrap_or_default();
        // The limits of both were checked when they were given.
        let retries = maximum_retry_attempts.and_then(|retries| u32::try_from(retries).ok());
        let age = maximum_event_age_in_seconds.and_then(|age| u64::try_from(age).ok());
        Limits {
            retries: retries.unwrap_or(MOST_RETRIES),
            age: StackDuration::from_secs(age.unwrap_or(OLDEST)),
        }
    }
}

impl Limits {
    /// Whether what began then has become too old.
    pub(crate) fn is_over(self, now: StackTime, began: StackTime) -> bool {
        now.since(began) >= self.age
    }

    /// Another attempt is made if the policy has one left. What becomes too old until then is given up
    /// at that moment.
    pub(crate) fn next(
        self,
        now: StackTime,
        began: StackTime,
        attempts: u32,
        draw: impl FnOnce() -> u64,
    ) -> Next {
        if attempts > self.retries {
            return Next::GiveUp("MaximumRetryAttempts");
        }
        if self.is_over(now, began) {
            return Next::GiveUp(TOO_OLD);
        }
        let (next, too_old) = (now + delay(attempts, draw()), began + self.age);
        Next::Again { due: next.min(too_old), told: next < too_old && attempts <= STEADY }
    }
}

impl From<Limits> for RetryPolicy {
    fn from(limits: Limits) -> Self {
        Self {
            maximum_retry_attempts: Some(limits.retries.into()),
            maximum_event_age_in_seconds: i64::try_from(limits.age.as_secs()).ok(),
        }
    }
}

/// How long after a failure the n-th retry is made, counted from 1. `draw` is any number.
fn delay(nth: u32, draw: u64) -> StackDuration {
    let base = if nth < STEADY { StackDuration::from_secs(1 << nth.saturating_sub(1)) } else { LONGEST };
    let quarter = base.as_micros() / 4;
    StackDuration::from_micros(base.as_micros() - quarter + draw % (2 * quarter + 1))
}

#[cfg(test)]
mod tests {
    use havoq_base::Seed;

    use super::*;

    #[test]
    fn without_a_policy_there_are_24_h_and_up_to_185_retries() {
        let limits = RetryPolicy::limits(None);
        assert_eq!((limits.retries, limits.age.as_secs()), (185, 24 * 3_600));
    }

    #[test]
    fn delays_grow_exponentially_with_jitter_and_24_h_end_before_185_retries() {
        for seed in 0..100 {
            let mut stream = Seed(seed).stream();
            let delays: Vec<_> = (1..=185).map(|nth| delay(nth, stream.next_u64())).collect();
            for (nth, delay) in delays.iter().take(10).enumerate() {
                let base = f64::from(1 << nth);
                assert!((0.75 * base..=1.25 * base).contains(&delay.as_secs_f64()), "{nth}: {delay}");
            }
            assert!(delays[10..].iter().all(|delay| (450..=750).contains(&delay.as_secs())));
            assert!(delays.iter().map(|delay| delay.as_secs()).sum::<u64>() > 86_400);
        }
    }
}
