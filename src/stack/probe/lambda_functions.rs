//! Synchronous invocation: what the caller sees (semantics 5.5).

use aws_sdk_lambda::types::InvocationType;
use serde_json::{Value, json};

use super::bus::{everything, target};
use super::check::checks;
use super::finding::{Shown, ensure, same};
use super::function::payload;
use super::lab::Lab;
use super::refusal::{refused, succeeds};
use super::script::Script;

checks! { Lambda:
    Seconds "lambda-invoke-answer" "5.5" "the caller gets what the function returns" answer;
    Seconds "lambda-invoke-raises" "5.5" "an error of the function is an answer that says Unhandled, with its type and text" raises;
    Seconds "lambda-invoke-timeout" "5.5" "a function that takes too long is ended, and the caller told so" timeout;
    Seconds "lambda-invoke-exits" "5.5" "a function whose process exits is a Runtime.ExitError" exits;
    Seconds "lambda-invoke-after-exit" "5.5" "the function runs again after its process exited" after_exit;
    Seconds "lambda-invoke-no-json" "5.5" "a payload that is no JSON is refused" no_json;
    Seconds "lambda-invoke-missing" "5.5" "a function that is not there is refused with ResourceNotFoundException" missing;
    Seconds "lambda-invoke-deleted" "5.5" "a deleted function is not there any more" deleted;
    Seconds "lambda-invoke-no-concurrency" "5.6" "without any concurrency a call is refused with TooManyRequestsException" no_concurrency;
    Seconds "lambda-create-again" "5.5" "a function that is created again is refused" create_again;
    Seconds "lambda-permission-needed" "3.4" "a service that the function's policy does not let in invokes nothing" permission_needed;
}

async fn answer(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let answer = function.invoke(r#"{"a":[1,"b"]}"#).await?;
    let seen: Value = serde_json::from_str(&payload(&answer)).unwrap_or_default();
    same("the payload", seen, json!({ "a": [1, "b"] }))?;
    same("the status and the error", (answer.status_code(), answer.function_error()), (200, None))
}

/// Invokes a function that fails; the payload's type and text.
async fn failing(lab: &Lab, script: Script) -> Shown<(String, String)> {
    let function = lab.function(script).await?;
    let answer = function.invoke("{}").await?;
    let seen = (answer.status_code(), answer.function_error());
    same("the status and the error", seen, (200, Some("Unhandled")))?;
    let told: Value = serde_json::from_str(&payload(&answer)).unwrap_or_default();
    let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
    Ok((text("errorType"), text("errorMessage")))
}

async fn raises(lab: Lab) -> Shown {
    let seen = failing(&lab, Script::Raise).await?;
    same("errorType and errorMessage", seen, ("ValueError".to_owned(), "the probe said so".to_owned()))
}

async fn timeout(lab: Lab) -> Shown {
    let function = lab.function(Script::Sleep).await?;
    let invoke = function.invoking("{}").send();
    // Where the clock is moved on, somebody must move it while the call waits.
    let move_on = async {
        for _ in 0..5 {
            havoq_base::clock::sleep(havoq_base::RealDuration::from_millis(200)).await;
            lab.pass(1).await;
        }
    };
    let (answer, ()) = tokio::join!(invoke, move_on);
    let answer = answer?;
    same("the error", answer.function_error(), Some("Unhandled"))?;
    let told = payload(&answer);
    ensure(told.contains("Task timed out after 3.00 seconds"), "Task timed out after 3.00 seconds", told)
}

async fn exits(lab: Lab) -> Shown {
    let (kind, text) = failing(&lab, Script::Exit).await?;
    same("errorType", kind.as_str(), "Runtime.ExitError")?;
    ensure(text.contains("Runtime exited"), "the exit in errorMessage", text)
}

async fn after_exit(lab: Lab) -> Shown {
    let function = lab.function(Script::Exit).await?;
    function.invoke("{}").await?;
    let answer = function.invoke(super::script::CALL).await?;
    same("the error", answer.function_error(), None)
}

async fn no_json(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    refused(function.invoking("{").send().await, &["InvalidRequestContentException"])
}

async fn missing(lab: Lab) -> Shown {
    lab.function(Script::Echo).await?;
    let invoke = lab.lambda().invoke().function_name(lab.short_name()?);
    refused(invoke.send().await, &["ResourceNotFoundException"])
}

async fn deleted(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    lab.lambda().delete_function().function_name(&function.name).send().await?;
    refused(function.invoking("{}").send().await, &["ResourceNotFoundException"])
}

async fn no_concurrency(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let put = lab.lambda().put_function_concurrency().function_name(&function.name);
    put.reserved_concurrent_executions(0).send().await?;
    refused(function.invoking("{}").send().await, &["TooManyRequestsException"])?;
    lab.lambda().delete_function_concurrency().function_name(&function.name).send().await?;
    succeeds("Invoke with concurrency again", function.invoke("{}").await)
}

async fn create_again(lab: Lab) -> Shown {
    let function = lab.function(Script::Echo).await?;
    let again = lab.creating_function(&function.name, Script::Echo).await?.send().await;
    refused(again, &["ResourceConflictException"])
}

async fn permission_needed(lab: Lab) -> Shown {
    let (function, told) = lab.function_with_destination(Script::Echo).await?;
    let bus = lab.bus().await?;
    let rule = bus.rule(&everything()).await?;
    rule.put_target(target("1", &function.arn)).await?;
    bus.put(&json!({ "name": "a" })).await?;
    lab.pass(5).await;
    told.none("no invocation by a rule that the function does not let in").await?;
    // That it is told of others, or all that shows nothing.
    function.invoking("{}").invocation_type(InvocationType::Event).send().await?;
    super::function::record(&told).await.map(drop)
}
