//! Conditions and whether they hold.

use serde_json::Value;

use super::operand::Operand;
use super::operator::{Operator, Quantifier};
use crate::policy::bad::BadPolicy;
use crate::policy::element;

/// One operator on one key.
#[derive(Clone, Debug)]
pub(in crate::policy) struct Condition {
    operator: Operator,
    key: String,
    operands: Vec<Operand>,
}

/// Reads the element. All conditions in it must hold.
pub(in crate::policy) fn parse(value: &Value) -> Result<Vec<Condition>, BadPolicy> {
    let mut conditions = Vec::new();
    for (name, keys) in element::object(value, "Condition")? {
        let operator = Operator::parse(name)?;
        for (key, operands) in element::object(keys, name)? {
            let operands = element::list(operands, key)?
                .iter()
                .map(|operand| Operand::parse(operator.kind, &text(operand)?))
                .collect::<Result<_, _>>()?;
            conditions.push(Condition { operator, key: key.clone(), operands });
        }
    }
    Ok(conditions)
}

/// Numbers and booleans may stand without quotes.
fn text(operand: &Value) -> Result<String, BadPolicy> {
    match operand {
        Value::String(text) => Ok(text.clone()),
        Value::Number(_) | Value::Bool(_) => Ok(operand.to_string()),
        _ => Err(BadPolicy::new("the operand of a condition must be a string, a number or a boolean")),
    }
}

impl Condition {
    pub(in crate::policy) fn holds(&self, context: &[(&str, &str)]) -> bool {
        let values: Vec<&str> = context
            .iter()
            .filter(|(key, _)| key.eq_ignore_ascii_case(&self.key))
            .map(|(_, value)| *value)
            .collect();
        let absent = values.is_empty();
        let asked_for_absence = |operand: &Operand| match operand {
            Operand::Null(wanted) => Some(*wanted == absent),
            _ => None,
        };
        if let Some(answers) = self.operands.iter().map(asked_for_absence).collect::<Option<Vec<bool>>>() {
            return answers.contains(&true);
        }
        if absent {
            return self.holds_without_key();
        }
        let mut matching = values.iter().map(|value| self.matches(value));
        match (self.operator.quantifier, self.operator.negated) {
            (Quantifier::ForAnyValue, _) | (Quantifier::One, false) => matching.any(|matches| matches),
            (Quantifier::ForAllValues, _) | (Quantifier::One, true) => matching.all(|matches| matches),
        }
    }

    /// What is not there differs from everything, and all of its values match.
    fn holds_without_key(&self) -> bool {
        match self.operator.quantifier {
            Quantifier::One => self.operator.if_exists || self.operator.negated,
            Quantifier::ForAnyValue => self.operator.if_exists,
            Quantifier::ForAllValues => true,
        }
    }

    fn matches(&self, value: &str) -> bool {
        self.operands.iter().any(|operand| operand.matches(value)) != self.operator.negated
    }
}
