//! The parser's own errors in havoq's words, for the mistakes that people make.

use granit_parser::{ErrorKind, ScanError};

use super::super::place::Place;
use super::super::problem::{Log, Span};

pub(super) fn report(error: &ScanError, log: &mut Log<'_>) {
    let marker = error.marker();
    let place = Place { line: marker.line() as u64, column: marker.col() as u64 + 1 };
    let (message, hint) = words(error.kind());
    log.report(Span { place, length: 1 }, message).hint_if(hint.map(str::to_owned));
}

fn words(kind: &ErrorKind) -> (String, Option<&'static str>) {
    use ErrorKind as E;
    match kind {
        E::TabNotAllowed | E::TabInBlockIndentation | E::TabInIndentation | E::TabInPlainScalar => {
            ("a tab cannot be used as indentation".to_owned(), Some("indent by spaces"))
        }
        E::UnclosedFlowCollection { open } => {
            (format!("`{open}` is never closed"), Some("close it with the matching bracket"))
        }
        E::MismatchedFlowCollectionEnd { open, close } => {
            (format!("`{open}` is closed by `{close}`"), Some("close it with the matching bracket"))
        }
        E::UnclosedQuotedScalar => ("this quote is never closed".to_owned(), None),
        E::MappingValueNotAllowed => (
            "a second `:` on this line, or wrong indentation".to_owned(),
            Some("quote a text that holds `: `"),
        ),
        E::SimpleKeyExpected | E::ExpectedBlockMappingKey => (
            "this is neither a key with a `:` nor part of what stands above".to_owned(),
            Some("check the `:` and the indentation of this line"),
        ),
        E::UnexpectedCharacter { character: '@' | '`' } => {
            (format!("not YAML: {kind}"), Some("quote a text that starts with it"))
        }
        E::InvalidColonPlacement | E::ExpectedFlowMappingSeparator | E::ExpectedFlowSequenceSeparator => {
            (format!("not YAML: {kind}"), Some("a bracket or a quote above may still be open"))
        }
        E::RecursionLimitExceeded => ("the nesting is too deep".to_owned(), None),
        kind => (format!("not YAML: {kind}"), None),
    }
}
