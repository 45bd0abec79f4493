//! Moves a virtual clock: when nothing can happen before the next timer, it jumps there.
//!
//! ```text
//!   engine waits? ──no──> wait          (rule 5)
//!   a call runs, a retry is owed? ──yes──> wait        (rule 1)
//!   a message is open? ──yes──> wait    (rule 2)
//!   someone could receive? ──yes──> wait, at most the poll bound   (rule 3)
//!   someone has not polled yet? ──yes──> wait, at most the start bound   (rule 4)
//!   jump to the next timer
//! ```

use std::collections::HashMap;
use std::sync::Arc;

use havoq_base::{Clock, Pace, RealDuration, RealTime, StackDuration, StackTime, clock};

use super::specs::Keeper;
use super::waiting::{Grant, Waiting};
use crate::consumer::Showing;
use crate::history::{Closed, Kind, Recorder, Source};
use crate::stack::Embedded;
use crate::tap::{Activity, Closing, Reader, State};

/// How far the clock may jump in all while consumers may keep state in wall-clock time that does
/// not jump along.
const WALL_CLOCK_LIMIT: StackDuration = StackDuration::from_secs(3_600);

/// When nothing tells that the world has changed, look again after this.
const LOOK_AGAIN: RealDuration = RealDuration::from_millis(2);

pub(super) struct Jumper {
    pub clock: Clock,
    pub stack: Arc<Embedded>,
    pub activity: Arc<Activity>,
    pub recorder: Recorder,
    pub waiting: Arc<Waiting>,
    /// Consumers that may keep wall-clock state.
    pub keepers: Vec<Keeper>,
    pub showing: Arc<Showing>,
    pub deliverable: HashMap<String, Deliverable>,
}

/// Since when, in real time, a queue has had this many visible messages.
#[derive(Clone, Copy)]
pub(super) struct Deliverable {
    visible: u64,
    since: RealTime,
}

