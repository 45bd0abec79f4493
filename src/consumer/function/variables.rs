//! The variables that Lambda reserves for itself (semantics 5.5).

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;

use havoq_base::StackTime;
use havoq_lambda::FunctionSpec;

/// What an environment of the function is told about itself. `now` and `id` name its log stream.
pub(crate) fn reserved(
    function: &FunctionSpec,
    api: SocketAddr,
    task_root: &Path,
    now: StackTime,
    id: u128,
) -> BTreeMap<String, String> {
    let date = now.rfc3339()[..10].replace('-', "/");
    let runtime = function.runtime.as_deref().filter(|runtime| !runtime.starts_with("provided"));
    let execution = format!("AWS_Lambda_{}", runtime.unwrap_or("Custom"));
    let root = task_root.to_string_lossy().into_owned();
    let mut variables = BTreeMap::from([
        ("AWS_LAMBDA_RUNTIME_API", api.to_string()),
        ("AWS_LAMBDA_FUNCTION_NAME", function.name.clone()),
        ("AWS_LAMBDA_FUNCTION_VERSION", function.version.clone()),
        ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", function.memory_mb.to_string()),
        ("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand".to_owned()),
        ("AWS_LAMBDA_LOG_GROUP_NAME", format!("/aws/lambda/{}", function.name)),
        ("AWS_LAMBDA_LOG_STREAM_NAME", format!("{date}/[{}]{id:032x}", function.version)),
        ("AWS_EXECUTION_ENV", execution),
        ("LAMBDA_RUNTIME_DIR", root.clone()),
        ("LAMBDA_TASK_ROOT", root),
        ("TZ", ":UTC".to_owned()),
    ]);
    if let Some(handler) = &function.handler {
        variables.insert("_HANDLER", handler.clone());
    }
    variables.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

#[cfg(test)]
mod tests {
    use havoq_base::StackDuration;
    use havoq_lambda::{Code, LATEST};

    use super::*;

    #[test]
    fn an_environment_is_told_of_its_function() {
        let function = FunctionSpec {
            name: "orders".into(),
            arn: "arn:aws:lambda:eu-west-1:000000000000:function:orders".into(),
            version: LATEST.into(),
            handler: Some("app.handle".into()),
            runtime: Some("python3.13".into()),
            timeout: StackDuration::from_secs(3),
            memory_mb: 256,
            environment: BTreeMap::new(),
            code: Code::Elsewhere("nowhere".into()),
        };
        let api = "127.0.0.1:9001".parse().expect("an address");
        let now = StackTime::from_secs(1_767_225_600);
        let variables = reserved(&function, api, Path::new("/code"), now, 0xab);
        for (name, value) in [
            ("_HANDLER", "app.handle"),
            ("AWS_LAMBDA_RUNTIME_API", "127.0.0.1:9001"),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "256"),
            ("AWS_LAMBDA_LOG_STREAM_NAME", "2026/01/01/[$LATEST]000000000000000000000000000000ab"),
            ("AWS_EXECUTION_ENV", "AWS_Lambda_python3.13"),
            ("LAMBDA_TASK_ROOT", "/code"),
        ] {
            assert_eq!(variables[name], value, "{name}");
        }
    }
}
