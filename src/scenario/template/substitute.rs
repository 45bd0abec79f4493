//! The text of `Fn::Sub`, cut into literals and variables.

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part<'a> {
    Literal(&'a str),
    /// `${Name}` or `${Name.Attribute}`.
    Variable(&'a str),
}

/// `None` when a `${` is never closed.
pub(super) fn parts(text: &str) -> Option<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("${") {
        let (inside, tail) = after.split_once('}')?;
        parts.push(Part::Literal(before));
        match inside.strip_prefix('!') {
            // `${!Name}` is the text `${Name}`.
            Some(literal) => parts.extend([Part::Literal("${"), Part::Literal(literal), Part::Literal("}")]),
            None => parts.push(Part::Variable(inside.trim())),
        }
        rest = tail;
    }
    parts.push(Part::Literal(rest));
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_and_escapes_are_told_apart() {
        let found = parts("a${B}c${!D}").expect("closed");
        let expected = [
            Part::Literal("a"),
            Part::Variable("B"),
            Part::Literal("c"),
            Part::Literal("${"),
            Part::Literal("D"),
            Part::Literal("}"),
            Part::Literal(""),
        ];
        assert_eq!(found, expected);
        assert_eq!(parts("a${B"), None);
    }
}
