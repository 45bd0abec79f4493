//! Times as CloudWatch's texts and JSON have them.

use havoq_base::StackTime;

const DAYS: [&str; 7] = ["Thursday", "Friday", "Saturday", "Sunday", "Monday", "Tuesday", "Wednesday"];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// `05/11/26 10:15:00`, the day first, in reasons of metric alarms.
pub(crate) fn short(at: StackTime) -> String {
    let text = at.rfc3339();
    let part = |range| text.get(range).unwrap_or_default();
    format!("{}/{}/{} {}", part(8..10), part(5..7), part(2..4), part(11..19))
}

/// `Thursday 05 November, 2026 10:15:00 UTC`, in reasons of composite alarms.
pub(crate) fn long(at: StackTime) -> String {
    let text = at.rfc3339();
    let part = |range| text.get(range).unwrap_or_default();
    // The epoch began on a Thursday.
    let day = DAYS[(at.as_secs() / 86_400 % 7) as usize];
    let month = part(5..7).parse().ok().and_then(|month: usize| MONTHS.get(month.wrapping_sub(1)));
    let month = month.copied().unwrap_or_default();
    format!("{day} {} {month}, {} {} UTC", part(8..10), part(0..4), part(11..19))
}

/// `2026-11-05T10:15:00.000+0000`, in all JSON.
pub(crate) fn iso(at: StackTime) -> String {
    format!("{}+0000", at.rfc3339().get(..23).unwrap_or_default())
}

/// A timestamp of an answer.
pub(crate) fn epoch(at: StackTime) -> f64 {
    at.as_millis() as f64 / 1e3
}

/// A timestamp of a request.
pub(crate) fn from_epoch(secs: f64) -> StackTime {
    StackTime::from_micros((secs * 1e6).round().max(0.0) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_as_semantics_4_2_observed_them() {
        let at: StackTime = "2022-07-22T15:57:45.394Z".parse().expect("a time");
        assert_eq!(short(at), "22/07/22 15:57:45");
        assert_eq!(long(at), "Friday 22 July, 2022 15:57:45 UTC");
        assert_eq!(iso(at), "2022-07-22T15:57:45.394+0000");
        assert_eq!(from_epoch(epoch(at)), at);
        let sunday: StackTime = "2022-11-06T17:43:53Z".parse().expect("a time");
        assert_eq!(long(sunday), "Sunday 06 November, 2022 17:43:53 UTC");
        assert_eq!(iso(sunday), "2022-11-06T17:43:53.000+0000");
    }
}
