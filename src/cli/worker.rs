//! `havoq worker`: the reference consumer, as a process of its own.

use std::path::PathBuf;
use std::time::Duration;

use crate::consumer::worker::{Bug, Options, run};
use crate::report::Exit;

/// Consume a queue as the reference consumer does; scenarios start it with `worker: {}`.
#[derive(clap::Args)]
pub(super) struct Worker {
    /// A mistake to make.
    #[arg(long)]
    bug: Option<Bug>,
    /// How long the work on a message takes, in milliseconds.
    #[arg(long, default_value_t = 0)]
    work_ms: u64,
    /// The effect to make; its address is in HAVOQ_EFFECT_<NAME>_URL.
    #[arg(long)]
    effect: Option<String>,
    /// Treat messages of a version above 1 as poison.
    #[arg(long)]
    rejects_next_version: bool,
    /// The queue to consume.
    #[arg(long, env = "HAVOQ_QUEUE_URL")]
    queue_url: String,
    /// Where the marks of finished orders are kept.
    #[arg(long, env = "HAVOQ_STATE_DIR")]
    state_dir: PathBuf,
}

impl Worker {
    pub(super) fn execute(self) -> Exit {
        let effect_url = match self.effect.as_deref().map(effect_url).transpose() {
            Ok(url) => url,
            Err(error) => {
                eprintln!("error: {error}");
                return Exit::Usage;
            }
        };
        let options = Options {
            bug: self.bug,
            work: Duration::from_millis(self.work_ms),
            effect_url,
            rejects_next_version: self.rejects_next_version,
            queue_url: self.queue_url,
            state_dir: self.state_dir,
        };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => {
                eprintln!("error: cannot start: {error}");
                return Exit::Error;
            }
        };
        match runtime.block_on(run(options)) {
            Ok(()) => Exit::Pass,
            Err(error) => {
                eprintln!("error: {error}");
                Exit::Error
            }
        }
    }
}

fn effect_url(effect: &str) -> Result<String, String> {
    let name = crate::consumer::effect_variable(effect);
    std::env::var(&name).map_err(|_| format!("effect {effect} has no address: {name} is not set"))
}
