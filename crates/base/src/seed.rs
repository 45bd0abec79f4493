//! One seed a run; every rule and scenario forks its own stream from it by name, so that adding
//! one does not shift the draws of the others.

use std::fmt;
use std::str::FromStr;

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// The number that makes a run repeatable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed(pub u64);

impl Seed {
    /// A fresh seed, from the machine's randomness.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the machine's randomness")]
    pub fn fresh() -> Self {
        // 53 bits, so that every JSON reader keeps the number exact.
        Self(uuid::Uuid::new_v4().as_u64_pair().0 >> 11)
    }

    /// A seed of its own for `name`.
    pub fn fork(self, name: &str) -> Self {
        // FNV-1a: short, stable over platforms and releases, which std's hashers are not.
        let bytes = self.0.to_le_bytes();
        let hash = bytes.iter().chain(name.as_bytes()).fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        Self(hash)
    }

    /// The stream of random numbers that this seed stands for.
    pub fn stream(self) -> Stream {
        Stream(ChaCha8Rng::seed_from_u64(self.0))
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl FromStr for Seed {
    type Err = std::num::ParseIntError;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self)
    }
}

/// A repeatable stream of random numbers.
#[derive(Clone, Debug)]
pub struct Stream(ChaCha8Rng);

impl Stream {
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A random (version 4) UUID.
    pub fn uuid(&mut self) -> uuid::Uuid {
        let mut bytes = [0; 16];
        self.0.fill_bytes(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_and_name_give_the_same_stream() {
        let draw = |seed: u64, name: &str| Seed(seed).fork(name).stream().next_u64();
        assert_eq!(draw(7, "a"), draw(7, "a"));
        assert_ne!(draw(7, "a"), draw(7, "b"));
        assert_ne!(draw(7, "a"), draw(8, "a"));
    }
}
