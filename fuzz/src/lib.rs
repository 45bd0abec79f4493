//! What is done with the bytes of each target. Ordinary tests of the crates include these modules
//! and do the same with the seeds.

pub mod pattern;
pub mod wire;
