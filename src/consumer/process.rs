//! One operating-system process of a consumer, in a process group of its own.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::{ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::environment::Surroundings;
use super::spec::{Program, Spec};
use super::time::Preload;
use crate::history::Instance;
use crate::tap::{Hold, Tap};

/// A started process, until the fleet has dealt with its end.
pub(super) struct Running {
    pub by: Instance,
    pub pid: u32,
    pub tap: Tap,
    /// Why havoq ends it, once it does.
    pub ending: Mutex<Option<Ending>>,
    /// Set once its exit is recorded.
    pub gone: watch::Sender<bool>,
}

/// Why havoq ended a process.
pub(super) struct Ending {
    pub why: String,
    /// The fault, when it was one.
    pub fault: Option<Execution>,
}

/// A fault that ends a process.
pub(super) struct Execution {
    pub fault: String,
    pub signal: Signal,
    pub collateral: Vec<havoq_base::ids::Marker>,
    /// The held call, for a kill at a crash point.
    pub hold: Option<(Hold, crate::tap::Release)>,
    pub restart: Option<super::spec::Restart>,
}

impl Running {
    /// Sends a signal to the whole process group. False when nobody was there any more.
    pub fn signal(&self, signal: Signal) -> bool {
        signal_group(self.pid, signal)
    }

    pub async fn wait_until_gone(&self) {
        self.gone.subscribe().wait_for(|gone| *gone).await.ok();
    }
}

/// The process groups that are alive, for an end that has no time for order.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Kills every process group that was started and has not been reaped.
pub fn kill_everything() {
    let groups = GROUPS.lock().unwrap_or_else(PoisonError::into_inner);
    for group in groups.iter() {
        signal_group(*group, Signal::SIGKILL);
    }
}

pub(super) fn started(pid: u32) {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner).insert(pid);
}

pub(super) fn reaped(pid: u32) {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner).remove(&pid);
}

/// False when nobody was there any more.
fn signal_group(pid: u32, signal: Signal) -> bool {
    // A pid that does not fit is none that the system gave us.
    i32::try_from(pid).is_ok_and(|pid| killpg(Pid::from_raw(pid), signal).is_ok())
}

/// Starts the program with its standard streams in files of their own.
pub(super) fn spawn(
    program: &Program,
    spec: &Spec,
    by: &Instance,
    tap: &Tap,
    surroundings: &Surroundings,
    preload: Option<&Preload>,
) -> io::Result<Child> {
    let [executable, arguments @ ..] = &program.argv[..] else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    std::fs::create_dir_all(&surroundings.logs)?;
    std::fs::create_dir_all(surroundings.state_dir(&by.consumer))?;
    let log = |ending: &str| File::create(surroundings.logs.join(format!("{by}.{ending}")));
    Command::new(executable)
        .args(arguments)
        .env_clear()
        .envs(surroundings.environment(spec, by, tap.address(), preload))
        .stdin(Stdio::null())
        .stdout(log("out")?)
        .stderr(log("err")?)
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
}

/// The exit code, or the signal that ended the process.
pub(super) fn exit_of(status: io::Result<ExitStatus>) -> (Option<i32>, Option<i32>) {
    status.map_or((None, None), |status| (status.code(), status.signal()))
}
