//! JSON as AWS's compiler of rules reads it: token by token, so that an error is told where it is met.
//!
//! The compiler is built on Jackson. The texts of syntax errors are Jackson's, and a place is where Jackson's reader
//! stands when it complains: behind the token that it took last, where a name takes the first token of its value along.

mod number;
mod place;
mod reader;
mod text;
mod token;

pub(crate) use reader::Reader;
pub(crate) use token::Token;
