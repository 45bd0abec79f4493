//! The scenario language: the model, loading with exact places, validation, the JSON Schema.

mod model;
mod place;

pub use model::*;
pub use place::{At, Place};
