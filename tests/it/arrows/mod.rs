//! The import arrows of ARCHITECTURE.md, read from the sources: which room may import which, and
//! which crate which. A wrong arrow is a design error, so it fails the build.

mod crates;
mod paths;
mod rooms;
