//! `havoq schema`: the JSON Schema of scenario files.

use super::terminal;
use crate::report::Exit;
use crate::scenario;

/// Print the JSON Schema of scenario files, for editors.
#[derive(clap::Args)]
pub(super) struct Schema {}

impl Schema {
    pub(super) fn execute(self) -> Exit {
        terminal::print(format!("{:#}\n", scenario::json_schema()).as_bytes());
        Exit::Pass
    }
}
