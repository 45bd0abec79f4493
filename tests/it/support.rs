//! Runs the real program on real files, and reads what it leaves behind.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A call of havoq in a folder of its own.
pub(crate) struct Havoq {
    command: Command,
    folder: tempfile::TempDir,
}

/// A call under way.
pub(crate) struct Running {
    child: Child,
    folder: tempfile::TempDir,
}

/// What came of it.
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    /// The run's own folder, where there was a run.
    pub(crate) run: Option<PathBuf>,
    _folder: tempfile::TempDir,
}

impl Havoq {
    pub(crate) fn new(arguments: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let mut command = Command::new(env!("CARGO_BIN_EXE_havoq"));
        command.args(arguments).current_dir(root()).env_remove("HAVOQ_WORKER_BUG").env("CI", "true");
        Self { command, folder }
    }

    /// `havoq run` with its reports in a folder of its own.
    pub(crate) fn run(paths: &[&Path], more: &[&str]) -> Self {
        let mut havoq = Self::new(&["run"]);
        havoq.command.args(paths).args(more).arg("--reports").arg(havoq.folder.path().join("reports"));
        havoq
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    pub(crate) fn ran(self) -> Ran {
        self.start().ended()
    }

    /// Starts it, to do something to it or around it meanwhile.
    pub(crate) fn start(mut self) -> Running {
        let child = self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Running { child: child.expect("havoq starts"), folder: self.folder }
    }
}

impl Running {
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("a pid")
    }

    /// Waits until the run's history speaks of this.
    pub(crate) fn wait_for(&self, text: &str) {
        let reports = self.folder.path().join("reports");
        let spoken = || {
            let run = std::fs::read_dir(&reports).ok()?.next()?.ok()?;
            let history = std::fs::read_to_string(run.path().join("history.jsonl")).ok()?;
            history.contains(text).then_some(())
        };
        for _ in 0..600 {
            if spoken().is_some() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(50));
        }
        panic!("the history does not speak of {text} after 30 s");
    }

    pub(crate) fn ended(self) -> Ran {
        let Output { status, stdout, stderr } = self.child.wait_with_output().expect("havoq ends");
        let reports = std::fs::read_dir(self.folder.path().join("reports"));
        let run = reports.ok().and_then(|mut runs| Some(runs.next()?.ok()?.path()));
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr), run, _folder: self.folder }
    }
}

impl Ran {
    /// The run's report.json.
    pub(crate) fn report(&self) -> Value {
        let path = self.file("report.json");
        let text = std::fs::read_to_string(&path)
            .unwrap_or_else(|error| panic!("{path:?}: {error}\n{}", self.all()));
        serde_json::from_str(&text).expect("report.json is JSON")
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.run.as_ref().unwrap_or_else(|| panic!("no run\n{}", self.all())).join(name)
    }

    /// The history's events.
    pub(crate) fn events(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.file("history.jsonl")).expect("a history");
        text.lines().map(|line| serde_json::from_str(line).expect("an event a line")).collect()
    }

    /// Everything that it printed, for a failing test's message.
    pub(crate) fn all(&self) -> String {
        format!("exit {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }

    pub(crate) fn assert_code(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}", self.all());
    }
}

/// The scenarios of a report, by name.
pub(crate) fn scenario<'a>(report: &'a Value, name: &str) -> &'a Value {
    let scenarios = report["scenarios"].as_array().expect("scenarios");
    scenarios.iter().find(|scenario| scenario["name"] == name).unwrap_or_else(|| panic!("no scenario {name}"))
}

/// The ids of the diagnoses of a scenario's failed claims.
pub(crate) fn diagnoses(scenario: &Value) -> Vec<&str> {
    let claims = scenario["claims"].as_array().expect("claims");
    let failed = claims.iter().filter(|claim| claim["verdict"] == "fail");
    failed.filter_map(|claim| claim["diagnosis"].as_str()).collect()
}
