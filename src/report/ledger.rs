//! The ledger's totals: their sum over scenarios, and one line of plain words.

use crate::check::{Fate, Totals};

/// Adds totals up.
pub(super) fn sum<'a>(all: impl Iterator<Item = &'a Totals>) -> Totals {
    all.fold(Totals::default(), add)
}

fn add(mut sum: Totals, more: &Totals) -> Totals {
    // Taken apart whole, so that a total that is added later cannot be forgotten here.
    let Totals {
        attempted,
        acknowledged,
        ok,
        lost,
        duplicated,
        unexpected,
        recovered,
        dead_lettered,
        redriven,
        effects,
        by_fate,
    } = more;
    sum.attempted += attempted;
    sum.acknowledged += acknowledged;
    sum.ok += ok;
    sum.lost += lost;
    sum.duplicated += duplicated;
    sum.unexpected += unexpected;
    sum.recovered += recovered;
    sum.dead_lettered += dead_lettered;
    sum.redriven += redriven;
    sum.effects += effects;
    for (fate, count) in by_fate {
        *sum.by_fate.entry(*fate).or_default() += count;
    }
    sum
}

/// `24 attempted, 24 acknowledged, 24 ok, 0 lost, 0 duplicated, 23 effects; 23 processed, 1
/// dead-lettered`. What is zero is left out, but for the figures that everyone asks for.
pub(super) fn line(totals: &Totals) -> String {
    let always = [
        ("attempted", totals.attempted),
        ("acknowledged", totals.acknowledged),
        ("ok", totals.ok),
        ("lost", totals.lost),
        ("duplicated", totals.duplicated),
    ];
    let when_any = [
        ("unexpected", totals.unexpected),
        ("recovered", totals.recovered),
        ("dead-lettered", totals.dead_lettered),
        ("redriven", totals.redriven),
        ("effects", totals.effects),
    ];
    let figures = always.into_iter().chain(when_any.into_iter().filter(|(_, count)| *count > 0));
    let figures = join(figures.map(|(name, count)| (name.to_owned(), count)));
    let fates = totals.by_fate.iter().filter(|(_, count)| **count > 0);
    let fates = join(fates.map(|(fate, count)| (fate_word(*fate), *count)));
    if fates.is_empty() { figures } else { format!("{figures}; fates: {fates}") }
}

fn join(figures: impl Iterator<Item = (String, u64)>) -> String {
    figures.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>().join(", ")
}

/// The fate's name as report.json spells it.
fn fate_word(fate: Fate) -> String {
    let json = serde_json::to_value(fate).ok();
    json.as_ref().and_then(|value| value.as_str()).map_or_else(|| format!("{fate:?}"), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_add_up_member_by_member() {
        let one = Totals {
            attempted: 3,
            lost: 1,
            effects: 2,
            by_fate: [(Fate::Processed, 2), (Fate::Lost, 1)].into(),
            ..Totals::default()
        };
        let two = Totals { attempted: 4, by_fate: [(Fate::Processed, 4)].into(), ..Totals::default() };
        let sum = sum([one, two].iter());
        assert_eq!((sum.attempted, sum.lost, sum.effects), (7, 1, 2));
        assert_eq!(sum.by_fate, [(Fate::Processed, 6), (Fate::Lost, 1)].into());
    }

    #[test]
    fn the_line_always_says_how_many_were_lost_and_duplicated() {
        let totals = Totals { attempted: 2, by_fate: [(Fate::StillQueued, 2)].into(), ..Totals::default() };
        let expected = "2 attempted, 0 acknowledged, 0 ok, 0 lost, 0 duplicated; fates: 2 still-queued";
        assert_eq!(line(&totals), expected);
    }
}
