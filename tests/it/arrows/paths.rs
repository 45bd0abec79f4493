//! Reads out of Rust source which rooms and which crates of the workspace it names: in `use`
//! declarations with groups at any depth, and in paths that stand in the code.

use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Import {
    /// The first name below the root of the package.
    Room(String),
    /// A crate of the workspace.
    Crate(String),
}

impl fmt::Display for Import {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Room(name) => write!(f, "the room {name}"),
            Self::Crate(name) => write!(f, "the crate {name}"),
        }
    }
}

/// What `text`, a module `depth` levels below the root, imports.
pub(super) fn imports(text: &str, depth: usize) -> Vec<Import> {
    let tokens = tokens(&code_only(text));
    let mut walk = Walk { tokens: &tokens, at: 0, found: Vec::new() };
    walk.file(depth);
    walk.found
}

/// Where a path stands after the segments read so far.
#[derive(Clone, Copy)]
enum Stand {
    Root,
    /// In a module so many levels below the root.
    Module(usize),
    /// Past the first name, or in another crate: of no interest any more.
    Past,
}

struct Walk<'a> {
    tokens: &'a [String],
    at: usize,
    found: Vec<Import>,
}

impl Walk<'_> {
    /// Goes over a file, and knows at each place how deep the modules are nested there.
    fn file(&mut self, depth: usize) {
        let mut braces = 0;
        let mut modules: Vec<usize> = Vec::new();
        while let Some(token) = self.tokens.get(self.at) {
            match token.as_str() {
                "{" => braces += 1,
                "}" => {
                    modules.pop_if(|opened| *opened == braces);
                    braces = braces.saturating_sub(1);
                }
                "mod" if self.token(2) == "{" => modules.push(braces + 1),
                _ if is_name(token) && !self.is_continued() => {
                    self.path(Stand::Module(depth + modules.len()), true);
                    continue;
                }
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Reads one path, or one element of a group, and all groups below it. `first` holds where a
    /// path begins: only there do `crate` and the names of crates mean what they say.
    fn path(&mut self, mut stand: Stand, mut first: bool) {
        loop {
            if self.token(0) == "{" {
                self.group(stand, first);
                return;
            }
            stand = self.segment(stand, first);
            first = false;
            self.at += 1;
            if self.token(0) != "::" {
                return;
            }
            self.at += 1;
        }
    }

    fn group(&mut self, stand: Stand, first: bool) {
        self.at += 1;
        while self.at < self.tokens.len() && self.token(0) != "}" {
            if is_name(self.token(0)) || self.token(0) == "{" {
                self.path(stand, first);
            } else {
                self.at += 1;
            }
        }
        self.at += 1;
    }

    fn segment(&mut self, stand: Stand, first: bool) -> Stand {
        let name = self.token(0).to_owned();
        // A lone `crate` or `super`, as in `pub(crate)`, leads nowhere, and does no harm here.
        match (name.as_str(), stand) {
            ("crate", _) if first => Stand::Root,
            ("havoq", _) if first && self.token(1) == "::" => Stand::Root,
            ("self", stand) => stand,
            ("super", Stand::Module(depth)) if depth <= 1 => Stand::Root,
            ("super", Stand::Module(depth)) => Stand::Module(depth - 1),
            (_, Stand::Root) => {
                self.found.push(Import::Room(name));
                Stand::Past
            }
            _ if first && name.starts_with("havoq_") && self.token(1) == "::" => {
                self.found.push(Import::Crate(name));
                Stand::Past
            }
            _ => Stand::Past,
        }
    }

    /// Whether the name here goes on a path that began before it, as after `<T as Trait>::`.
    fn is_continued(&self) -> bool {
        self.at > 0 && self.tokens[self.at - 1] == "::"
    }

    fn token(&self, ahead: usize) -> &str {
        self.tokens.get(self.at + ahead).map_or("", String::as_str)
    }
}

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Names, `::`, and every other character by itself.
fn tokens(code: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = code.trim_start();
    while let Some(first) = rest.chars().next() {
        let name = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let length = match (name, rest.starts_with("::")) {
            (0, true) => 2,
            (0, false) => first.len_utf8(),
            (length, _) => length,
        };
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

/// The source with comments, strings and characters blanked out.
fn code_only(text: &str) -> String {
    let mut code = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let skipped = comment(rest).or_else(|| literal(rest, &code));
        match skipped {
            Some(_) => code.push(' '),
            None => code.push(first),
        }
        rest = &rest[skipped.unwrap_or(first.len_utf8()).min(rest.len())..];
    }
    code
}

/// The length of the comment that `text` begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if !text.starts_with("/*") {
        return None;
    }
    let mut depth = 0_usize;
    let mut at = 0;
    loop {
        let (open, close) = (text[at..].find("/*"), text[at..].find("*/"));
        match (open, close) {
            (Some(open), Some(close)) if open < close => {
                depth += 1;
                at += open + 2;
            }
            (_, Some(close)) => {
                depth = depth.saturating_sub(1);
                at += close + 2;
            }
            (_, None) => return Some(text.len()),
        }
        if depth == 0 {
            return Some(at);
        }
    }
}

/// The length of the string or character that `text` begins with; `before` is the code ahead of it.
fn literal(text: &str, before: &str) -> Option<usize> {
    let in_name = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let raw = text.strip_prefix('r').filter(|_| !in_name || before.ends_with('b'));
    if let Some(raw) = raw {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &raw[hashes + 1..];
            return Some(2 + hashes + body.find(&end).map_or(body.len(), |at| at + end.len()));
        }
    }
    match text.chars().next()? {
        '"' => Some(quoted(text, '"')),
        // A lifetime has no closing quote; a character has one right after it or after an escape.
        '\'' if text[1..].starts_with('\\') || text[1..].chars().nth(1) == Some('\'') => {
            Some(quoted(text, '\''))
        }
        _ => None,
    }
}

/// The length of a quotation with backslash escapes.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}
