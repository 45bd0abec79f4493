//! Places in a text, as errors show them.

/// How much of a text errors quote.
const QUOTED: usize = 500;

/// `[Source: (String)"..."; line: 1, column: 10]` for the place before the byte `at`.
pub(super) fn describe(text: &str, at: usize) -> String {
    let (line, column) = line_and_column(&text[..at]);
    format!("[Source: (String){}; line: {line}, column: {column}]", quoted(text))
}

/// Both count from 1, and columns in units of UTF-16.
fn line_and_column(before: &str) -> (usize, usize) {
    let breaks = before.replace("\r\n", "\n").matches(['\n', '\r']).count();
    let start = before.rfind(['\n', '\r']).map_or(0, |at| at + 1);
    (breaks + 1, before[start..].encode_utf16().count() + 1)
}

fn quoted(text: &str) -> String {
    let mut shown = String::from("\"");
    for letter in text.chars().take(QUOTED) {
        match letter {
            '\n' | '\r' => shown.push(letter),
            control if control.is_control() => shown.push_str(&format!("\\u{:04X}", u32::from(control))),
            letter => shown.push(letter),
        }
    }
    shown.push('"');
    match text.chars().count().saturating_sub(QUOTED) {
        0 => shown,
        more => format!("{shown}[truncated {more} chars]"),
    }
}
