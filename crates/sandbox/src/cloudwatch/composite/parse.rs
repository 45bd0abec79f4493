//! From AlarmRule to a [`Rule`]:
//!
//! ```text
//! rule    = and { OR and }
//! and     = not { AND not }
//! not     = { NOT } element
//! element = TRUE | FALSE | ( rule ) | state ( name )
//! state   = ALARM | OK | INSUFFICIENT_DATA
//! name    = "quoted, with \" for a quote" | anything without a parenthesis
//! ```

use std::collections::BTreeSet;

use super::rule::Rule;
use crate::cloudwatch::spec::AlarmState;

/// Child alarms, TRUE, FALSE, and parentheses, each of which counts.
const ELEMENTS: usize = 500;
const CHILDREN: usize = 100;

impl Rule<String> {
    /// Or what is wrong with it, in AWS's words where they are known.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if text.is_empty() || text.trim() != text {
            return Err("AlarmRule must not contain leading or trailing whitespace or be null".to_owned());
        }
        let mut parser = Parser { text, at: 0, elements: 0 };
        let rule = parser.rule()?;
        if parser.peek() != Token::End {
            return Err(parser.unsupported());
        }
        let children: BTreeSet<_> = rule.alarms().into_iter().collect();
        if children.len() > CHILDREN {
            return Err(format!("AlarmRule must not contain more than {CHILDREN} child alarms"));
        }
        Ok(rule)
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    elements: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token<'a> {
    Open,
    Close,
    Word(&'a str),
    Other,
    End,
}

impl<'a> Parser<'a> {
    fn rule(&mut self) -> Result<Rule<String>, String> {
        let mut rules = vec![self.and()?];
        while self.takes("OR") {
            rules.push(self.and()?);
        }
        Ok(one_or(rules, Rule::Or))
    }

    fn and(&mut self) -> Result<Rule<String>, String> {
        let mut rules = vec![self.not()?];
        while self.takes("AND") {
            rules.push(self.not()?);
        }
        Ok(one_or(rules, Rule::And))
    }

    /// Two NOTs in a row are none.
    fn not(&mut self) -> Result<Rule<String>, String> {
        let mut negated = false;
        while self.takes("NOT") {
            negated = !negated;
        }
        let rule = self.element()?;
        Ok(if negated { Rule::Not(Box::new(rule)) } else { rule })
    }

    fn element(&mut self) -> Result<Rule<String>, String> {
        self.count()?;
        match self.peek() {
            Token::Open => {
                self.step();
                let rule = self.rule()?;
                self.close()?;
                Ok(rule)
            }
            Token::Word(word) => {
                let constant = [("TRUE", true), ("FALSE", false)];
                if let Some((_, value)) = constant.iter().find(|(name, _)| word.eq_ignore_ascii_case(name)) {
                    self.step();
                    return Ok(Rule::Constant(*value));
                }
                let states = [AlarmState::Alarm, AlarmState::Ok, AlarmState::InsufficientData];
                let state = states.into_iter().find(|state| word.eq_ignore_ascii_case(state.as_str()));
                let state = state.ok_or_else(|| self.unsupported())?;
                self.step();
                if self.peek() != Token::Open {
                    return Err(self.unsupported());
                }
                self.step();
                let name = self.name()?;
                self.close()?;
                Ok(Rule::In(state, name))
            }
            Token::Close | Token::Other | Token::End => Err(self.unsupported()),
        }
    }

    fn name(&mut self) -> Result<String, String> {
        self.skip_space();
        let name = if self.rest().starts_with('"') { self.quoted()? } else { self.bare() };
        if name.is_empty() { Err(self.unsupported()) } else { Ok(name) }
    }

    fn quoted(&mut self) -> Result<String, String> {
        let (mut name, mut escaped) = (String::new(), false);
        for (offset, letter) in self.rest().char_indices().skip(1) {
            match (letter, escaped) {
                ('"', false) => {
                    self.at += offset + 1;
                    return Ok(name);
                }
                ('\\', false) => {}
                ('"' | '\\', true) => name.push(letter),
                (other, true) => name.extend(['\\', other]),
                (other, false) => name.push(other),
            }
            escaped = letter == '\\' && !escaped;
        }
        Err(self.unsupported())
    }

    fn bare(&mut self) -> String {
        let end = self.rest().find(['(', ')', '"']).unwrap_or(self.rest().len());
        let name = self.rest()[..end].trim().to_owned();
        self.at += end;
        name
    }

    fn close(&mut self) -> Result<(), String> {
        if self.peek() != Token::Close {
            return Err(self.unsupported());
        }
        self.step();
        self.count()
    }

