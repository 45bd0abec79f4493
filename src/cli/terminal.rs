//! What is known of the terminal, and writing to it.

use std::io::{IsTerminal, Write};

use crate::report::Style;

/// Colour and width for stdout: NO_COLOR is honoured, and a pipe gets plain text.
pub(super) fn style() -> Style {
    let width = terminal_width().unwrap_or(Style::default().width);
    Style { color: std::io::stdout().is_terminal() && wants_color(), width }
}

/// Whether stderr may be coloured and redrawn.
pub(super) fn stderr_is_live() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("CI").is_none()
}

pub(super) fn color_on_stderr() -> bool {
    std::io::stderr().is_terminal() && wants_color()
}

/// See https://no-color.org: set and not empty means no colour.
fn wants_color() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

fn terminal_width() -> Option<usize> {
    console::Term::stdout().size_checked().map(|(_, columns)| columns.into())
}

/// Writes to stdout; a reader that has gone away is no reason to fail.
pub(super) fn print(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).ok();
}

/// Writes a line, if anyone reads it.
pub(super) fn say(mut out: impl Write, text: std::fmt::Arguments<'_>) {
    // Whole, so that lines of several threads do not mix.
    let line = format!("{text}\n");
    out.write_all(line.as_bytes()).and_then(|()| out.flush()).ok();
}
