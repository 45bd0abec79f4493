//! Which number of a period's datapoints is asked for: one of the five statistics, or an extended
//! one such as `p90` or `TM(10%:90%)`.

use super::spec::Statistic;
use super::stats::Stats;
use super::values::Values;

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Stat {
    Simple(Statistic),
    Extended(Extended),
}

/// A statistic of the values themselves.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extended {
    text: String,
    kind: Kind,
    range: Range,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Percentile,
    TrimmedMean,
    WinsorizedMean,
    TrimmedCount,
    TrimmedSum,
    PercentileRank,
}

/// Which values count: those above the one bound, up to the other.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Range {
    above: Option<Bound>,
    up_to: Option<Bound>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    Percent(f64),
    Value(f64),
}

impl Stat {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Statistic::named(text).map(Self::Simple).or_else(|| Extended::parse(text).map(Self::Extended))
    }

    pub(crate) fn as_str(&self) -> &str {
        match self {
            Self::Simple(statistic) => statistic.as_str(),
            Self::Extended(extended) => &extended.text,
        }
    }
}

impl Statistic {
    pub(crate) const ALL: [Self; 5] =
        [Self::SampleCount, Self::Average, Self::Sum, Self::Minimum, Self::Maximum];

    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::SampleCount => "SampleCount",
            Self::Average => "Average",
            Self::Sum => "Sum",
            Self::Minimum => "Minimum",
            Self::Maximum => "Maximum",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|statistic| statistic.as_str() == name)
    }

    pub(crate) fn of(self, stats: Stats) -> f64 {
        match self {
            Self::SampleCount => stats.count,
            Self::Average => stats.average(),
            Self::Sum => stats.sum,
            Self::Minimum => stats.min,
            Self::Maximum => stats.max,
        }
    }
}

impl Extended {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (kind, range) = if text.eq_ignore_ascii_case("IQM") {
            let range = Range { above: Some(Bound::Percent(25.0)), up_to: Some(Bound::Percent(75.0)) };
            (Kind::TrimmedMean, range)
        } else if let Some((name, range)) = text.strip_suffix(')').and_then(|text| text.split_once('(')) {
            (Kind::named(name).filter(|kind| *kind != Kind::Percentile)?, Range::parse(range)?)
        } else {
            let digits = text.find(|letter: char| letter.is_ascii_digit())?;
            let (name, number) = text.split_at(digits);
            let kind = Kind::named(name).filter(|kind| *kind != Kind::PercentileRank)?;
            (kind, Range { above: None, up_to: Some(percent(number)?) })
        };
        Some(Self { text: text.to_owned(), kind, range })
    }

    /// None without any value.
    pub(crate) fn of(&self, values: &Values) -> Option<f64> {
        if self.kind == Kind::Percentile {
            return values.percentile(self.range.percentile());
        }
        let (above, up_to) = self.range.bounds(values);
        let inside: Vec<_> = values.iter().filter(|(value, _)| *value > above && *value <= up_to).collect();
        let count: f64 = inside.iter().map(|(_, count)| count).sum();
        let sum: f64 = inside.iter().map(|(value, count)| value * count).sum();
        match self.kind {
            Kind::Percentile => None,
            Kind::TrimmedMean => (count > 0.0).then(|| sum / count),
            Kind::WinsorizedMean => {
                // What is outside counts as the outermost value that is inside.
                let (first, last) = (inside.first()?.0, inside.last()?.0);
                let all = values.iter().map(|(value, count)| value.clamp(first, last) * count);
                Some(all.sum::<f64>() / values.count())
            }
            Kind::TrimmedCount => Some(count),
            Kind::TrimmedSum => Some(sum),
            Kind::PercentileRank => Some(100.0 * count / values.count()),
        }
    }

    /// The percentile of an alarm on one; it decides how many samples are few.
    pub(crate) fn as_percentile(&self) -> Option<f64> {
        (self.kind == Kind::Percentile).then(|| self.range.percentile())
    }
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "p" => Self::Percentile,
            "tm" => Self::TrimmedMean,
            "wm" => Self::WinsorizedMean,
            "tc" => Self::TrimmedCount,
            "ts" => Self::TrimmedSum,
            "pr" => Self::PercentileRank,
            _ => return None,
        })
    }
}

impl Range {
    fn parse(text: &str) -> Option<Self> {
        let bound = |text: &str| match text.strip_suffix('%') {
            _ if text.is_empty() => Some(None),
            Some(number) => percent(number).map(Some),
            None => text
                .parse()
                .ok()
                .filter(|value: &f64| value.is_finite())
                .map(|value| Some(Bound::Value(value))),
        };
        let (above, up_to) = text.split_once(':')?;
        let (above, up_to) = (bound(above)?, bound(up_to)?);
        let mixed = matches!(
            (above, up_to),
            (Some(Bound::Percent(_)), Some(Bound::Value(_)))
                | (Some(Bound::Value(_)), Some(Bound::Percent(_)))
        );
        (!mixed && (above.is_some() || up_to.is_some())).then_some(Self { above, up_to })
    }

    fn percentile(&self) -> f64 {
        match self.up_to {
            Some(Bound::Percent(percent)) => percent,
            _ => 100.0,
        }
    }

    fn bounds(&self, values: &Values) -> (f64, f64) {
        let value = |bound: Option<Bound>, open: f64| match bound {
            Some(Bound::Percent(percent)) if percent > 0.0 => values.percentile(percent).unwrap_or(open),
            Some(Bound::Value(value)) => value,
            _ => open,
        };
        (value(self.above, f64::NEG_INFINITY), value(self.up_to, f64::INFINITY))
    }
}

/// 0 to 100 with at most ten digits behind the point.
fn percent(number: &str) -> Option<Bound> {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let legal = digits(whole) && digits(fraction) && fraction.len() <= 10;
    number.parse().ok().filter(|percent| legal && (0.0..=100.0).contains(percent)).map(Bound::Percent)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<f64> {
        let ten = Values::of((1..=10).map(|value| (f64::from(value), 1.0)));
        Extended::parse(text).expect("an extended statistic").of(&ten)
    }

    #[test]
    fn extended_statistics_of_1_to_10() {
        for (text, value) in [
            ("p90", 9.0),
            ("p99.9", 10.0),
            ("p100", 10.0),
            ("tm90", 5.0),
            ("TM(10%:90%)", 5.5),
            ("TM(2:4)", 3.5),
            ("TM(:2)", 1.5),
            ("IQM", 6.0),
            ("wm90", 5.4),
            ("tc90", 9.0),
            ("ts90", 45.0),
            ("TC(:3)", 3.0),
            ("TS(8:)", 19.0),
            ("PR(:3)", 30.0),
            ("PR(2:5)", 30.0),
        ] {
            assert_eq!(of(text), Some(value), "{text}");
        }
    }

    #[test]
    fn what_is_no_statistic_is_refused() {
        let bad =
            ["", "p", "p101", "p-1", "p1.12345678901", "q90", "p(1:2)", "TM()", "TM(1)", "TM(:)", "TM(1:2%)"];
        for text in bad.into_iter().chain(["average", "PR90", "TM(a:b)", "p9 0", "p٣"]) {
            assert_eq!(Stat::parse(text), None, "{text}");
        }
        assert_eq!(Stat::parse("Sum"), Some(Stat::Simple(Statistic::Sum)));
        assert_eq!(Stat::parse("p90").as_ref().map(Stat::as_str), Some("p90"));
    }
}
