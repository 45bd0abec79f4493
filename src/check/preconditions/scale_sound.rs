//! `--scale` shortens what the stack times and not what consumers do. Where a timeout cannot be
//! made that short, or where work outlasts one that it would not have outlasted as written, what
//! followed is not what the scenario asks about.

use havoq_base::StackDuration;

use super::{Failed, Precondition, Spoils};
use crate::check::index::{Index, Message, ReceiveFact, When};
use crate::check::words;
use crate::scenario::Scaled;

pub(super) const PRECONDITION: Precondition =
    Precondition { name: "scale_sound", text: "what was scaled still tells the same story", look };

fn look(index: &Index) -> Option<Failed> {
    let scaled = index.scenario.scaled.as_ref()?;
    let hint = "hint: use a larger --scale";
    if let Some(unfit) = scaled.unfit.first() {
        let reason = format!("at --scale {} {unfit}; {hint}", scaled.scale);
        return Some(Failed::inconclusive(reason, Vec::new(), Spoils::Everything));
    }
    let (receive, act) = index.messages.iter().find_map(|message| outlasted(index, scaled, message))?;
    let reason = format!(
        "{} worked for {} on a message, longer than the visibility timeout of {} at --scale {}; {hint}",
        receive.by,
        words::span(act.at.since(receive.when.at)),
        StackDuration::from_secs(1).times(receive.visibility),
        scaled.scale,
    );
    Some(Failed::inconclusive(reason, vec![receive.when.seq, act.seq], Spoils::Everything))
}

/// A receive whose holder still acted on the message when its timeout as scaled was over, and
/// would not have been as written.
fn outlasted<'a>(index: &'a Index, scaled: &Scaled, message: &'a Message) -> Option<(&'a ReceiveFact, When)> {
    message.receives.iter().find_map(|receive| {
        let queue = index.scenario.stack.queues.get(&receive.queue)?;
        let own = receive.visibility == queue.visibility_timeout.as_secs() && receive.extends.is_empty();
        // A timeout that the consumer asked for is not scaled; one that a fault froze is meant to
        // be late.
        if !own || was_struck(index, receive) {
            return None;
        }
        let written = scaled.scale.undo(queue.visibility_timeout);
        let late = |when: &When| when.at > receive.hidden_until && when.at.since(receive.when.at) <= written;
        acts(index, message, receive).find(late).map(|when| (receive, when))
    })
}

fn was_struck(index: &Index, receive: &ReceiveFact) -> bool {
    let mut fired = index.faults.iter().flat_map(|fault| &fault.fired);
    fired.any(|fired| fired.by.as_ref() == Some(&receive.by))
}

/// What the holder did about the message before it received it, or another copy of it, again.
fn acts<'a>(
    index: &'a Index,
    message: &'a Message,
    receive: &'a ReceiveFact,
) -> impl Iterator<Item = When> + 'a {
    let story = message.story.map(|story| &index.stories[story]);
    let copies = story.into_iter().flat_map(|story| index.messages_of(story));
    let receives = copies.flat_map(|copy| &copy.receives);
    let later = receives.filter(|other| other.by == receive.by && other.when.seq > receive.when.seq);
    let until = later.map(|other| other.when.seq).min().unwrap_or(u64::MAX);
    let deletes = message.deletes.iter().filter(|delete| delete.receipt == receive.receipt);
    let effects = story.into_iter().flat_map(|story| &story.effects);
    let effects = effects.filter(move |effect| {
        effect.by == receive.by && (receive.when.seq..until).contains(&effect.when.seq)
    });
    deletes.map(|delete| delete.when).chain(effects.map(|effect| effect.when))
}
