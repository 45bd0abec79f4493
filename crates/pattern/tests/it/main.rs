//! What the languages of this crate mean, case by case, and properties that hold for any input.

mod corpus;
mod event_allocations;
mod event_cases;
mod event_dialects;
mod event_errors;
mod event_limits;
mod filter_attributes;
mod filter_body;
mod filter_errors;
mod filter_hostile;
mod model;
mod policy_cases;
mod policy_conditions;
mod policy_errors;
mod policy_properties;
mod seeds;
