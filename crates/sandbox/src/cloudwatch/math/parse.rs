//! From the text of an expression to a tree:
//!
//! ```text
//! sum     = product { (+|-) product }
//! product = power { (*|/) power }
//! power   = unary [ ^ power ]
//! unary   = - unary | ( sum ) | number | "text" | id | name ( [ sum { , sum } ] ) | [ sum { , sum } ]
//! ```

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::cloudwatch) enum Expression {
    Number(f64),
    Text(String),
    /// Another query.
    Id(String),
    Negative(Box<Expression>),
    /// An operand, and what is done to it from left to right: however long the text is, the tree
    /// goes no deeper than its parentheses.
    Chain(Box<Expression>, Vec<(char, Expression)>),
    Call(String, Vec<Expression>),
    List(Vec<Expression>),
}

/// How deep parentheses may go.
const DEEPEST: usize = 50;

impl Expression {
    pub(in crate::cloudwatch) fn parse(text: &str) -> Result<Self, String> {
        let mut parser = Parser { rest: text, depth: 0 };
        let expression = parser.sum()?;
        match parser.next() {
            None => Ok(expression),
            Some(letter) => Err(format!("unexpected {letter:?}")),
        }
    }
}

struct Parser<'a> {
    rest: &'a str,
    depth: usize,
}

impl<'a> Parser<'a> {
    fn sum(&mut self) -> Result<Expression, String> {
        self.chain(&['+', '-'], Self::product)
    }

    fn product(&mut self) -> Result<Expression, String> {
        self.chain(&['*', '/'], Self::power)
    }

    fn chain(
        &mut self,
        operators: &[char],
        operand: fn(&mut Self) -> Result<Expression, String>,
    ) -> Result<Expression, String> {
        let first = operand(self)?;
        let mut rest = Vec::new();
        while let Some(operator) = self.operator(operators) {
            rest.push((operator, operand(self)?));
        }
        Ok(if rest.is_empty() { first } else { Expression::Chain(Box::new(first), rest) })
    }

    fn power(&mut self) -> Result<Expression, String> {
        self.deeper()?;
        let base = self.unary()?;
        let power = match self.operator(&['^']) {
            Some(operator) => Expression::Chain(Box::new(base), vec![(operator, self.power()?)]),
            None => base,
        };
        self.depth -= 1;
        Ok(power)
    }

    fn unary(&mut self) -> Result<Expression, String> {
        self.deeper()?;
        let parsed = match self.next() {
            None => return Err("unexpected end".to_owned()),
            Some('-') => {
                self.skip(1);
                Expression::Negative(Box::new(self.unary()?))
            }
            Some('(') => {
                self.skip(1);
                let inner = self.sum()?;
                self.expect(')')?;
                inner
            }
            Some('[') => {
                self.skip(1);
                Expression::List(self.list(']')?)
            }
            Some('"') => self.text()?,
            Some(letter) if letter.is_ascii_digit() || letter == '.' => self.number()?,
            Some(letter) if letter.is_ascii_alphabetic() => self.name()?,
            Some(letter) => return Err(format!("unexpected {letter:?}")),
        };
        self.depth -= 1;
        Ok(parsed)
    }

    fn text(&mut self) -> Result<Expression, String> {
        let (text, rest) = self.rest[1..].split_once('"').ok_or("unexpected end of text")?;
        self.rest = rest;
        Ok(Expression::Text(text.to_owned()))
    }

    fn number(&mut self) -> Result<Expression, String> {
        let number = self.take_while(|letter| letter.is_ascii_digit() || letter == '.');
        number.parse().map(Expression::Number).map_err(|_| format!("{number:?} is no number"))
    }

    fn name(&mut self) -> Result<Expression, String> {
        let name = self.take_while(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if self.next() != Some('(') {
            return Ok(Expression::Id(name.to_owned()));
        }
        self.skip(1);
        Ok(Expression::Call(name.to_owned(), self.list(')')?))
    }

    fn list(&mut self, end: char) -> Result<Vec<Expression>, String> {
        let mut list = Vec::new();
        if self.next() != Some(end) {
            list.push(self.sum()?);
            while self.operator(&[',']).is_some() {
                list.push(self.sum()?);
            }
        }
        self.expect(end)?;
        Ok(list)
    }

    fn operator(&mut self, all: &[char]) -> Option<char> {
        let found = self.next().filter(|letter| all.contains(letter));
        if found.is_some() {
            self.skip(1);
        }
        found
    }

    fn expect(&mut self, letter: char) -> Result<(), String> {
        self.operator(&[letter]).map(|_| ()).ok_or_else(|| format!("{letter:?} is missing"))
    }

    fn next(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Past ASCII letters only.
    fn skip(&mut self, bytes: usize) {
        self.rest = &self.rest[bytes..];
    }

    fn take_while(&mut self, wanted: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !wanted(letter)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(end);
        self.rest = rest;
        taken
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > 2 * DEEPEST { Err("it is nested too deeply".to_owned()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn operators_bind_as_in_arithmetic() {
        let chain = |first, rest: Vec<_>| Expression::Chain(Box::new(first), rest);
        let id = |id: &str| Expression::Id(id.to_owned());
        let power = chain(id("c"), vec![('^', Expression::Number(2.0))]);
        let list = Expression::List(vec![id("d"), Expression::Text("x".into())]);
        let sum = Expression::Call("SUM".into(), vec![list]);
        let expected = chain(id("a"), vec![('+', chain(id("b"), vec![('*', power)])), ('-', sum)]);
        assert_eq!(Expression::parse("a + b*c^2 - SUM([d, \"x\"])"), Ok(expected));
    }

    #[test]
    fn what_is_no_expression_is_refused() {
        for text in ["", "m1 +", "(m1", "m1)", "1.2.3", "m1 > 2", "\"a", "f(,)", &"(".repeat(2_000)] {
            assert!(Expression::parse(text).is_err(), "{text}");
        }
        assert!(Expression::parse(&format!("{}1", "-".repeat(2_000))).is_err());
        assert!(Expression::parse(&vec!["m1"; 500].join("+")).is_ok());
    }

    proptest! {
        #[test]
        fn it_does_not_panic_on_any_text(text in "[a-z0-9+*/^()\\[\\],\"ä. -]{0,60}|.{0,40}") {
            let _ = Expression::parse(&text);
        }
    }
}
