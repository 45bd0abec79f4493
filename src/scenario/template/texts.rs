//! Intrinsics that make texts: `Join` and `Sub`.

use super::super::problem::Span;
use super::super::yaml::{Data, Node};
use super::evaluate::Argument;
use super::resources::Stack;
use super::substitute::{Part, parts};
use super::value::{Piece, Pieces, Value};

impl Stack<'_, '_> {
    pub(super) fn join(&mut self, argument: Argument<'_>, span: Span) -> Option<Pieces> {
        // A short intrinsic and its argument are one node.
        let Value::List(parts) = self.literal(argument.0)? else { return self.bad_join(span) };
        let [delimiter, items] = parts.as_slice() else { return self.bad_join(span) };
        let (Some(delimiter), Value::List(items)) = (delimiter.value.clone().into_pieces(), &items.value)
        else {
            return self.bad_join(span);
        };
        let mut joined = Pieces::default();
        for (index, item) in items.iter().enumerate() {
            let Some(text) = item.value.clone().into_pieces() else { return self.bad_join(item.span) };
            if index > 0 {
                joined.append(delimiter.clone());
            }
            joined.append(text);
        }
        Some(joined)
    }

    fn bad_join(&mut self, span: Span) -> Option<Pieces> {
        self.log
            .report(span, "`Join` needs a delimiter and a list of texts")
            .hint("`!Join ['-', [orders, dlq]]`, for example");
        None
    }

    pub(super) fn substitute(&mut self, argument: Argument<'_>, span: Span) -> Option<Pieces> {
        let (text, variables) = match &argument.0.data {
            Data::List(items) => match items.as_slice() {
                [text, variables] if variables.entries().is_some() => (text.text(), Some(variables)),
                _ => (None, None),
            },
            _ => (argument.0.text(), None),
        };
        let Some(text) = text else {
            self.log
                .report(span, "`Sub` needs a text, or a text and its variables")
                .hint("`!Sub '${AWS::StackName}-orders'`, for example");
            return None;
        };
        let Some(parts) = parts(text) else {
            self.log.report(span, "`${` is never closed").hint("write `${!` for a literal one");
            return None;
        };
        let mut result = Pieces::default();
        for part in parts {
            match part {
                Part::Literal(text) => result.push(Piece::Text(text.to_owned())),
                Part::Variable(name) => result.append(self.variable(name, variables, span)?),
            }
        }
        Some(result)
    }

    fn variable(&mut self, name: &str, variables: Option<&Node>, span: Span) -> Option<Pieces> {
        if let Some(entry) = variables.and_then(|variables| variables.entry(name)) {
            let value = self.evaluate(&entry.value)?;
            let kind = value.value.kind();
            let pieces = value.value.into_pieces();
            if pieces.is_none() {
                self.log.report(entry.value.span, format!("expected a text, found {kind}"));
            }
            return pieces;
        }
        match name.split_once('.') {
            Some((id, attribute)) => self.attribute_of(id, attribute, span),
            None => self.reference(name, span)?.into_pieces(),
        }
    }
}
