//! What the languages of this crate mean, case by case, and properties that hold for any input.

mod filter_attributes;
mod filter_body;
mod filter_errors;
mod filter_hostile;
