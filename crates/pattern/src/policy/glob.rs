//! Patterns of IAM: `*` is any run of characters, `?` any one.

/// A parsed pattern. `${*}`, `${?}` and `${$}` are the characters themselves.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Glob {
    tokens: Vec<Token>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Letter(char),
    AnyOne,
    AnyRun,
}

impl Glob {
    pub(super) fn parse(mut text: &str) -> Self {
        let mut tokens = Vec::new();
        while let Some(letter) = text.chars().next() {
            let escaped = ["${*}", "${?}", "${$}"].into_iter().find(|escape| text.starts_with(escape));
            tokens.push(match (escaped, letter) {
                (Some(escape), _) => Token::Letter(char::from(escape.as_bytes()[2])),
                (None, '*') => Token::AnyRun,
                (None, '?') => Token::AnyOne,
                (None, letter) => Token::Letter(letter),
            });
            text = &text[escaped.map_or(letter.len_utf8(), str::len)..];
        }
        Self { tokens }
    }

    /// Goes back to the last `*` only, so it takes at most as many steps as pattern times text.
    pub(super) fn matches(&self, text: &str) -> bool {
        let letters: Vec<char> = text.chars().collect();
        let (mut token, mut letter) = (0, 0);
        let mut resume: Option<(usize, usize)> = None;
        while letter < letters.len() {
            match self.tokens.get(token) {
                Some(Token::AnyRun) => {
                    token += 1;
                    resume = Some((token, letter));
                }
                Some(Token::AnyOne) => (token, letter) = (token + 1, letter + 1),
                Some(Token::Letter(wanted)) if *wanted == letters[letter] => {
                    (token, letter) = (token + 1, letter + 1);
                }
                _ => match &mut resume {
                    Some((after_star, eaten)) => {
                        *eaten += 1;
                        (token, letter) = (*after_star, *eaten);
                    }
                    None => return false,
                },
            }
        }
        self.tokens[token..].iter().all(|token| *token == Token::AnyRun)
    }
}
