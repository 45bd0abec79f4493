//! The stack's clock: `now = start + real elapsed + skipped`. Jumping adds to `skipped`, so the
//! clock never stands still and never runs backwards.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use tokio::sync::watch;

use crate::time::{RealDuration, RealTime, StackDuration, StackTime};

/// The instant from which a run counts its real time.
#[derive(Clone, Copy, Debug)]
pub struct RunStart(Instant);

impl RunStart {
    #[expect(clippy::disallowed_methods, reason = "the one place that reads real time")]
    pub fn now() -> Self {
        Self(Instant::now())
    }

    /// Real time since the run began.
    pub fn elapsed(&self) -> RealTime {
        RealTime::from_micros(self.0.elapsed().as_micros() as u64)
    }
}

/// The machine's wall clock as a point on a stack's clock, to start one from.
#[expect(clippy::disallowed_methods, reason = "the one place that reads the wall clock")]
pub fn wall_clock() -> StackTime {
    let since_epoch = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    StackTime::from_micros(since_epoch.map_or(0, |span| span.as_micros() as u64))
}

/// Whether the clock may jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// Stack time is real time, but for what [`Clock::advance`] is asked to skip.
    Real,
    /// Stack time may jump over spans in which nothing can happen.
    Virtual,
}

/// One jump of a virtual clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    pub from: StackTime,
    pub to: StackTime,
}

/// A stack's clock; clones share it.
#[derive(Clone, Debug)]
pub struct Clock {
    shared: Arc<Shared>,
}

struct Shared {
    pace: Pace,
    run: RunStart,
    /// What the clock shows when the run is `run_offset` old.
    start: StackTime,
    run_offset: RealTime,
    skipped: AtomicU64,
    jumps: watch::Sender<()>,
    followers: Mutex<Vec<Follower>>,
    timers: Mutex<Timers>,
}

/// Is told of all that will have been skipped after a jump, before anyone can see the jump.
type Follower = Box<dyn Fn(StackDuration) + Send>;

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Clock")
            .field("pace", &self.pace)
            .field("skipped", &self.skipped)
            .finish_non_exhaustive()
    }
}

#[derive(Debug, Default)]
struct Timers {
    set: BTreeSet<(StackTime, u64)>,
    made: u64,
}

/// Something that is to happen at a time on the clock; the clock is not jumped past it. Dropping
/// it takes it off.
#[derive(Debug)]
pub struct Timer {
    clock: Clock,
    key: (StackTime, u64),
}

