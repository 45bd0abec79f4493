//! One field of a cron expression: `*`, values, ranges, steps and lists of them, by number or by name.

use std::collections::BTreeSet;

use super::expression::BadSchedule;

/// What a field may hold.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) least: i16,
    pub(super) most: i16,
    /// Names of the values, from the least one on.
    pub(super) names: &'static [&'static str],
    /// Whether a range may go over the end: `20-2` are the hours from 20:00 to 2:00.
    pub(super) wraps: bool,
}

pub(super) const MINUTES: Field = Field::numbers(0, 59);
pub(super) const HOURS: Field = Field::numbers(0, 23);
pub(super) const DAYS_OF_MONTH: Field = Field::numbers(1, 31);
pub(super) const MONTHS: Field = Field {
    names: &["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"],
    ..Field::numbers(1, 12)
};
/// Counted from Sunday.
pub(super) const DAYS_OF_WEEK: Field =
    Field { names: &["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"], ..Field::numbers(1, 7) };
pub(super) const YEARS: Field = Field { wraps: false, ..Field::numbers(1970, 2199) };

impl Field {
    const fn numbers(least: i16, most: i16) -> Self {
        Self { least, most, names: &[], wraps: true }
    }

    /// All values that a text stands for.
    pub(super) fn parse(&self, text: &str) -> Result<BTreeSet<i16>, BadSchedule> {
        let mut values = BTreeSet::new();
        for item in text.split(',') {
            values.extend(self.item(item)?);
        }
        Ok(values)
    }

    /// `*`, `a`, `a-b`, each with `/step`; a single value with a step goes on to the end.
    fn item(&self, text: &str) -> Result<impl Iterator<Item = i16>, BadSchedule> {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(self.step(step)?)),
            None => (text, None),
        };
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (self.value(from)?, self.value(to)?),
            None if range == "*" => (self.least, self.most),
            None => {
                let value = self.value(range)?;
                (value, if step.is_some() { self.most } else { value })
            }
        };
        if from > to && !self.wraps {
            return Err(BadSchedule);
        }
        let Self { least, most, .. } = *self;
        let count = most - least + 1;
        let to = if from > to { to + count } else { to };
        let values = (from..=to).step_by(step.unwrap_or(1));
        Ok(values.map(move |value| (value - least) % count + least))
    }

    fn step(&self, text: &str) -> Result<usize, BadSchedule> {
        let step = number(text)?;
        if (1..=self.most).contains(&step) { Ok(step as usize) } else { Err(BadSchedule) }
    }

    pub(super) fn value(&self, text: &str) -> Result<i16, BadSchedule> {
        let named = self.names.iter().position(|name| name.eq_ignore_ascii_case(text));
        let value = named.map_or_else(|| number(text), |place| Ok(self.least + place as i16))?;
        if (self.least..=self.most).contains(&value) { Ok(value) } else { Err(BadSchedule) }
    }
}

fn number(text: &str) -> Result<i16, BadSchedule> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadSchedule);
    }
    text.parse().map_err(|_| BadSchedule)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(field: Field, text: &str) -> Option<Vec<i16>> {
        field.parse(text).ok().map(|values| values.into_iter().collect())
    }

    #[test]
    fn a_field_holds_values_ranges_steps_and_lists() {
        assert_eq!(values(MINUTES, "5,35"), Some(vec![5, 35]));
        assert_eq!(values(MINUTES, "1/10"), Some(vec![1, 11, 21, 31, 41, 51]));
        assert_eq!(values(MINUTES, "*/15"), Some(vec![0, 15, 30, 45]));
        assert_eq!(values(MINUTES, "1-31/30"), Some(vec![1, 31]));
        assert_eq!(values(MINUTES, "30-30"), Some(vec![30]));
        assert_eq!(values(MINUTES, "*").map(|all| all.len()), Some(60));
        assert_eq!(values(MONTHS, "jan,MAR-5,12"), Some(vec![1, 3, 4, 5, 12]));
        assert_eq!(values(DAYS_OF_WEEK, "MON-FRI"), Some(vec![2, 3, 4, 5, 6]));
        assert_eq!(values(YEARS, "2022-2023"), Some(vec![2022, 2023]));
    }

    /// AWS's guide has `0/30 20-2`, "between 10:00 pm and 2:00 am on the following day".
    #[test]
    fn a_range_may_go_over_the_end_but_years_do_not() {
        assert_eq!(values(HOURS, "20-2"), Some(vec![0, 1, 2, 20, 21, 22, 23]));
        assert_eq!(values(HOURS, "20-4/3"), Some(vec![2, 20, 23]));
        assert_eq!(values(DAYS_OF_WEEK, "FRI-MON"), Some(vec![1, 2, 6, 7]));
        assert_eq!(values(YEARS, "2023-2022"), None);
    }

    #[test]
    fn what_a_field_does_not_hold_is_refused() {
        for text in
            ["", "60", "71", "-1", "1-", "-", "1--2", "/5", "1/", "1/0", "1/60", "a", "1,", "+1", "?", "L"]
        {
            assert_eq!(values(MINUTES, text), None, "{text}");
        }
        for text in ["0", "8", "MONDAY", "NOT"] {
            assert_eq!(values(DAYS_OF_WEEK, text), None, "{text}");
        }
        assert_eq!(
            (values(YEARS, "1969"), values(YEARS, "2200"), values(YEARS, "99999")),
            (None, None, None)
        );
    }
}
