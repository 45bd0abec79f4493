//! A command of the user's that does something to a deployment and ends. What it starts may live
//! on: it is no consumer of havoq's, so no supervisor stands above it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};

use havoq_base::{RealDuration, clock};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use thiserror::Error;
use tokio::process::Command;

/// How long a command may take.
const LIMIT: RealDuration = RealDuration::from_secs(60);

/// What to run, and where what it writes goes.
pub(super) struct Errand {
    pub argv: Vec<String>,
    pub environment: BTreeMap<OsString, OsString>,
    pub out: PathBuf,
    pub err: PathBuf,
}

/// Why nothing can be said of what the command was to do.
#[derive(Debug, Error)]
pub(super) enum ErrandError {
    #[error("`{command}` cannot be started: {source}")]
    Start { command: String, source: io::Error },
    #[error("`{command}` failed ({how}); see {log}")]
    Failed { command: String, how: String, log: String },
    #[error("`{command}` did not end within {LIMIT} of real time and was killed; see {log}")]
    Overdue { command: String, log: String },
}

impl Errand {
    /// Runs it to its end.
    pub async fn run(&self) -> Result<(), ErrandError> {
        let command = self.argv.join(" ");
        let start = |source| ErrandError::Start { command: command.clone(), source };
        let mut child = self.command().and_then(|mut command| command.spawn()).map_err(start)?;
        let log = self.err.display().to_string();
        let ended = tokio::select! {
            ended = child.wait() => Some(ended),
            () = clock::sleep(LIMIT) => None,
        };
        let Some(ended) = ended else {
            // Its own group, so that what it waits for ends too.
            if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
                killpg(Pid::from_raw(pid), Signal::SIGKILL).ok();
            }
            child.wait().await.ok();
            return Err(ErrandError::Overdue { command, log });
        };
        match ended {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(ErrandError::Failed { command, how: told(status), log }),
            Err(error) => Err(ErrandError::Failed { command, how: error.to_string(), log }),
        }
    }

    fn command(&self) -> io::Result<Command> {
        let [program, arguments @ ..] = &self.argv[..] else {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "the command is empty"));
        };
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(&self.environment)
            .stdin(Stdio::null())
            // Files, not pipes: what it starts may write on when havoq is gone.
            .stdout(create(&self.out)?)
            .stderr(create(&self.err)?)
            .process_group(0)
            .kill_on_drop(true);
        Ok(command)
    }
}

fn create(path: &Path) -> io::Result<File> {
    path.parent().map_or(Ok(()), std::fs::create_dir_all)?;
    File::create(path)
}

fn told(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("ended by signal {signal}"),
        (None, None) => "it did not exit".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn run(argv: &[&str]) -> (Result<(), ErrandError>, String) {
        let folder = tempfile::tempdir().expect("a folder");
        let (out, err) = (folder.path().join("logs/c.out"), folder.path().join("logs/c.err"));
        let environment = BTreeMap::from([("WHO".into(), "c".into())]);
        let argv = argv.iter().map(|part| (*part).to_owned()).collect();
        let ran = Errand { argv, environment, out: out.clone(), err }.run().await;
        (ran, std::fs::read_to_string(out).unwrap_or_default())
    }

    #[tokio::test]
    async fn what_it_writes_is_kept_and_its_environment_is_the_given_one() {
        let (ran, out) = run(&["/bin/sh", "-c", "echo $WHO$HOME"]).await;
        assert!(ran.is_ok());
        assert_eq!(out, "c\n");
    }

    #[tokio::test]
    async fn what_it_leaves_behind_is_not_waited_for() {
        let (ran, out) = run(&["/bin/sh", "-c", "/bin/sleep 5 & echo started"]).await;
        assert!(ran.is_ok());
        assert_eq!(out, "started\n");
    }

    #[tokio::test]
    async fn a_failure_names_the_command_and_the_log() {
        let failed = |argv: &'static [&str]| async { run(argv).await.0.expect_err("it fails").to_string() };
        let told = failed(&["/bin/sh", "-c", "exit 3"]).await;
        assert!(
            told.contains("`/bin/sh -c exit 3` failed (exit code 3)") && told.contains("c.err"),
            "{told}"
        );
        let told = failed(&["/bin/sh", "-c", "kill -9 $$"]).await;
        assert!(told.contains("signal 9"), "{told}");
        assert!(failed(&["/nowhere/at-all"]).await.contains("cannot be started"));
        assert!(failed(&[]).await.contains("the command is empty"));
    }
}
