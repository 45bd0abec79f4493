//! The walk through a document that looks for values for all fields of a branch at once.
//!
//! It allocates nothing. A document is walked about once a branch, whatever its arrays hold, and no deeper than it
//! goes, and serde_json reads none that is deeper than 128. Where a field is found by several ways because names have
//! dots, what AWS does is not established, and arrays on those ways are not held together.

use std::cmp::Ordering;

use serde_json::{Map, Value};

use super::language::Precision;
use super::marks::Marks;
use super::scalar::Scalar;
use super::table::Field;

/// What is looked for, wherever the walk is.
#[derive(Clone, Copy)]
pub(super) struct Search<'r> {
    pub(super) fields: &'r [Field],
    pub(super) precision: Precision,
    /// The fields that may be absent and are: they need no value. Absence is a matter of the whole document, not
    /// of one array element.
    pub(super) absent: &'r Marks,
}

/// The fields that need a value from here on. All their paths have the same first `gone` bytes, which lead here.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'r> {
    /// The field to whose end the walk has come.
    here: Option<&'r u32>,
    /// Those whose paths go on, by path. These are indices into the search's fields.
    below: &'r [u32],
    gone: usize,
}

/// So many fields are scanned for a name, more are searched.
const FEW: usize = 16;

impl<'r> Wanted<'r> {
    pub(super) fn all(fields: &'r [u32]) -> Self {
        Self { here: None, below: fields, gone: 0 }
    }
}

impl<'r> Search<'r> {
    /// Whether there is a value for each of the fields. Fields below one array take their values from one and the
    /// same element of it, so that what is true of different records is not mixed up.
    pub(super) fn finds(&self, wanted: Wanted<'r>, value: &Value) -> bool {
        match value {
            Value::Array(elements) => elements.iter().any(|element| self.finds(wanted, element)),
            Value::Object(members) => {
                !wanted.here.is_some_and(|field| self.needs(*field)) && self.finds_in_object(wanted, members)
            }
            scalar => {
                !wanted.below.iter().any(|field| self.needs(*field))
                    && wanted.here.is_none_or(|field| !self.needs(*field) || self.is_met(*field, scalar))
            }
        }
    }

    fn finds_in_object(&self, wanted: Wanted<'r>, members: &Map<String, Value>) -> bool {
        // With names that have dots, a field can be found by more ways than one.
        if members.keys().any(|name| self.step(wanted, name).is_some() && name.contains('.')) {
            return self.finds_by_any_way(wanted, members);
        }
        let mut found = 0;
        for (name, value) in members {
            let Some(step) = self.step(wanted, name) else { continue };
            if !self.finds(step, value) {
                return false;
            }
            found += self.needed(step);
        }
        found == self.needed(wanted)
    }

    /// A member whose fields are found through it alone is looked at for all of them together; else any way will do
    /// for each field by itself.
    fn finds_by_any_way(&self, wanted: Wanted<'r>, members: &Map<String, Value>) -> bool {
        let ways = |field: u32| members.keys().filter(move |name| self.leads(name, field, wanted.gone));
        let is_only_way = |step: Wanted<'r>| self.of(step).all(|field| ways(*field).count() == 1);
        let is_alone = |field: u32| {
            ways(field).filter_map(|name| self.step(wanted, name)).all(|step| !is_only_way(step))
        };
        let mut steps = members.iter().filter_map(|(name, value)| Some((self.step(wanted, name)?, value)));
        steps.all(|(step, value)| !is_only_way(step) || self.finds(step, value))
            && self.of(wanted).all(|field| !is_alone(*field) || self.finds_alone(wanted, field, members))
    }

    fn finds_alone(&self, wanted: Wanted<'r>, field: &'r u32, members: &Map<String, Value>) -> bool {
        let wanted = Wanted { here: None, below: std::slice::from_ref(field), ..wanted };
        members
            .iter()
            .any(|(name, value)| self.step(wanted, name).is_some_and(|step| self.finds(step, value)))
    }

