//! The table, and what the mutations make of single events.

use std::collections::BTreeSet;
use std::path::Path;

use super::effects::{Bend, bent};
use super::forge::{Forger, Forgery};
use super::mutation::Way;
use super::table::{MUTATIONS, named, plan};
use crate::history::{Attribution, Held, Instance, Kind, Withheld};
use crate::scenario::{Scenario, load};
use crate::tap::Counted;

fn drill(name: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("scenarios/{name}.yaml"));
    load(&path).unwrap_or_else(|problems| panic!("{problems:#?}"))
}

#[test]
fn every_mutation_has_a_name_of_its_own_and_is_documented() {
    let names: BTreeSet<&str> = MUTATIONS.iter().map(|mutation| mutation.name).collect();
    assert_eq!(names.len(), MUTATIONS.len());
    let docs = include_str!("../../../docs/prove.md");
    for mutation in MUTATIONS {
        let row = format!("| `{}` | {} |", mutation.name, mutation.about);
        assert!(docs.contains(&row), "docs/prove.md lacks:\n{row}");
        assert!(named(mutation.name).is_some());
        if let Way::Calls(spec) = mutation.way {
            spec().expect("a fault that exists");
        }
    }
}

#[test]
fn what_a_scenario_has_nothing_for_is_skipped() {
    let skipped = |name| -> Vec<(String, String)> {
        let planned = plan(&drill(name)).into_iter();
        planned.filter_map(|planned| Some((planned.mutation, planned.skipped?))).collect()
    };
    assert_eq!(skipped("consumer-killed"), []);
    let why = ("faults-not-armed".to_owned(), "it has no kills and faults".to_owned());
    assert_eq!(skipped("poison-message"), [why]);
}

fn by() -> Instance {
    Instance { consumer: "c".into(), instance: 0, start: 1 }
}

fn sent(marker: &str, label: &str) -> Kind {
    Kind::Sent {
        queue: "Orders".into(),
        message_id: marker.into(),
        marker: marker.into(),
        label: Some(label.into()),
        copy: 1,
        poison: None,
    }
}

fn effect(marker: &str) -> Kind {
    Kind::Effect {
        effect: "charges".into(),
        by: by(),
        key: Some(marker.into()),
        marker: Some(marker.into()),
        attribution: Attribution::Key,
        replay: false,
        withheld: Withheld::No,
    }
}

fn deleted(marker: &str) -> Kind {
    Kind::Deleted {
        by: by(),
        queue: "Orders".into(),
        receipt: marker.into(),
        message_id: Some(marker.into()),
        marker: Some(marker.into()),
        error: None,
        undone: false,
        call: None,
        withheld: Withheld::No,
    }
}

fn received(marker: &str) -> Kind {
    let held = Held {
        message_id: marker.into(),
        receipt: marker.into(),
        receive_count: 1,
        marker: Some(marker.into()),
    };
    Kind::Received {
        by: by(),
        queue: "Orders".into(),
        messages: vec![held],
        visibility: 30,
        withheld: Withheld::No,
        fault: None,
        call: None,
    }
}

/// What is forged after all of these, its own forgeries read as well.
fn forged(forgery: Forgery, kinds: &[Kind]) -> Vec<Kind> {
    let mut forger = Forger::new(forgery, ["order".to_owned()]);
    let mut all = Vec::new();
    for kind in kinds {
        let forged = forger.see(kind);
        assert!(forged.iter().all(|kind| forger.see(kind).is_empty()));
        all.extend(forged);
    }
    all
}

#[test]
fn a_second_effect_comes_once_when_the_message_is_deleted() {
    let kinds = [
        sent("warm", "warmup"),
        sent("a", "order"),
        effect("warm"),
        deleted("warm"),
        effect("a"),
        deleted("a"),
        effect("a"),
        deleted("a"),
    ];
    assert_eq!(forged(Forgery::AtDelete, &kinds), [effect("a")]);
}

#[test]
fn a_delivered_message_gets_only_effects_that_somebody_makes() {
    let kinds = [sent("a", "order"), received("a")];
    assert_eq!(forged(Forgery::AtDelivery, &kinds), []);
    let kinds = [sent("a", "order"), effect("warm"), received("a"), received("a")];
    assert_eq!(forged(Forgery::AtDelivery, &kinds), [effect("a")]);
}

#[test]
fn nothing_is_forged_behind_the_horizon() {
    let end = Kind::HorizonReached { complete: true, reason: "so".into(), busy: Vec::new() };
    let kinds = [sent("a", "order"), effect("a"), end, deleted("a")];
    assert_eq!(forged(Forgery::AtDelete, &kinds), []);
}

#[test]
fn a_bent_sink_counts_otherwise() {
    for counted in [Counted::Effect, Counted::Replay] {
        assert_eq!(bent(Bend::Drop, counted), Counted::Nothing);
        assert_eq!(bent(Bend::CountReplays, counted), Counted::Effect);
    }
}
