//! Paths into JSON documents, as text in and text out.

mod path;

pub use path::{BadPath, JsonPath};
