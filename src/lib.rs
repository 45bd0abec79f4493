//! havoq: a chaos and failure-path test harness for systems built on AWS messaging.
//! ARCHITECTURE.md says what lives in which room and who may import whom.

pub mod aws;
pub mod check;
pub mod cli;
pub mod consumer;
pub mod engine;
pub mod guard;
pub mod history;
pub mod inject;
pub mod observe;
pub mod report;
pub mod scenario;
pub mod stack;
pub mod tap;
