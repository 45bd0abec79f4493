//! Where a run may take place.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// What `--on` names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The embedded stack, one for each scenario.
    Sandbox,
    /// Any endpoint that speaks AWS's protocols.
    Url(String),
    Aws,
}

/// Leave to change a stack.
#[derive(Clone, Debug)]
pub struct Permit(());

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error(
        "--on aws is refused: the guards that keep it from harming an account are not built yet\n\
         hint: leave --on out to run on the embedded stack"
    )]
    Aws,
    #[error(
        "--on {0} is refused: foreign endpoints are not built yet\n\
         hint: leave --on out to run on the embedded stack"
    )]
    Url(String),
}

/// Decides whether a run may take place there.
pub fn admit(target: &Target) -> Result<Permit, Refusal> {
    match target {
        // It is made for the run, holds nothing of anybody's, and ends with it.
        Target::Sandbox => Ok(Permit(())),
        Target::Url(url) => Err(Refusal::Url(url.clone())),
        Target::Aws => Err(Refusal::Aws),
    }
}

impl FromStr for Target {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "sandbox" => Ok(Self::Sandbox),
            "aws" => Ok(Self::Aws),
            url if url.starts_with("http://") || url.starts_with("https://") => Ok(Self::Url(url.to_owned())),
            _ => Err("expected `sandbox`, `aws` or a URL such as http://127.0.0.1:4566".to_owned()),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sandbox => "sandbox",
            Self::Url(url) => url,
            Self::Aws => "aws",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_stack_of_our_own_is_open_to_change() {
        assert!(admit(&Target::Sandbox).is_ok());
        let refusal = admit(&"aws".parse().expect("a target")).expect_err("refused");
        assert!(refusal.to_string().contains("guards"));
        assert!(admit(&"http://127.0.0.1:4566".parse().expect("a target")).is_err());
        assert!("nowhere".parse::<Target>().is_err());
    }
}
