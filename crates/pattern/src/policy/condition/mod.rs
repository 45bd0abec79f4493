//! The element `Condition`: what must be true of the context of a request.

mod evaluate;
mod operand;
mod operator;

pub(super) use evaluate::{Condition, parse};
