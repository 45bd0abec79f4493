//! Which red verdicts the clock may have made: those that rest on messages which only their
//! processing bound had closed while their holder lived (design section 6).

use super::finding::Breach;
use super::index::{Index, Message, When};

/// Why a red verdict is in doubt.
#[derive(Clone, Debug)]
pub(crate) struct Doubt {
    /// Whose bound it was.
    pub(crate) consumer: String,
    pub(crate) reason: String,
}

/// The doubt about this breach, if there is one. A message that was closed by its bound casts it
/// when it came again before the counterexample, when it is the one that the claim is about, or
/// when the breach is an absence, which more patience might have filled.
pub(crate) fn of(index: &Index, breach: &Breach) -> Option<Doubt> {
    let until = if breach.seq == 0 { u64::MAX } else { breach.seq };
    let own = breach.marker.as_ref().and_then(|marker| index.story(marker));
    let closed = index.closed.iter().find(|closed| {
        let message = &index.messages[closed.message];
        let is_own = own.is_some_and(|story| story.messages.contains(&closed.message));
        closed.when.seq < until && (breach.seq == 0 || is_own || came_again(message, closed.when, until))
    })?;
    let message = &index.messages[closed.message];
    let named = message.story.map_or(message.id.as_str(), |story| index.stories[story].marker.as_str());
    let bound = index.run.bounds.get(&closed.by.consumer);
    let bound = bound.map_or_else(String::new, |bound| format!(" of {bound}"));
    let reason = format!(
        "it rests on the clock's having jumped on when {} had been silent on {named} for its processing bound{bound}",
        closed.by
    );
    Some(Doubt { consumer: closed.by.consumer.clone(), reason })
}

fn came_again(message: &Message, closed: When, until: u64) -> bool {
    let receives = message.receives.iter().map(|receive| receive.when.seq);
    let moves = message.moves.iter().map(|moved| moved.when.seq);
    receives.chain(moves).any(|seq| (closed.seq..until).contains(&seq))
}
