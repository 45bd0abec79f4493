//! Memory that lapses. A consumer that remembers in its own process what it has done may forget it
//! after a while; a clock that jumps gives it no while to forget in. So where one process made an
//! effect, was handed the marker again after a jump and made no second effect, that proves nothing,
//! unless the consumer is declared to keep no such state (design section 6). `time: follow` in so
//! many words declares that what lapses is compared with the wall clock, which then goes along;
//! where it is merely the default, memory may as well lapse by monotonic time, which does not.

use super::index::{EffectFact, Index, Story};
use super::view::{Role, View};
use crate::history::Instance;
use crate::scenario::{ConsumerTime, Program};

/// Why markers may get one more effect in this sink, and what shows it.
pub(crate) fn of_any(view: &View<'_>, stories: &[&Story], effect: &str) -> Option<(String, Vec<u64>)> {
    if view.role != Role::Expect {
        return None;
    }
    stories.iter().find_map(|story| {
        let (made, again) = remembered(view.index, story, effect)?;
        let why = format!(
            "{} made its effect, and was handed {} again only after a jump of the clock, within which what it remembers may have lapsed\n\
             hint: declare for {} `wall_clock: none` if it keeps no state that lapses with time, or `time: follow` if all of it lapses by the wall clock; or use --clock real",
            made.by, story.marker, made.by.consumer
        );
        Some((why, vec![made.when.seq, again]))
    })
}

/// An effect, and a later receive of the marker by the same process with a jump in between. A
/// replay under one Idempotency-Key shows that it did not rely on its memory.
fn remembered<'a>(index: &Index, story: &'a Story, effect: &str) -> Option<(&'a EffectFact, u64)> {
    let mut made = story.effects.iter().filter(|fact| fact.effect == effect && !fact.replay);
    made.find_map(|made| {
        if keeps_nothing(index, &made.by) {
            return None;
        }
        let mut receives = index.messages_of(story).flat_map(|message| &message.receives);
        let again = receives.find(|receive| {
            receive.by == made.by
                && receive.when.seq > made.when.seq
                && index.jumped_between(made.when.seq, receive.when.seq)
                && !replayed(story, made, receive.when.seq)
        })?;
        Some((made, again.when.seq))
    })
}

fn replayed(story: &Story, made: &EffectFact, since: u64) -> bool {
    let mut later = story.effects.iter().filter(|fact| fact.when.seq > since);
    later.any(|fact| fact.replay && fact.by == made.by)
}

/// Declared so, or known of the reference worker, whose marks are files that never lapse; or all
/// that it keeps goes with the stack's clock.
fn keeps_nothing(index: &Index, by: &Instance) -> bool {
    let follows = || index.processes.get(by).is_some_and(|process| process.follows == Some(true));
    index.scenario.consumers.get(&by.consumer).is_none_or(|consumer| {
        consumer.keeps_no_wall_clock_state
            || matches!(consumer.runs, Program::Worker(_))
            || (consumer.time == ConsumerTime::Follow && follows())
    })
}
