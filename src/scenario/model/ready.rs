//! When a consumer is ready, and what is known of one that havoq does not start.

use std::net::SocketAddr;

use havoq_base::RealDuration;

/// When a started consumer is ready.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ready {
    pub sign: Sign,
    /// How long it may take.
    pub within: Option<RealDuration>,
}

/// What shows that it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sign {
    /// Its first poll of each of its queues: nothing waits for it but the clock.
    #[default]
    Poll,
    /// A line of what it writes matches this regular expression.
    Log(String),
    /// It accepts connections on this port.
    Port(u16),
    /// This exits with 0.
    Command(Vec<String>),
}

/// A consumer that is there already, and how to end it and bring it back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deployed {
    /// Where its tap is.
    pub listen: SocketAddr,
    pub kill: Option<Vec<String>>,
    pub restart: Option<Vec<String>>,
    /// What `swap` runs in place of `restart`.
    pub fix: Option<Vec<String>>,
}