    fn takes(&mut self, operator: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(word) if word.eq_ignore_ascii_case(operator));
        if found {
            self.step();
        }
        found
    }

    fn peek(&mut self) -> Token<'a> {
        self.skip_space();
        let rest = self.rest();
        let word =
            rest.find(|letter: char| !letter.is_ascii_alphabetic() && letter != '_').unwrap_or(rest.len());
        match rest.chars().next() {
            None => Token::End,
            Some('(') => Token::Open,
            Some(')') => Token::Close,
            Some(_) if word > 0 => Token::Word(&rest[..word]),
            Some(_) => Token::Other,
        }
    }

    /// Goes past the token that is next.
    fn step(&mut self) {
        self.at += match self.peek() {
            Token::Open | Token::Close => 1,
            Token::Word(word) => word.len(),
            Token::Other | Token::End => 0,
        };
    }

    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn count(&mut self) -> Result<(), String> {
        self.elements += 1;
        if self.elements > ELEMENTS {
            return Err(format!("AlarmRule must not contain more than {ELEMENTS} elements"));
        }
        Ok(())
    }

    fn unsupported(&mut self) -> String {
        let token = match self.peek() {
            Token::End => return "Error in AlarmRule [Unexpected end of rule]".to_owned(),
            Token::Open => "(".to_owned(),
            Token::Close => ")".to_owned(),
            Token::Word(word) => word.to_owned(),
            Token::Other => self.rest().chars().take(1).collect(),
        };
        let char = self.text[..self.at].chars().count();
        format!("Error in AlarmRule [Unsupported token '{token}' at char {char}]")
    }
}

fn one_or(mut rules: Vec<Rule<String>>, many: fn(Vec<Rule<String>>) -> Rule<String>) -> Rule<String> {
    if rules.len() == 1 { rules.remove(0) } else { many(rules) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parsed(text: &str) -> Rule<String> {
        Rule::parse(text).expect("a rule")
    }

    #[test]
    fn not_binds_closer_than_and_and_and_closer_than_or() {
        assert_eq!(
            parsed("ALARM(a) OR NOT OK(b) AND INSUFFICIENT_DATA(\"c d\")").to_string(),
            "ALARM(\"a\") OR (NOT OK(\"b\") AND INSUFFICIENT_DATA(\"c d\"))"
        );
        assert_eq!(parsed("NOT (ALARM(a) OR TRUE)").to_string(), "NOT (ALARM(\"a\") OR TRUE)");
        assert_eq!(parsed("False"), Rule::Constant(false));
    }

    #[test]
    fn names_and_arns_with_or_without_quotes() {
        let arn = "arn:aws:cloudwatch:eu-west-1:123456789012:alarm:a b";
        let rule = Rule::In(AlarmState::Alarm, arn.to_owned());
        assert_eq!(parsed(&format!("ALARM({arn})")), rule);
        assert_eq!(parsed(&format!("ALARM( \"{arn}\" )")), rule);
        assert_eq!(parsed(r#"OK("a(\"b\")")"#), Rule::In(AlarmState::Ok, "a(\"b\")".to_owned()));
    }

    #[test]
    fn what_is_no_rule_is_refused_where_it_goes_wrong() {
        for (text, error) in [
            ("()", "Error in AlarmRule [Unsupported token ')' at char 1]"),
            ("ALARM(a) XOR ALARM(b)", "Error in AlarmRule [Unsupported token 'XOR' at char 9]"),
            ("ALARM(a", "Error in AlarmRule [Unexpected end of rule]"),
            ("ALARM()", "Error in AlarmRule [Unsupported token ')' at char 6]"),
            ("ALARM(\"a)", "Error in AlarmRule [Unsupported token '\"' at char 6]"),
            ("ä", "Error in AlarmRule [Unsupported token 'ä' at char 0]"),
            (" TRUE", "AlarmRule must not contain leading or trailing whitespace or be null"),
        ] {
            assert_eq!(Rule::parse(text), Err(error.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_rule_has_at_most_100_children_and_500_elements() {
        let children = |count: usize| {
            let names: Vec<_> = (0..count).map(|n| format!("ALARM(a{n})")).collect();
            Rule::parse(&names.join(" OR "))
        };
        assert!(children(100).is_ok());
        assert!(children(101).is_err());
        let nested = |depth: usize| Rule::parse(&format!("{}TRUE{}", "(".repeat(depth), ")".repeat(depth)));
        assert!(nested(249).is_ok());
        assert!(nested(250).is_err());
        assert!(nested(5_000).is_err());
    }

    fn rules() -> impl Strategy<Value = Rule<String>> {
        let state =
            prop::sample::select(vec![AlarmState::Alarm, AlarmState::Ok, AlarmState::InsufficientData]);
        let leaf = prop_oneof![
            any::<bool>().prop_map(Rule::Constant),
            (state, "[ -~äß]{1,12}").prop_map(|(state, name)| Rule::In(state, name)),
        ];
        leaf.prop_recursive(4, 30, 4, |inner| {
            let many = prop::collection::vec(inner.clone(), 2..4);
            prop_oneof![
                many.clone().prop_map(Rule::And),
                many.prop_map(Rule::Or),
                inner
                    .prop_filter("two NOTs are none", |rule| !matches!(rule, Rule::Not(_)))
                    .prop_map(|rule| Rule::Not(Box::new(rule))),
            ]
        })
    }

    proptest! {
        #[test]
        fn it_reads_what_it_writes(rule in rules()) {
            prop_assert_eq!(Rule::parse(&rule.to_string()), Ok(rule));
        }

        #[test]
        fn it_does_not_panic_on_any_text(text in ".{0,80}") {
            let _ = Rule::parse(&text);
        }

        #[test]
        fn it_does_not_panic_on_anything_like_a_rule(
            parts in prop::collection::vec(
                prop::sample::select(vec!["ALARM", "OK", "(", ")", "\"", "\\", " ", "NOT", "AND", "OR", "a", "TRUE", "ä"]),
                0..40,
            ),
        ) {
            let _ = Rule::parse(&parts.concat());
        }
    }
}
