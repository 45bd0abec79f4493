//! What havoq and a supervisor say to each other: one JSON value a line.

use std::ffi::OsString;
use std::io::{self, Write};

use serde::{Deserialize, Serialize};

/// What to start. It comes through the pipe and not as arguments and environment, so that the
/// supervisor itself runs with neither.
#[derive(Serialize, Deserialize)]
pub(crate) struct Order {
    pub argv: Vec<String>,
    /// A variable of the environment, `NAME=value`, that no other start has.
    pub mark: OsString,
    pub environment: Vec<(OsString, OsString)>,
    /// Where it runs; where the supervisor does when absent.
    pub folder: Option<OsString>,
    pub out: OsString,
    pub err: OsString,
}

/// What a supervisor tells.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Word {
    Started {
        pid: u32,
    },
    /// The command could not be started.
    Failed {
        message: String,
    },
    /// The command has ended, and nobody of its descendants is left.
    Ended {
        code: Option<i32>,
        signal: Option<i32>,
        /// How many of its descendants lived on without it, until they were ended as well.
        left: u32,
        /// What went wrong with the logs.
        trouble: Option<String>,
    },
}

impl Order {
    pub(super) fn read() -> io::Result<Self> {
        let mut line = String::new();
        io::stdin().read_line(&mut line)?;
        Ok(serde_json::from_str(&line)?)
    }
}

impl Word {
    pub(super) fn say(&self) -> io::Result<()> {
        let mut line = serde_json::to_string(self)?;
        line.push('\n');
        let mut out = io::stdout().lock();
        out.write_all(line.as_bytes())?;
        out.flush()
    }
}
