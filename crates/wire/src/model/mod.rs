//! What the APIs look like: operations, shapes, and their names on the wire. The models lie in the
//! crate's folder `models`; a service's behaviour is no part of them.

#[cfg(test)]
pub(crate) mod arbitrary;
mod mismatch;
mod parse;
mod scalar;
mod types;

pub(crate) use mismatch::Mismatch;
pub(crate) use types::{Binding, Layout, MAX_DEPTH, Member, Model, Place, Shape, Structure, StructureId};
