//! The complaints about members that AWS's front ends make, all of them in one text.

use std::fmt::Display;

use havoq_wire::ServiceError;

/// Collects complaints. Members are named as the front end does, such as `metricData.1.member.unit`.
#[derive(Debug, Default)]
pub(crate) struct Checks(Vec<String>);

impl Checks {
    pub(crate) fn fail(&mut self, value: impl Display, member: &str, constraint: impl Display) {
        self.0.push(format!(
            "Value {value} at '{member}' failed to satisfy constraint: Member must {constraint}"
        ));
    }

    pub(crate) fn required<T>(&mut self, member: &str, value: &Option<T>) {
        if value.is_none() {
            self.fail("null", member, "not be null");
        }
    }

    pub(crate) fn length(&mut self, member: &str, value: Option<&str>, min: usize, max: usize) {
        let Some(value) = value else { return };
        let length = value.chars().count();
        if length < min {
            let constraint = format!("have length greater than or equal to {min}");
            self.fail(format!("'{value}'"), member, constraint);
        } else if length > max {
            self.fail(format!("'{value}'"), member, format!("have length less than or equal to {max}"));
        }
    }

    pub(crate) fn required_text(&mut self, member: &str, value: &Option<String>, min: usize, max: usize) {
        self.required(member, value);
        self.length(member, value.as_deref(), min, max);
    }

    pub(crate) fn count(&mut self, member: &str, values: &[impl Display], max: usize) {
        if values.len() > max {
            let list: Vec<String> = values.iter().map(ToString::to_string).collect();
            let constraint = format!("have length less than or equal to {max}");
            self.fail(format!("'[{}]'", list.join(", ")), member, constraint);
        }
    }

    pub(crate) fn range(&mut self, member: &str, value: Option<i64>, min: i64, max: i64) {
        match value {
            Some(value) if value < min => {
                let constraint = format!("have value greater than or equal to {min}");
                self.fail(format!("'{value}'"), member, constraint);
            }
            Some(value) if value > max => {
                self.fail(format!("'{value}'"), member, format!("have value less than or equal to {max}"));
            }
            _ => {}
        }
    }

    /// The value that `parse` makes of a text, which must be one of `all`.
    pub(crate) fn one_of<T>(
        &mut self,
        member: &str,
        value: Option<&str>,
        all: &[&str],
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = value?;
        let parsed = parse(value);
        if parsed.is_none() {
            let constraint = format!("satisfy enum value set: [{}]", all.join(", "));
            self.fail(format!("'{value}'"), member, constraint);
        }
        parsed
    }

    /// A text that must be of certain characters alone; `pattern` is what the front end calls them.
    pub(crate) fn characters(
        &mut self,
        member: &str,
        value: Option<&str>,
        pattern: &str,
        is_one: fn(char) -> bool,
    ) {
        if let Some(value) = value
            && !value.chars().all(is_one)
        {
            let constraint = format!("satisfy regular expression pattern: {pattern}");
            self.fail(format!("'{value}'"), member, constraint);
        }
    }

    /// A text that must be one of `all`.
    pub(crate) fn among(&mut self, member: &str, value: Option<&str>, all: &[&str]) {
        self.one_of(member, value, all, |name| all.contains(&name).then_some(()));
    }

    /// With the service's own error for what was found.
    pub(crate) fn done(self, error: impl FnOnce(String) -> ServiceError) -> Result<(), ServiceError> {
        let count = self.0.len();
        if count == 0 {
            return Ok(());
        }
        let plural = if count == 1 { "" } else { "s" };
        Err(error(format!("{count} validation error{plural} detected: {}", self.0.join("; "))))
    }
}

#[cfg(test)]
mod tests {
    use havoq_wire::CommonError;

    use super::*;

    fn error(text: String) -> ServiceError {
        CommonError::ValidationError.with(text)
    }

    #[test]
    fn all_complaints_come_in_one_text() {
        let mut checks = Checks::default();
        checks.required("alarmName", &None::<String>);
        checks.length("alarmName", Some(""), 1, 255);
        let states = ["INSUFFICIENT_DATA", "ALARM", "OK"];
        let parsed = checks.one_of("stateValue", Some("INVALID"), &states, |_| None::<()>);
        assert_eq!(parsed, None);
        checks.range("period", Some(0), 1, i64::MAX);
        checks.range("maxRecords", Some(100), 1, 100);
        assert_eq!(
            checks.done(error).expect_err("it complains").message,
            "4 validation errors detected: Value null at 'alarmName' failed to satisfy constraint: Member must not \
             be null; Value '' at 'alarmName' failed to satisfy constraint: Member must have length greater than or \
             equal to 1; Value 'INVALID' at 'stateValue' failed to satisfy constraint: Member must satisfy enum \
             value set: [INSUFFICIENT_DATA, ALARM, OK]; Value '0' at 'period' failed to satisfy constraint: Member \
             must have value greater than or equal to 1"
        );
        assert_eq!(Checks::default().done(error), Ok(()));
    }
}
