//! A matcher as one would write it first, slow and plain, straight from the rules (semantics 2.2 and 3.2).

use std::collections::BTreeMap;

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

pub(super) fn naive(policy: &Map<String, Value>, body: &Value) -> bool {
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