enum Look {
    Jumped,
    /// These do not take what they could, so they no longer hold the clock.
    Idle(Vec<(Reader, String, &'static str)>),
    /// Until something changes, or until then.
    Wait(Option<RealTime>),
    Cut(String),
}

impl Jumper {
    pub async fn run(mut self) {
        if self.clock.pace() == Pace::Real {
            return;
        }
        loop {
            let (mut events, mut activity, mut waiting) =
                (self.recorder.subscribe(), self.activity.subscribe(), self.waiting.subscribe());
            match self.look() {
                Look::Jumped => tokio::task::yield_now().await,
                Look::Idle(readers) => self.declare_idle(readers),
                Look::Cut(reason) => self.waiting.cut(reason),
                Look::Wait(until) => {
                    let now = self.clock.real_now();
                    let nap = async {
                        match until {
                            Some(until) => clock::sleep(until.since(now)).await,
                            None => std::future::pending().await,
                        }
                    };
                    tokio::select! {
                        _ = events.changed() => {}
                        _ = activity.changed() => {}
                        _ = waiting.changed() => {}
                        () = nap => {}
                    }
                }
            }
        }
    }

    /// One look at everything at once: while both locks are held, no call begins and none ends.
    fn look(&mut self) -> Look {
        let Some(grant) = self.waiting.grant() else { return Look::Wait(None) };
        let activity = Arc::clone(&self.activity);
        let stack = Arc::clone(&self.stack);
        let mut state = activity.lock();
        let mut frozen = stack.freeze();
        if grant.seen != self.recorder.len() {
            return Look::Wait(Some(self.clock.real_now() + LOOK_AGAIN));
        }
        let now = self.clock.real_now();
        if let Closing::Until(until) = state.closing(frozen.parked_polls(), now) {
            // A call that runs may be a poll on its way to be parked, and nothing tells when it is.
            return Look::Wait(until.or(Some(now + LOOK_AGAIN)));
        }
        if frozen.posts_without_answer() > 0 {
            // Whoever has to answer lives in real time.
            return Look::Wait(Some(now + LOOK_AGAIN));
        }
        if frozen.invocations_under_way() > state.works() {
            // It is on its way to an environment, or back.
            return Look::Wait(Some(now + LOOK_AGAIN));
        }
        let names: Vec<String> = frozen.queues().map(str::to_owned).collect();
        let mut idle = Vec::new();
        let mut could_deliver = false;
        for name in names {
            let queue = self.stack.directory().id_of(&name);
            let visible = frozen.depth(&name).map_or(0, |depth| depth.visible);
            let since = self.deliverable_since(&queue, visible, now);
            for reader in state.readers(&queue, since, activity.limits()) {
                if reader.idle || (visible == 0 && reader.has_polled) {
                    continue;
                }
                could_deliver |= visible > 0;
                if reader.patience_ends > now {
                    return Look::Wait(Some(reader.patience_ends));
                }
                let reason = if reader.has_polled {
                    "left a deliverable message where it was for longer than its poll bound"
                } else {
                    "has not polled within its start bound"
                };
                idle.push((reader, queue.clone(), reason));
            }
        }
        if !idle.is_empty() {
            return Look::Idle(idle);
        }
        let own = [grant.until, frozen.next_timer(), self.clock.next_timer()];
        let Some(to) = own.into_iter().flatten().min() else { return Look::Wait(None) };
        let from = self.clock.now();
        if to <= from {
            return Look::Wait(Some(now + LOOK_AGAIN));
        }
        could_deliver |= frozen.next_delivery_timer().is_some() || frozen.move_task_running();
        could_deliver |= frozen.next_scheduled_timer().is_some();
        could_deliver |= grant.steps_left;
        if could_deliver
            && self.clock.skipped() + to.since(from) > WALL_CLOCK_LIMIT
            && let Some(reason) = self.own_time(&state, &grant)
        {
            return Look::Cut(reason);
        }
        let closed = state.take_closed();
        self.jump(&mut frozen, from, to, closed);
        Look::Jumped
    }

    /// Why the clock may not go further past somebody's own wall clock: a consumer that does not
    /// follow has polled, so it may have written down the time, and may read it again.
    fn own_time(&self, state: &State, grant: &Grant) -> Option<String> {
        let coming_back = grant.steps_left || self.clock.next_timer().is_some();
        self.keepers.iter().find_map(|keeper| {
            let may_read = state.has_live(&keeper.consumer) || (keeper.comes_back && coming_back);
            let why = self.showing.keeps_own_time(&keeper.consumer).filter(|_| may_read)?;
            Some(own_time_reason(&keeper.consumer, &why))
        })
    }

    fn jump(
        &self,
        frozen: &mut havoq_sandbox::Frozen<'_>,
        from: StackTime,
        to: StackTime,
        closed: Vec<Closed>,
    ) {
        // On record first, so that what the timers do stands behind it.
        self.recorder.record_at(from, Source::Engine, Kind::ClockJumped { from, to, closed });
        frozen.jump_to(to);
    }

    fn deliverable_since(&mut self, queue: &str, visible: u64, now: RealTime) -> RealTime {
        let fresh = Deliverable { visible, since: now };
        let known = self.deliverable.entry(queue.to_owned()).or_insert(fresh);
        // A message was taken, or the first one came: patience starts anew.
        if visible < known.visible || known.visible == 0 {
            known.since = now;
        }
        known.visible = visible;
        known.since
    }

    fn declare_idle(&self, readers: Vec<(Reader, String, &'static str)>) {
        for (reader, queue, reason) in readers {
            self.activity.set_idle(&reader.by, &queue);
            let kind = Kind::ConsumerIdle { by: reader.by, queue, reason: reason.to_owned() };
            self.recorder.record(Source::Engine, kind);
        }
    }
}

fn own_time_reason(consumer: &str, why: &str) -> String {
    format!(
        "the clock may not jump past {WALL_CLOCK_LIMIT} in all while {consumer} may keep state by a wall clock \
         of its own ({why})\n\
         hint: declare `wall_clock: none` for the consumer, or use --clock real"
    )
}
