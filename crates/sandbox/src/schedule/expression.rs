//! What may be written, and when it falls due next. `rate(...)` and `cron(...)` are for both services,
//! `at(...)` is Scheduler's alone.

use havoq_base::{StackDuration, StackTime};
use jiff::civil::DateTime;

use super::cron::Cron;
use super::zone::{OnTheClock, Zone};

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Schedule {
    /// Again and again, this far apart. A day is 24 hours, whatever the wall shows.
    Rate(StackDuration),
    Cron(Box<Cron>),
    /// Once, when a wall shows this.
    At(DateTime),
}

/// The text is no schedule. Each service has its own words for that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BadSchedule;

/// Whether the unit of a rate has to agree with its value.
#[derive(Clone, Copy)]
enum Agreement {
    Strict,
    Lax,
}

impl Schedule {
    /// As rules of EventBridge take it: `rate(1 hours)` and `rate(5 hour)` are not valid there.
    pub(crate) fn parse(text: &str) -> Result<Self, BadSchedule> {
        Self::recurring(text, Agreement::Strict)
    }

    /// As Scheduler takes it, whose guide writes `rate(1 days)`.
    pub(crate) fn parse_for_scheduler(text: &str) -> Result<Self, BadSchedule> {
        match inside(text, "at") {
            Some(time) => at(time).map(Self::At),
            None => Self::recurring(text, Agreement::Lax),
        }
    }

    fn recurring(text: &str, agreement: Agreement) -> Result<Self, BadSchedule> {
        if let Some(rate) = inside(text, "rate") {
            return interval(rate, agreement).map(Self::Rate);
        }
        let fields = inside(text, "cron").ok_or(BadSchedule)?;
        Ok(Self::Cron(Box::new(Cron::parse(fields)?)))
    }

    /// The next time after `after`, in UTC. What recurs at a rate does so from `after` on.
    pub(crate) fn next_after(&self, after: StackTime) -> Option<StackTime> {
        self.next_in(&Zone::UTC, after, after)
    }

    /// The next time after `after`. A rate counts from `anchor`, and an expression of a wall's time is
    /// read in `zone`: one that clocks skip is skipped, one that they repeat counts once.
    pub(crate) fn next_in(&self, zone: &Zone, anchor: StackTime, after: StackTime) -> Option<StackTime> {
        match self {
            Self::Rate(_) if after < anchor => Some(anchor),
            Self::Rate(interval) => {
                let passed = after.since(anchor).as_micros() / interval.as_micros();
                Some(anchor + interval.times(passed + 1))
            }
            Self::Cron(cron) => {
                let mut wall = zone.wall(after);
                loop {
                    wall = cron.next_after(wall)?;
                    if let OnTheClock::At(time) = zone.clock(wall)
                        && time > after
                    {
                        return Some(time);
                    }
                }
            }
            Self::At(wall) => match zone.clock(*wall) {
                OnTheClock::At(time) => Some(time).filter(|time| *time > after),
                OnTheClock::Never => None,
            },
        }
    }
}

/// What stands between the parentheses after a word.
fn inside<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    text.strip_prefix(word)?.strip_prefix('(')?.strip_suffix(')')
}

fn interval(text: &str, agreement: Agreement) -> Result<StackDuration, BadSchedule> {
    let (value, unit) = text.split_once(' ').ok_or(BadSchedule)?;
    if !value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(BadSchedule);
    }
    let value: u32 = value.parse().ok().filter(|value| *value > 0).ok_or(BadSchedule)?;
    let (singular, secs) = match unit.strip_suffix('s').unwrap_or(unit) {
        "minute" => ("minute", 60),
        "hour" => ("hour", 3_600),
        "day" => ("day", 86_400),
        _ => return Err(BadSchedule),
    };
    if matches!(agreement, Agreement::Strict) && (value == 1) != (unit == singular) {
        return Err(BadSchedule);
    }
    Ok(StackDuration::from_secs(secs).times(value.into()))
}

/// `yyyy-mm-ddThh:mm:ss` and nothing else.
fn at(text: &str) -> Result<DateTime, BadSchedule> {
    let time: DateTime = text.parse().map_err(|_| BadSchedule)?;
    if time.to_string() == text { Ok(time) } else { Err(BadSchedule) }
}
