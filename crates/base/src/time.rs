//! Two kinds of time that must never be mixed: the stack's (virtual, may jump) and the real one.

use std::fmt;
use std::ops::{Add, AddAssign, Sub};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A point on the stack's clock, in microseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackTime(u64);

/// A span on the stack's clock, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StackDuration(u64);

/// A point in real time, in microseconds since the run began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RealTime(u64);

/// A span of real time, in microseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RealDuration(u64);

impl StackTime {
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }
    pub const fn from_millis(millis: u64) -> Self {
        Self(millis * 1_000)
    }
    pub const fn from_secs(secs: u64) -> Self {
        Self(secs * 1_000_000)
    }
    pub const fn as_micros(self) -> u64 {
        self.0
    }
    /// Milliseconds since the epoch, the unit of SQS's own timestamps.
    pub const fn as_millis(self) -> u64 {
        self.0 / 1_000
    }
    pub const fn as_secs(self) -> u64 {
        self.0 / 1_000_000
    }
    /// How long after `earlier` this is; zero when it is not after it.
    pub const fn since(self, earlier: Self) -> StackDuration {
        StackDuration(self.0.saturating_sub(earlier.0))
    }
    /// RFC 3339 in UTC with microseconds.
    pub fn rfc3339(self) -> String {
        self.to_string()
    }
    fn timestamp(self) -> jiff::Timestamp {
        jiff::Timestamp::from_microsecond(self.0 as i64).unwrap_or(jiff::Timestamp::MAX)
    }
}

impl fmt::Display for StackTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.6}", self.timestamp())
    }
}

impl FromStr for StackTime {
    type Err = jiff::Error;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let stamp: jiff::Timestamp = text.parse()?;
        Ok(Self(stamp.as_microsecond().max(0) as u64))
    }
}

impl Serialize for StackTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for StackTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

macro_rules! duration {
    ($name:ident) => {
        impl $name {
            pub const ZERO: Self = Self(0);
            pub const fn from_micros(micros: u64) -> Self {
                Self(micros)
            }
            pub const fn from_millis(millis: u64) -> Self {
                Self(millis * 1_000)
            }
            pub const fn from_secs(secs: u64) -> Self {
                Self(secs * 1_000_000)
            }
            pub const fn as_micros(self) -> u64 {
                self.0
            }
            pub const fn as_millis(self) -> u64 {
                self.0 / 1_000
            }
            pub const fn as_secs(self) -> u64 {
                self.0 / 1_000_000
            }
            pub fn as_secs_f64(self) -> f64 {
                self.0 as f64 / 1e6
            }
            pub const fn saturating_sub(self, other: Self) -> Self {
                Self(self.0.saturating_sub(other.0))
            }
            pub const fn times(self, factor: u64) -> Self {
                Self(self.0.saturating_mul(factor))
            }
        }

        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0.saturating_add(other.0))
            }
        }

        impl AddAssign for $name {
            fn add_assign(&mut self, other: Self) {
                *self = *self + other;
            }
        }

        /// The shortest exact form in the scenario language's units, such as `3m`, `1.5s` or `20ms`.
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                for (unit, micros) in [
                    ("d", 86_400_000_000),
                    ("h", 3_600_000_000),
                    ("m", 60_000_000),
                    ("s", 1_000_000),
                    ("ms", 1_000),
                ] {
                    if self.0 >= micros && self.0 % micros == 0 {
                        return write!(f, "{}{unit}", self.0 / micros);
                    }
                }
                match self.0 {
                    0 => f.write_str("0s"),
                    micros if micros >= 1_000_000 => write!(f, "{:.3}s", micros as f64 / 1e6),
                    micros => write!(f, "{:.3}ms", micros as f64 / 1e3),
                }
            }
        }

        /// Seconds, as a number with microseconds behind the point.
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_f64(self.as_secs_f64())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let secs = f64::deserialize(deserializer)?;
                Ok(Self((secs * 1e6).round().max(0.0) as u64))
            }
        }
    };
}

duration!(StackDuration);
duration!(RealDuration);

impl RealDuration {
    pub const fn as_std(self) -> Duration {
        Duration::from_micros(self.0)
    }
}

impl From<Duration> for RealDuration {
    fn from(duration: Duration) -> Self {
        Self(duration.as_micros().min(u128::from(u64::MAX)) as u64)
    }
}

impl Add<StackDuration> for StackTime {
    type Output = Self;
    fn add(self, span: StackDuration) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

impl Sub<StackDuration> for StackTime {
    type Output = Self;
    fn sub(self, span: StackDuration) -> Self {
        Self(self.0.saturating_sub(span.0))
    }
}

impl RealTime {
    pub const fn from_micros(micros: u64) -> Self {
        Self(micros)
    }
    pub const fn as_micros(self) -> u64 {
        self.0
    }
    pub fn as_secs_f64(self) -> f64 {
        self.0 as f64 / 1e6
    }
    /// How long after `earlier` this is; zero when it is not after it.
    pub const fn since(self, earlier: Self) -> RealDuration {
        RealDuration(self.0.saturating_sub(earlier.0))
    }
}

impl Add<RealDuration> for RealTime {
    type Output = Self;
    fn add(self, span: RealDuration) -> Self {
        Self(self.0.saturating_add(span.0))
    }
}

/// Seconds since the run began, as a number with microseconds behind the point.
impl Serialize for RealTime {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(self.as_secs_f64())
    }
}

impl<'de> Deserialize<'de> for RealTime {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let secs = f64::deserialize(deserializer)?;
        Ok(Self((secs * 1e6).round().max(0.0) as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_print_in_the_units_of_the_scenario_language() {
        for (micros, text) in [
            (0, "0s"),
            (1_000, "1ms"),
            (180_000_000, "3m"),
            (1_500_000, "1500ms"),
            (1_209_600_000_000, "14d"),
            (1_234_567, "1.235s"),
        ] {
            assert_eq!(StackDuration::from_micros(micros).to_string(), text);
        }
    }

    proptest! {
        #[test]
        fn a_stack_time_survives_its_text(micros in 0u64..4_000_000_000_000_000) {
            let time = StackTime::from_micros(micros);
            prop_assert_eq!(time.to_string().parse::<StackTime>().unwrap(), time);
        }
    }
}
