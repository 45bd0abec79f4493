//! The units of metrics, in the order of their names: that order decides which unit is taken when
//! a metric has several and the caller names none.

macro_rules! units {
    ($($unit:ident => $name:literal,)*) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Unit {
            $($unit,)*
        }

        impl Unit {
            pub(crate) const ALL: &'static [Self] = &[$(Self::$unit,)*];

            pub(crate) fn as_str(self) -> &'static str {
                match self {
                    $(Self::$unit => $name,)*
                }
            }
        }
    };
}

units! {
    Bits => "Bits",
    BitsPerSecond => "Bits/Second",
    Bytes => "Bytes",
    BytesPerSecond => "Bytes/Second",
    Count => "Count",
    CountPerSecond => "Count/Second",
    Gigabits => "Gigabits",
    GigabitsPerSecond => "Gigabits/Second",
    Gigabytes => "Gigabytes",
    GigabytesPerSecond => "Gigabytes/Second",
    Kilobits => "Kilobits",
    KilobitsPerSecond => "Kilobits/Second",
    Kilobytes => "Kilobytes",
    KilobytesPerSecond => "Kilobytes/Second",
    Megabits => "Megabits",
    MegabitsPerSecond => "Megabits/Second",
    Megabytes => "Megabytes",
    MegabytesPerSecond => "Megabytes/Second",
    Microseconds => "Microseconds",
    Milliseconds => "Milliseconds",
    None => "None",
    Percent => "Percent",
    Seconds => "Seconds",
    Terabits => "Terabits",
    TerabitsPerSecond => "Terabits/Second",
    Terabytes => "Terabytes",
    TerabytesPerSecond => "Terabytes/Second",
}

impl Unit {
    pub(crate) fn names() -> Vec<&'static str> {
        Self::ALL.iter().map(|unit| unit.as_str()).collect()
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|unit| unit.as_str() == name)
    }

    /// The unit of a metric that a service emits itself.
    pub(crate) fn of_service_metric(metric: &str) -> Self {
        if metric.ends_with("Size") {
            Self::Bytes
        } else if metric.contains("AgeOf") {
            Self::Seconds
        } else {
            Self::Count
        }
    }
}
