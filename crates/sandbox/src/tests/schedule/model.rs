//! A cron expression as a predicate on the minutes of a wall's time: slow, and written from AWS's text
//! rather than from the code.

use jiff::civil::DateTime;
use proptest::prelude::*;

/// One of the fields of numbers.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    All,
    Items(Vec<Item>),
}

#[derive(Clone, Debug)]
pub(super) struct Item {
    from: i16,
    to: Option<i16>,
    step: Option<i16>,
}

#[derive(Clone, Debug)]
pub(super) enum Days {
    OfMonth(Numbers),
    LastOfMonth,
    Nearest(i8),
    OfWeek(Numbers),
    LastOfWeek(i16),
    Nth(i16, i8),
}

#[derive(Clone, Debug)]
pub(super) struct Expression {
    minutes: Numbers,
    hours: Numbers,
    days: Days,
    months: Numbers,
}

const MINUTE: (i16, i16) = (0, 59);
const HOUR: (i16, i16) = (0, 23);
const DAY: (i16, i16) = (1, 31);
const MONTH: (i16, i16) = (1, 12);
const WEEKDAY: (i16, i16) = (1, 7);

impl Numbers {
    fn text(&self) -> String {
        let Self::Items(items) = self else { return "*".to_owned() };
        let text = |Item { from, to, step }: &Item| {
            let to = to.map(|to| format!("-{to}")).unwrap_or_default();
            let step = step.map(|step| format!("/{step}")).unwrap_or_default();
            format!("{from}{to}{step}")
        };
        items.iter().map(text).collect::<Vec<_>>().join(",")
    }

    /// Going round from `from`, one meets the value before `to`, and on a step.
    fn holds(&self, value: i16, (least, most): (i16, i16)) -> bool {
        let Self::Items(items) = self else { return true };
        let around = |by: i16| by.rem_euclid(most - least + 1);
        items.iter().any(|item| {
            let to = item.to.unwrap_or(if item.step.is_some() { most } else { item.from });
            let (way, end) = (around(value - item.from), around(to - item.from));
            way <= end && way % item.step.unwrap_or(1) == 0
        })
    }
}

impl Days {
    fn texts(&self) -> (String, String) {
        let of_month = |text: String| (text, "?".to_owned());
        let of_week = |text: String| ("?".to_owned(), text);
        match self {
            Self::OfMonth(numbers) => of_month(numbers.text()),
            Self::LastOfMonth => of_month("L".to_owned()),
            Self::Nearest(day) => of_month(format!("{day}W")),
            Self::OfWeek(numbers) => of_week(numbers.text()),
            Self::LastOfWeek(weekday) => of_week(format!("{weekday}L")),
            Self::Nth(weekday, nth) => of_week(format!("{weekday}#{nth}")),
        }
    }

    fn hold(&self, wall: DateTime) -> bool {
        let (day, length) = (wall.day(), wall.days_in_month());
        let weekday_of = |day: i8| {
            let date = wall.date().with().day(day).build().expect("a day of the month");
            i16::from(date.weekday().to_sunday_one_offset())
        };
        match self {
            Self::OfMonth(numbers) => numbers.holds(day.into(), DAY),
            Self::LastOfMonth => day == length,
            Self::Nearest(to) => {
                let workdays = (1..=length).filter(|day| (2..=6).contains(&weekday_of(*day)));
                *to <= length && workdays.min_by_key(|day| (day - to).abs()) == Some(day)
            }
            Self::OfWeek(numbers) => numbers.holds(weekday_of(day), WEEKDAY),
            Self::LastOfWeek(weekday) => weekday_of(day) == *weekday && day + 7 > length,
            Self::Nth(weekday, nth) => weekday_of(day) == *weekday && (day - 1) / 7 + 1 == *nth,
        }
    }
}

impl Expression {
    pub(super) fn text(&self) -> String {
        let (of_month, of_week) = self.days.texts();
        let Self { minutes, hours, months, .. } = self;
        format!("cron({} {} {of_month} {} {of_week} *)", minutes.text(), hours.text(), months.text())
    }

    pub(super) fn holds(&self, wall: DateTime) -> bool {
        self.minutes.holds(wall.minute().into(), MINUTE)
            && self.hours.holds(wall.hour().into(), HOUR)
            && self.months.holds(wall.month().into(), MONTH)
            && self.days.hold(wall)
    }
}

fn numbers((least, most): (i16, i16)) -> impl Strategy<Value = Numbers> {
    let value = least..=most;
    let item = (value.clone(), prop::option::of(value), prop::option::of(1..=most));
    let items = prop::collection::vec(item.prop_map(|(from, to, step)| Item { from, to, step }), 1..3);
    prop_oneof![1 => Just(Numbers::All), 3 => items.prop_map(Numbers::Items)]
}

fn days() -> impl Strategy<Value = Days> {
    prop_oneof![
        numbers(DAY).prop_map(Days::OfMonth),
        Just(Days::LastOfMonth),
        (1..=31_i8).prop_map(Days::Nearest),
        numbers(WEEKDAY).prop_map(Days::OfWeek),
        (1..=7_i16).prop_map(Days::LastOfWeek),
        (1..=7_i16, 1..=5_i8).prop_map(|(weekday, nth)| Days::Nth(weekday, nth)),
    ]
}

pub(super) fn expressions() -> impl Strategy<Value = Expression> {
    let months = prop_oneof![3 => Just(Numbers::All), 1 => numbers(MONTH)];
    let fields = (numbers(MINUTE), numbers(HOUR), days(), months);
    fields.prop_map(|(minutes, hours, days, months)| Expression { minutes, hours, days, months })
}

/// Every day, so that no change of clocks is missed.
pub(super) fn daily() -> impl Strategy<Value = Expression> {
    let days = Days::OfMonth(Numbers::All);
    expressions().prop_map(move |model| Expression { days: days.clone(), months: Numbers::All, ..model })
}
