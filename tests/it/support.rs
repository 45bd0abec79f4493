//! Runs the real program on real files, and reads what it leaves behind.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::processes::assert_none_left;

/// The repository.
pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A call of havoq in a folder of its own.
pub(crate) struct Havoq {
    command: Command,
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
        // Nobody's own cache is read or written.
        command.env("XDG_CACHE_HOME", folder.path().join("cache"));
        Self { command, folder }
    }

    /// `havoq run` with its reports in a folder of its own.
    pub(crate) fn run(paths: &[&Path], more: &[&str]) -> Self {
        let mut havoq = Self::new(&["run"]);
        havoq.command.args(paths).args(more).arg("--reports").arg(havoq.folder.path().join("reports"));
        havoq
    }

    /// `havoq run` of a scenario that is given as text, with `more` behind.
    pub(crate) fn on(scenario: &str, more: &[&str]) -> Self {
        let mut havoq = Self::new(&["run"]);
        let file = havoq.folder.path().join("scenario.yaml");
        std::fs::write(&file, scenario).expect("a scenario");
        havoq.command.arg(file).args(more).arg("--reports").arg(havoq.folder.path().join("reports"));
        havoq
    }

    /// `havoq sweep` of a scenario that is given as text, with `more` behind.
    pub(crate) fn sweep(scenario: &str, more: &[&str]) -> Self {
        let havoq = Self::new(&["sweep"]);
        let file = havoq.folder.path().join("scenario.yaml");
        std::fs::write(&file, scenario).expect("a scenario");
        havoq.reporting(&file, more)
    }

    /// `havoq sweep` of a file.
    pub(crate) fn sweep_file(path: &Path, more: &[&str]) -> Self {
        Self::new(&["sweep"]).reporting(path, more)
    }

    fn reporting(mut self, path: &Path, more: &[&str]) -> Self {
        self.command.arg(path).args(more).arg("--reports").arg(self.folder.path().join("reports"));
        self
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Self {
        self.command.env(name, value);
        self
    }

    /// Runs it to its end, where nobody may be left behind.
    pub(crate) fn ran(self) -> Ran {
        self.start().ran()
    }

    /// Starts it, for those who look on while it runs.
    pub(crate) fn start(mut self) -> Live {
        let child = self.command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        Live { child: child.expect("havoq starts"), folder: self.folder }
    }

    /// The same, started by way of a shell: `havoq` stands for it in `script`.
    pub(crate) fn in_shell(mut self, script: &str) -> Self {
        let mut shell = Command::new("bash");
        shell.args(["-c", &script.replace("havoq", "\"$0\" \"$@\"")]);
        shell.arg(self.command.get_program()).args(self.command.get_args()).current_dir(root());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => shell.env(name, value),
                None => shell.env_remove(name),
            };
        }
        self.command = shell;
        self
    }
}

/// A havoq that runs.
pub(crate) struct Live {
    pub(crate) child: Child,
    folder: tempfile::TempDir,
}

impl Live {
    pub(crate) fn pid(&self) -> i32 {
        i32::try_from(self.child.id()).expect("a pid")
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn signal(&self, signal: nix::sys::signal::Signal) {
        nix::sys::signal::kill(nix::unistd::Pid::from_raw(self.pid()), signal).expect("havoq is there");
    }

    /// Waits until an event of the history is one of those that are looked for.
    pub(crate) fn until(&self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let find = || events_below(self.folder.path()).into_iter().find(|event| wanted(event));
        wait_for(what, find)
    }

    /// Waits for its end, where nobody may be left behind.
    pub(crate) fn ran(self) -> Ran {
        let Output { status, stdout, stderr } = self.child.wait_with_output().expect("it ends");
        assert_none_left(self.folder.path());
        let run = run_below(self.folder.path());
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
        Ran { code: status.code(), stdout: text(stdout), stderr: text(stderr), run, _folder: self.folder }
    }
}

/// Looks again and again until there is something; fails after half a minute.
pub(crate) fn wait_for<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let began = havoq_base::RunStart::now();
    while began.elapsed().as_secs_f64() < 30.0 {
        if let Some(found) = find() {
            return found;
        }
        // Leaves the processor to those who are waited for.
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    panic!("waited in vain for {what}");
}

fn run_below(folder: &Path) -> Option<PathBuf> {
    Some(std::fs::read_dir(folder.join("reports")).ok()?.next()?.ok()?.path())
}

/// The events that are on disk so far.
fn events_below(folder: &Path) -> Vec<Value> {
    let history = run_below(folder).map(|run| run.join("history.jsonl"));
    let text = history.and_then(|path| std::fs::read_to_string(path).ok()).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
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

    /// The events of one kind.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        self.events().into_iter().filter(|event| event["kind"] == kind).collect()
    }

    /// What a consumer wrote: `which` is such as `c-0-1.out`.
    pub(crate) fn log(&self, which: &str) -> String {
        let logs = self.file("logs");
        let scenario =
            std::fs::read_dir(&logs).expect("logs").next().expect("a scenario").expect("a scenario");
        std::fs::read_to_string(scenario.path().join(which)).expect("a log")
    }

    /// Everything that it printed, for a failing test's message.
    pub(crate) fn all(&self) -> String {
        format!("exit {:?}\n{}\n{}", self.code, self.stdout, self.stderr)
    }

    pub(crate) fn assert_code(&self, code: i32) {
        assert_eq!(self.code, Some(code), "{}", self.all());
    }
}

/// A scenario of one queue and one consumer `c`, whose effect is `charges`.
pub(crate) fn scene(consumer: &str, steps: &[&str], claims: &[&str]) -> String {
    let list = |lines: &[&str]| lines.iter().map(|line| format!("  - {line}\n")).collect::<String>();
    format!(
        "name: scene
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: {{ VisibilityTimeout: 180 }}
effects:
  charges: {{ http: /charges, key: $.orderId }}
consumers:
  c: {{ {consumer}, queue: Orders }}
inject:
{}expect:
{}",
        list(steps),
        list(claims)
    )
}

/// The command of the consumer in tests/consumers/plain.py, with manners.
pub(crate) fn plain(manners: &str) -> String {
    format!("command: [python3, tests/consumers/plain.py{manners}], wall_clock: none")
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

/// The value of a variable that `./test` sets, or a word about what is skipped.
pub(crate) fn provided(variable: &str) -> Option<PathBuf> {
    let value = std::env::var_os(variable).filter(|value| !value.is_empty()).map(PathBuf::from);
    if value.is_none() {
        eprintln!("skipped: {variable} is not set; ./test sets it");
    }
    value
}
