//! What a property may hold, and what becomes of it: the tables of `shapes` are made of this.

/// What a property holds.
#[derive(Debug)]
pub(super) enum Shape {
    /// A word, or a reference. Without what it refers to it says nothing.
    Text,
    /// A text that only programs read.
    Free,
    /// A whole number in a range.
    Whole(i64, i64),
    Bool,
    /// A point in time as ISO 8601, which the API takes in seconds.
    Time,
    /// A document that the API takes as a text of JSON.
    Json,
    List(&'static Shape),
    /// Keys that somebody makes up.
    Map(&'static Shape),
    Record(&'static [Field]),
}

/// A property by its name.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) role: Role,
}

#[derive(Debug)]
pub(super) enum Role {
    /// What it belongs to cannot be made without it.
    Needed(Shape),
    Read(Shape),
    /// It changes nothing that a run could show.
    Quiet,
    Ignored,
}

pub(super) const fn needed(name: &'static str, shape: Shape) -> Field {
    Field { name, role: Role::Needed(shape) }
}

pub(super) const fn read(name: &'static str, shape: Shape) -> Field {
    Field { name, role: Role::Read(shape) }
}

pub(super) const fn quiet(name: &'static str) -> Field {
    Field { name, role: Role::Quiet }
}

pub(super) const fn ignored(name: &'static str) -> Field {
    Field { name, role: Role::Ignored }
}
