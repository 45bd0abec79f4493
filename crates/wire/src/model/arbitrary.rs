//! Values of the models' shapes, for property tests.

use std::ops::Range;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

use super::types::{Member, Model, Place, Shape, StructureId};
use crate::call::Protocol;
use crate::service::Service;
use crate::values;

/// How far structures nest before only their scalars are filled in.
const DEPTH: usize = 4;

/// An operation of a service that speaks a protocol, and the structure on the side that is asked for.
pub(crate) fn operation(
    protocol: Protocol,
    side: fn(&super::types::Operation) -> Option<StructureId>,
) -> impl Strategy<Value = (Service, &'static str, StructureId, Value)> {
    let of_service = move |service: Service| {
        let mut operations: Vec<_> = service
            .model()
            .operations
            .iter()
            .filter_map(|(name, operation)| Some((*name, side(operation)?)))
            .collect();
        operations.sort_by_key(|(name, _)| *name);
        select(operations).prop_map(move |(name, id)| (service, name, id))
    };
    let services: Vec<_> = Service::ALL.iter().copied().filter(|service| service.speaks(protocol)).collect();
    select(services).prop_flat_map(of_service).prop_flat_map(|(service, name, id)| {
        structure(service.model(), id, 0).prop_map(move |value| (service, name, id, value))
    })
}

fn structure(model: &'static Model, id: StructureId, depth: usize) -> BoxedStrategy<Value> {
    let members = &model.structure(id).members;
    let shallow: Vec<&Member> =
        members.iter().filter(|member| depth < DEPTH || is_scalar(&member.shape)).collect();
    // A path has all of its labels.
    let (labels, shallow): (Vec<_>, Vec<_>) =
        shallow.into_iter().partition(|member| member.place == Place::Path);
    let fill = move |chosen: Vec<&'static Member>| {
        let values: Vec<_> = chosen.iter().map(|member| placed(model, member, depth)).collect();
        values.prop_map(move |values| {
            let pairs = chosen.iter().map(|member| member.name.to_owned()).zip(values);
            Value::Object(pairs.collect::<Map<_, _>>())
        })
    };
    let count = shallow.len();
    let chosen = proptest::sample::subsequence(shallow, 0..=count);
    chosen.prop_map(move |chosen| [labels.clone(), chosen].concat()).prop_flat_map(fill).boxed()
}

/// A value that can stand where its member does.
fn placed(model: &'static Model, member: &'static Member, depth: usize) -> BoxedStrategy<Value> {
    match (member.place, &member.shape) {
        (Place::Header, Shape::String) => "([!-~]([ -~]{0,20}[!-~])?)?".prop_map(Value::from).boxed(),
        (Place::Path, Shape::String) => "\\PC{1,20}".prop_map(Value::from).boxed(),
        // Not 204, which has no body.
        (Place::Status, _) => (200..204).prop_map(Value::from).boxed(),
        // No address can say that a list is empty.
        (Place::Query, Shape::List { item, .. }) => {
            vec(value(model, item, depth + 1), 1..12).prop_map(Value::from).boxed()
        }
        (_, shape) => value(model, shape, depth + 1),
    }
}

fn value(model: &'static Model, shape: &'static Shape, depth: usize) -> BoxedStrategy<Value> {
    const ENTRIES: Range<usize> = 0..12;
    match shape {
        Shape::String => any::<String>().prop_map(Value::from).boxed(),
        Shape::Integer => any::<i64>().prop_map(Value::from).boxed(),
        Shape::Double => {
            prop_oneof![any::<f64>(), Just(f64::NAN), Just(f64::INFINITY), Just(f64::NEG_INFINITY)]
                .prop_map(values::double)
                .boxed()
        }
        Shape::Boolean => any::<bool>().prop_map(Value::from).boxed(),
        // To the millisecond, which is what XML keeps.
        Shape::Timestamp => (-62_000_000_000_000..250_000_000_000_000_i64)
            .prop_map(|ms| values::seconds(ms as f64 / 1e3))
            .boxed(),
        Shape::Blob => any::<Vec<u8>>().prop_map(|bytes| Value::from(values::base64(&bytes))).boxed(),
        Shape::Structure(id) => structure(model, *id, depth),
        Shape::List { item, .. } => vec(value(model, item, depth), ENTRIES).prop_map(Value::from).boxed(),
        Shape::Map { of, .. } => btree_map(any::<String>(), value(model, of, depth), ENTRIES)
            .prop_map(|pairs| Value::Object(pairs.into_iter().collect()))
            .boxed(),
    }
}

fn is_scalar(shape: &Shape) -> bool {
    !matches!(shape, Shape::Structure(_) | Shape::List { .. } | Shape::Map { .. })
}
