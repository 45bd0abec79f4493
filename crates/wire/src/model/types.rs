//! A model, read.

use std::collections::HashMap;

use http::{Method, StatusCode};

use crate::call::Protocol;

/// How deep a value may be nested. No API comes near it.
pub(crate) const MAX_DEPTH: usize = 64;

/// One service's API.
#[derive(Debug, Default)]
pub(crate) struct Model {
    pub(crate) version: &'static str,
    /// What its shapes' names begin with in errors.
    pub(crate) namespace: &'static str,
    /// The service's name in the scope of a signature.
    pub(crate) signing: &'static str,
    /// What `X-Amz-Target` begins with, and what CBOR's path calls the service.
    pub(crate) target: Option<&'static str>,
    /// The media type of its JSON.
    pub(crate) json: Option<&'static str>,
    /// The namespace of its XML.
    pub(crate) xmlns: &'static str,
    pub(crate) query_compatible: bool,
    /// What its clients speak.
    pub(crate) protocols: Vec<Protocol>,
    pub(crate) operations: HashMap<&'static str, Operation>,
    /// Query code and status by the error's shape.
    pub(crate) errors: HashMap<&'static str, (&'static str, u16)>,
    /// The members of the errors, where they are described.
    pub(super) error_members: HashMap<&'static str, StructureId>,
    pub(super) structures: Vec<Structure>,
}

/// A structure of one model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StructureId(pub(super) usize);

#[derive(Debug)]
pub(crate) struct Operation {
    pub(crate) input: Option<StructureId>,
    pub(crate) output: Option<StructureId>,
    /// In REST: where it is.
    pub(crate) binding: Option<Binding>,
}

/// The method and the path of an operation, and the status of its answer.
#[derive(Debug)]
pub(crate) struct Binding {
    pub(crate) method: Method,
    /// Steps, some of them labels in braces, and after a `?` what else the address must have.
    pub(crate) path: &'static str,
    pub(crate) status: StatusCode,
}

#[derive(Debug, Default)]
pub(crate) struct Structure {
    pub(crate) members: Vec<Member>,
}

#[derive(Debug)]
pub(crate) struct Member {
    /// As in the API, JSON and CBOR.
    pub(crate) name: &'static str,
    /// As in Query, XML and REST.
    pub(crate) wire: &'static str,
    pub(crate) shape: Shape,
    pub(crate) place: Place,
}

/// Where REST has a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Among the members of the body's JSON.
    Member,
    /// It is the whole body.
    Body,
    Path,
    Query,
    Header,
    /// It is the answer's status.
    Status,
}

#[derive(Debug)]
pub(crate) enum Shape {
    String,
    Integer,
    Double,
    Boolean,
    Timestamp,
    Blob,
    Structure(StructureId),
    List { layout: Layout, item: Box<Shape> },
    Map { layout: Layout, key: &'static str, value: &'static str, of: Box<Shape> },
}

/// How Query and XML write a list or a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Its entries take its own name.
    Flat,
    /// Its entries lie below it under this name.
    Nested(&'static str),
}

impl Model {
    pub(crate) fn input(&self, operation: &str) -> Option<StructureId> {
        self.operations.get(operation)?.input
    }

    pub(crate) fn output(&self, operation: &str) -> Option<StructureId> {
        self.operations.get(operation)?.output
    }

    pub(crate) fn structure(&self, id: StructureId) -> &Structure {
        &self.structures[id.0]
    }

    pub(crate) fn error_members(&self, shape: &str) -> Option<&Structure> {
        self.error_members.get(shape).map(|id| self.structure(*id))
    }
}

impl Shape {
    /// As messages call it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::Timestamp => "timestamp",
            Self::Blob => "blob",
            Self::Structure(_) => "structure",
            Self::List { .. } => "list",
            Self::Map { .. } => "map",
        }
    }
}
