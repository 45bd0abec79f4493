//! Rules and documents for the plain matcher, of few names and few texts, so that they meet.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[xyX]{0,3}", Just("10.0.0.1".to_owned()), Just("10.0.7.1".to_owned())]
}

fn number() -> impl Strategy<Value = Value> {
    prop_oneof![Just(json!(0)), Just(json!(1)), Just(json!(1.0)), Just(json!(2.5)), Just(json!(-3))]
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        4 => text().prop_map(Value::String),
        2 => number(),
        1 => any::<bool>().prop_map(Value::Bool),
        1 => Just(Value::Null),
    ]
}

fn wildcard() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["*", "x*", "*x", "x*y", "*x*", "x*x*y", "xy", "*y*x*"])
        .prop_map(str::to_owned)
}

fn named() -> impl Strategy<Value = Value> {
    let list = |name: &'static str, texts: BoxedStrategy<String>| {
        proptest::collection::vec(texts, 1..3).prop_map(move |texts| json!({ name: texts }))
    };
    prop_oneof![
        list("prefix", "[xyX]{1,2}".boxed()),
        list("suffix", "[xyX]{1,2}".boxed()),
        list("equals-ignore-case", text().boxed()),
        list("wildcard", wildcard().boxed()),
        text().prop_map(Value::String),
        proptest::collection::vec(text(), 1..3).prop_map(|texts| json!(texts)),
        proptest::collection::vec(number(), 1..3).prop_map(|numbers| json!(numbers)),
    ]
}

fn operator() -> impl Strategy<Value = Value> {
    let sign = |signs: &[&'static str]| proptest::sample::select(signs.to_vec());
    prop_oneof![
        3 => scalar(),
        1 => "[xyX]{0,2}".prop_map(|text| json!({"prefix": text})),
        1 => "[xyX]{0,2}".prop_map(|text| json!({"suffix": text})),
        1 => text().prop_map(|text| json!({"equals-ignore-case": text})),
        1 => wildcard().prop_map(|text| json!({"wildcard": text})),
        1 => (sign(&["10.0.0.0/24", "10.0.0.0/16", "11.0.0.0/8"])).prop_map(|block| json!({"cidr": block})),
        1 => (sign(&["=", "<", "<=", ">", ">="]), number()).prop_map(|(sign, n)| json!({"numeric": [sign, n]})),
        1 => (sign(&[">", ">="]), sign(&["<", "<="]), -2..2).prop_map(|(low, high, n)| json!({"numeric": [low, n, high, 2.5]})),
        2 => named().prop_map(|inner| json!({"anything-but": inner})),
        2 => any::<bool>().prop_map(|bool| json!({"exists": bool})),
    ]
}

/// Few names, so that they meet.
fn name() -> impl Strategy<Value = String> {
    proptest::sample::select(vec!["a", "b", "ab", "a.b"]).prop_map(str::to_owned)
}

fn fields(
    value: impl Strategy<Value = Value>,
    count: std::ops::Range<usize>,
) -> impl Strategy<Value = Value> {
    proptest::collection::vec((name(), value), count)
        .prop_map(|fields| Value::Object(fields.into_iter().collect::<Map<_, _>>()))
}

pub(super) fn policy() -> impl Strategy<Value = Value> {
    let leaf = proptest::collection::vec(operator(), 1..3).prop_map(Value::Array);
    let nested = leaf.prop_recursive(2, 6, 2, |inner| fields(inner, 1..4));
    (fields(nested.clone(), 1..3), proptest::option::of((fields(nested.clone(), 1..3), fields(nested, 1..3))))
        .prop_map(|(mut policy, or)| {
            if let Some((left, right)) = or {
                policy["$or"] = json!([left, right]);
            }
            policy
        })
}

pub(super) fn body() -> impl Strategy<Value = Value> {
    let value = scalar().prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            2 => fields(inner.clone(), 0..4).prop_map(one_way),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    });
    fields(value, 0..4).prop_map(one_way)
}

/// A policy, and a body that was made to be near to what it wants.
pub(super) fn policy_and_near_body() -> impl Strategy<Value = (Value, Value)> {
    (policy(), proptest::collection::vec(any::<u8>(), 1..40)).prop_map(|(policy, dice)| {
        let body = near(&policy, &mut dice.into_iter().cycle());
        (policy, body)
    })
}

fn near(policy: &Value, dice: &mut impl Iterator<Item = u8>) -> Value {
    let Value::Object(fields) = policy else {
        let any = policy.as_array().expect("alternatives");
        let value = witness(&any[roll(dice, any.len())]);
        return match roll(dice, 4) {
            0 => json!("q"),
            1 => json!([1, value]),
            _ => value,
        };
    };
    let mut object = Map::new();
    for (name, value) in fields {
        if name == "$or" {
            let chosen = roll(dice, 2);
            object.extend(near(&value[chosen], dice).as_object().cloned().unwrap_or_default());
        } else if roll(dice, 10) > 0 {
            // Now and then several records, of which one may be right.
            let value = if value.is_object() && roll(dice, 2) == 0 {
                json!([near(value, dice), near(value, dice)])
            } else {
                near(value, dice)
            };
            object.insert(name.clone(), value);
        }
    }
    one_way(Value::Object(object))
}

fn roll(dice: &mut impl Iterator<Item = u8>, sides: usize) -> usize {
    usize::from(dice.next().unwrap_or_default()) % sides
}

/// A value that the operator may take.
fn witness(operator: &Value) -> Value {
    let Some((name, operand)) = operator.as_object().and_then(|expression| expression.iter().next()) else {
        return operator.clone();
    };
    match name.as_str() {
        "prefix" => json!(format!("{}x", operand.as_str().expect("a text"))),
        "suffix" => json!(format!("x{}", operand.as_str().expect("a text"))),
        "equals-ignore-case" => json!(operand.as_str().expect("a text").to_uppercase()),
        "wildcard" => json!(operand.as_str().expect("a text").replace('*', "y")),
        "cidr" => json!("10.0.0.1"),
        "numeric" => operand[1].clone(),
        "exists" if operand == false => json!([]),
        _ => json!("yyx"),
    }
}

/// What a field means that two names lead to is not established, so no document has one.
fn one_way(mut object: Value) -> Value {
    if object.get("a.b").is_some() {
        object.as_object_mut().expect("an object").shift_remove("a");
    }
    object
}
