//! The reader: one token after the other.

use crate::rule::BadRule;

use super::place::describe;
use super::text::{Role, VALUES, described};
use super::token::Token;

/// How deep objects and arrays may be nested: as deep as serde_json reads a document that a rule could match. Jackson
/// goes on to 1,000.
const DEEPEST: usize = 128;

/// Goes through a text from front to end.
#[derive(Clone, Debug)]
pub(crate) struct Reader<'t> {
    source: &'t str,
    at: usize,
    /// The objects and arrays that are open, the outermost first.
    open: Vec<Open>,
    name: String,
    /// The first token of a member's value, which is read along with its name.
    ahead: Option<Token<'t>>,
    /// Whether the last token is a string that has not been read yet.
    unread: bool,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    kind: Kind,
    /// The byte of its bracket.
    start: usize,
    empty: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Object,
    Array,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(source: &'t str) -> Self {
        Self { source, at: 0, open: Vec::new(), name: String::new(), ahead: None, unread: false }
    }

    /// The next token; `None` when the text ends without one.
    pub(crate) fn next(&mut self) -> Result<Option<Token<'t>>, BadRule> {
        if std::mem::take(&mut self.unread) {
            self.string(Role::Value)?;
        }
        let token = match self.ahead.take() {
            Some(token) => Some(token),
            None => self.read()?,
        };
        self.unread = token == Some(Token::Text);
        Ok(token)
    }

    /// The name of the next member of the object that is open, or `None` and the object is over.
    pub(crate) fn member(&mut self) -> Result<Option<String>, BadRule> {
        Ok((self.next()? == Some(Token::Name)).then(|| std::mem::take(&mut self.name)))
    }

    /// The object that is open must be over, or else.
    pub(crate) fn over(&mut self, or_else: &str) -> Result<(), BadRule> {
        if self.next()? == Some(Token::ObjectEnd) { Ok(()) } else { Err(self.bad(or_else)) }
    }

    /// The next element of the array that is open, or `None` and the array is over.
    pub(crate) fn element(&mut self) -> Result<Option<Token<'t>>, BadRule> {
        Ok(self.next()?.filter(|token| *token != Token::ArrayEnd))
    }

    /// The first token of the value whose name was read last.
    pub(crate) fn value(&mut self) -> Result<Token<'t>, BadRule> {
        self.next().map(|token| token.unwrap_or(Token::Null))
    }

    /// The string whose token was read last.
    pub(crate) fn text(&mut self) -> Result<String, BadRule> {
        self.unread = false;
        self.string(Role::Value)
    }

    /// Goes over the rest of a value whose first token was read last.
    pub(crate) fn skip(&mut self, token: Token<'t>) -> Result<(), BadRule> {
        let outside = match token {
            Token::ObjectStart | Token::ArrayStart => self.open.len().saturating_sub(1),
            _ => return Ok(()),
        };
        while self.open.len() > outside && self.next()?.is_some() {}
        Ok(())
    }

    fn read(&mut self) -> Result<Option<Token<'t>>, BadRule> {
        self.skip_space()?;
        let Some(open) = self.open.last().copied() else {
            return self.take_letter().map(|letter| self.value_from(letter)).transpose();
        };
        let Some(mut letter) = self.take_letter() else { return Err(self.never_closed(open)) };
        if matches!(letter, '}' | ']') {
            return self.close(open, letter).map(Some);
        }
        if !open.empty {
            letter = self.separated(open.kind, letter)?;
        }
        if let Some(open) = self.open.last_mut() {
            open.empty = false;
        }
        match open.kind {
            Kind::Array => self.value_from(letter).map(Some),
            Kind::Object => self.member_from(letter).map(Some),
        }
    }

    fn separated(&mut self, kind: Kind, letter: char) -> Result<char, BadRule> {
        let kind = kind.named();
        if letter != ',' {
            let comment = format!("was expecting comma to separate {kind} entries");
            return Err(self.bad_letter(letter, &comment));
        }
        self.skip_space()?;
        self.take_letter()
            .ok_or_else(|| self.bad(format!("Unexpected end-of-input within/between {kind} entries")))
    }

    fn member_from(&mut self, letter: char) -> Result<Token<'t>, BadRule> {
        if letter != '"' {
            return Err(self.bad_letter(letter, "was expecting double-quote to start field name"));
        }
        self.name = self.string(Role::Name)?;
        let ended = |reader: &Self| reader.bad("Unexpected end-of-input within/between Object entries");
        self.skip_space()?;
        match self.take_letter() {
            Some(':') => {}
            Some(other) => {
                return Err(self.bad_letter(other, "was expecting a colon to separate field name and value"));
            }
            None => return Err(ended(self)),
        }
        self.skip_space()?;
        let letter = self.take_letter().ok_or_else(|| ended(self))?;
        self.ahead = Some(self.value_from(letter)?);
        Ok(Token::Name)
    }

    fn value_from(&mut self, letter: char) -> Result<Token<'t>, BadRule> {
        let from = self.at - letter.len_utf8();
        match letter {
            '"' => Ok(Token::Text),
            '{' => self.enter(Kind::Object).map(|()| Token::ObjectStart),
            '[' => self.enter(Kind::Array).map(|()| Token::ArrayStart),
            '-' | '0'..='9' => self.number(from, letter).map(Token::Number),
            't' => self.word(from, Token::True),
            'f' => self.word(from, Token::False),
            'n' => self.word(from, Token::Null),
            letter if letter.is_alphabetic() || matches!(letter, '_' | '$') => Err(self.no_token(from)),
            other => Err(self.bad_letter(other, &format!("expected a valid value ({VALUES})"))),
        }
    }

    fn word(&mut self, from: usize, token: Token<'t>) -> Result<Token<'t>, BadRule> {
        let end = from + token.written().len();
        let goes_on = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        let rest = self.source[from..].strip_prefix(token.written());
        if rest.is_some_and(|rest| !rest.starts_with(goes_on)) {
            self.at = end;
            return Ok(token);
        }
        Err(self.no_token(from))
    }

    fn enter(&mut self, kind: Kind) -> Result<(), BadRule> {
        if self.open.len() >= DEEPEST {
            return Err(self.bad(format!("Nesting is deeper than {DEEPEST}")));
        }
        self.open.push(Open { kind, start: self.at - 1, empty: true });
        Ok(())
    }

    fn close(&mut self, open: Open, letter: char) -> Result<Token<'t>, BadRule> {
        self.open.pop();
        match (open.kind, letter) {
            (Kind::Object, '}') => Ok(Token::ObjectEnd),
            (Kind::Array, ']') => Ok(Token::ArrayEnd),
            (kind, other) => {
                let (wanted, kind) = (kind.closing(), kind.named());
                let start = describe(self.source, open.start);
                Err(self.bad(format!(
                    "Unexpected close marker '{other}': expected '{wanted}' (for {kind} starting at {start})"
                )))
            }
        }
    }

    fn never_closed(&self, open: Open) -> BadRule {
        let start = describe(self.source, open.start);
        let kind = open.kind.named();
        self.bad(format!(
            "Unexpected end-of-input: expected close marker for {kind} (start marker at {start})"
        ))
    }

    fn skip_space(&mut self) -> Result<(), BadRule> {
        while let Some(letter) = self.peek().filter(|letter| *letter <= ' ') {
            self.take_letter();
            if !matches!(letter, ' ' | '\t' | '\n' | '\r') {
                let letter = described(letter);
                return Err(self.bad(format!(
                    "Illegal character ({letter}): only regular white space (\\r, \\n, \\t) is allowed between tokens"
                )));
            }
        }
        Ok(())
    }

    /// An error here: behind what was read last.
    pub(crate) fn bad(&self, reason: impl Into<String>) -> BadRule {
        BadRule::at(reason, &describe(self.source, self.at))
    }

    /// An error before the letter that was read last.
    pub(super) fn bad_before(&self, letter: char, reason: impl Into<String>) -> BadRule {
        BadRule::at(reason, &describe(self.source, self.at - letter.len_utf8()))
    }

    pub(super) fn bad_letter(&self, letter: char, comment: &str) -> BadRule {
        self.bad_before(letter, format!("Unexpected character ({}): {comment}", described(letter)))
    }

    /// An error that is told once more, with the place here.
    pub(crate) fn again(&self, bad: BadRule) -> BadRule {
        bad.and_at(&describe(self.source, self.at))
    }

    pub(super) fn take_letter(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += letter.len_utf8();
        Some(letter)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.source[self.at..]
    }

    pub(super) fn source(&self) -> &'t str {
        self.source
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn go_back(&mut self, at: usize) {
        self.at = at;
    }

    pub(super) fn skip_bytes(&mut self, count: usize) {
        self.at += count;
    }
}

impl Kind {
    fn named(self) -> &'static str {
        match self {
            Self::Object => "Object",
            Self::Array => "Array",
        }
    }

    fn closing(self) -> char {
        match self {
            Self::Object => '}',
            Self::Array => ']',
        }
    }
}
