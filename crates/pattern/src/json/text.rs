//! The inside of a string, and words without quotes.

use crate::rule::BadRule;

use super::reader::Reader;

/// What a string is, for errors.
#[derive(Clone, Copy)]
pub(super) enum Role {
    Name,
    Value,
}

impl Role {
    fn named(self) -> &'static str {
        match self {
            Self::Name => "name",
            Self::Value => "string value",
        }
    }

    fn ended(self) -> &'static str {
        match self {
            Self::Name => "Unexpected end-of-input in field name",
            Self::Value => "Unexpected end-of-input: was expecting closing quote for a string value",
        }
    }
}

impl Reader<'_> {
    /// Reads up to the closing quote.
    pub(super) fn string(&mut self, role: Role) -> Result<String, BadRule> {
        let mut text = String::new();
        loop {
            match self.take_letter() {
                None => return Err(self.bad(role.ended())),
                Some('"') => return Ok(text),
                Some('\\') => text.push(self.escape()?),
                Some(control) if control < ' ' => {
                    let code = u32::from(control);
                    let role = role.named();
                    return Err(self.bad(format!(
                        "Illegal unquoted character ((CTRL-CHAR, code {code})): has to be escaped using backslash to be included in {role}"
                    )));
                }
                Some(letter) => text.push(letter),
            }
        }
    }

    fn escape(&mut self) -> Result<char, BadRule> {
        match self.take_letter() {
            Some(same @ ('"' | '\\' | '/')) => Ok(same),
            Some('b') => Ok('\u{8}'),
            Some('f') => Ok('\u{c}'),
            Some('n') => Ok('\n'),
            Some('r') => Ok('\r'),
            Some('t') => Ok('\t'),
            Some('u') => self.code_point(),
            Some(other) => Err(self.bad(format!("Unrecognized character escape {}", described(other)))),
            None => Err(self.bad("Unexpected end-of-input in character escape sequence")),
        }
    }

    /// A half of a surrogate pair that stands alone becomes the replacement character.
    fn code_point(&mut self) -> Result<char, BadRule> {
        let first = self.four_digits()?;
        if !(0xD800..0xDC00).contains(&first) || !self.rest().starts_with("\\u") {
            return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        let before = self.at();
        self.skip_bytes(2);
        let second = self.four_digits()?;
        let pair = char::decode_utf16([first as u16, second as u16]).next();
        Ok(pair.and_then(Result::ok).unwrap_or_else(|| {
            self.go_back(before);
            char::REPLACEMENT_CHARACTER
        }))
    }

    fn four_digits(&mut self) -> Result<u32, BadRule> {
        let mut code = 0;
        for _ in 0..4 {
            let letter = self
                .take_letter()
                .ok_or_else(|| self.bad("Unexpected end-of-input in character escape sequence"))?;
            let digit = letter.to_digit(16).ok_or_else(|| {
                self.bad_letter(letter, "expected a hex-digit for character escape sequence")
            })?;
            code = code * 16 + digit;
        }
        Ok(code)
    }

    /// Goes over the letters of a word that is no token, and tells so.
    pub(super) fn no_token(&mut self, from: usize) -> BadRule {
        while self.peek().is_some_and(|letter| letter.is_alphanumeric() || matches!(letter, '_' | '$')) {
            self.take_letter();
        }
        let word = &self.source()[from..self.at()];
        self.bad(format!("Unrecognized token '{word}': was expecting ({VALUES})"))
    }
}

/// What a value can be.
pub(super) const VALUES: &str = "JSON String, Number, Array, Object or token 'null', 'true' or 'false'";

/// A letter as errors show it.
pub(super) fn described(letter: char) -> String {
    let code = u32::from(letter);
    if letter.is_control() {
        format!("(CTRL-CHAR, code {code})")
    } else if code > 255 {
        format!("'{letter}' (code {code} / 0x{code:x})")
    } else {
        format!("'{letter}' (code {code})")
    }
}
