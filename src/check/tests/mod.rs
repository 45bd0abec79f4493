//! Histories that must pass, fail or stay undecided: one file a checker, each read top to bottom.

mod afar;
mod alarm;
mod always;
mod at_work;
mod attempts;
mod call_faults;
mod dead_lettered;
mod depth;
mod diagnosis;
mod dsl;
mod effect;
mod functions;
mod laws;
mod preconditions;
mod ready;
mod redelivered;
mod standing;
mod sweep;
mod tape;
mod waits;
