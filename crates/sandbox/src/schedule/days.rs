//! The two fields of a cron expression that choose days. One of them is `?`: either the day of the month
//! or the day of the week is told, never both.

use std::collections::BTreeSet;

use jiff::civil::{Date, Weekday};

use super::expression::BadSchedule;
use super::field::{DAYS_OF_MONTH, DAYS_OF_WEEK};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Days {
    OfMonth(BTreeSet<i16>),
    /// `L`
    LastOfMonth,
    /// `3W`: the weekday nearest to a day, in the same month.
    Nearest(i8),
    /// Counted from Sunday, which is 1.
    OfWeek(BTreeSet<i16>),
    /// `6L`: the last one of the month.
    LastOfWeek(i16),
    /// `3#2`: the second Tuesday.
    Nth {
        weekday: i16,
        nth: i8,
    },
}

const ANY: &str = "?";

impl Days {
    pub(super) fn parse(of_month: &str, of_week: &str) -> Result<Self, BadSchedule> {
        match (of_month, of_week) {
            (ANY, ANY) => Err(BadSchedule),
            (of_month, ANY) => Self::parse_of_month(of_month),
            (ANY, of_week) => Self::parse_of_week(of_week),
            _ => Err(BadSchedule),
        }
    }

    fn parse_of_month(text: &str) -> Result<Self, BadSchedule> {
        if text == "L" {
            return Ok(Self::LastOfMonth);
        }
        match text.strip_suffix('W') {
            Some(day) => Ok(Self::Nearest(DAYS_OF_MONTH.value(day)? as i8)),
            None => DAYS_OF_MONTH.parse(text).map(Self::OfMonth),
        }
    }

    fn parse_of_week(text: &str) -> Result<Self, BadSchedule> {
        if let Some((weekday, nth)) = text.split_once('#') {
            let nth = match nth.as_bytes() {
                [digit @ b'1'..=b'5'] => (digit - b'0') as i8,
                _ => return Err(BadSchedule),
            };
            return Ok(Self::Nth { weekday: DAYS_OF_WEEK.value(weekday)?, nth });
        }
        match text.strip_suffix('L') {
            // The last day of the week.
            Some("") => Ok(Self::OfWeek(BTreeSet::from([DAYS_OF_WEEK.most]))),
            Some(weekday) => Ok(Self::LastOfWeek(DAYS_OF_WEEK.value(weekday)?)),
            None => DAYS_OF_WEEK.parse(text).map(Self::OfWeek),
        }
    }

    /// The chosen days of a month, in order.
    pub(super) fn of(&self, year: i16, month: i8) -> Vec<Date> {
        let Ok(first) = Date::new(year, month, 1) else { return Vec::new() };
        let day = |day: i8| Date::new(year, month, day).ok();
        let all = || (1..=first.days_in_month()).filter_map(day);
        let weekday = |date: &Date| i16::from(date.weekday().to_sunday_one_offset());
        match self {
            Self::OfMonth(days) => all().filter(|date| days.contains(&i16::from(date.day()))).collect(),
            Self::LastOfMonth => vec![first.last_of_month()],
            Self::Nearest(to) => day(*to).map(nearest_weekday).into_iter().collect(),
            Self::OfWeek(days) => all().filter(|date| days.contains(&weekday(date))).collect(),
            Self::LastOfWeek(of) => all().rfind(|date| weekday(date) == *of).into_iter().collect(),
            Self::Nth { weekday: of, nth } => {
                all().filter(|date| weekday(date) == *of).nth((nth - 1) as usize).into_iter().collect()
            }
        }
    }
}

/// From a Saturday back to Friday, from a Sunday on to Monday, but never into another month.
fn nearest_weekday(date: Date) -> Date {
    let (first, last) = (date.day() == 1, date.day() == date.days_in_month());
    let by = match date.weekday() {
        Weekday::Saturday if first => 2,
        Weekday::Saturday => -1,
        Weekday::Sunday if last => -2,
        Weekday::Sunday => 1,
        _ => 0,
    };
    date.with().day(date.day() + by).build().unwrap_or(date)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn days(of_month: &str, of_week: &str, year: i16, month: i8) -> Vec<i8> {
        let days = Days::parse(of_month, of_week).expect("sound fields");
        days.of(year, month).into_iter().map(Date::day).collect()
    }

    #[test]
    fn w_is_the_weekday_nearest_to_a_day_within_the_month() {
        // 2 August 2026 is a Sunday, 1 August a Saturday, 31 May a Sunday.
        assert_eq!(days("3W", "?", 2026, 8), [3]);
        assert_eq!(days("2W", "?", 2026, 8), [3]);
        assert_eq!(days("8W", "?", 2026, 8), [7]);
        assert_eq!(days("1W", "?", 2026, 8), [3]);
        assert_eq!(days("31W", "?", 2026, 5), [29]);
        assert!(days("31W", "?", 2026, 6).is_empty());
    }

    #[test]
    fn l_is_the_last_day_of_the_month_or_of_the_week_or_the_last_of_its_kind() {
        assert_eq!((days("L", "?", 2028, 2), days("L", "?", 2027, 2)), (vec![29], vec![28]));
        assert_eq!(days("?", "L", 2026, 8), [1, 8, 15, 22, 29]);
        assert_eq!((days("?", "6L", 2026, 8), days("?", "FRIL", 2026, 8)), (vec![28], vec![28]));
    }

    #[test]
    fn a_number_sign_is_the_nth_of_its_kind_in_the_month() {
        assert_eq!((days("?", "3#2", 2026, 8), days("?", "SAT#3", 2026, 8)), (vec![11], vec![15]));
        assert_eq!(days("?", "SAT#5", 2026, 8), [29]);
        assert!(days("?", "SAT#5", 2026, 9).is_empty());
    }

    #[test]
    fn either_the_day_of_the_month_or_the_day_of_the_week_is_told() {
        for (of_month, of_week) in [("*", "*"), ("?", "?"), ("1", "*"), ("*", "MON"), ("1", "2")] {
            assert_eq!(Days::parse(of_month, of_week), Err(BadSchedule), "{of_month} {of_week}");
        }
    }

    #[test]
    fn only_one_expression_with_a_number_sign_is_allowed_and_no_list_of_the_special_ones() {
        for of_week in ["3#1,6#3", "3#0", "3#6", "#2", "3#", "8#1", "2,6L", "L,2", "2-6L", "LL"] {
            assert_eq!(Days::parse("?", of_week), Err(BadSchedule), "{of_week}");
        }
        for of_month in ["1,L", "LW", "L-3", "W", "32W", "0W", "1W,15W", "1-3W", "0", "32"] {
            assert_eq!(Days::parse(of_month, "?"), Err(BadSchedule), "{of_month}");
        }
    }
}
