//! When may the judge stop on a foreign stack? Nothing there tells when a message can still move,
//! so it is concluded from what the taps saw and the queues' depths (design, section 6, the
//! horizon).

use havoq_base::{StackDuration, StackTime};

use super::attempt::Attempt;
use super::horizon::settling_time;
use crate::check::{Index, Progress, standing};
use crate::observe::{Look, Watcher};
use crate::scenario::Claim;
use crate::stack::StackError;

/// How far a stack may be behind its own timeouts: emulators sweep about once a second.
const LAG: StackDuration = StackDuration::from_secs(2);
/// Between two looks.
const PAUSE: StackDuration = StackDuration::from_millis(300);
/// How many looks in a row must show empty queues: one may have missed a message on its way.
const LOOKS: u32 = 2;

impl Attempt<'_> {
    /// Runs on until the end is reached: `None`; or until the run is cut short: by what.
    pub(super) async fn reach_foreign_horizon(
        &mut self,
        watcher: &Watcher,
        from: StackTime,
    ) -> Option<String> {
        let mut looks = 0;
        let mut settled = None;
        loop {
            let look = match watcher.look().await {
                Ok(look) => look,
                // Whoever watches for the stack's end cuts the run.
                Err(StackError::NoAnswer { .. }) => std::future::pending().await,
                Err(error) => return Some(format!("the queues could not be looked at: {error}")),
            };
            self.digest();
            let now = self.clock.now();
            if !self.is_settled(&look, now) {
                (looks, settled) = (0, None);
                self.pause().await;
                continue;
            }
            looks += 1;
            let settled_at = *settled.get_or_insert(now);
            if looks < LOOKS || self.alarms_due(from, settled_at, now).is_some_and(|due| due > now) {
                self.pause().await;
                continue;
            }
            // What this finds is news, after which it must be quiet again.
            if watcher.look_through().await.is_ok()
                && self.rests().await
                && let Ok(look) = watcher.look().await
            {
                self.digest();
                if self.is_settled(&look, self.clock.now()) {
                    return None;
                }
            }
            (looks, settled) = (0, None);
        }
    }

    async fn pause(&self) {
        self.waiting.event_or(Some(self.clock.now() + PAUSE)).await;
    }

    /// (b): no message that somebody could receive is left, by the taps, by the time that the stack
    /// grants its holders, and by the queues' depths.
    fn is_settled(&self, look: &Look, now: StackTime) -> bool {
        let state = self.activity.lock();
        if state.is_changing() || self.clock.next_timer().is_some() || now < quiet_from(&self.index) {
            return false;
        }
        let read = self
            .scenario
            .stack
            .queues
            .keys()
            .filter(|queue| !state.readers(queue, Default::default(), self.activity.limits()).is_empty());
        read.into_iter().all(|queue| look.depths.get(queue).is_some_and(|depth| depth.total() == 0))
    }

    /// Until when alarms that claims watch may still change.
    fn alarms_due(&self, from: StackTime, settled_at: StackTime, now: StackTime) -> Option<StackTime> {
        let claims = self.scenario.expect.iter().map(|expectation| &expectation.claim);
        let due = claims.filter_map(|claim| match claim {
            Claim::Alarm { .. } => match standing(claim, &self.index, from, now) {
                Progress::Open { deadline } => deadline,
                Progress::Holds | Progress::Broken(_) => None,
            },
            // Where no alarm was ever seen to be evaluated, waiting for one shows nothing.
            Claim::Stays { alarm, .. } if self.index.evaluates_alarms() => {
                Some(settled_at + settling_time(self.scenario.stack.alarms.get(alarm)?))
            }
            _ => None,
        });
        due.max()
    }
}

/// When all that was granted to receivers is over, and the stack has had time to act on it.
fn quiet_from(index: &Index) -> StackTime {
    let granted = index.longest_visibility();
    index.held_until().max(index.last_traffic() + granted) + LAG
}