impl Clock {
    /// A clock that shows `start` now and reports real time since `run`.
    pub fn new(pace: Pace, start: StackTime, run: RunStart) -> Self {
        let shared = Shared {
            pace,
            run,
            start,
            run_offset: run.elapsed(),
            skipped: AtomicU64::new(0),
            jumps: watch::Sender::new(()),
            followers: Mutex::default(),
            timers: Mutex::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    pub fn pace(&self) -> Pace {
        self.shared.pace
    }

    /// The stack's time now.
    pub fn now(&self) -> StackTime {
        let elapsed = self.real_now().since(self.shared.run_offset);
        self.shared.start + StackDuration::from_micros(elapsed.as_micros()) + self.skipped()
    }

    /// Real time since the run began.
    pub fn real_now(&self) -> RealTime {
        self.shared.run.elapsed()
    }

    /// All that has been jumped over so far.
    pub fn skipped(&self) -> StackDuration {
        StackDuration::from_micros(self.shared.skipped.load(Ordering::SeqCst))
    }

    /// Moves a virtual clock forward to `to`. `None` when that is not ahead, or the pace is real.
    pub fn jump_to(&self, to: StackTime) -> Option<Jump> {
        if self.shared.pace == Pace::Real {
            return None;
        }
        let from = self.now();
        let span = to.since(from);
        if span == StackDuration::ZERO {
            return None;
        }
        self.skip(span);
        Some(Jump { from, to })
    }

    /// Moves the clock on by `span`, whatever its pace: somebody asked for it, who knows that time
    /// is missing then.
    pub fn advance(&self, span: StackDuration) -> StackTime {
        self.skip(span);
        self.now()
    }

    fn skip(&self, span: StackDuration) {
        let followers = self.shared.followers.lock().unwrap_or_else(PoisonError::into_inner);
        followers.iter().for_each(|follower| follower(self.skipped() + span));
        self.shared.skipped.fetch_add(span.as_micros(), Ordering::SeqCst);
        drop(followers);
        self.shared.jumps.send_replace(());
    }

    /// Has another clock follow this one: at each jump, before anyone can see it, `follower` is told
    /// of all that will have been skipped after it.
    pub fn on_jump(&self, follower: impl Fn(StackDuration) + Send + 'static) {
        self.shared.followers.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(follower));
    }

    /// Sets a timer for `at`.
    pub fn timer(&self, at: StackTime) -> Timer {
        let mut timers = self.timers();
        timers.made += 1;
        let key = (at, timers.made);
        timers.set.insert(key);
        Timer { clock: self.clone(), key }
    }

    /// The earliest timer that is set.
    pub fn next_timer(&self) -> Option<StackTime> {
        self.timers().set.first().map(|(at, _)| *at)
    }

    fn timers(&self) -> MutexGuard<'_, Timers> {
        self.shared.timers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the stack's clock shows `until`, by passing time or by a jump.
    pub async fn sleep_until(&self, until: StackTime) {
        let mut jumps = self.shared.jumps.subscribe();
        loop {
            let left = until.since(self.now());
            if left == StackDuration::ZERO {
                return;
            }
            let left = RealDuration::from_micros(left.as_micros());
            tokio::select! {
                () = sleep(left) => {}
                _ = jumps.changed() => {}
            }
        }
    }
}

impl Timer {
    /// Waits until the clock shows the timer's time.
    pub async fn due(&self) {
        self.clock.sleep_until(self.key.0).await;
    }
}

impl Drop for Timer {
    fn drop(&mut self) {
        self.clock.timers().set.remove(&self.key);
    }
}

/// Waits for a span of real time.
pub async fn sleep(span: RealDuration) {
    tokio::time::sleep(span.as_std()).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn clock(pace: Pace) -> Clock {
        Clock::new(pace, StackTime::from_secs(1_000_000), RunStart::now())
    }

    #[test]
    fn a_real_clock_never_jumps() {
        let clock = clock(Pace::Real);
        assert_eq!(clock.jump_to(clock.now() + StackDuration::from_secs(60)), None);
        assert_eq!(clock.skipped(), StackDuration::ZERO);
    }

    #[tokio::test]
    async fn a_real_clock_can_be_moved_on_and_wakes_those_whose_time_has_come() {
        let clock = clock(Pace::Real);
        let (before, day) = (clock.now(), StackDuration::from_secs(86_400));
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep_until(before + day).await }
        });
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        assert!(clock.advance(day) >= before + day);
        assert_eq!(clock.skipped(), day);
        sleeper.await.expect("the sleeper ends");
    }

    #[test]
    fn the_earliest_timer_counts_until_it_is_dropped() {
        let clock = clock(Pace::Virtual);
        let (early, late) = (StackTime::from_secs(2_000_000), StackTime::from_secs(3_000_000));
        let late_timer = clock.timer(late);
        let early_timer = clock.timer(early);
        assert_eq!(clock.next_timer(), Some(early));
        drop(early_timer);
        assert_eq!(clock.next_timer(), Some(late));
        drop(late_timer);
        assert_eq!(clock.next_timer(), None);
    }

    #[tokio::test]
    async fn a_jump_wakes_a_sleeper_whose_time_has_come() {
        let clock = clock(Pace::Virtual);
        let until = clock.now() + StackDuration::from_secs(86_400);
        let sleeper = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep_until(until).await }
        });
        tokio::task::yield_now().await;
        assert!(!sleeper.is_finished());
        clock.jump_to(until).expect("a jump ahead is made");
        sleeper.await.expect("the sleeper ends");
    }

    #[test]
    fn a_follower_is_told_before_the_clock_shows_the_jump() {
        let clock = clock(Pace::Virtual);
        let (told, saw) = std::sync::mpsc::channel();
        clock.on_jump({
            let skipped = Arc::downgrade(&clock.shared);
            move |total| {
                let shared = skipped.upgrade().expect("the clock that jumps");
                let before = StackDuration::from_micros(shared.skipped.load(Ordering::SeqCst));
                told.send((before, total)).expect("the test listens");
            }
        });
        for _ in 0..2 {
            clock.jump_to(clock.now() + StackDuration::from_secs(60)).expect("a jump ahead is made");
        }
        let [(none, first), (before, second)] = [saw.recv().expect("a jump"), saw.recv().expect("a jump")];
        assert_eq!(none, StackDuration::ZERO);
        assert_eq!(before, first);
        assert_eq!(second, clock.skipped());
    }

    proptest! {
        #[test]
        fn jumps_add_up_and_time_never_runs_backwards(spans in proptest::collection::vec(0u64..10_000_000, 0..40)) {
            let clock = clock(Pace::Virtual);
            let mut last = clock.now();
            let mut skipped = StackDuration::ZERO;
            for span in spans {
                if let Some(jump) = clock.jump_to(last + StackDuration::from_micros(span)) {
                    skipped += jump.to.since(jump.from);
                    prop_assert!(clock.now() >= jump.to);
                }
                prop_assert!(clock.now() >= last);
                last = clock.now();
                prop_assert_eq!(clock.skipped(), skipped);
            }
        }
    }
}
