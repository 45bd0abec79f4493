//! Slow calls.

use std::sync::Arc;

use havoq_base::RealDuration;
use havoq_base::seed::Stream;

use crate::gauge::unit;
use crate::kind::{Kind, Stage};
use crate::param::{KindDef, Param, Shape, Values};

pub(super) const KIND: KindDef = KindDef {
    name: "latency",
    about: "The call goes to the stack later, in real time: `fixed`, or evenly between `from` and `to`, or \
            normally distributed around `mean`.",
    params: &[
        Param::optional("fixed", Shape::Real, "200ms", "Each waits so long."),
        Param::optional("from", Shape::Real, "50ms", "The shortest wait; with `to`."),
        Param::optional("to", Shape::Real, "500ms", "The longest wait; with `from`."),
        Param::optional("mean", Shape::Real, "200ms", "The middle of the waits; with `deviation`."),
        Param::optional("deviation", Shape::Real, "50ms", "Their standard deviation; with `mean`."),
    ],
    build: |values| Ok(Arc::new(Latency(distribution(values)?))),
};

#[derive(Clone, Copy, Debug)]
enum Distribution {
    Fixed(RealDuration),
    Uniform(RealDuration, RealDuration),
    Normal(RealDuration, RealDuration),
}

fn distribution(values: &Values) -> Result<Distribution, String> {
    let get = |name| values.real(name);
    match (get("fixed"), (get("from"), get("to")), (get("mean"), get("deviation"))) {
        (Some(fixed), (None, None), (None, None)) => Ok(Distribution::Fixed(fixed)),
        (None, (Some(from), Some(to)), (None, None)) if from <= to => Ok(Distribution::Uniform(from, to)),
        (None, (Some(_), Some(_)), (None, None)) => Err("`from` is longer than `to`".to_owned()),
        (None, (None, None), (Some(mean), Some(deviation))) => Ok(Distribution::Normal(mean, deviation)),
        _ => Err("give `fixed`, or `from` and `to`, or `mean` and `deviation`".to_owned()),
    }
}

#[derive(Debug)]
struct Latency(Distribution);

impl Kind for Latency {
    fn stage(&self) -> Stage {
        Stage::Request
    }

    fn delay(&self, dice: &mut Stream) -> RealDuration {
        match self.0 {
            Distribution::Fixed(span) => span,
            Distribution::Uniform(from, to) => {
                let (from, to) = (from.as_secs_f64(), to.as_secs_f64());
                seconds(from + (to - from) * unit(dice))
            }
            Distribution::Normal(mean, deviation) => {
                seconds(mean.as_secs_f64() + deviation.as_secs_f64() * normal(dice))
            }
        }
    }
}

/// Standard normal, by Box and Muller.
fn normal(dice: &mut Stream) -> f64 {
    // From above 0, which has no logarithm.
    let radius = (-2.0 * (1.0 - unit(dice)).ln()).sqrt();
    radius * (std::f64::consts::TAU * unit(dice)).cos()
}

/// No wait is shorter than none.
fn seconds(seconds: f64) -> RealDuration {
    RealDuration::from_micros((seconds.max(0.0) * 1e6) as u64)
}

#[cfg(test)]
mod tests {
    use havoq_base::Seed;

    use super::*;

    fn draws(distribution: Distribution) -> Vec<f64> {
        let mut dice = Seed(3).stream();
        let latency = Latency(distribution);
        (0..2_000).map(|_| latency.delay(&mut dice).as_secs_f64()).collect()
    }

    #[test]
    fn waits_are_distributed_as_asked_for() {
        let millis = RealDuration::from_millis;
        assert!(draws(Distribution::Fixed(millis(20))).iter().all(|wait| *wait == 0.02));
        let uniform = draws(Distribution::Uniform(millis(100), millis(300)));
        assert!(uniform.iter().all(|wait| (0.1..=0.3).contains(wait)));
        let mean = |waits: &[f64]| waits.iter().sum::<f64>() / waits.len() as f64;
        assert!((mean(&uniform) - 0.2).abs() < 0.01);
        let normal = draws(Distribution::Normal(millis(500), millis(50)));
        let middle = mean(&normal);
        let deviation = mean(&normal.iter().map(|wait| (wait - middle).powi(2)).collect::<Vec<_>>()).sqrt();
        assert!((middle - 0.5).abs() < 0.01 && (deviation - 0.05).abs() < 0.005, "{middle} {deviation}");
        assert!(draws(Distribution::Normal(millis(1), millis(50))).iter().all(|wait| *wait >= 0.0));
    }
}
