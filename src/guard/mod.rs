//! What may be touched: no call that changes a stack is made without a [`Permit`].

mod target;

pub use target::{Permit, Refusal, Target, admit};
