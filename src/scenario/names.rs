//! The spelling of every fixed word of the language, in one place.

use super::model::{
    Action, AlarmState, Claim, ConsumerTime, CrashPoint, HeldCall, PoisonForm, Rejects, Side, Signal,
    WorkerBug,
};

/// A closed set of words.
pub trait Named: Copy + Sized + 'static {
    /// What a word of this set is, for messages.
    const WHAT: &'static str;
    /// Every value that has a word, in the order in which users should read them.
    const ALL: &'static [(&'static str, Self)];
}

macro_rules! names {
    ($type:ty, $what:literal, $($name:literal => $value:expr),+ $(,)?) => {
        impl Named for $type {
            const WHAT: &'static str = $what;
            const ALL: &'static [(&'static str, Self)] = &[$(($name, $value)),+];
        }

        impl $type {
            /// The value of this exact word.
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(word, _)| *word == name).map(|(_, value)| *value)
            }
        }

        impl std::str::FromStr for $type {
            type Err = UnknownName;
            fn from_str(name: &str) -> Result<Self, Self::Err> {
                Self::from_name(name).ok_or_else(|| UnknownName::new::<Self>(name))
            }
        }
    };
}

/// Also the other way, for sets in which every value has a word.
macro_rules! all_named {
    ($type:ty, $what:literal, $($name:literal => $value:ident),+ $(,)?) => {
        names!($type, $what, $($name => Self::$value),+);

        impl $type {
            /// The word of the scenario language.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $name),+
                }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

all_named!(WorkerBug, "a bug",
    "none" => None,
    "no-idempotency" => NoIdempotency,
    "delete-before-effect" => DeleteBeforeEffect,
    "mark-before-effect" => MarkBeforeEffect,
    "swallow-errors" => SwallowErrors,
    "never-delete" => NeverDelete,
    "crash-on-poison" => CrashOnPoison,
    "ignore-body-errors" => IgnoreBodyErrors,
    "short-visibility" => ShortVisibility,
    "late-effect" => LateEffect,
);

all_named!(CrashPoint, "a crash point",
    "after-receive" => AfterReceive,
    "before-effect" => BeforeEffect,
    "after-effect" => AfterEffect,
    "before-delete" => BeforeDelete,
    "after-delete" => AfterDelete,
);

all_named!(PoisonForm, "a form of poison",
    "truncated-json" => TruncatedJson,
    "not-json" => NotJson,
    "wrong-type" => WrongType,
    "missing-id" => MissingId,
    "next-version" => NextVersion,
);

all_named!(AlarmState, "an alarm state",
    "OK" => Ok,
    "ALARM" => Alarm,
    "INSUFFICIENT_DATA" => InsufficientData,
);

all_named!(Signal, "a signal",
    "SIGKILL" => Kill,
    "SIGTERM" => Term,
    "SIGSTOP" => Stop,
    "SIGCONT" => Cont,
);

all_named!(Side, "a side of the stack",
    "before" => Before,
    "after" => After,
);

all_named!(HeldCall, "what becomes of the held call",
    "drop" => Drop,
    "forward" => Forward,
);

all_named!(Rejects, "what the worker rejects",
    "next-version" => NextVersion,
);

// `Unset` is the absence of the key and has no word.
names!(ConsumerTime, "a way to show the time",
    "follow" => Self::Follow,
    "own" => Self::Own,
);

impl Action {
    /// The key of the step.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Send(_) => "send",
            Self::Poison(_) => "poison",
            Self::Duplicate(_) => "duplicate",
            Self::Kill(_) => "kill",
            Self::Fault(_) => "fault",
            Self::Restart { .. } => "restart",
            Self::Swap { .. } => "swap",
            Self::Redrive(_) => "redrive",
            Self::Wait(_) | Self::Await(_) => "wait",
        }
    }
}

impl Claim {
    /// The key of the expectation.
    pub fn key(&self) -> &'static str {
        match self {
            Self::DeadLettered { .. } => "dead_lettered",
            Self::Alarm { .. } => "alarm",
            Self::Redelivered { .. } => "redelivered",
            Self::Effect { .. } => "effect",
            Self::NoEffect { .. } => "no_effect",
            Self::Depth { .. } => "depth",
            Self::Drained { .. } => "drained",
            Self::Stays { .. } => "stays",
        }
    }
}

/// A word that the set does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName(String);

impl UnknownName {
    fn new<T: Named>(name: &str) -> Self {
        let words: Vec<_> = T::ALL.iter().map(|(word, _)| *word).collect();
        Self(format!("`{name}` is not {}: one of {}", T::WHAT, words.join(", ")))
    }
}

impl std::fmt::Display for UnknownName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnknownName {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bug_has_a_word_that_leads_back_to_it() {
        for (name, bug) in WorkerBug::ALL {
            assert_eq!(bug.name(), *name);
            assert_eq!(WorkerBug::from_name(name), Some(*bug));
        }
        assert_eq!(WorkerBug::from_name("No-Idempotency"), None);
    }

    #[test]
    fn an_unknown_word_lists_the_right_ones() {
        let error = "SIGHUP".parse::<Signal>().expect_err("not a signal of the language");
        assert_eq!(error.to_string(), "`SIGHUP` is not a signal: one of SIGKILL, SIGTERM, SIGSTOP, SIGCONT");
    }
}
