//! One started process of a consumer, as havoq sees it: a command in a process group of its own,
//! below a supervisor.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use havoq_base::ids::MessageId;
use havoq_base::{RealDuration, clock};
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;

use super::supervise::{Order, Word, marked, strays};
use crate::history::Instance;
use crate::tap::{Activity, Hold, Release, Tap};

/// A started process, until the fleet has dealt with its end.
pub(super) struct Running {
    pub by: Instance,
    /// Of a function, the number of the environment that it is.
    pub environment: Option<u32>,
    /// Of an environment, the batch that it is given.
    pub batch: Mutex<Vec<MessageId>>,
    /// Of the command, and so of its process group.
    pub pid: u32,
    pub supervisor: u32,
    pub tap: Tap,
    /// Why havoq ends it, once it does.
    pub ending: Mutex<Option<Ending>>,
    /// Calls that are held for as long as a fault has it stopped.
    pub kept: Mutex<Vec<Kept>>,
    /// Set once it is reaped: its pid may be someone else's from then on.
    pub reaped: AtomicBool,
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
    pub hold: Option<(Hold, Release)>,
    pub restart: Option<super::spec::Restart>,
    /// It did not end by the signal within its grace and was killed.
    pub overdue: bool,
}

/// A call held for a stopped process. It does not count as running meanwhile: it would keep the
/// clock from reaching the time at which the process is to go on.
pub(super) struct Kept {
    hold: Option<Hold>,
    release: Release,
    activity: Arc<Activity>,
}

impl Kept {
    pub fn new(hold: Hold, release: Release, activity: Arc<Activity>) -> Self {
        activity.call_ended();
        Self { hold: Some(hold), release, activity }
    }

    /// The process goes on, and so does its call.
    pub fn let_go(mut self) {
        self.give(self.release);
    }

    fn give(&mut self, release: Release) {
        if let Some(hold) = self.hold.take() {
            self.activity.call_began();
            hold.release.send(release).ok();
        }
    }
}

impl Drop for Kept {
    /// Without the process nobody makes the call any more.
    fn drop(&mut self) {
        self.give(Release::Drop);
    }
}

impl Running {
    pub fn new(by: Instance, environment: Option<u32>, supervisor: &Supervisor, tap: Tap) -> Arc<Self> {
        Arc::new(Self {
            by,
            environment,
            batch: Mutex::default(),
            pid: supervisor.pid,
            supervisor: supervisor.own_pid,
            tap,
            ending: Mutex::new(None),
            kept: Mutex::default(),
            reaped: AtomicBool::new(false),
            gone: watch::Sender::new(false),
        })
    }

    /// Whether this message, which its instance holds, is in its own hands.
    pub fn works_on(&self, message: &MessageId) -> bool {
        let batch = || self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        self.environment.is_none() || batch().contains(message)
    }

    /// Sends a signal to the process and all its descendants. False when nobody was there any more.
    pub fn signal(&self, signal: Signal) -> bool {
        if !self.is_there() {
            return false;
        }
        let there = signal_group(self.pid, signal);
        // After a SIGKILL the supervisor sees to those who have left the group.
        if signal != Signal::SIGKILL {
            strays(self.supervisor, self.pid).for_each(|stray| _ = kill(stray, signal));
        }
        there
    }

    /// Lets go of the calls that were held while it was stopped, and has it go on.
    pub fn go_on(&self) {
        self.take_kept().into_iter().for_each(Kept::let_go);
        self.signal(Signal::SIGCONT);
    }

    /// The calls that were held while it was stopped are neither forwarded nor answered.
    pub fn drop_calls(&self) {
        drop(self.take_kept());
    }

