//! The process between havoq and a consumer, one for each start of an instance.
//!
//! ```text
//!   havoq ──order, then a lifeline (stdin)──> supervisor ──> the command, and all that it starts
//!         <──words (stdout)───────────────────
//! ```
//!
//! The supervisor is havoq again. It is a subreaper: whoever leaves the command's process group or
//! loses its parent becomes its child, so that nobody can get away. Once the command has ended, or
//! havoq has died and the lifeline with it, everybody below the supervisor is killed and reaped.
//! It passes no signals on; havoq sends them to the command itself. It keeps the logs, since a
//! consumer must be able to write at full speed for as long as it lives.

mod descent;
mod log;
mod tether;
mod words;

use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{SigSet, Signal, kill, killpg};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::Pid;

pub(super) use descent::{marked, strays};
use log::Log;
pub(super) use words::{Order, Word};

/// How long the streams of dead processes may take to end: someone else may hold them.
const STREAMS: Duration = Duration::from_secs(2);

/// The whole life of a supervisor.
pub fn supervise() -> io::Result<()> {
    // What a consumer or a terminal sends must not end the supervisor before those it looks after.
    SigSet::all().thread_block()?;
    adopt_orphans()?;
    let order = Order::read()?;
    let (child, logs) = match start(&order) {
        Ok(started) => started,
        Err(error) => return Word::Failed { message: error.to_string() }.say(),
    };
    let charge = Charge { pid: Pid::from_raw(child.id() as i32), alive: Arc::new(Mutex::new(true)) };
    // Should havoq be gone already, the lifeline says so next.
    Word::Started { pid: child.id() }.say().ok();
    let lifeline = charge.clone();
    std::thread::spawn(move || {
        io::copy(&mut io::stdin(), &mut io::sink()).ok();
        lifeline.kill();
    });
    let status = charge.outlive(child)?;
    let left = end_the_rest();
    let trouble = finish(&logs, status, left);
    Word::Ended { code: status.code(), signal: status.signal(), left, trouble }.say()
}

#[cfg(target_os = "linux")]
fn adopt_orphans() -> io::Result<()> {
    Ok(nix::sys::prctl::set_child_subreaper(true)?)
}

/// Elsewhere nobody can adopt; the command line warns of it.
#[cfg(not(target_os = "linux"))]
fn adopt_orphans() -> io::Result<()> {
    Ok(())
}

/// Starts the command in a group of its own; its logs come out when its streams have ended.
fn start(order: &Order) -> io::Result<(Child, Logs)> {
    let [executable, arguments @ ..] = &order.argv[..] else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
    };
    let (out, err) = (Log::create(&order.out)?, Log::create(&order.err)?);
    let mut command = Command::new(executable);
    command
        .args(arguments)
        .env_clear()
        .envs(order.environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Some(folder) = &order.folder {
        command.current_dir(folder);
    }
    tether::tie(&mut command);
    let mut child = command.spawn()?;
    let logs = Logs { out: keep(out, child.stdout.take()), err: keep(err, child.stderr.take()) };
    Ok((child, logs))
}

/// Where the logs come out.
struct Logs {
    out: Receiver<Log>,
    err: Receiver<Log>,
}

fn keep(log: Log, stream: Option<impl Read + Send + 'static>) -> Receiver<Log> {
    let (done, kept) = channel();
    if let Some(stream) = stream {
        std::thread::spawn(move || done.send(log.keep(stream)));
    }
    kept
}

/// The command's process, as long as its pid is its own.
#[derive(Clone)]
struct Charge {
    pid: Pid,
    alive: Arc<Mutex<bool>>,
}

impl Charge {
    fn kill(&self) {
        if *self.alive.lock().unwrap_or_else(PoisonError::into_inner) {
            killpg(self.pid, Signal::SIGKILL).ok();
        }
    }

    /// Waits until the command has ended, and kills what is left of its group.
    fn outlive(&self, mut child: Child) -> io::Result<ExitStatus> {
        self.wait(&mut child);
        // Not reaped yet, so that the group is still the command's.
        self.kill();
        let mut alive = self.alive.lock().unwrap_or_else(PoisonError::into_inner);
        *alive = false;
        child.wait()
    }

    /// Waits for the command without reaping it, and reaps the adopted meanwhile.
    #[cfg(target_os = "linux")]
    fn wait(&self, child: &mut Child) {
        use nix::sys::wait::{Id, waitid};
        loop {
            match waitid(Id::All, WaitPidFlag::WEXITED | WaitPidFlag::WNOWAIT) {
                Ok(status) if status.pid() == Some(self.pid) => return,
                Ok(status) => {
                    waitpid(status.pid(), None).ok();
                }
                Err(Errno::EINTR) => {}
                // Ended by a signal without a name, which only the standard library can read.
                Err(Errno::EINVAL) => match child.try_wait() {
                    Ok(None) => {
                        waitpid(None, Some(WaitPidFlag::WNOHANG)).ok();
                    }
                    _ => return,
                },
                Err(_) => return,
            }
        }
    }

    #[cfg(not(target_os = "linux"))]
    fn wait(&self, child: &mut Child) {
        child.wait().ok();
    }
}

/// Kills and reaps everybody that is left. How many there were.
fn end_the_rest() -> u32 {
    let mut ended = 0;
    let look = Some(WaitPidFlag::WNOHANG);
    let mut how = look;
    loop {
        match waitpid(None, how) {
            Ok(WaitStatus::StillAlive) => {
                for pid in descent::below(std::process::id()) {
                    kill(pid, Signal::SIGKILL).ok();
                }
                // Until one of them is dead; its children then come here, and are seen.
                how = None;
                continue;
            }
            Ok(WaitStatus::Signaled(_, Signal::SIGKILL, _)) => ended += 1,
            Ok(_) | Err(Errno::EINTR | Errno::EINVAL) => {}
            // No child is left, and so no descendant.
            Err(_) => return ended,
        }
        how = look;
    }
}

/// Completes the logs. What went wrong with them, if something did.
fn finish(logs: &Logs, status: ExitStatus, left: u32) -> Option<String> {
    let held = |_| Some("a stream of the consumer did not end, so the end of its log is missing".to_owned());
    let remark = remark(status, left);
    let out = logs.out.recv_timeout(STREAMS).map_or_else(held, |log| log.finish(None));
    let err = logs.err.recv_timeout(STREAMS).map_or_else(held, |log| log.finish(remark.as_deref()));
    out.or(err)
}

/// A command that goes to the background looks as if it had ended; its log says what became of it.
fn remark(status: ExitStatus, left: u32) -> Option<String> {
    let s = if left == 1 { "" } else { "es" };
    (status.code().is_some() && left > 0).then(|| {
        format!(
            "the command ended and left {left} process{s} behind, which havoq ended as well\n\
             hint: run the consumer in the foreground"
        )
    })
}
