//! The protocols from outside: what real clients send, and what they are sent.

mod answers;
mod corpus;
mod errors;
mod fixtures;
mod requests;
