//! Invoke (semantics 5.5).

use havoq_lambda::Returned;
use serde_json::{Value, json};

use super::{answer, raised, status};
use crate::lambda::{InvokeAnswer, Invoked};
use crate::tests::{World, value};

fn world() -> World {
    let mut world = World::new();
    world.function("f", 3);
    world
}

#[test]
fn a_synchronous_caller_waits_for_what_the_function_returns() {
    let mut world = world();
    let mut ended = world.call("f");
    let started = world.started_one();
    assert_eq!(started.invocation.request_id, "request-1");
    assert_eq!(started.event(), json!({}));
    assert!(ended.try_recv().is_err());
    world.end(&started, answer(json!({ "n": 1 })));
    let returned = ended.try_recv().expect("it ended");
    assert_eq!(
        value(InvokeAnswer::of(&returned)),
        json!({ "StatusCode": 200, "ExecutedVersion": "$LATEST" })
    );
}

#[test]
fn a_function_s_error_is_a_success_of_the_call_with_function_error_unhandled() {
    let mut world = world();
    let mut ended = world.call("f");
    world.end_next(raised());
    let returned = ended.try_recv().expect("it ended");
    assert_eq!(
        value(InvokeAnswer::of(&returned)),
        json!({ "StatusCode": 200, "FunctionError": "Unhandled", "ExecutedVersion": "$LATEST" })
    );
}

#[test]
fn a_synchronous_caller_sees_the_timeout() {
    let mut world = world();
    let mut ended = world.call("f");
    world.started_one();
    world.pass(3);
    let returned = ended.try_recv().expect("it ended");
    let payload: Value = serde_json::from_slice(&returned.payload("request-1")).expect("JSON");
    assert_eq!(
        payload,
        json!({
            "errorType": "Sandbox.Timedout",
            "errorMessage": "RequestId: request-1 Error: Task timed out after 3.00 seconds",
        })
    );
}

#[test]
fn an_asynchronous_call_is_accepted_and_a_dry_run_does_nothing() {
    let mut world = world();
    world.event("f", r#"{"n": 1}"#);
    assert_eq!(world.end_next(answer(Value::Null)).event(), json!({ "n": 1 }));
    let Ok(Invoked::Done(answer)) =
        world.invoke(json!({ "FunctionName": "f", "InvocationType": "DryRun" }), "{}")
    else {
        panic!("it is done")
    };
    assert_eq!(status(&answer), 204);
    world.pass(0);
    assert!(world.started().is_empty());
}

#[test]
fn a_synchronous_call_without_free_concurrency_is_refused_and_not_tried_again() {
    let mut world = world();
    let reserved = json!({ "FunctionName": "f", "ReservedConcurrentExecutions": 1 });
    world.lambda_ok("PutFunctionConcurrency", reserved);
    world.call("f");
    let running = world.started_one();
    let error = world.invoke(json!({ "FunctionName": "f" }), "{}").expect_err("it is throttled");
    assert_eq!((error.shape_name(), error.status.as_u16()), ("TooManyRequestsException", 429));
    assert_eq!(error.message, "Rate Exceeded.");
    world.end(&running, answer(Value::Null));
    world.pass(600);
    assert!(world.started().is_empty());
    world.call("f");
    assert_eq!(world.started().len(), 1);
}

#[test]
fn a_function_that_reserves_nothing_shares_what_is_left_of_1000() {
    let mut world = world();
    world.function("g", 3);
    let reserved = json!({ "FunctionName": "g", "ReservedConcurrentExecutions": 900 });
    world.lambda_ok("PutFunctionConcurrency", reserved);
    for _ in 0..100 {
        world.call("f");
    }
    assert!(world.invoke(json!({ "FunctionName": "f" }), "{}").is_err());
    world.call("g");
}

#[test]
fn the_client_context_and_the_arn_as_called_reach_the_function() {
    let mut world = world();
    let members = json!({ "FunctionName": "f:$LATEST", "ClientContext": "eyJhIjoxfQ==" });
    world.invoke(members, "").expect("it begins");
    let invocation = world.started_one().invocation;
    assert_eq!(invocation.client_context.as_deref(), Some(r#"{"a":1}"#));
    assert_eq!(invocation.invoked_arn, format!("{}:$LATEST", super::function_arn("f")));
    assert_eq!(&invocation.payload[..], b"{}", "no payload is an empty object");
}

#[test]
fn what_cannot_be_invoked_is_refused() {
    let mut world = world();
    let mut refused = |members: Value, payload: &str| {
        let error = world.invoke(members, payload).expect_err("it is refused");
        format!("{}: {}", error.shape_name(), error.message)
    };
    assert_eq!(
        refused(json!({ "FunctionName": "g" }), "{}"),
        format!("ResourceNotFoundException: Function not found: {}:$LATEST", super::function_arn("g"))
    );
    assert!(refused(json!({ "FunctionName": "f" }), "{").starts_with("InvalidRequestContentException"));
    let large = format!("\"{}\"", "x".repeat(1_024 * 1_024));
    assert_eq!(
        refused(json!({ "FunctionName": "f", "InvocationType": "Event" }), &large),
        "RequestTooLargeException: Request must be smaller than 1048576 bytes for the InvokeFunction operation"
    );
    assert!(
        refused(json!({ "FunctionName": "f", "InvocationType": "Later" }), "{}").contains("enum value set")
    );
}

#[test]
fn a_caller_who_went_away_is_told_nothing_and_the_function_ends_all_the_same() {
    let mut world = world();
    drop(world.call("f"));
    world.end_next(Returned::TooLarge);
    assert_eq!(world.core.invocations_under_way(), 0);
}
