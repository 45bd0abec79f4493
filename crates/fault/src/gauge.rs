//! How often a fault takes hold.

use havoq_base::StackDuration;
use havoq_base::seed::Stream;

/// Which of the calls that match a fault it takes hold of. All of these must agree; where none is
/// given it takes hold of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Gauge {
    /// At most so often.
    pub times: Option<u32>,
    /// Only among the first so many.
    pub first: Option<u32>,
    /// Each so manieth.
    pub every: Option<u32>,
    /// Each with this probability.
    pub probability: Option<f64>,
    /// For so long from when it was armed.
    pub window: Option<StackDuration>,
}

/// What a gauge has seen so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub matched: u32,
    pub fired: u32,
}

impl Gauge {
    /// Counts a call that matches; whether the fault takes hold of it. Whether its window is over is
    /// for whoever has a clock.
    pub fn admits(&self, count: &mut Count, dice: &mut Stream) -> bool {
        count.matched = count.matched.saturating_add(1);
        // Drawn for each call, so that the draws do not depend on the other conditions.
        let lucky = self.probability.is_none_or(|probability| unit(dice) < probability);
        let fires = lucky
            && self.times.is_none_or(|times| count.fired < times)
            && self.first.is_none_or(|first| count.matched <= first)
            && self.every.is_none_or(|every| count.matched.is_multiple_of(every.max(1)));
        count.fired += u32::from(fires);
        fires
    }

    /// Whether it takes hold of each call, without an end.
    pub fn is_forever(&self) -> bool {
        *self == Self::default()
    }

    /// Whether none can come any more.
    pub fn is_spent(&self, count: Count) -> bool {
        self.times.is_some_and(|times| count.fired >= times)
            || self.first.is_some_and(|first| count.matched >= first)
    }
}

/// From 0 to below 1.
pub(crate) fn unit(dice: &mut Stream) -> f64 {
    // 53 bits are what a double holds.
    (dice.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

#[cfg(test)]
mod tests {
    use havoq_base::Seed;
    use proptest::prelude::*;

    use super::*;

    fn fires(gauge: &Gauge, calls: u32, seed: u64) -> Vec<u32> {
        let (mut count, mut dice) = (Count::default(), Seed(seed).stream());
        (1..=calls).filter(|_| gauge.admits(&mut count, &mut dice)).collect()
    }

    #[test]
    fn each_condition_picks_its_calls() {
        assert_eq!(fires(&Gauge::default(), 3, 1), [1, 2, 3]);
        assert_eq!(fires(&Gauge { times: Some(2), ..Gauge::default() }, 4, 1), [1, 2]);
        assert_eq!(fires(&Gauge { first: Some(2), ..Gauge::default() }, 4, 1), [1, 2]);
        assert_eq!(fires(&Gauge { every: Some(2), ..Gauge::default() }, 5, 1), [2, 4]);
        let both = Gauge { every: Some(2), times: Some(1), ..Gauge::default() };
        assert_eq!(fires(&both, 5, 1), [2]);
        let none = Gauge { every: Some(3), first: Some(2), ..Gauge::default() };
        assert_eq!(fires(&none, 9, 1), [0; 0]);
    }

    #[test]
    fn a_probability_is_kept_and_repeats_with_its_seed() {
        let gauge = Gauge { probability: Some(0.25), ..Gauge::default() };
        let hits = fires(&gauge, 4_000, 7);
        assert!((850..1_150).contains(&hits.len()), "{}", hits.len());
        assert_eq!(hits, fires(&gauge, 4_000, 7));
        assert_ne!(hits, fires(&gauge, 4_000, 8));
        assert_eq!(fires(&Gauge { probability: Some(1.0), ..Gauge::default() }, 2, 7), [1, 2]);
        assert_eq!(fires(&Gauge { probability: Some(0.0), ..Gauge::default() }, 2, 7), [0; 0]);
    }

    proptest! {
        #[test]
        fn a_spent_gauge_never_fires_again(
            times in prop::option::of(1_u32..4), first in prop::option::of(1_u32..6), every in prop::option::of(1_u32..4),
        ) {
            let gauge = Gauge { times, first, every, ..Gauge::default() };
            let (mut count, mut dice) = (Count::default(), Seed(1).stream());
            let mut spent = false;
            for _ in 0..20 {
                let fired = gauge.admits(&mut count, &mut dice);
                prop_assert!(!(spent && fired));
                spent = gauge.is_spent(count);
            }
            prop_assert!(times.is_none_or(|times| count.fired <= times));
        }
    }
}
