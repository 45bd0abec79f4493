//! DynamoDB: tables, items, conditions, transactions, queries and PartiQL (semantics 6.1, 6.2). What
//! an operation does is the business of an engine, the crate `dynoxide-rs`, which keeps each place's
//! tables in memory. Here is what makes it one of this sandbox's services: names and times that are
//! the stack's, expiry on the stack's clock, and answers that are the same in each run.

mod clock;
mod engine;
mod names;
mod refusal;
mod sorted;
mod store;
mod tables;
mod tokens;

pub(crate) use store::Stores;
