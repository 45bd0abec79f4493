//! A matcher as one would write it first, slow and plain, must agree with the crate's on any policy and body.

use std::collections::BTreeMap;

use havoq_pattern::{FilterOutcome, FilterPolicy, FilterScope};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

/// A value of the document, its path, and the element of each array that it stands in.
struct Leaf<'a> {
    path: String,
    value: &'a Value,
    places: BTreeMap<String, usize>,
}

fn leaves<'a>(
    value: &'a Value,
    path: &str,
    pointer: &str,
    places: &BTreeMap<String, usize>,
    all: &mut Vec<Leaf<'a>>,
) {
    match value {
        Value::Object(members) => {
            for (name, value) in members {
                let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                leaves(value, &path, &format!("{pointer}/{name}"), places, all);
            }
        }
        Value::Array(elements) => {
            for (index, value) in elements.iter().enumerate() {
                let mut places = places.clone();
                places.insert(pointer.to_owned(), index);
                leaves(value, path, &format!("{pointer}/{index}"), &places, all);
            }
        }
        value => all.push(Leaf { path: path.to_owned(), value, places: places.clone() }),
    }
}

type Branch<'a> = BTreeMap<String, &'a Vec<Value>>;

fn branches<'a>(policy: &'a Map<String, Value>, path: &str, mut all: Vec<Branch<'a>>) -> Vec<Branch<'a>> {
    for (name, value) in policy {
        let below = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        all = match value {
            Value::Array(rules) if name == "$or" => rules
                .iter()
                .flat_map(|rule| branches(rule.as_object().expect("a rule"), path, all.clone()))
                .collect(),
            Value::Array(any) => {
                for branch in &mut all {
                    branch.insert(below.clone(), any);
                }
                all
            }
            nested => branches(nested.as_object().expect("an object"), &below, all),
        };
    }
    all
}

/// Tries every choice of one value a field.
fn choose(fields: &[(&String, &&Vec<Value>)], all: &[Leaf<'_>], chosen: &BTreeMap<String, usize>) -> bool {
    let Some(((path, any), rest)) = fields.split_first() else { return true };
    let absent = !all.iter().any(|leaf| leaf.path == **path);
    if absent && any.contains(&json!({"exists": false})) {
        return choose(rest, all, chosen);
    }
    all.iter().filter(|leaf| leaf.path == **path).any(|leaf| {
        let agrees =
            leaf.places.iter().all(|(array, index)| chosen.get(array).is_none_or(|other| other == index));
        let mut chosen = chosen.clone();
        chosen.extend(leaf.places.clone());
        agrees && any.iter().any(|operator| matches(operator, leaf.value)) && choose(rest, all, &chosen)
    })
}

fn naive(policy: &Map<String, Value>, body: &Value) -> bool {
    let mut all = Vec::new();
    leaves(body, "", "", &BTreeMap::new(), &mut all);
    branches(policy, "", vec![Branch::new()]).iter().any(|branch| {
        let fields: Vec<_> = branch.iter().collect();
        choose(&fields, &all, &BTreeMap::new())
    })
}

fn matches(operator: &Value, value: &Value) -> bool {
    let Some(expression) = operator.as_object() else {
        return match (operator.as_f64(), value.as_f64()) {
            (Some(left), Some(right)) => left == right,
            _ => operator == value,
        };
    };
    let (name, operand) = expression.iter().next().expect("an operator");
    let text = value.as_str();
    match name.as_str() {
        "exists" => operand == true,
        "anything-but" => match operand.as_object() {
            Some(inner) => {
                let (name, operand) = inner.iter().next().expect("an operator");
                let operands = operand.as_array().cloned().unwrap_or_else(|| vec![operand.clone()]);
                !operands.iter().any(|operand| matches(&json!({ name: operand }), value))
            }
            None => {
                let operands = operand.as_array().cloned().unwrap_or_else(|| vec![operand.clone()]);
                !operands.iter().any(|operand| matches(operand, value))
            }
        },
        "numeric" => value.as_f64().is_some_and(|value| {
            let members = operand.as_array().expect("a list");
            members.chunks(2).all(|pair| {
                let limit = pair[1].as_f64().expect("a number");
                match pair[0].as_str().expect("a sign") {
                    "=" => value == limit,
                    "<" => value < limit,
                    "<=" => value <= limit,
                    ">" => value > limit,
                    _ => value >= limit,
                }
            })
        }),
        "cidr" => text.is_some_and(|text| {
            // The blocks that are generated end at a dot.
            let (address, bits) = operand.as_str().and_then(|block| block.split_once('/')).expect("a block");
            let kept = bits.parse::<usize>().expect("bits") / 8;
            let parts = |text: &str| text.split('.').take(kept).map(str::to_owned).collect::<Vec<_>>();
            text.parse::<std::net::Ipv4Addr>().is_ok() && parts(text) == parts(address)
        }),
        name => text.is_some_and(|text| {
            let operand = operand.as_str().expect("a text");
            match name {
                "prefix" => text.starts_with(operand),
                "suffix" => text.ends_with(operand),
                "equals-ignore-case" => text.to_lowercase() == operand.to_lowercase(),
                _ => glob(operand.as_bytes(), text.as_bytes()),
            }
        }),
    }
}

fn glob(pattern: &[u8], text: &[u8]) -> bool {
    match pattern.split_first() {
        None => text.is_empty(),
        Some((b'*', rest)) => (0..=text.len()).any(|at| glob(rest, &text[at..])),
        Some((letter, rest)) => {
            text.split_first().is_some_and(|(first, left)| first == letter && glob(rest, left))
        }
    }
}

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

fn policy() -> impl Strategy<Value = Value> {
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

fn body() -> impl Strategy<Value = Value> {
    let value = scalar().prop_recursive(4, 24, 3, |inner| {
        prop_oneof![
            2 => fields(inner.clone(), 0..4).prop_map(one_way),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Value::Array),
        ]
    });
    fields(value, 0..4).prop_map(one_way)
}

/// A policy, and a body that was made to be near to what it wants.
fn policy_and_near_body() -> impl Strategy<Value = (Value, Value)> {
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

fn agree(policy: &Value, body: &Value) -> Result<(), TestCaseError> {
    // Some policies are too complex.
    if let Ok(parsed) = FilterPolicy::parse(&policy.to_string(), FilterScope::MessageBody) {
        let accepted = parsed.matches_body(&body.to_string()) == FilterOutcome::Accepted;
        prop_assert_eq!(accepted, naive(policy.as_object().expect("an object"), body));
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_plain_matcher_agrees(policy in policy(), body in body()) {
        agree(&policy, &body)?;
    }

    #[test]
    fn the_plain_matcher_agrees_on_bodies_that_are_near((policy, body) in policy_and_near_body()) {
        agree(&policy, &body)?;
    }

    #[test]
    fn no_text_makes_it_panic(policy in r#"[{}\[\]":,a-z*\\0-9.$/ -]{0,60}"#, body in ".{0,40}") {
        for scope in [FilterScope::MessageAttributes, FilterScope::MessageBody] {
            if let Ok(parsed) = FilterPolicy::parse(&policy, scope) {
                parsed.matches_body(&body);
            }
        }
    }
}
