//! Values of the models' shapes, for property tests.

use std::ops::Range;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value};

use super::types::{Member, Model, Shape, StructureId};
use crate::service::Service;
use crate::values;

/// How far structures nest before only their scalars are filled in.
const DEPTH: usize = 4;

/// An operation of a service, and the structure on the side that is asked for.
pub(crate) fn operation(
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
    select(Service::ALL).prop_flat_map(of_service).prop_flat_map(|(service, name, id)| {
        structure(service.model(), id, 0).prop_map(move |value| (service, name, id, value))
    })
}

fn structure(model: &'static Model, id: StructureId, depth: usize) -> BoxedStrategy<Value> {
    let members = &model.structure(id).members;
    let shallow: Vec<&Member> =
        members.iter().filter(|member| depth < DEPTH || is_scalar(&member.shape)).collect();
    let fill = move |chosen: Vec<&'static Member>| {
        let values: Vec<_> = chosen.iter().map(|member| value(model, &member.shape, depth + 1)).collect();
        values.prop_map(move |values| {
            let pairs = chosen.iter().map(|member| member.name.to_owned()).zip(values);
            Value::Object(pairs.collect::<Map<_, _>>())
        })
    };
    let count = shallow.len();
    proptest::sample::subsequence(shallow, 0..=count).prop_flat_map(fill).boxed()
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
