//! A server whose clock seems wrong.

use std::sync::Arc;

use havoq_base::StackDuration;
use havoq_base::clock::wall_clock;
use havoq_wire::{Call, Response};
use http::HeaderValue;
use http::header::DATE;

use crate::kind::{Aim, Kind, OnAnswer, Stage};
use crate::param::{KindDef, Param, Shape};

pub(super) const KIND: KindDef = KindDef {
    name: "clock-skew",
    about: "Answers carry a Date that is off, from which SDKs correct the time that they sign with.",
    params: &[
        Param::required("by", Shape::Stack, "15m", "By how much."),
        Param::optional("behind", Shape::Flag, "true", "Whether the Date lags; it is ahead when absent."),
    ],
    build: |values| {
        let by = values.stack("by").unwrap_or_default();
        Ok(Arc::new(ClockSkew { by, behind: values.flag("behind") }))
    },
};

#[derive(Debug)]
struct ClockSkew {
    by: StackDuration,
    behind: bool,
}

impl Kind for ClockSkew {
    fn stage(&self) -> Stage {
        Stage::Answer
    }

    fn on_answer(&self, _: &Call, mut answer: Response, _: &Aim) -> OnAnswer {
        let told = answer.headers().get(DATE).and_then(|date| read(date.to_str().ok()?));
        let now = told.unwrap_or_else(|| i64::try_from(wall_clock().as_secs()).unwrap_or(i64::MAX));
        let by = i64::try_from(self.by.as_secs()).unwrap_or(i64::MAX);
        let shown = if self.behind { now.saturating_sub(by) } else { now.saturating_add(by) };
        if let Some(date) = write(shown) {
            answer.headers_mut().insert(DATE, date);
        }
        OnAnswer::Send(answer)
    }
}

fn read(date: &str) -> Option<i64> {
    let zoned = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(date).ok()?;
    Some(zoned.as_second())
}

fn write(seconds: i64) -> Option<HeaderValue> {
    let time = jiff::Timestamp::from_second(seconds).ok()?;
    let text = jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&time).ok()?;
    HeaderValue::try_from(text).ok()
}
