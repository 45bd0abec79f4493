//! What a scenario means, after validation: every name resolves, every alternative is decided.

mod claim;
mod consumer;
mod document;
mod function;
mod lambda;
mod ready;
mod stack;
mod step;

use std::collections::BTreeMap;

pub use claim::*;
pub use consumer::*;
pub use document::*;
pub use function::*;
pub use lambda::*;
pub use ready::*;
pub use stack::*;
pub use step::*;

use super::place::At;
use super::scale::Scaled;
use super::sweep::Swept;

/// A validated scenario. It keeps its source texts, which is all that re-judging needs.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// The file as the user named it.
    pub file: String,
    pub text: String,
    /// The stack's own file, when it is not inline: name as the user would find it, and text.
    pub stack_file: Option<(String, String)>,
    pub name: At<String>,
    pub description: Option<String>,
    pub stack: Template,
    pub consumers: BTreeMap<String, Consumer>,
    pub effects: BTreeMap<String, Effect>,
    pub steady_state: Vec<Step>,
    pub inject: Vec<Step>,
    pub expect: Vec<Expectation>,
    /// `allow: [discarded]`.
    pub allow_discarded: bool,
    /// Its durations are not those of its text.
    pub scaled: Option<Scaled>,
    /// A sweep runs it, without its own kills.
    pub swept: Option<Swept>,
}
