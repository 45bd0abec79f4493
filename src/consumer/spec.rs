//! What the fleet must know of a consumer to run it.

use std::collections::BTreeMap;
use std::fmt;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use havoq_base::{RealDuration, StackDuration};
use havoq_lambda::Settings;
use regex::bytes::Regex;

/// A consumer of the scenario, ready to be started.
#[derive(Clone, Debug)]
pub struct Spec {
    pub name: String,
    pub program: Program,
    /// What `swap` puts in its place.
    pub fixed: Option<Program>,
    /// Logical ids.
    pub queues: Vec<String>,
    pub instances: u32,
    pub restart: Restart,
    /// What a started process shows before the steps begin; nothing waits for it when absent.
    pub ready: Option<Ready>,
    /// On top of what every consumer is handed.
    pub env: BTreeMap<String, String>,
    /// It is a Lambda function, whose code `program` is.
    pub function: Option<Function>,
    /// It is there already, and `program` is nothing.
    pub deployed: Option<Deployed>,
}

/// What shows that a process is ready, and how long it may take.
#[derive(Clone, Debug)]
pub struct Ready {
    pub sign: Sign,
    pub within: RealDuration,
}

#[derive(Clone, Debug)]
pub enum Sign {
    /// A line of its logs matches.
    Log(Regex),
    /// It accepts connections on this port of loopback.
    Port(u16),
    /// This exits with 0.
    Command(Program),
}

/// A consumer that havoq does not start: where its tap is, and the commands that move it.
#[derive(Clone, Debug)]
pub struct Deployed {
    pub listen: SocketAddr,
    pub kill: Option<Program>,
    pub restart: Option<Program>,
    pub fix: Option<Program>,
}

/// A function behind an event source mapping.
#[derive(Clone, Debug)]
pub struct Function {
    /// Of the stack's function that it is.
    pub id: Option<String>,
    /// Of the mapping, where a queue feeds it; the queue's ARN is known only once the stack is.
    pub mapping: Option<Settings>,
    pub timeout: StackDuration,
    pub memory_mb: u32,
    pub handler: Option<String>,
    pub reserved_concurrency: Option<u32>,
    /// Where its code is.
    pub folder: PathBuf,
}

#[derive(Clone, Debug)]
pub struct Program {
    pub argv: Vec<String>,
    /// The bug of a reference worker, for the history.
    pub bug: Option<String>,
}

/// What happens when a process of the consumer has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Restart {
    Never,
    AtOnce,
    After(StackDuration),
    /// At once, this many times more.
    Times(u32),
}

impl fmt::Display for Ready {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.sign {
            Sign::Log(pattern) => write!(f, "a line that matches `{pattern}`"),
            Sign::Port(port) => write!(f, "port {port}"),
            Sign::Command(program) => write!(f, "`{}` to exit with 0", program.argv.join(" ")),
        }
    }
}

impl Spec {
    /// Every program that it may need, for a look before anything starts.
    pub fn programs(&self) -> impl Iterator<Item = &Program> {
        let own = std::iter::once(&self.program).filter(|_| self.deployed.is_none()).chain(&self.fixed);
        let levers = self.deployed.iter().flat_map(|known| [&known.kill, &known.restart, &known.fix]);
        let sign = self.ready.iter().filter_map(|ready| match &ready.sign {
            Sign::Command(program) => Some(program),
            Sign::Log(_) | Sign::Port(_) => None,
        });
        own.chain(levers.flatten()).chain(sign)
    }
}

impl Program {
    /// Makes elements that name a file beside the scenario, and none in the working directory,
    /// absolute: scenario and consumer may live side by side anywhere.
    pub fn beside(mut self, scenario_folder: &Path) -> Self {
        for element in &mut self.argv {
            let beside = scenario_folder.join(&*element);
            if !element.is_empty() && !Path::new(&*element).exists() && beside.is_file() {
                let beside = std::path::absolute(&beside).unwrap_or(beside);
                *element = beside.to_string_lossy().into_owned();
            }
        }
        self
    }

    /// Makes elements that lead to a file from the working directory absolute, for a process that
    /// runs elsewhere.
    pub fn from_anywhere(mut self) -> Self {
        for element in self.argv.iter_mut().filter(|element| element.contains('/')) {
            if Path::new(&*element).is_file()
                && let Ok(absolute) = std::path::absolute(&*element)
            {
                *element = absolute.to_string_lossy().into_owned();
            }
        }
        self
    }

    /// The file that will be executed, or why there is none.
    pub fn executable(&self) -> Result<PathBuf, String> {
        match self.argv.first() {
            Some(program) if !program.is_empty() => super::executable::find(program),
            _ => Err("the command is empty".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn program(argv: &[&str]) -> Program {
        Program { argv: argv.iter().map(|element| (*element).to_owned()).collect(), bug: None }
    }

    #[test]
    fn a_file_beside_the_scenario_is_found_from_anywhere() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("consumer-under-test.py"), "").expect("a file");
        let program = program(&["python3", "consumer-under-test.py", "--fast"]).beside(folder.path());
        assert_eq!(program.argv[0], "python3");
        assert_eq!(Path::new(&program.argv[1]), folder.path().join("consumer-under-test.py"));
        assert_eq!(program.argv[2], "--fast");
    }

    #[test]
    fn what_cannot_be_executed_is_said_before_anything_starts() {
        let folder = tempfile::tempdir().expect("a folder");
        let plain = folder.path().join("plain");
        std::fs::write(&plain, "").expect("a file");
        let plain = plain.to_string_lossy().into_owned();
        assert!(program(&[&plain]).executable().unwrap_err().contains("is not executable"));
        assert!(program(&["/nowhere/at-all"]).executable().unwrap_err().contains("/nowhere/at-all"));
        assert!(program(&["no-such-program-anywhere"]).executable().unwrap_err().contains("in PATH"));
        assert!(program(&[]).executable().unwrap_err().contains("empty"));
        assert!(program(&["sh"]).executable().is_ok());
    }
}
