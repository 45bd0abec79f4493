//! Pollers and sinks that turn the world into events.

mod http_sink;

pub use http_sink::{HttpSink, SinkSpec};
