//! What a run found, for people and for machines: one file a format, each registered in `format`.
//! Nothing here judges, and nothing here prints: a format turns a `Report` into bytes.

mod exit;
mod explain;
mod format;
mod grid;
mod json;
mod junit;
mod ledger;
mod model;
mod style;
mod terminal;

#[cfg(test)]
mod fixtures;

pub use exit::Exit;
pub use format::{Format, RenderError, formats, write_files};
pub use json::schema;
pub use model::{Counts, Report, RunFacts, RunTotals, SCHEMA_VERSION};
pub use style::Style;
pub(crate) use style::{printable, wrap};
pub use terminal::Terminal;
