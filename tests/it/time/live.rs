//! Small programs that run while the clock that they are shown jumps.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};

use havoq::consumer::Preload;
use havoq_base::clock::wall_clock;
use havoq_base::{Clock, Pace, RunStart, StackDuration, StackTime};

use crate::support::root;

/// A clock, and what shows it.
pub(super) struct Shown {
    pub(super) clock: Clock,
    preload: Preload,
    pub(super) folder: tempfile::TempDir,
}

impl Shown {
    /// It has jumped already, so that nothing is right by being real.
    pub(super) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let clock = Clock::new(Pace::Virtual, wall_clock(), RunStart::now());
        let preload = Preload::prepare(&folder.path().join("clock"), &clock).expect("a library");
        let shown = Self { clock, preload, folder };
        shown.jump(StackDuration::from_secs(7 * 86_400));
        shown
    }

    pub(super) fn jump(&self, span: StackDuration) {
        let to: StackTime = self.clock.now() + span;
        self.clock.jump_to(to).expect("a jump ahead is made");
    }

    /// Starts a program and waits until it says that it is ready.
    pub(super) fn start(&self, argv: &[String]) -> Program {
        let mut env = BTreeMap::new();
        self.preload.add_to(&mut env);
        let mut child = Command::new(&argv[0])
            .args(&argv[1..])
            .envs(env)
            .current_dir(self.folder.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{argv:?}: {error}"));
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        Program { name: argv.join(" "), child, stdout }
    }

    /// A program of tests/programs, compiled.
    pub(super) fn compiled(&self, source: &str, flags: &[&str]) -> PathBuf {
        let program = self.folder.path().join(source);
        assert!(compile(source, flags, &program), "{source}.c is compiled");
        program
    }
}

/// Compiles a program of tests/programs. False when that cannot be done.
pub(super) fn compile(source: &str, flags: &[&str], program: &Path) -> bool {
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let source = root().join("tests/programs").join(format!("{source}.c"));
    let output = Command::new(&compiler).args(flags).arg("-o").arg(program).arg(&source).output();
    output.is_ok_and(|output| output.status.success())
}

/// A source of tests/programs and how to run it; nothing, with a word, where that is not installed.
pub(super) fn interpreted(interpreter: &str, source: &str) -> Option<Vec<String>> {
    let there =
        Command::new(interpreter).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if there.is_err() {
        eprintln!("skipped: {interpreter} is not installed");
        return None;
    }
    let source = root().join("tests/programs").join(source);
    Some(vec![interpreter.to_owned(), source.to_string_lossy().into_owned()])
}

/// A running program that is told to go on by lines.
pub(super) struct Program {
    pub(super) name: String,
    child: Child,
    stdout: BufReader<ChildStdout>,
}

impl Program {
    pub(super) fn tell(&mut self) {
        let stdin = self.child.stdin.as_mut().expect("a pipe");
        stdin.write_all(b"\n").unwrap_or_else(|error| panic!("{}: {error}", self.name));
    }

    pub(super) fn line(&mut self) -> String {
        let mut line = String::new();
        self.stdout.read_line(&mut line).unwrap_or_else(|error| panic!("{}: {error}", self.name));
        assert!(!line.is_empty(), "{} ended early", self.name);
        line.trim().to_owned()
    }

    pub(super) fn expect(&mut self, word: &str) {
        assert_eq!(self.line(), word, "{}", self.name);
    }

    /// Until all its threads wait for something. False when that does not come to pass so soon.
    pub(super) fn falls_asleep(&self, within: f64) -> bool {
        let began = RunStart::now();
        while began.elapsed().as_secs_f64() < within {
            if self.is_asleep() {
                return true;
            }
            std::thread::yield_now();
        }
        false
    }

    fn is_asleep(&self) -> bool {
        let tasks = std::fs::read_dir(format!("/proc/{}/task", self.child.id())).expect("its threads");
        tasks.filter_map(Result::ok).all(|task| {
            let status = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
            status.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with('S'))
        })
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}
