//! Colours and widths of text for people. Whether there is colour is the caller's to decide: it
//! knows the terminal and the environment.

use anstyle::{AnsiColor, Style as Ansi};
use tabled::Table;
use tabled::settings::Color;

use crate::check::Verdict;

/// How text for people is laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Self {
        Self { color: false, width: 100 }
    }
}

impl Style {
    /// `text` in the colour of a verdict.
    pub(crate) fn verdict(self, verdict: Verdict, text: &str) -> String {
        self.paint(verdict_style(verdict), text)
    }

    /// Gives a cell of a table the colour of its verdict.
    pub(super) fn color_cell(self, table: &mut Table, cell: (usize, usize), verdict: Verdict) {
        if self.color {
            let ansi = verdict_style(verdict);
            let color = Color::new(ansi.render().to_string(), ansi.render_reset().to_string());
            table.modify(cell, color);
        }
    }

    pub(super) fn strong(self, text: &str) -> String {
        self.paint(Ansi::new().bold(), text)
    }

    pub(super) fn faint(self, text: &str) -> String {
        self.paint(Ansi::new().dimmed(), text)
    }

    fn paint(self, ansi: Ansi, text: &str) -> String {
        if self.color { format!("{ansi}{text}{ansi:#}") } else { text.to_owned() }
    }
}

/// The colour of a verdict.
fn verdict_style(verdict: Verdict) -> Ansi {
    let color = match verdict {
        Verdict::Pass => AnsiColor::Green,
        Verdict::Inconclusive => AnsiColor::Yellow,
        Verdict::Fail => AnsiColor::Red,
        Verdict::Error => AnsiColor::Magenta,
    };
    Ansi::new().bold().fg_color(Some(color.into()))
}

/// Makes text safe for a terminal and for XML 1.0: what neither may hold shows as an escape such
/// as `\u{1b}`. Reasons and stories quote message bodies, which may hold anything.
pub(crate) fn printable(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\t' => safe.push(c),
            // The two non-characters that XML 1.0 excludes beside the control characters.
            '\u{fffe}' | '\u{ffff}' => safe.extend(c.escape_unicode()),
            c if c.is_control() || is_bidi_control(c) => safe.extend(c.escape_unicode()),
            c => safe.push(c),
        }
    }
    safe
}

/// Characters that reorder the text around them, so that a line would not read as it is.
fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A span in seconds as people say it, by its two largest units: `58m 12s`, `3m`, `7.9s`, `20ms`.
pub(super) fn span(seconds: f64) -> String {
    let sign = if seconds < 0.0 { "-" } else { "" };
    let seconds = seconds.abs();
    if seconds < 0.9995 {
        let ms = (seconds * 1e3).round();
        return if ms == 0.0 { "0s".to_owned() } else { format!("{sign}{ms}ms") };
    }
    if seconds < 59.95 {
        return format!("{sign}{}s", (seconds * 10.0).round() / 10.0);
    }
    let whole = seconds.round() as u64;
    let units = [("d", whole / 86_400), ("h", whole / 3_600 % 24), ("m", whole / 60 % 60), ("s", whole % 60)];
    let largest = units.iter().skip_while(|(_, count)| *count == 0).take(2);
    let parts = largest.filter(|(_, count)| *count > 0).map(|(unit, count)| format!("{count}{unit}"));
    format!("{sign}{}", parts.collect::<Vec<_>>().join(" "))
}

/// Breaks text into lines of at most `width` columns, at spaces. The first line begins with
/// `first`, the others with as many spaces; a word that is too long stands alone.
pub(crate) fn wrap(first: &str, text: &str, width: usize) -> Vec<String> {
    let indent = " ".repeat(first.chars().count());
    let mut lines = Vec::new();
    let mut line = first.to_owned();
    let mut empty = true;
    for paragraph in text.split('\n') {
        for word in paragraph.split(' ').filter(|word| !word.is_empty()) {
            if !empty && line.chars().count() + 1 + word.chars().count() > width {
                lines.push(std::mem::replace(&mut line, indent.clone()));
                empty = true;
            }
            if !empty {
                line.push(' ');
            }
            line.push_str(word);
            empty = false;
        }
        lines.push(std::mem::replace(&mut line, indent.clone()));
        empty = true;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_people_say_them() {
        for (seconds, text) in [
            (0.0, "0s"),
            (0.000_2, "0s"),
            (0.02, "20ms"),
            (0.9996, "1s"),
            (7.94, "7.9s"),
            (59.97, "1m"),
            (180.0, "3m"),
            (3492.4, "58m 12s"),
            (3_600.0, "1h"),
            (90_061.0, "1d 1h"),
            (-180.0, "-3m"),
        ] {
            assert_eq!(span(seconds), text, "{seconds}");
        }
    }

    #[test]
    fn text_that_a_terminal_would_obey_is_shown_instead() {
        assert_eq!(
            printable("a\u{1b}[31mb\u{0}\r\n\tc\u{9b}\u{202e}"),
            "a\\u{1b}[31mb\\u{0}\\u{d}\n\tc\\u{9b}\\u{202e}"
        );
    }

    #[test]
    fn long_lines_break_at_spaces_and_hang() {
        assert_eq!(wrap("- ", "one two three", 9), ["- one two", "  three"]);
        assert_eq!(wrap("- ", "incomprehensible is long", 6), ["- incomprehensible", "  is", "  long"]);
        assert_eq!(wrap("- ", "a\nb", 80), ["- a", "  b"]);
    }
}
