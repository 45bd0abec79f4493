//! The ledger of fates and its totals, which close every report.

use std::collections::BTreeMap;

use super::fate::Ended;
use super::index::{Index, Story};
use super::verdict::{Ledger, LedgerRow, Totals};

pub(crate) fn ledger(index: &Index, fates: &[Ended]) -> Ledger {
    let rows: Vec<LedgerRow> =
        index.stories.iter().zip(fates).map(|(story, ended)| row(index, story, ended)).collect();
    let totals = totals(index, &rows);
    Ledger { rows, totals }
}

fn row(index: &Index, story: &Story, ended: &Ended) -> LedgerRow {
    let messages = || index.messages_of(story);
    LedgerRow {
        marker: story.marker.clone(),
        label: story.label.clone(),
        fate: ended.fate,
        copies: story.sends.len() as u64,
        receives: messages().map(|message| message.receives.len() as u64).sum(),
        effects: story.effects.iter().filter(|fact| !fact.replay).count() as u64,
        redriven: messages().filter(|message| message.redriven.is_some()).count() as u64,
    }
}

fn totals(index: &Index, rows: &[LedgerRow]) -> Totals {
    let stories = &index.stories;
    let count = |fits: &dyn Fn(&Story) -> bool| stories.iter().filter(|story| fits(story)).count() as u64;
    let received = |story: &Story| index.messages_of(story).any(|message| !message.receives.is_empty());
    let moved = |story: &Story| index.messages_of(story).any(|message| !message.moves.is_empty());
    let mut by_fate = BTreeMap::new();
    for row in rows {
        *by_fate.entry(row.fate).or_insert(0) += 1;
    }
    let foreign: usize = index
        .messages
        .iter()
        .filter(|message| message.story.is_none())
        .map(|message| message.receives.len())
        .sum();
    let strays = index.strays.iter().filter(|stray| !stray.fact.replay).count();
    Totals {
        attempted: count(&|story| !story.sends.is_empty() || !story.refused.is_empty()),
        acknowledged: count(&|story| !story.sends.is_empty()),
        ok: count(&received),
        lost: by_fate.get(&super::Fate::Lost).copied().unwrap_or(0),
        duplicated: count(&has_duplicate),
        unexpected: (foreign + strays) as u64,
        recovered: count(&|story| story.sends.is_empty() && received(story)),
        dead_lettered: count(&moved),
        redriven: rows.iter().filter(|row| row.redriven > 0).count() as u64,
        effects: rows.iter().map(|row| row.effects).sum::<u64>() + strays as u64,
        by_fate,
    }
}

/// More than one effect in the same sink: one each in two sinks are two steps of one job.
fn has_duplicate(story: &Story) -> bool {
    let mut sinks: BTreeMap<&str, u64> = BTreeMap::new();
    for fact in story.effects.iter().filter(|fact| !fact.replay) {
        *sinks.entry(fact.effect.as_str()).or_insert(0) += 1;
    }
    sinks.values().any(|count| *count > 1)
}