    fn take_kept(&self) -> Vec<Kept> {
        std::mem::take(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Whether it is not reaped yet.
    pub fn is_there(&self) -> bool {
        !self.reaped.load(Ordering::Acquire) && signal_group(self.pid, None)
    }

    pub async fn wait_until_gone(&self) {
        self.gone.subscribe().wait_for(|gone| *gone).await.ok();
    }
}

/// How often to look for the orphans of a supervisor, and how long to wait in between.
const ORPHAN_LOOKS: u32 = 1_000;
const ORPHAN_PAUSE: RealDuration = RealDuration::from_millis(1);

/// The process groups that are alive, for an end that has no time for order.
static GROUPS: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Kills every process group that was started and has not been reaped; their supervisors then do
/// the rest.
pub fn kill_everything() {
    groups().iter().for_each(|group| _ = signal_group(*group, Signal::SIGKILL));
}

/// False when nobody was there any more. No signal at all only looks.
fn signal_group(pid: u32, signal: impl Into<Option<Signal>>) -> bool {
    // A pid that does not fit is none that the system gave us.
    i32::try_from(pid).is_ok_and(|pid| killpg(Pid::from_raw(pid), signal).is_ok())
}

/// havoq's side of a supervisor. When it is dropped the lifeline is, and all that is below the
/// supervisor ends.
pub(super) struct Supervisor {
    child: Child,
    words: Lines<BufReader<ChildStdout>>,
    _lifeline: ChildStdin,
    mark: OsString,
    /// Of the command.
    pub pid: u32,
    /// Of the supervisor itself.
    pub own_pid: u32,
}

/// How a command ended.
pub(super) struct End {
    pub code: Option<i32>,
    pub signal: Option<i32>,
    /// How many of its descendants lived on without it.
    pub left: u32,
    /// What havoq failed at.
    pub trouble: Option<String>,
}

/// The process group of a command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(u32);

impl Group {
    /// Kills it, unless it has ended and been reaped.
    pub fn kill(self) {
        if groups().contains(&self.0) {
            signal_group(self.0, Signal::SIGKILL);
        }
    }
}

impl Drop for Supervisor {
    /// Whoever is still there ends with the lifeline; the pid may be someone else's then.
    fn drop(&mut self) {
        groups().remove(&self.pid);
    }
}

impl Supervisor {
    pub fn group(&self) -> Group {
        Group(self.pid)
    }

    /// Has `havoq` supervise a command.
    pub async fn start(havoq: &Path, order: &Order) -> io::Result<Self> {
        let mut child = Command::new(havoq)
            // The log is there for those who read `ps`.
            .args([OsStr::new("supervise"), &order.out])
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            // Out of reach of a Ctrl-C, which goes to the whole group of the terminal.
            .process_group(0)
            .spawn()?;
        let (Some(mut lifeline), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the supervisor has no pipes"));
        };
        let mut line = serde_json::to_vec(order)?;
        line.push(b'\n');
        // A supervisor that does not read will not speak either, and that is told.
        lifeline.write_all(&line).await.ok();
        let own_pid = child.id().unwrap_or_default();
        let mut words = BufReader::new(stdout).lines();
        match hear(&mut words).await {
            Some(Word::Started { pid }) => {
                groups().insert(pid);
                let mark = order.mark.clone();
                Ok(Self { child, words, _lifeline: lifeline, mark, pid, own_pid })
            }
            Some(Word::Failed { message }) => Err(io::Error::other(message)),
            Some(Word::Ended { .. }) | None => {
                end_orphans(&order.mark).await;
                Err(io::Error::other("its supervisor was killed"))
            }
        }
    }

    /// Waits until the command has ended and nobody of its descendants is left.
    pub async fn ended(mut self) -> End {
        let end = match hear(&mut self.words).await {
            Some(Word::Ended { code, signal, left, trouble }) => End { code, signal, left, trouble },
            _ => {
                end_orphans(&self.mark).await;
                End {
                    code: None,
                    signal: None,
                    left: 0,
                    trouble: Some("its supervisor was killed".to_owned()),
                }
            }
        };
        self.child.wait().await.ok();
        end
    }
}

/// Ends what a killed supervisor has left behind: whoever still has the mark.
async fn end_orphans(mark: &OsStr) {
    // Each look may find children of those that the one before has killed.
    for _ in 0..ORPHAN_LOOKS {
        let orphans = marked(mark);
        if orphans.is_empty() {
            return;
        }
        orphans.into_iter().for_each(|orphan| _ = kill(orphan, Signal::SIGKILL));
        clock::sleep(ORPHAN_PAUSE).await;
    }
}

async fn hear(words: &mut Lines<BufReader<ChildStdout>>) -> Option<Word> {
    serde_json::from_str(&words.next_line().await.ok()??).ok()
}

fn groups() -> std::sync::MutexGuard<'static, BTreeSet<u32>> {
    GROUPS.lock().unwrap_or_else(PoisonError::into_inner)
}
