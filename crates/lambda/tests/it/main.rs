//! Tests of the mapping: facts by name, and a model.

mod facts;
mod model;
mod poller;
