//! Numbers as they are written.

use crate::rule::BadRule;

use super::reader::Reader;
use super::text::described;

impl<'t> Reader<'t> {
    /// Goes over a number that begins at the byte `from`, of which the first letter has been read.
    pub(super) fn number(&mut self, from: usize, first: char) -> Result<&'t str, BadRule> {
        let mut lead = first;
        if first == '-' {
            lead = self.digit("expected digit (0-9) to follow minus sign, for valid numeric value")?;
        }
        if lead == '0' && self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.take_letter();
            return Err(self.bad("Invalid numeric value: Leading zeroes not allowed"));
        }
        self.skip_digits();
        if self.peek() == Some('.') {
            self.take_letter();
            self.digit("Decimal point not followed by a digit")?;
            self.skip_digits();
        }
        if matches!(self.peek(), Some('e' | 'E')) {
            self.take_letter();
            if matches!(self.peek(), Some('+' | '-')) {
                self.take_letter();
            }
            self.digit("Exponent indicator not followed by a digit")?;
            self.skip_digits();
        }
        Ok(&self.source()[from..self.at()])
    }

    fn digit(&mut self, otherwise: &str) -> Result<char, BadRule> {
        match self.take_letter() {
            Some(digit) if digit.is_ascii_digit() => Ok(digit),
            Some(other) => {
                let other_shown = described(other);
                Err(self.bad_before(
                    other,
                    format!("Unexpected character ({other_shown}) in numeric value: {otherwise}"),
                ))
            }
            None => Err(self.bad("Unexpected end-of-input in a Number value")),
        }
    }

    fn skip_digits(&mut self) {
        while self.peek().is_some_and(|letter| letter.is_ascii_digit()) {
            self.take_letter();
        }
    }
}
