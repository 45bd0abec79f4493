//! The task that fires timers as time passes, and sends what they have for HTTP endpoints.

use std::future::pending;

use tokio::task::JoinSet;

use super::sandbox::Sandbox;

impl Sandbox {
    /// Fires timers and sends what is for HTTP endpoints, for ever. Without it timers fire at the
    /// next call only, and nothing is sent.
    pub async fn run(self) {
        let mut sending = JoinSet::new();
        loop {
            // To enter is to fire what is due.
            let (next, outbox) = self.enter(|core, _| (core.timers.next(), core.take_outbox()));
            for outbound in outbox {
                sending.spawn(self.clone().send_out(outbound));
            }
            let due = async {
                match next {
                    Some(at) => self.0.clock.sleep_until(at).await,
                    None => pending().await,
                }
            };
            tokio::select! {
                () = self.0.earlier.notified() => {}
                () = due => {}
                Some(_) = sending.join_next() => {}
            }
        }
    }
}
