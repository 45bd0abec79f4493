//! Rules over JSON documents: the operators and the matching that SNS filter policies and EventBridge patterns share.
//!
//! Limits, scopes and outcomes belong to the front ends. The texts of errors are those of AWS's own compiler of rules.

mod affix;
mod anything_but;
mod cidr;
mod error;
mod fold;
mod language;
mod marks;
mod number;
mod numeric;
mod operator;
mod scalar;
mod search;
mod syntax;
mod table;
mod wildcard;

pub(crate) use cidr::Block;
pub use error::BadRule;
pub(crate) use language::Language;
pub(crate) use syntax::Rule;
pub(crate) use table::Table;
