//! How an invocation ended, and what its caller sees of that (semantics 5.5).

use std::fmt;

use bytes::Bytes;
use havoq_base::StackDuration;
use serde_json::json;

/// What `X-Amz-Function-Error` says of whatever went wrong in a function: runtimes of today never
/// say that they handled it.
const FUNCTION_ERROR: &str = "Unhandled";

/// The most bytes of an answer: 6 MB and 100 bytes, as the error's text has it.
pub const LARGEST_PAYLOAD: usize = 6_291_556;

/// How an invocation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Returned {
    /// The function answered with this JSON.
    Response(Bytes),
    /// The runtime told of an error, in the function or while it started: the type out of the
    /// header, if it had one, and the body as it came.
    FunctionError { error_type: Option<String>, payload: Bytes },
    /// The process ended without an answer.
    Exited(Exit),
    /// It ran longer than the function's timeout, its start included if that was tried again.
    TimedOut(StackDuration),
    /// The answer had more than [`LARGEST_PAYLOAD`] bytes.
    TooLarge,
    /// Nothing was there that could run it: havoq's word, not AWS's.
    NotRun(String),
}

/// How a function's process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// With 0, where it should have gone on.
    Clean,
    /// With another exit status.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

impl Returned {
    /// Whether the function itself came back, with whatever.
    pub fn is_answer(&self) -> bool {
        matches!(self, Self::Response(_) | Self::FunctionError { .. } | Self::TooLarge)
    }

    pub fn is_error(&self) -> bool {
        !matches!(self, Self::Response(_))
    }

    /// What the header `X-Amz-Function-Error` says.
    pub fn function_error(&self) -> Option<&'static str> {
        self.is_error().then_some(FUNCTION_ERROR)
    }

    /// The type of the error, where there is one: of what the function raised it is the function's
    /// own word.
    pub fn error_type(&self) -> Option<String> {
        match self {
            Self::Response(_) => None,
            Self::FunctionError { error_type, payload } => {
                let of_payload = || {
                    let body: serde_json::Value = serde_json::from_slice(payload).ok()?;
                    Some(body["errorType"].as_str()?.to_owned())
                };
                Some(of_payload().or_else(|| error_type.clone()).unwrap_or_else(|| "Unknown".to_owned()))
            }
            Self::Exited(_) => Some("Runtime.ExitError".to_owned()),
            Self::TimedOut(_) => Some("Sandbox.Timedout".to_owned()),
            Self::TooLarge => Some("Function.ResponseSizeTooLarge".to_owned()),
            Self::NotRun(_) => Some("Havoq.NotRun".to_owned()),
        }
    }

    /// An error's type and message, as the caller sees them.
    pub fn told(&self, request_id: &str) -> Option<String> {
        let error_type = self.error_type()?;
        let payload: serde_json::Value =
            serde_json::from_slice(&self.payload(request_id)).unwrap_or_default();
        Some(match payload["errorMessage"].as_str() {
            Some(message) => format!("{error_type}: {message}"),
            None => error_type,
        })
    }

    /// The JSON that a synchronous caller gets, or a destination's record has.
    pub fn payload(&self, request_id: &str) -> Bytes {
        let about = |error_type: &str, what: String| {
            let message = format!("RequestId: {request_id} Error: {what}");
            Bytes::from(json!({ "errorType": error_type, "errorMessage": message }).to_string())
        };
        match self {
            Self::Response(payload) | Self::FunctionError { payload, .. } => payload.clone(),
            Self::Exited(exit) => about("Runtime.ExitError", exit.to_string()),
            Self::TimedOut(after) => {
                about("Sandbox.Timedout", format!("Task timed out after {:.2} seconds", after.as_secs_f64()))
            }
            Self::TooLarge => {
                let message = format!(
                    "Response payload size exceeded maximum allowed payload size ({LARGEST_PAYLOAD} bytes)."
                );
                let error_type = "Function.ResponseSizeTooLarge";
                Bytes::from(json!({ "errorMessage": message, "errorType": error_type }).to_string())
            }
            Self::NotRun(why) => about("Havoq.NotRun", why.clone()),
        }
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clean => f.write_str("Runtime exited without providing a reason"),
            Self::Status(status) => write!(f, "Runtime exited with error: exit status {status}"),
            Self::Signal(signal) => {
                write!(f, "Runtime exited with error: signal: ")?;
                match signal {
                    6 => f.write_str("aborted"),
                    9 => f.write_str("killed"),
                    11 => f.write_str("segmentation fault"),
                    15 => f.write_str("terminated"),
                    other => write!(f, "signal {other}"),
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(returned: &Returned) -> String {
        String::from_utf8(returned.payload("r-1").to_vec()).expect("JSON is UTF-8")
    }

    #[test]
    fn the_caller_of_a_crash_sees_an_exit_error_with_the_request_s_id() {
        for (exit, what) in [
            (Exit::Clean, "Runtime exited without providing a reason"),
            (Exit::Status(127), "Runtime exited with error: exit status 127"),
            (Exit::Signal(9), "Runtime exited with error: signal: killed"),
        ] {
            let returned = Returned::Exited(exit);
            assert_eq!(
                seen(&returned),
                format!(
                    r#"{{"errorType":"Runtime.ExitError","errorMessage":"RequestId: r-1 Error: {what}"}}"#
                )
            );
            assert_eq!(returned.function_error(), Some("Unhandled"));
        }
    }

    #[test]
    fn the_caller_of_a_timeout_sees_the_timeout_with_two_decimals() {
        assert_eq!(
            seen(&Returned::TimedOut(StackDuration::from_secs(1))),
            r#"{"errorType":"Sandbox.Timedout","errorMessage":"RequestId: r-1 Error: Task timed out after 1.00 seconds"}"#
        );
    }

    #[test]
    fn too_large_an_answer_is_an_error_that_names_the_limit() {
        let text = "Response payload size exceeded maximum allowed payload size (6291556 bytes).";
        assert_eq!(
            seen(&Returned::TooLarge),
            format!(r#"{{"errorMessage":"{text}","errorType":"Function.ResponseSizeTooLarge"}}"#)
        );
    }

    #[test]
    fn what_the_function_says_of_its_own_error_goes_through_as_it_is() {
        let payload = Bytes::from_static(br#"{"errorMessage": "no", "errorType": "ValueError"}"#);
        let raised = Returned::FunctionError { error_type: Some("x".to_owned()), payload: payload.clone() };
        assert_eq!(raised.payload("r-1"), payload);
        assert_eq!(raised.error_type().as_deref(), Some("ValueError"));
        let torn = Returned::FunctionError { error_type: Some("x".to_owned()), payload: Bytes::new() };
        assert_eq!(torn.error_type().as_deref(), Some("x"));
        assert_eq!(Returned::Response(payload).function_error(), None);
    }
}
