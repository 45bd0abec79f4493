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
pub struct Permit(Scope);

#[derive(Clone, Debug)]
enum Scope {
    /// A stack that is made for the run, holds nothing of anybody's, and ends with it.
    Everything,
    /// A stack that others use too: only what the run itself makes, told by its names.
    Own { prefix: Option<String> },
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    #[error(
        "--on aws is refused: the guards that keep it from harming an account are not built yet\n\
         hint: leave --on out to run on the embedded stack"
    )]
    Aws,
    #[error("{0} was not made by this run, so it is not touched")]
    NotOurs(String),
}

/// Decides whether a run may take place there.
pub fn admit(target: &Target) -> Result<Permit, Refusal> {
    match target {
        Target::Sandbox => Ok(Permit(Scope::Everything)),
        // Until it is told which run it is for, it covers nothing.
        Target::Url(_) => Ok(Permit(Scope::Own { prefix: None })),
        Target::Aws => Err(Refusal::Aws),
    }
}

impl Permit {
    /// The permit of one run. On a stack that others use it covers what this run's names mark.
    pub fn for_run(self, run_id: &str) -> Self {
        match self.0 {
            Scope::Everything => self,
            Scope::Own { .. } => Self(Scope::Own { prefix: Some(format!("havoq-{run_id}-")) }),
        }
    }

    /// What the names of the run's resources begin with, where they must be told from others.
    pub fn prefix(&self) -> Option<&str> {
        match &self.0 {
            Scope::Everything => None,
            Scope::Own { prefix } => prefix.as_deref(),
        }
    }

    /// Whether the resource of this physical name may be changed.
    pub fn covers(&self, name: &str) -> Result<(), Refusal> {
        let covered = match &self.0 {
            Scope::Everything => true,
            Scope::Own { prefix } => prefix.as_ref().is_some_and(|prefix| name.starts_with(prefix)),
        };
        covered.then_some(()).ok_or_else(|| Refusal::NotOurs(name.to_owned()))
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
        let all = admit(&Target::Sandbox).expect("a permit");
        assert_eq!(all.covers("anything"), Ok(()));
        let refusal = admit(&"aws".parse().expect("a target")).expect_err("refused");
        assert!(refusal.to_string().contains("guards"));
        assert!("nowhere".parse::<Target>().is_err());
    }

    #[test]
    fn elsewhere_a_run_may_change_only_what_it_made() {
        let permit = admit(&"http://127.0.0.1:4566".parse().expect("a target")).expect("a permit");
        assert!(permit.covers("havoq-r-Orders").is_err(), "it is for no run yet");
        let permit = permit.for_run("r");
        assert_eq!(permit.covers("havoq-r-Orders"), Ok(()));
        for other in ["orders", "havoq-r", "havoq-r2-Orders", "havoq-q-Orders", ""] {
            assert_eq!(permit.covers(other), Err(Refusal::NotOurs(other.to_owned())));
        }
    }
}
