//! What is made of a JSON document before a target gets it: nothing, a constant, a part of it, or a
//! template's text (semantics 3.3). Whose document it is, nothing here knows.

mod bad;
mod path;
mod shape;
mod template;
mod transformer;

pub(crate) use path::Path;
pub(crate) use shape::{Shape, Source};
pub(crate) use template::{Template, Values};
pub(crate) use transformer::InputTransformer;