    /// What is wanted of the member `name`, if anything is.
    fn step(&self, wanted: Wanted<'r>, name: &str) -> Option<Wanted<'r>> {
        let (here, below) = if wanted.below.len() <= FEW {
            self.scan(wanted, name.as_bytes())
        } else {
            self.search(wanted, name.as_bytes())
        };
        let step = Wanted { here, below, gone: wanted.gone + name.len() + 1 };
        ((here.is_some() || !below.is_empty()) && self.of(step).next().is_some()).then_some(step)
    }

    fn scan(&self, wanted: Wanted<'r>, name: &[u8]) -> (Option<&'r u32>, &'r [u32]) {
        let (mut here, mut first, mut end) = (None, 0, 0);
        for (index, field) in wanted.below.iter().enumerate() {
            let left = &self.path(*field)[wanted.gone..];
            // Most names differ in the first letter, and this is met for each member of a document.
            if (left.first() != name.first() && !name.is_empty()) || !left.starts_with(name) {
                continue;
            }
            match left.get(name.len()) {
                None => here = Some(field),
                Some(b'.') if end == 0 => (first, end) = (index, index + 1),
                Some(b'.') => end = index + 1,
                Some(_) => {}
            }
        }
        (here, &wanted.below[first..end])
    }

    fn search(&self, wanted: Wanted<'r>, name: &[u8]) -> (Option<&'r u32>, &'r [u32]) {
        let left = |field: &u32| &self.path(*field)[wanted.gone..];
        let equal = wanted.below.partition_point(|field| left(field) < name);
        let here = wanted.below.get(equal).filter(|field| left(field) == name);
        let first = wanted.below.partition_point(|field| order(left(field), name).is_lt());
        let rest = &wanted.below[first..];
        (here, &rest[..rest.partition_point(|field| order(left(field), name).is_eq())])
    }

    /// Whether the member `name` is on the way to the field.
    fn leads(&self, name: &str, field: u32, gone: usize) -> bool {
        let left = &self.path(field)[gone..];
        left == name.as_bytes() || order(left, name.as_bytes()).is_eq()
    }

    fn needed(&self, wanted: Wanted<'r>) -> usize {
        self.of(wanted).count()
    }

    /// The fields that still need a value.
    fn of(&self, wanted: Wanted<'r>) -> impl Iterator<Item = &'r u32> {
        wanted.here.into_iter().chain(wanted.below).filter(|field| self.needs(**field))
    }

    fn needs(&self, field: u32) -> bool {
        self.fields[field as usize].optional.is_none_or(|optional| !self.absent.has(optional))
    }

    fn is_met(&self, field: u32, value: &Value) -> bool {
        Scalar::of(value, self.precision).is_some_and(|value| {
            self.fields[field as usize].any.iter().any(|operator| operator.matches(value))
        })
    }

    fn path(&self, field: u32) -> &'r [u8] {
        self.fields[field as usize].path.as_bytes()
    }

    /// Marks the optional fields among the wanted for which the document has a value, null being one. Empty arrays
    /// and objects are none.
    pub(super) fn mark_present(&self, wanted: Wanted<'r>, value: &Value, present: &mut Marks) {
        match value {
            Value::Array(elements) => {
                elements.iter().for_each(|element| self.mark_present(wanted, element, present));
            }
            Value::Object(members) => {
                for (name, value) in members {
                    if let Some(step) = self.step(wanted, name) {
                        self.mark_present(step, value, present);
                    }
                }
            }
            _ => {
                if let Some(optional) = wanted.here.and_then(|field| self.fields[*field as usize].optional) {
                    present.set(optional);
                }
            }
        }
    }
}

/// Whether what is left of a path goes on through the member `name`, or stands before or behind those that do.
fn order(left: &[u8], name: &[u8]) -> Ordering {
    match left.get(name.len()) {
        None if left <= name => Ordering::Less,
        None => Ordering::Greater,
        Some(next) => left[..name.len()].cmp(name).then(next.cmp(&b'.')),
    }
}
