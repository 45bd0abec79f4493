//! The integration tests, one binary: linking it once is cheaper than once a file.

mod adversaries;
mod arrows;
mod bounds;
mod cases;
mod drills;
mod hostile;
mod real_clients;
mod real_clock;
mod support;
mod text;
mod wrong_verdicts;
