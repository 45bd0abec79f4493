//! When may the judge stop? (design, section 6, the horizon)

use havoq_base::{RealDuration, RealTime, StackDuration, StackTime, clock};

use super::attempt::Attempt;
use super::bounds::at_the_end;
use crate::check::{Progress, standing};
use crate::scenario::{Alarm, Claim};
use crate::stack::Stack;
use crate::tap::{Closing, UNCALIBRATED};

/// How long the state of the claims may be taken as known while messages are on the move: asking
/// after each event would cost as much as there are messages, each time.
const CLAIMS_KNOWN: RealDuration = RealDuration::from_millis(50);

/// A change may come between the look and the wait for the next one.
const LOOK_AGAIN: RealDuration = RealDuration::from_millis(100);

impl Attempt<'_> {
    /// Runs on until the end is reached: `None`; or until the run is cut short: by what.
    pub(super) async fn reach_horizon(&mut self, from: StackTime) -> Option<String> {
        // The first instant at which nothing in the stack could move a message any more.
        let mut settled_at = None;
        let mut looked = None;
        let mut deadline = None;
        loop {
            if let Some(cut) = self.waiting.cut_reason() {
                return Some(cut);
            }
            self.digest();
            let (now, real_now) = (self.clock.now(), self.clock.real_now());
            if self.can_move() {
                settled_at = None;
                // A deadline that is no longer awaited only makes the clock halt there.
                let stale = looked.is_none_or(|looked| real_now.since(looked) >= CLAIMS_KNOWN);
                if stale || deadline.is_some_and(|deadline| deadline <= now) {
                    deadline = self.open_claims(from, now).0;
                    looked = Some(real_now);
                }
                // What could move a message may be over without an event: a timer whose work is
                // done, a start that has settled.
                tokio::select! {
                    () = self.waiting.event_or(deadline) => {}
                    () = clock::sleep(LOOK_AGAIN) => {}
                }
                continue;
            }
            let open_alarms;
            (deadline, open_alarms) = self.open_claims(from, now);
            looked = Some(real_now);
            let settled_at = *settled_at.get_or_insert(now);
            let rest = self.watched_alarms(&open_alarms).map(settling_time).max();
            let until = rest.map(|rest| settled_at + rest).max(deadline);
            match until.filter(|until| *until > now) {
                Some(until) => {
                    self.waiting.event_or(Some(deadline.map_or(until, |first| first.min(until)))).await
                }
                None if self.rests().await => return None,
                None => {}
            }
        }
    }

    /// The next deadline of a claim that is still open, and the alarms that open claims without a
    /// deadline wait for.
    fn open_claims(&self, from: StackTime, now: StackTime) -> (Option<StackTime>, Vec<String>) {
        let mut deadlines = Vec::new();
        let mut alarms = Vec::new();
        for (_, expectation) in self.scenario.claimed() {
            let Progress::Open { deadline } = standing(&expectation.claim, &self.index, from, now) else {
                continue;
            };
            match (deadline, &expectation.claim) {
                (Some(deadline), _) => deadlines.push(deadline),
                (None, Claim::Alarm { name, .. }) => alarms.push(name.clone()),
                (None, _) => {}
            }
        }
        (deadlines.into_iter().filter(|deadline| *deadline > now).min(), alarms)
    }

    /// The alarms whose evaluation must be seen out: those that must stay, and those in `open`.
    fn watched_alarms<'a>(&'a self, open: &'a [String]) -> impl Iterator<Item = &'a Alarm> {
        let staying = self.scenario.expect.iter().filter_map(|expectation| match &expectation.claim {
            Claim::Stays { alarm, .. } => Some(alarm),
            _ => None,
        });
        staying.chain(open).filter_map(|name| self.scenario.stack.alarms.get(name))
    }

    /// (b) and (c): a timer, a move task, a restart or a reader could still move a message.
    fn can_move(&self) -> bool {
        let Stack::Embedded(stack) = &self.stack else { return false };
        let state = self.activity.lock();
        let frozen = stack.freeze();
        if frozen.next_delivery_timer().is_some()
            || frozen.move_task_running()
            || frozen.invocations_under_way() > 0
            || self.clock.next_timer().is_some()
        {
            return true;
        }
        if state.is_changing() {
            return true;
        }
        let visible =
            frozen.queues().filter(|name| frozen.depth(name).is_some_and(|depth| depth.visible > 0));
        visible.into_iter().any(|name| {
            let queue = stack.directory().id_of(name);
            let readers = state.readers(&queue, RealTime::default(), self.activity.limits());
            readers.iter().any(|reader| !reader.idle)
        })
    }

    /// (e): the clock stands, and no live consumer acts for the largest processing bound. False
    /// when one did, or is in the middle of a call. Whoever has something in hand and has not come
    /// back gets the time that it would get before its bound was known: if it acts, that bound was
    /// too short.
    pub(super) async fn rests(&self) -> bool {
        let mut bound = self.activity.largest_bound();
        if self.activity.lock().passed_over() {
            bound = at_the_end(bound);
        }
        let began = self.clock.real_now();
        clock::sleep(bound).await;
        let last = began + bound.max(UNCALIBRATED);
        let acted = || self.activity.lock().last_act() > began;
        while !acted() && self.activity.lock().at_work() {
            let now = self.clock.real_now();
            if now >= last {
                break;
            }
            let mut changed = self.activity.subscribe();
            tokio::select! {
                _ = changed.changed() => {}
                () = clock::sleep(last.since(now).min(LOOK_AGAIN)) => {}
            }
        }
        let state = self.activity.lock();
        let parked = match &self.stack {
            Stack::Embedded(stack) => stack.freeze().parked_polls(),
            // It does not tell; what else could be running shows as an act.
            Stack::Foreign(_) => usize::MAX,
        };
        state.last_act() <= began && state.closing(parked, self.clock.real_now()) == Closing::Quiet
    }
}

/// (d): EvaluationPeriods x Period, and a minute more.
pub(super) fn settling_time(alarm: &Alarm) -> StackDuration {
    alarm.period.times(u64::from(alarm.evaluation_periods)) + StackDuration::from_secs(60)
}
