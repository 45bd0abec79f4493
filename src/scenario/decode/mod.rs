//! From nodes to typed raw values. One declaration of a record gives its decoder, its part of the
//! JSON Schema and, through that, its entry in the reference. Problems are gathered, not returned:
//! a value that is wrong is `None`, and decoding goes on.

mod lists;
mod paths;
mod record;
mod scalars;
mod schema;
mod texts;
mod times;

pub(super) use lists::{OneOrMany, Raw, Several, Table};
pub(super) use paths::{EffectPath, PathText};
pub(super) use record::{Fields, Given, Need, record, variant_of, variants};
pub(super) use scalars::{AnyText, Choice, Id, Json, Positive, Probability, Text, Title, Whole};
pub(super) use schema::{Key, object_schema, schema_of, variants_schema};
pub(super) use texts::{Loopback, Pattern};
pub use times::real_duration;
pub(super) use times::{LongDuration, Span as TimeSpan};

use super::problem::{Log, Span};
use super::yaml::Node;

/// A value with the place that it was read from.
#[derive(Clone, Debug)]
pub(super) struct Sp<T> {
    pub(super) value: T,
    pub(super) span: Span,
}

impl<T> std::ops::Deref for Sp<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

pub(super) trait Decode: Sized {
    /// `None` when a problem was noted.
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self>;
    /// What an editor needs to know of it.
    fn schema() -> serde_json::Value;
}

impl<T: Decode> Decode for Sp<T> {
    fn decode(node: &Node, log: &mut Log<'_>) -> Option<Self> {
        T::decode(node, log).map(|value| Self { value, span: node.span })
    }
    fn schema() -> serde_json::Value {
        T::schema()
    }
}

/// Notes that `node` is not what was wanted.
pub(super) fn mismatch(node: &Node, wanted: &str, log: &mut Log<'_>) {
    if let Some(tag) = &node.tag {
        log.report(node.span, format!("`!{tag}` means nothing here"))
            .hint("intrinsics belong in the stack's template");
        return;
    }
    log.report(node.span, format!("expected {wanted}, found {}", node.kind()));
}
