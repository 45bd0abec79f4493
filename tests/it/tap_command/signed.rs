//! AWS behind a tap, played by moto with its checks of signatures on.

use std::process::Command;

use serde_json::Value;

use super::{Tapped, refused};
use crate::foreign::Foreign;
use crate::support::{provided, root};

/// moto's own account.
const ACCOUNT: &str = "123456789012";

/// The output of tests/clients/signed.py.
fn client(arguments: &[&str]) -> Option<String> {
    let python = provided("HAVOQ_TEST_PYTHON")?;
    let script = root().join("tests/clients/signed.py");
    let ran = Command::new(python).arg(script).args(arguments).output().expect("it can be run");
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{said}");
    Some(said)
}

/// What credentials are put in the environment, and nothing else that the chain would find.
fn environment<'a>(keys: &'a Value, secret: Option<&'a str>) -> Vec<(&'static str, &'a str)> {
    let of = |name: &str| keys[name].as_str().expect("text");
    let mut environment = vec![
        ("AWS_ACCESS_KEY_ID", of("key")),
        ("AWS_SECRET_ACCESS_KEY", secret.unwrap_or(of("secret"))),
        ("AWS_EC2_METADATA_DISABLED", "true"),
        ("AWS_CONFIG_FILE", "/dev/null"),
        ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
        ("AWS_REGION", "us-east-1"),
    ];
    if !of("token").is_empty() {
        environment.push(("AWS_SESSION_TOKEN", of("token")));
    }
    environment
}

#[test]
fn clients_with_dummy_credentials_pass_the_checks_by_way_of_the_tap() {
    let Some(stack) = Foreign::moto() else { return };
    let Some(keys) = client(&["prepare", &stack.url()]) else { return };
    let keys: Value = serde_json::from_str(&keys).expect("credentials");
    for who in ["user", "role"] {
        let (url, environment) = (stack.url(), environment(&keys[who], None));
        let options = ["--upstream", "aws", "--account", ACCOUNT, "--endpoint", &url];
        let tap = Tapped::start(&options, &environment);
        let said = client(&["check", &url, &tap.url()]).unwrap_or_default();
        assert!(said.contains("all is well"), "{who}: {said}");
        let events = tap.events();
        let count = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count();
        assert_eq!((count("received"), count("deleted"), count("harness_error")), (4, 2, 0), "{who}");
    }
    let url = stack.url();
    let tap = |account: &str, secret: Option<&str>| {
        let havoq = crate::support::Havoq::new(&[
            "tap",
            "--upstream",
            "aws",
            "--account",
            account,
            "--endpoint",
            &url,
        ]);
        let environment = environment(&keys["user"], secret);
        environment.iter().fold(havoq, |havoq, (name, value)| havoq.env(name, value)).ran()
    };
    let another = tap("000000000000", None);
    another.assert_code(4);
    assert!(another.stderr.contains("are of the account 123456789012, and --account names 000000000000"));
    let wrong = tap(ACCOUNT, Some("not-the-secret"));
    wrong.assert_code(4);
    assert!(wrong.stderr.contains("SignatureDoesNotMatch"), "{}", wrong.all());
}

#[test]
fn without_credentials_it_does_not_begin() {
    let nobody = [("AWS_EC2_METADATA_DISABLED", "true"), ("AWS_CONFIG_FILE", "/dev/null")];
    let havoq = crate::support::Havoq::new(&["tap", "--upstream", "aws", "--account", ACCOUNT]);
    let havoq = nobody.iter().fold(havoq, |havoq, (name, value)| havoq.env(name, value));
    let ran = havoq.env("AWS_SHARED_CREDENTIALS_FILE", "/dev/null").ran();
    ran.assert_code(4);
    assert!(
        ran.stderr.contains("there are no credentials for AWS") && ran.stderr.contains("--profile"),
        "{}",
        ran.all()
    );
    refused(&["--upstream", "aws", "--account", ACCOUNT, "--endpoint", "nowhere"], 2, "a URL such as");
}
