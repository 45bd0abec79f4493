//! The exit codes, all of them, and the one rule that chooses between them.

use serde::{Serialize, Serializer};

use crate::check::Verdict;

/// How the program ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exit {
    /// 0: every scenario passed.
    Pass,
    /// 1: a claim was false.
    Fail,
    /// 2: bad usage or a bad scenario file; only before anything starts.
    Usage,
    /// 3: a claim could not be judged, or no scenario was.
    Inconclusive,
    /// 4: a guard refused.
    Refused,
    /// 5: havoq or the stack broke, a failed clean-up included.
    Error,
    /// 130: interrupted, after cleaning up.
    Interrupted,
}

impl Exit {
    pub const fn code(self) -> u8 {
        match self {
            Self::Pass => 0,
            Self::Fail => 1,
            Self::Usage => 2,
            Self::Inconclusive => 3,
            Self::Refused => 4,
            Self::Error => 5,
            Self::Interrupted => 130,
        }
    }

    /// The exit of a run. When several apply: 130 > 5 > 4 > 1 > 3 > 0.
    ///
    /// A run that judged nothing is inconclusive: no finding must never look like a pass.
    pub fn of_run(interrupted: bool, refused: bool, verdicts: impl IntoIterator<Item = Verdict>) -> Self {
        let worst = verdicts.into_iter().max().unwrap_or(Verdict::Inconclusive);
        match worst {
            _ if interrupted => Self::Interrupted,
            Verdict::Error => Self::Error,
            _ if refused => Self::Refused,
            Verdict::Fail => Self::Fail,
            Verdict::Inconclusive => Self::Inconclusive,
            Verdict::Pass => Self::Pass,
        }
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}

/// As its code.
impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(self.code())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Error, Fail, Inconclusive, Pass};

    #[test]
    fn the_worst_cause_decides() {
        for (interrupted, refused, verdicts, code) in [
            (false, false, vec![Pass, Pass], 0),
            (false, false, vec![Pass, Inconclusive], 3),
            (false, false, vec![Inconclusive, Fail, Pass], 1),
            (false, true, vec![Fail, Inconclusive], 4),
            (false, true, vec![], 4),
            (false, true, vec![Error, Fail], 5),
            (false, false, vec![Error, Fail], 5),
            (true, true, vec![Error, Fail], 130),
            (true, false, vec![], 130),
        ] {
            let exit = Exit::of_run(interrupted, refused, verdicts.clone());
            assert_eq!(exit.code(), code, "interrupted {interrupted}, refused {refused}, {verdicts:?}");
        }
    }

    #[test]
    fn a_run_without_a_verdict_is_not_a_pass() {
        assert_eq!(Exit::of_run(false, false, []), Exit::Inconclusive);
    }
}
