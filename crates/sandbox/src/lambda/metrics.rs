//! The metrics of functions: what happened in the minute that ends. Those with a function's name
//! alone; AWS adds them up in other ways as well.

use havoq_base::{StackDuration, StackTime};

use crate::cloudwatch::Stats;
use crate::core::Core;

const NAMESPACE: &str = "AWS/Lambda";

/// What happened at a function since the last sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Counters {
    invocations: u64,
    errors: u64,
    pub(super) throttles: u64,
    /// In milliseconds.
    durations: Option<Stats>,
    /// How many were under way, each time that one began.
    concurrency: Option<Stats>,
    pub(super) events_received: u64,
    pub(super) events_dropped: u64,
    /// How old events were when they came to their end, in milliseconds.
    ages: Option<Stats>,
    pub(super) dead_letter_errors: u64,
    pub(super) destination_failures: u64,
}

impl Counters {
    pub(super) fn begin(&mut self, under_way: u32) {
        self.invocations += 1;
        add(&mut self.concurrency, f64::from(under_way));
    }

    pub(super) fn end(&mut self, duration: StackDuration, is_error: bool) {
        self.errors += u64::from(is_error);
        add(&mut self.durations, millis(duration));
    }

    pub(super) fn age(&mut self, age: StackDuration) {
        add(&mut self.ages, millis(age));
    }

    /// Those of invocations come together, when there were some; the others when they count
    /// something.
    fn samples(&self) -> impl Iterator<Item = (&'static str, Stats)> {
        let is_active = self.invocations + self.throttles > 0 || self.durations.is_some();
        let together =
            [("Invocations", self.invocations), ("Errors", self.errors), ("Throttles", self.throttles)];
        let alone = [
            ("AsyncEventsReceived", self.events_received),
            ("AsyncEventsDropped", self.events_dropped),
            ("DeadLetterErrors", self.dead_letter_errors),
            ("DestinationDeliveryFailures", self.destination_failures),
        ];
        let together = together.into_iter().filter(move |_| is_active);
        let counts = together.chain(alone.into_iter().filter(|(_, count)| *count > 0));
        let counts = counts.map(|(name, count)| (name, Stats::of(count as f64)));
        let sets = [
            ("Duration", self.durations),
            ("ConcurrentExecutions", self.concurrency),
            ("AsyncEventAge", self.ages),
        ];
        counts.chain(sets.into_iter().filter_map(|(name, stats)| Some((name, stats?))))
    }
}

fn add(stats: &mut Option<Stats>, value: f64) {
    let value = Stats::of(value);
    *stats = Some(stats.map_or(value, |stats| stats.merge(value)));
}

fn millis(duration: StackDuration) -> f64 {
    duration.as_micros() as f64 / 1e3
}

impl Core {
    /// Samples the minute that ends now.
    pub(crate) fn sample_lambda(&mut self, now: StackTime) {
        let Self { lambda, cloudwatch, .. } = self;
        for function in lambda.functions.iter_mut() {
            let counters = std::mem::take(&mut function.counters);
            for (metric, stats) in counters.samples() {
                let dimensions = [("FunctionName", &*function.spec.name)];
                cloudwatch.record(now, function.place, NAMESPACE, metric, &dimensions, stats);
            }
        }
    }
}
