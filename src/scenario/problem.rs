//! What is wrong with a file, where, and what to do about it.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

use super::place::Place;

/// One problem of a scenario or stack file. It carries the line that it points at, so that it can
/// be shown without reading the file again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The file as the user named it.
    pub file: String,
    /// Counts from 1; 0 when the problem is with the file as a whole.
    pub line: u64,
    /// In characters, from 1.
    pub column: u64,
    /// Characters under the caret, at least 1.
    pub length: u64,
    pub message: String,
    pub hint: Option<String>,
    /// The line pointed at; `None` when there is none to show.
    pub excerpt: Option<String>,
}

impl Problem {
    /// A problem with the file as a whole.
    pub fn of_file(file: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            file: file.into(),
            line: 0,
            column: 0,
            length: 0,
            message: message.into(),
            hint: None,
            excerpt: None,
        }
    }

    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The problem for a person: message, `file:line:column`, the line with a caret, the hint.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let title = Level::ERROR.primary_title(self.message.as_str());
        let hint = self.hint.iter().map(|hint| Level::HELP.with_name("hint").message(hint.as_str()));
        let Some(line) = &self.excerpt else {
            let origin = annotate_snippets::Origin::path(self.file.as_str());
            let origin = if self.line > 0 { origin.line(self.line as usize) } else { origin };
            let origin = if self.column > 0 { origin.char_column(self.column as usize) } else { origin };
            return renderer.render(&[title.element(origin).elements(hint)]);
        };
        let snippet = Snippet::source(line.as_str())
            .path(self.file.as_str())
            .line_start(self.line as usize)
            .annotation(AnnotationKind::Primary.span(self.byte_range(line)));
        renderer.render(&[title.element(snippet).elements(hint)])
    }

    /// The part of `line` under the caret. Annotate-snippets wants bytes.
    fn byte_range(&self, line: &str) -> std::ops::Range<usize> {
        let byte_of =
            |column: u64| line.char_indices().nth(column as usize).map_or(line.len(), |(byte, _)| byte);
        let start = self.column.saturating_sub(1);
        byte_of(start)..byte_of(start.saturating_add(self.length.max(1)))
    }
}

/// All problems, one after the other, with an empty line between them.
pub fn render_problems(problems: &[Problem], color: bool) -> String {
    problems.iter().map(|problem| problem.render(color)).collect::<Vec<_>>().join("\n\n")
}

/// Where something stands: its first character, and how many characters of that line it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) place: Place,
    pub(super) length: u64,
}

/// Nobody reads more, and a hostile file could make millions.
const MAX_PROBLEMS: usize = 100;

/// Collects the problems of one file.
#[derive(Debug)]
pub(super) struct Log<'a> {
    file: &'a str,
    text: &'a str,
    problems: Vec<Problem>,
}

impl<'a> Log<'a> {
    pub(super) fn new(file: &'a str, text: &'a str) -> Self {
        Self { file, text, problems: Vec::new() }
    }

    /// Notes a problem; the hint can be added to what is returned.
    pub(super) fn report(&mut self, span: Span, message: impl Into<String>) -> Noted<'_> {
        if self.problems.len() >= MAX_PROBLEMS {
            return Noted(None);
        }
        let problem = Problem {
            file: self.file.to_owned(),
            line: span.place.line,
            column: span.place.column,
            length: span.length.max(1),
            message: message.into(),
            hint: None,
            excerpt: self.line(span.place.line),
        };
        self.problems.push(problem);
        Noted(self.problems.last_mut())
    }

    fn line(&self, number: u64) -> Option<String> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        self.text.lines().nth(index).map(str::to_owned)
    }

    /// All that was noted, in the order of the file.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        self.problems.dedup();
        self.problems
    }
}

/// A problem that was just noted.
pub(super) struct Noted<'a>(Option<&'a mut Problem>);

impl Noted<'_> {
    pub(super) fn hint(self, hint: impl Into<String>) {
        self.hint_if(Some(hint.into()));
    }

    pub(super) fn hint_if(self, hint: Option<String>) {
        if let (Some(problem), Some(hint)) = (self.0, hint) {
            problem.hint = Some(hint);
        }
    }
}
