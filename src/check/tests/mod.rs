//! Histories that must pass, fail or stay undecided.
