//! Cron expressions in AWS's dialect: minutes, hours, day of the month, month, day of the week, year.

use std::collections::BTreeSet;

use jiff::ToSpan;
use jiff::civil::{Date, DateTime};

use super::days::Days;
use super::expression::BadSchedule;
use super::field::{HOURS, MINUTES, MONTHS, YEARS};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Cron {
    minutes: BTreeSet<i16>,
    hours: BTreeSet<i16>,
    days: Days,
    months: BTreeSet<i16>,
    years: BTreeSet<i16>,
}

impl Cron {
    /// What stands between the parentheses.
    pub(super) fn parse(fields: &str) -> Result<Self, BadSchedule> {
        if fields.trim() != fields {
            return Err(BadSchedule);
        }
        let fields: Vec<_> = fields.split_ascii_whitespace().collect();
        let [minutes, hours, of_month, month, of_week, year] = fields[..] else { return Err(BadSchedule) };
        Ok(Self {
            minutes: MINUTES.parse(minutes)?,
            hours: HOURS.parse(hours)?,
            days: Days::parse(of_month, of_week)?,
            months: MONTHS.parse(month)?,
            years: YEARS.parse(year)?,
        })
    }

    /// The first minute on the wall that begins after `after`; none after the last year.
    pub(super) fn next_after(&self, after: DateTime) -> Option<DateTime> {
        let whole = after.with().second(0).subsec_nanosecond(0).build().ok()?;
        let from = whole.checked_add(1.minute()).ok()?;
        let years = self.years.range(from.year()..);
        let months = years.flat_map(|year| self.months.iter().map(move |month| (*year, *month as i8)));
        let dates = months.flat_map(|(year, month)| self.days.of(year, month));
        let dates = dates.skip_while(|date| *date < from.date());
        dates.flat_map(|date| self.times_on(date)).find(|time| *time >= from)
    }

    fn times_on(&self, date: Date) -> impl Iterator<Item = DateTime> {
        let times = self.hours.iter().flat_map(|hour| self.minutes.iter().map(move |minute| (hour, minute)));
        times.map(move |(hour, minute)| date.at(*hour as i8, *minute as i8, 0, 0))
    }
}
