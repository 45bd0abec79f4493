//! The protocols from outside: what real clients send, and what they are sent.

mod answers;
mod errors;
mod fixtures;
mod requests;
mod rest;
mod seeds;
