//! The command of a function that came by the API.

use std::io;
use std::path::PathBuf;

use havoq_lambda::{Code, FunctionSpec};

use super::code::Unpacked;

/// Names the command, where the runtime does not tell it or another one is wanted.
const COMMAND: &str = "HAVOQ_FUNCTION_COMMAND";

/// The command and the folder that it runs in.
pub(super) fn of(function: &FunctionSpec, code: &Unpacked) -> io::Result<(Vec<String>, Option<PathBuf>)> {
    let folder = match &function.code {
        Code::Command { command, folder } => return Ok((command.clone(), folder.clone())),
        Code::Zip(archive) => Some(code.folder_of(archive)?),
        // With a command of its own it needs no other code.
        Code::Elsewhere(_) if function.environment.contains_key(COMMAND) => None,
        Code::Elsewhere(why) => return Err(io::Error::other(why.clone())),
    };
    match function.environment.get(COMMAND) {
        Some(command) => Ok((shell(command), folder)),
        None => by_runtime(function).map(|command| (command, folder)),
    }
}

fn shell(command: &str) -> Vec<String> {
    vec!["/bin/sh".to_owned(), "-c".to_owned(), format!("exec {command}")]
}

fn by_runtime(function: &FunctionSpec) -> io::Result<Vec<String>> {
    let runtime = function.runtime.as_deref().unwrap_or("provided");
    let handler = function.handler.clone().unwrap_or_default();
    if runtime.starts_with("python3") {
        return Ok(["python3", "-m", "awslambdaric"]
            .map(str::to_owned)
            .into_iter()
            .chain([handler])
            .collect());
    }
    if runtime.starts_with("provided") {
        return Ok(vec!["./bootstrap".to_owned()]);
    }
    Err(io::Error::other(format!(
        "this sandbox has no runtime for {runtime}\nhint: name a command that speaks the Lambda Runtime API in the \
         function's environment variable {COMMAND}"
    )))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use havoq_base::StackDuration;
    use havoq_lambda::LATEST;

    use super::*;

    fn command(runtime: &str, command: Option<&str>) -> io::Result<Vec<String>> {
        let variable = |command: &str| (COMMAND.to_owned(), command.to_owned());
        let function = FunctionSpec {
            name: "f".into(),
            arn: "arn:aws:lambda:us-east-1:000000000000:function:f".into(),
            version: LATEST.into(),
            handler: Some("app.handle".into()),
            runtime: Some(runtime.into()),
            timeout: StackDuration::from_secs(3),
            memory_mb: 128,
            environment: command.map(variable).into_iter().collect::<BTreeMap<_, _>>(),
            code: Code::Elsewhere("the code is in S3".into()),
        };
        let code = Unpacked::below(PathBuf::new());
        match of(&function, &code) {
            Ok((command, _)) => Ok(command),
            Err(error) if error.to_string() == "the code is in S3" => by_runtime(&function),
            Err(error) => Err(error),
        }
    }

    #[test]
    fn a_runtime_or_a_variable_tells_the_command() {
        assert_eq!(
            command("python3.13", None).expect("known"),
            ["python3", "-m", "awslambdaric", "app.handle"]
        );
        assert_eq!(command("provided.al2023", None).expect("known"), ["./bootstrap"]);
        let own = command("java21", Some("java -jar f.jar")).expect("named");
        assert_eq!(own, ["/bin/sh", "-c", "exec java -jar f.jar"]);
        let error = command("java21", None).expect_err("unknown");
        assert!(error.to_string().contains("HAVOQ_FUNCTION_COMMAND"), "{error}");
    }
}
