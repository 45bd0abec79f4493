//! The task that fires timers as time passes.

use super::sandbox::Sandbox;

impl Sandbox {
    /// Fires timers for ever. Without it they fire at the next call only.
    pub async fn run(self) {
        loop {
            // To enter is to fire what is due.
            let next = self.enter(|core, _| core.timers.next());
            let earlier = self.0.earlier.notified();
            match next {
                None => earlier.await,
                Some(at) => tokio::select! {
                    () = earlier => {}
                    () = self.0.clock.sleep_until(at) => {}
                },
            }
        }
    }
}
