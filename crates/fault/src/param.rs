//! What a kind of fault is told, described so that any language can ask for it.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::{RealDuration, StackDuration};

use crate::kind::Kind;

/// A kind of fault, as it is offered.
#[derive(Debug)]
pub struct KindDef {
    pub name: &'static str,
    /// What it does, for the reference.
    pub about: &'static str,
    pub params: &'static [Param],
    /// Makes it. The error says which value does not do, and why.
    pub build: fn(&Values) -> Result<Arc<dyn Kind>, String>,
}

/// One thing that a kind is told.
#[derive(Debug)]
pub struct Param {
    pub name: &'static str,
    pub about: &'static str,
    pub shape: Shape,
    pub required: bool,
    /// As it is written in a scenario.
    pub example: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Text,
    Whole,
    /// In real time: what a client waits for.
    Real,
    /// On the stack's clock.
    Stack,
    Flag,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Text(String),
    Whole(u32),
    Real(RealDuration),
    Stack(StackDuration),
    Flag(bool),
}

/// The values that were given, each in the shape of its parameter.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<&'static str, Value>);

impl Values {
    pub fn set(&mut self, name: &'static str, value: Value) {
        self.0.insert(name, value);
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn change_spans(&mut self, other: impl Fn(StackDuration) -> StackDuration) {
        for value in self.0.values_mut() {
            if let Value::Stack(span) = value {
                *span = other(*span);
            }
        }
    }

    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.0.get(name)? {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn whole(&self, name: &str) -> Option<u32> {
        match self.0.get(name)? {
            Value::Whole(number) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn real(&self, name: &str) -> Option<RealDuration> {
        match self.0.get(name)? {
            Value::Real(span) => Some(*span),
            _ => None,
        }
    }

    pub(crate) fn stack(&self, name: &str) -> Option<StackDuration> {
        match self.0.get(name)? {
            Value::Stack(span) => Some(*span),
            _ => None,
        }
    }

    pub(crate) fn flag(&self, name: &str) -> bool {
        matches!(self.0.get(name), Some(Value::Flag(true)))
    }
}

impl Param {
    pub(crate) const fn required(
        name: &'static str,
        shape: Shape,
        example: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, about, shape, required: true, example }
    }

    pub(crate) const fn optional(
        name: &'static str,
        shape: Shape,
        example: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, about, shape, required: false, example }
    }
}
