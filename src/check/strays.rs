//! Effects that could not be tied to a message. While one exists since injection, `no_effect` and
//! `exactly` on its sink cannot pass (design section 4).

use super::finding::Finding;
use super::index::StrayEffect;
use super::view::View;

/// The stray effects that could belong to this label: those in the sink, or in any, since the
/// label can have been sent. They count from the injection unless the label is of the steady state.
pub(crate) fn of<'a>(view: &View<'a>, label: &str, effect: Option<&str>) -> Vec<&'a StrayEffect> {
    let injected = view.index.run.injection().map_or(0, |when| when.seq);
    let stories = view.index.stories.iter().filter(|story| story.label.as_deref() == Some(label));
    let mut sends = stories.flat_map(|story| story.sends.iter().map(|send| send.when.seq));
    let since = if sends.all(|seq| seq > injected) { injected } else { 0 };
    let strays = view.index.strays.iter();
    strays
        .filter(|stray| stray.fact.when.seq > since && !stray.fact.replay)
        .filter(|stray| effect.is_none_or(|effect| stray.fact.effect == effect))
        .collect()
}

/// Every marker whose message its maker held at that moment has this label: whichever it was, it
/// was one of these.
pub(crate) fn surely(view: &View<'_>, stray: &StrayEffect, label: &str) -> bool {
    let of_label = |held: &Option<usize>| {
        held.is_some_and(|key| view.index.stories[key].label.as_deref() == Some(label))
    };
    !stray.held.is_empty() && stray.held.iter().all(of_label)
}

/// The finding that strays leave of a claim that would hold without them.
pub(crate) fn unclear(strays: &[&StrayEffect]) -> Finding {
    let evidence = strays.iter().map(|stray| stray.fact.when.seq).collect();
    let Some(first) = strays.first() else { return Finding::unclear("no stray effect") };
    let key = match &first.key {
        Some(key) => format!("key `{key}`, which is no marker"),
        None => "no usable key".to_owned(),
    };
    let reason = format!(
        "{} could not be tied to a message: the first, in {} by {}, had {key}",
        super::words::counted(strays.len() as u64, "effect"),
        first.fact.effect,
        first.fact.by,
    );
    Finding::Unclear { reason, evidence }
}
