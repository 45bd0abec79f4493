//! A form whose names are paths: `Entry.1.Id`.

use std::borrow::Cow;
use std::collections::BTreeSet;

/// The fields of a form by their names.
pub(crate) struct Form<'a> {
    /// Sorted by name.
    fields: Vec<(Cow<'a, str>, Cow<'a, str>)>,
}

/// What a form holds at one path and below it.
#[derive(Clone, Copy)]
pub(crate) struct Node<'a> {
    /// The value at the very path.
    pub(crate) value: Option<&'a str>,
    /// The fields below the path. All their names begin with it.
    below: &'a [(Cow<'a, str>, Cow<'a, str>)],
    /// Where in those names the part below the path begins.
    at: usize,
}

impl<'a> Form<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Self {
        let mut fields: Vec<_> = form_urlencoded::parse(text).collect();
        // Stable, so the first of two fields of one name stays the first.
        fields.sort_by(|(left, _), (right, _)| left.cmp(right));
        Self { fields }
    }

    pub(crate) fn root(&self) -> Node<'_> {
        Node { value: None, below: &self.fields, at: 0 }
    }
}

impl<'a> Node<'a> {
    /// The node one step down. Nothing may be there.
    pub(crate) fn child(&self, name: &str) -> Self {
        let prefix = format!("{name}.");
        let first = self.below.partition_point(|field| self.rest(field) < name.as_bytes());
        let value = self.below.get(first).filter(|field| self.rest(field) == name.as_bytes());
        let start = self.below.partition_point(|field| self.rest(field) < prefix.as_bytes());
        let below = self.below.get(start..).unwrap_or_default();
        let length = below.partition_point(|field| self.rest(field).starts_with(prefix.as_bytes()));
        Self {
            value: value.map(|(_, value)| value.as_ref()),
            below: &below[..length],
            at: self.at + prefix.len(),
        }
    }

    /// The part of a field's name that lies below this node.
    fn rest<'f>(&self, (name, _): &'f (Cow<'_, str>, Cow<'_, str>)) -> &'f [u8] {
        name.as_bytes().get(self.at..).unwrap_or_default()
    }

    pub(crate) fn is_absent(&self) -> bool {
        self.value.is_none() && self.below.is_empty()
    }

    /// The children whose names are numbers, in the order of these. Gaps do not matter.
    pub(crate) fn numbered(&self) -> Vec<Self> {
        let numbers: BTreeSet<u32> =
            self.below.iter().filter_map(|(name, _)| number(name.get(self.at..)?)).collect();
        numbers.into_iter().map(|number| self.child(&number.to_string())).collect()
    }
}

/// The number that a path begins with. `01` is a name like any other.
fn number(path: &str) -> Option<u32> {
    let step = path.split('.').next()?;
    let number: u32 = step.parse().ok()?;
    (number.to_string() == step).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_the_value_at_its_path_and_what_is_below() {
        let form = Form::new(b"A.1.B=x&A-1=no&A=all&A.1=one&AB=no&A.1.B=second&C=%26+%C3%A9");
        let a = form.root().child("A");
        assert_eq!(a.value, Some("all"));
        assert_eq!(a.child("1").value, Some("one"));
        assert_eq!(a.child("1").child("B").value, Some("x"));
        assert_eq!(form.root().child("C").value, Some("& \u{e9}"));
        assert!(form.root().child("B").is_absent());
        assert!(!form.root().child("A").child("1").child("B").is_absent());
    }

    #[test]
    fn numbered_children_come_in_the_order_of_their_numbers() {
        let form = Form::new(b"A.10=ten&A.2.x=two&A.1=one&A.01=no&A.x=no&A.2.y=two&A.99999999999=no&A.-1=no");
        let values: Vec<_> = form.root().child("A").numbered().iter().map(|node| node.value).collect();
        assert_eq!(values, [Some("one"), None, Some("ten")]);
    }
}
