//! The integration tests, one binary: linking it once is cheaper than once a file.

mod arrows;
mod bounds;
mod drills;
mod foreign;
mod hostile;
mod real_clients;
mod real_clock;
mod support;
mod text;
