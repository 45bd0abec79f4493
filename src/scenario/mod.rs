//! The scenario language: the model, loading with exact places, validation, the JSON Schema.
//!
//! A text becomes a tree in which every node knows its place (`yaml`), the tree becomes raw records
//! (`decode`, `raw`), and those become the model (`lower`, `template`). Each stage notes its
//! problems and goes on, so that a file's problems are shown all at once.

mod bytes;
mod decode;
mod find;
mod load;
mod lower;
mod model;
mod names;
mod place;
mod problem;
mod raw;
mod scale;
mod schema;
mod suggest;
mod sweep;
mod template;
#[cfg(test)]
mod tests;
mod yaml;

pub use decode::real_duration;
pub use find::find;
pub use load::{StackLookup, load, parse, parse_faults};
pub use model::*;
pub use names::{Named, UnknownName};
pub use place::{At, Place};
pub use problem::{Problem, render_problems};
pub use scale::{Scale, Scaled};
pub use schema::json_schema;
pub(crate) use suggest::nearest;
pub use sweep::{Aim, Boundary, LeftOut, SWEEP_FAULT, Swept, SweptKill};
