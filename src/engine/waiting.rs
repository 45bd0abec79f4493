//! Rule 5 of quiescence: the clock jumps only while the engine waits, no further than what it
//! waits for, and never before the engine has read all that was recorded.

use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};

use havoq_base::StackTime;
use tokio::sync::watch;

use crate::history::Recorder;
use crate::inject::Patience;

/// What the engine waits for, as the clock's jumper sees it.
#[derive(Debug)]
pub(super) struct Waiting {
    recorder: Recorder,
    state: Mutex<State>,
    changed: watch::Sender<()>,
}

#[derive(Clone, Debug, Default)]
struct State {
    /// How much of the history the engine has read.
    seen: usize,
    waits: bool,
    until: Option<StackTime>,
    cut: Option<String>,
}

/// Leave to jump.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grant {
    pub seen: usize,
    /// Not past this.
    pub until: Option<StackTime>,
}

impl Waiting {
    pub fn new(recorder: Recorder) -> Self {
        Self { recorder, state: Mutex::default(), changed: watch::Sender::new(()) }
    }

    pub fn subscribe(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    pub fn grant(&self) -> Option<Grant> {
        let state = self.state();
        (state.waits && state.cut.is_none()).then_some(Grant { seen: state.seen, until: state.until })
    }

    /// Ends the run here: going on would not show what real time would.
    pub fn cut(&self, reason: String) {
        self.state().cut.get_or_insert(reason);
        self.changed.send_replace(());
    }

    pub fn cut_reason(&self) -> Option<String> {
        self.state().cut.clone()
    }

    /// Waits until more is recorded than when this last returned, until the time, or until the run
    /// is cut.
    pub async fn event_or(&self, until: Option<StackTime>) {
        let mut events = self.recorder.subscribe();
        let mut changed = self.changed.subscribe();
        if self.catch_up() {
            return;
        }
        let _permit = self.begin(until);
        let clock = self.recorder.clock();
        let due = async {
            match until {
                Some(until) => clock.sleep_until(until).await,
                None => std::future::pending().await,
            }
        };
        let cut = async {
            while self.cut_reason().is_none() {
                if changed.changed().await.is_err() {
                    std::future::pending::<()>().await;
                }
            }
        };
        let seen = self.state().seen;
        tokio::select! {
            _ = events.wait_for(|length| *length > seen) => {}
            () = due => {}
            () = cut => {}
        }
        self.catch_up();
    }

    /// True when there was something unread.
    fn catch_up(&self) -> bool {
        let length = self.recorder.len();
        let mut state = self.state();
        let unread = length > state.seen;
        state.seen = length;
        unread
    }

    fn begin(&self, until: Option<StackTime>) -> Permit<'_> {
        let mut state = self.state();
        state.waits = true;
        state.until = until;
        drop(state);
        self.changed.send_replace(());
        Permit(self)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the wait when dropped, also when the waiting future is.
struct Permit<'a>(&'a Waiting);

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.0.state().waits = false;
    }
}

impl Patience for Waiting {
    fn event_or(&self, until: Option<StackTime>) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
        Box::pin(self.event_or(until))
    }
}
