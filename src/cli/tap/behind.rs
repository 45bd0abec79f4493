//! What is behind a tap on its own.

use std::fmt;
use std::str::FromStr;

/// What `--upstream` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    Url(String),
    Aws,
}

impl FromStr for Behind {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "aws" => Ok(Self::Aws),
            "sandbox" => Err("the sandbox is behind a tap as any other stack\n\
                              hint: start `havoq sandbox`, and give the URL that it prints"
                .to_owned()),
            _ => url(text).map(Self::Url),
        }
    }
}

/// A URL that calls can be forwarded to.
pub(super) fn url(text: &str) -> Result<String, String> {
    let usable = text.parse::<http::Uri>().ok().filter(|uri| {
        matches!(uri.scheme_str(), Some("http" | "https")) && uri.host().is_some() && uri.query().is_none()
    });
    usable
        .map(|_| text.trim_end_matches('/').to_owned())
        .ok_or_else(|| "expected `aws` or a URL such as http://127.0.0.1:4566".to_owned())
}

impl fmt::Display for Behind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Url(url) => url,
            Self::Aws => "aws",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_url_or_aws_is_behind_a_tap() {
        assert_eq!("aws".parse(), Ok(Behind::Aws));
        assert_eq!("http://127.0.0.1:1/".parse(), Ok(Behind::Url("http://127.0.0.1:1".to_owned())));
        for (text, told) in [
            ("sandbox", "start `havoq sandbox`"),
            ("127.0.0.1:4566", "a URL such as"),
            ("ftp://a", "a URL such as"),
            ("http://", "a URL such as"),
            ("http://a/?b", "a URL such as"),
        ] {
            let error = text.parse::<Behind>().expect_err("refused");
            assert!(error.contains(told), "{text}: {error}");
        }
    }
}
