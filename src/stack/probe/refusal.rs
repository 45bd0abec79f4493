//! Failed calls: what they say of a stack.

use std::error::Error;

use aws_sdk_sqs::error::{ProvideErrorMetadata, SdkError};

use super::finding::{Not, Shown, wrong};
use crate::stack::errors::{coded, told, unknown_operation};

/// A call that a check needs, and that failed: without an answer nothing can be told, with one the
/// stack does not do what was asked.
impl<E> From<SdkError<E>> for Not
where
    E: ProvideErrorMetadata + Error + 'static,
{
    fn from(error: SdkError<E>) -> Self {
        let call = operation::<E>();
        match coded(&error) {
            Some(reason) => Self::Absent(format!("{call} was refused: {reason}")),
            None => match error.raw_response().map(|response| response.status().as_u16()) {
                Some(status) => Self::Absent(format!("{call} was answered with HTTP status {status}")),
                None => Self::Unclear(format!("{call} was not answered: {}", told(&error))),
            },
        }
    }
}

/// The call must fail with one of these codes, which the protocols spell in different ways.
pub(super) fn refused<T, E>(result: Result<T, SdkError<E>>, codes: &[&str]) -> Shown
where
    E: ProvideErrorMetadata + Error + 'static,
{
    let expected = || format!("{} to be refused with {}", operation::<E>(), codes[0]);
    let Err(error) = result else { return wrong(expected(), "it was accepted") };
    let Some(seen) = error.code().map(str::to_owned) else { return Err(error.into()) };
    if unknown_operation(&error) && !codes.contains(&"UnsupportedOperation") {
        return Err(error.into());
    }
    // Without the prefix that some protocols have.
    let name = seen.rsplit(['.', '#']).next().unwrap_or(&seen);
    let is = |expected: &&str| name == *expected || name.strip_suffix("Exception") == Some(expected);
    if codes.iter().any(is) { Ok(()) } else { wrong(expected(), coded(&error).unwrap_or(seen)) }
}

/// The call must fail, with whatever code.
pub(super) fn not_accepted<T, E>(result: Result<T, SdkError<E>>, why: &str) -> Shown
where
    E: ProvideErrorMetadata + Error + 'static,
{
    let Err(error) = result else {
        return wrong(format!("{} to be refused: {why}", operation::<E>()), "it was accepted");
    };
    if error.code().is_none() || unknown_operation(&error) { Err(error.into()) } else { Ok(()) }
}

/// A call that must not fail.
pub(super) fn succeeds<T>(what: &str, result: Shown<T>) -> Shown {
    unrefused(result, || format!("{what} to succeed")).map(drop)
}

/// What was refused was expected not to be; that no answer came says nothing of that.
pub(super) fn unrefused<T>(result: Shown<T>, expected: impl FnOnce() -> String) -> Shown<T> {
    match result {
        Err(Not::Absent(seen) | Not::Wrong { seen, .. }) => wrong(expected(), seen),
        other => other,
    }
}

/// `CreateQueue`, as its error type is `CreateQueueError`.
fn operation<E>() -> &'static str {
    let name = std::any::type_name::<E>();
    let name = name.rsplit("::").next().unwrap_or(name);
    name.strip_suffix("Error").unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_is_wrong_where_none_may_be() {
        for not in
            [Not::Absent("it was refused".into()), wrong::<()>("another", "it was refused").unwrap_err()]
        {
            let Err(Not::Wrong { expected, seen }) = succeeds::<()>("the call", Err(not)) else {
                panic!("not wrong")
            };
            assert_eq!((expected.as_str(), seen.as_str()), ("the call to succeed", "it was refused"));
        }
    }

    #[test]
    fn no_answer_stays_unclear_where_a_refusal_would_be_wrong() {
        let unanswered = || Err(Not::Unclear("it was not answered".into()));
        let shown: Shown = succeeds::<()>("the call", unanswered());
        assert!(matches!(shown, Err(Not::Unclear(seen)) if seen == "it was not answered"));
        assert!(matches!(unrefused::<()>(unanswered(), || unreachable!()), Err(Not::Unclear(_))));
    }
}
