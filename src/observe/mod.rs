//! Pollers and sinks that turn the world into events.

mod http_sink;
mod traffic;
mod watcher;

pub use http_sink::{HttpSink, SinkSpec};
pub use watcher::{Look, Watcher};
