//! A mapping under random loads: nothing is deleted that did not succeed, no group is in flight
//! twice, concurrency is never exceeded, and nothing stays for ever.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use havoq_base::StackDuration;
use havoq_lambda::{Exit, Filters, Reporting, Returned, Settings};
use proptest::prelude::*;
use serde_json::json;

use crate::poller::{Poller, QUEUE};

#[derive(Clone, Debug)]
enum Step {
    Send {
        group: u8,
        wanted: bool,
    },
    Pass(u64),
    /// Of those that run, this one; the bits say which of its messages fail.
    Report {
        which: usize,
        failures: u16,
    },
    Crash(usize),
    Throttle(usize),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (0..4_u8, prop::bool::weighted(0.9)).prop_map(|(group, wanted)| Step::Send { group, wanted }),
        2 => (0..40_u64).prop_map(Step::Pass),
        3 => (any::<usize>(), any::<u16>()).prop_map(|(which, failures)| Step::Report { which, failures }),
        1 => any::<usize>().prop_map(Step::Crash),
        1 => any::<usize>().prop_map(Step::Throttle),
    ]
}

fn settings() -> impl Strategy<Value = Settings> {
    (any::<bool>(), 1..=10_usize, 0..40_u64, prop::option::of(2..5_u32), any::<bool>()).prop_map(
        |(fifo, batch_size, window, maximum_concurrency, reports)| Settings {
            queue_arn: format!("{QUEUE}{}", if fifo { ".fifo" } else { "" }),
            batch_size,
            window: StackDuration::from_secs(if fifo { 0 } else { window.saturating_sub(20) }),
            maximum_concurrency,
            reporting: if reports { Reporting::BatchItemFailures } else { Reporting::None },
            filters: Filters::parse([r#"{"body":{"wanted":[true]}}"#]).expect("a filter"),
        },
    )
}

/// What a naive reader of the rules expects.
struct Expected {
    /// What may be deleted.
    succeeded: BTreeSet<String>,
    sent: BTreeSet<String>,
}

fn run(poller: &mut Poller, expected: &mut Expected, step: &Step) {
    match step {
        Step::Send { group, wanted } => {
            let id = poller.send(&group.to_string(), &json!({ "wanted": wanted }).to_string());
            if !wanted {
                expected.succeeded.insert(id.clone());
            }
            expected.sent.insert(id);
        }
        Step::Pass(secs) => poller.pass(*secs),
        Step::Report { which, failures } => {
            let Some((batch, ids)) = pick(poller, *which) else { return };
            let fails = |index: usize| failures & (1 << index) != 0;
            let failed = ids.iter().enumerate().filter(|(index, _)| fails(*index));
            let failed: Vec<_> = failed.map(|(_, id)| json!({ "itemIdentifier": id })).collect();
            let reports = poller.mapping.settings().reporting == Reporting::BatchItemFailures;
            let counts = ids.iter().enumerate().filter(|(index, _)| !(reports && fails(*index)));
            expected.succeeded.extend(counts.map(|(_, id)| id.clone()));
            let answer = json!({ "batchItemFailures": failed }).to_string();
            poller.end(batch, &Returned::Response(Bytes::from(answer)));
        }
        Step::Crash(which) => {
            let Some((batch, _)) = pick(poller, *which) else { return };
            poller.end(batch, &Returned::Exited(Exit::Status(1)));
        }
        Step::Throttle(which) => {
            let Some((batch, _)) = pick(poller, *which) else { return };
            poller.throttle(batch);
        }
    }
}

fn pick(poller: &Poller, which: usize) -> Option<(havoq_lambda::BatchId, Vec<String>)> {
    let count = poller.running.len();
    let (batch, ids) = poller.running.iter().nth(which.checked_rem(count)?)?;
    Some((*batch, ids.clone()))
}

fn check(poller: &Poller, expected: &Expected) {
    let left = poller.left();
    for id in &expected.sent {
        assert!(left.contains(id) || expected.succeeded.contains(id), "{id} is deleted and never succeeded");
    }
    let settings = poller.mapping.settings();
    if let Some(most) = settings.maximum_concurrency {
        assert!(poller.mapping.under_way() <= most as usize, "too many batches");
    }
    let mut seen = BTreeSet::new();
    for batch in poller.running.keys() {
        let batch = poller.mapping.batch(*batch).expect("it is under way");
        let mut last = BTreeMap::new();
        for record in batch.records() {
            let Some(group) = record.ordered_group() else { continue };
            let before = last.insert(group, &record.message_id);
            assert!(
                before.is_none_or(|before| *before < record.message_id),
                "the messages of the group {group} are out of order"
            );
        }
        for group in last.into_keys() {
            assert!(seen.insert(group.to_owned()), "the group {group} is in flight twice");
        }
    }
    for (ids, first, at) in &poller.first_received {
        assert!(!ids.is_empty() && ids.len() <= settings.batch_size);
        let waited = at.since(*first);
        assert!(
            ids.len() == settings.batch_size
                || waited >= settings.window
                || settings.window > poller.visibility,
            "a batch of {} came before its window was over",
            ids.len()
        );
    }
}

proptest! {
    #[test]
    fn nothing_is_lost_or_handed_over_twice_at_once(
        settings in settings(),
        steps in prop::collection::vec(step(), 1..60),
    ) {
        let mut poller = Poller::new(settings);
        let mut expected = Expected { succeeded: BTreeSet::new(), sent: BTreeSet::new() };
        for step in &steps {
            run(&mut poller, &mut expected, step);
            check(&poller, &expected);
        }
        // From now on all goes well.
        for _ in 0..2_000 {
            if poller.left().is_empty() {
                break;
            }
            match pick(&poller, 0) {
                Some((batch, _)) => poller.end(batch, &Returned::Response(Bytes::new())),
                None => poller.pass(5),
            }
        }
        prop_assert!(poller.left().is_empty(), "{:?} stay for ever", poller.left());
    }
}
