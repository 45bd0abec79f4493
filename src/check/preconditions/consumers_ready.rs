//! Every consumer that is to show that it is ready has shown it before the steps began, and again
//! after each restart. Without that nothing is known of it but that it did not come up.

use super::{Failed, Precondition, Spoils};
use crate::check::index::{Index, When};
use crate::scenario::Sign;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "consumers_ready", text: "every consumer was ready when it had to be", look };

fn look(index: &Index) -> Option<Failed> {
    let began = index.run.steps.iter().map(|step| step.started.seq).min();
    let awaited = index.scenario.consumers.iter().filter(|(_, consumer)| consumer.ready.sign != Sign::Poll);
    let mut failed: Vec<Failed> = awaited
        .filter_map(|(consumer, _)| {
            let before = |when: &When| began.is_none_or(|began| when.seq < began);
            let was_ready = ready_instances(index, consumer, before);
            let wanted = index.scenario.consumers.get(consumer).map_or(0, |known| known.instances as usize);
            match unready(index, consumer) {
                Some((when, reason)) if was_ready < wanted => {
                    Some(Failed::inconclusive(reason, vec![when.seq], Spoils::Everything))
                }
                // What was seen of it stands; but no pass may rest on a consumer that was not there.
                Some((when, reason)) => Some(Failed::inconclusive(reason, vec![when.seq], Spoils::Nothing)),
                // Steps began, so it must be on record.
                None if began.is_some() && was_ready < wanted => {
                    let reason = format!("the steps began, and nothing says that {consumer} was ready");
                    Some(Failed::inconclusive(reason, Vec::new(), Spoils::Everything))
                }
                None => None,
            }
        })
        .collect();
    failed.sort_by_key(|failed| std::cmp::Reverse(failed.spoils));
    failed.into_iter().next()
}

/// How many of its instances had shown it.
fn ready_instances(index: &Index, consumer: &str, before: impl Fn(&When) -> bool) -> usize {
    let own = index.processes.iter().filter(|(by, _)| by.consumer == consumer);
    let ready = own.filter(|(_, process)| process.ready.as_ref().is_some_and(&before));
    ready.map(|(by, _)| by.instance).collect::<std::collections::BTreeSet<_>>().len()
}

/// An instance of the consumer that was not ready, and was not started again and ready since.
pub(super) fn unready(index: &Index, consumer: &str) -> Option<(When, String)> {
    let own = || index.processes.iter().filter(|(by, _)| by.consumer == consumer);
    let unready = own().filter_map(|(by, process)| Some((by, process.unready.as_ref()?)));
    let open = unready.filter(|(by, (when, _))| {
        let mut later = own().filter(|(other, _)| other.instance == by.instance);
        !later.any(|(_, process)| process.ready.is_some_and(|ready| ready.seq > when.seq))
    });
    let last = open.max_by_key(|(_, (when, _))| when.seq);
    last.map(|(_, (when, reason))| (*when, reason.clone()))
}
