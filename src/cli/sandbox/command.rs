//! `havoq sandbox`: from the command line to the last signal.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use havoq_base::clock::wall_clock;
use havoq_base::{Clock, Pace, RunStart, Seed};
use havoq_lambda::Functions;
use havoq_sandbox::{Places, Settings, serve};
use tokio::runtime::Builder;

use super::control::Controlled;
use crate::aws::{ACCOUNT, REGION};
use crate::cli::interrupt::Signals;
use crate::cli::serving::{Loopback, account};
use crate::cli::startup::{block_on, told};
use crate::consumer::{Local, Pool, kill_everything};
use crate::report::Exit;

/// Serve the embedded stack on its own, in real time, for any AWS SDK, the AWS CLI and tests.
///
/// It holds nothing at first and keeps nothing. Credentials are not checked: an access key of 12
/// digits names the account, and the region is the caller's own. `POST /_havoq/clock/advance` with
/// `{"by": "180s"}` moves its clock on, `POST /_havoq/reset` empties it. Ctrl-C ends it (exit 130);
/// a port that is taken is exit 5.
#[derive(clap::Args)]
pub(in crate::cli) struct Sandbox {
    /// Where to listen, on loopback; port 0 takes a free one, which is printed.
    #[arg(long, default_value = "127.0.0.1:4566")]
    listen: Loopback,
    /// The account of callers whose access key names none.
    #[arg(long, default_value = ACCOUNT, value_parser = account)]
    account: String,
    /// The region of callers that sign for none.
    #[arg(long, default_value = REGION, value_parser = region)]
    region: String,
    /// Makes the ids that it gives out repeatable.
    #[arg(long)]
    seed: Option<Seed>,
    /// The folder for what functions write: two files for each environment. Kept nowhere when absent.
    #[arg(long)]
    function_logs: Option<PathBuf>,
}

fn region(text: &str) -> Result<String, String> {
    let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let is_region = !text.is_empty() && text.bytes().all(fits);
    is_region.then(|| text.to_owned()).ok_or_else(|| "expected a region such as us-east-1".to_owned())
}

impl Sandbox {
    pub(in crate::cli) fn execute(self) -> Exit {
        // One thread: several would meet at the one lock, and a call that is handed over costs more
        // (benches/README.md).
        block_on(&mut Builder::new_current_thread(), self.serve()).unwrap_or_else(|exit| exit)
    }

    async fn serve(self) -> Result<Exit, Exit> {
        let signals = Signals::listening()?;
        let (listener, address) = self.listen.bind().await?;
        // Gone with this command, whatever functions have been given.
        let folder = tempfile::Builder::new().prefix("havoq-").tempdir();
        let folder = folder
            .map_err(|error| format!("cannot make a folder for functions: {error}"))
            .map_err(told(Exit::Error))?;
        let clock = Clock::new(Pace::Real, wall_clock(), RunStart::now());
        let functions = self
            .functions(folder.path(), address, clock.clone())
            .map_err(|error| format!("cannot find havoq's own program: {error}"))
            .map_err(told(Exit::Error))?;
        let sandbox = self.sandbox(clock);
        sandbox.set_functions(functions);
        tokio::spawn(sandbox.clone().run());
        println!("listening on http://{address}");
        let exit = tokio::select! {
            () = serve(listener, Arc::new(Controlled(sandbox))) => Err(Exit::Error),
            () = signals.first() => Ok(Exit::Interrupted),
        };
        kill_everything();
        exit
    }

    /// What runs the functions that are made here.
    fn functions(&self, folder: &Path, address: SocketAddr, clock: Clock) -> io::Result<Arc<dyn Functions>> {
        let logs = self.function_logs.clone().unwrap_or_else(|| folder.join("logs"));
        let local = Local::new(std::env::current_exe()?, address, folder.to_owned(), logs, clock);
        Ok(Arc::new(Pool::new(Arc::new(local))))
    }

    fn sandbox(self, clock: Clock) -> havoq_sandbox::Sandbox {
        let settings = Settings {
            clock,
            seed: self.seed.unwrap_or_else(Seed::fresh),
            account: self.account,
            region: self.region,
            places: Places::Many,
        };
        // Nobody judges what happens here.
        havoq_sandbox::Sandbox::new(settings, Box::new(|_, _| {}))
    }
}
