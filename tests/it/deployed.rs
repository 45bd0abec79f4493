//! Consumers that are deployed already: the test deploys one, and havoq ends it and brings it back by
//! commands.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::ready::free_port;
use crate::support::{Havoq, Ran, root, wait_for};

const SEND: &str = "send: { to: Orders, count: 1, as: orders }";
const ONCE: &str = "effect: { of: orders, in: charges, exactly: 1, within: 20m }";
const AT_EFFECT: &str = "kill: { consumer: c, at: before-effect, of: orders, restart: at-once }";

/// How a deployment is brought back: with the addresses that havoq hands on, and nothing else.
const START: &str = "env -i PATH=$PATH AWS_ENDPOINT_URL=$AWS_ENDPOINT_URL HAVOQ_QUEUE_URL=$HAVOQ_QUEUE_URL \
                     HAVOQ_EFFECT_CHARGES_URL=$HAVOQ_EFFECT_CHARGES_URL python3 tests/consumers/deployed.py PIDFILE &";
const KILL: &str = "kill -9 $(cat PIDFILE)";

/// What the test has deployed; it ends with it.
struct Deployment {
    folder: tempfile::TempDir,
    port: u16,
    first: Child,
}

impl Deployment {
    fn begin() -> Self {
        let (folder, port) = (tempfile::tempdir().expect("a folder"), free_port());
        let endpoint = format!("http://127.0.0.1:{port}");
        let first = Command::new("python3")
            .arg("tests/consumers/deployed.py")
            .arg(folder.path().join("pid"))
            .current_dir(root())
            .env("AWS_ENDPOINT_URL", &endpoint)
            .env("HAVOQ_QUEUE_URL", format!("{endpoint}/000000000000/orders"))
            .env("HAVOQ_EFFECT_CHARGES_URL", format!("{endpoint}/charges"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("python3 starts");
        let deployment = Self { folder, port, first };
        wait_for("the deployment", || deployment.pid());
        deployment
    }

    fn pidfile(&self) -> PathBuf {
        self.folder.path().join("pid")
    }

    fn pid(&self) -> Option<i32> {
        std::fs::read_to_string(self.pidfile()).ok()?.parse().ok()
    }

    fn is_alive(&self) -> bool {
        self.pid().is_some_and(|pid| std::path::Path::new(&format!("/proc/{pid}/fd/0")).exists())
    }

    /// `levers` are commands of the shell, by key.
    fn scenario(&self, levers: &[(&str, &str)], more: &str, steps: &[&str]) -> String {
        let pidfile = self.pidfile().to_string_lossy().into_owned();
        let levers = levers.iter().map(|(key, script)| {
            format!("      {key}: [sh, -c, '{}']\n", script.replace("PIDFILE", &pidfile))
        });
        let steps = steps.iter().map(|step| format!("  - {step}\n"));
        format!(
            "name: deployed
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties: {{ QueueName: orders, VisibilityTimeout: 180 }}
effects:
  charges: {{ http: /charges, key: $.orderId }}
consumers:
  c:
    deployed:
      listen: 127.0.0.1:{}
{}    queue: Orders
    wall_clock: none
{more}inject:
{}expect:
  - {ONCE}
",
            self.port,
            levers.collect::<String>(),
            steps.collect::<String>(),
        )
    }

    fn run(&self, levers: &[(&str, &str)], more: &str, steps: &[&str]) -> Ran {
        Havoq::on(&self.scenario(levers, more, steps), &[]).ran()
    }
}

impl Drop for Deployment {
    fn drop(&mut self) {
        if let Some(pid) = self.pid() {
            nix::sys::signal::kill(nix::unistd::Pid::from_raw(pid), nix::sys::signal::Signal::SIGKILL).ok();
        }
        self.first.kill().ok();
        self.first.wait().ok();
    }
}

#[test]
fn one_that_is_there_is_tapped_and_lives_on() {
    let deployment = Deployment::begin();
    // The second run finds the address free, and the consumer cut off from the first.
    for _ in 0..2 {
        let ran = deployment.run(&[], "", &[SEND]);
        ran.assert_code(0);
        assert_eq!(ran.of_kind("consumer_started")[0]["pid"], 0);
        let time = &ran.of_kind("consumer_time")[0];
        assert_eq!((&time["follows"], &time["reason"]), (&false.into(), &"havoq did not start it".into()));
        assert!(ran.of_kind("consumer_exited").is_empty() && deployment.is_alive(), "{}", ran.all());
    }
}

/// The tap of one scenario does not keep what belongs to the next one's.
#[test]
fn scenarios_that_share_it_run_one_after_the_other() {
    let deployment = Deployment::begin();
    let files: Vec<PathBuf> = ["first", "second"]
        .iter()
        .map(|name| {
            let file = deployment.folder.path().join(format!("{name}.yaml"));
            let text =
                deployment.scenario(&[], "", &[SEND]).replace("name: deployed", &format!("name: {name}"));
            std::fs::write(&file, text).expect("a scenario");
            file
        })
        .collect();
    let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
    let ran = Havoq::run(&paths, &["--jobs", "1"]).ran();
    ran.assert_code(0);
    assert!(ran.of_kind("consumer_idle").is_empty(), "{}", ran.all());
}

#[test]
fn a_kill_at_a_crash_point_runs_its_command_while_the_call_is_held() {
    let deployment = Deployment::begin();
    let first = deployment.pid();
    let ran = deployment.run(&[("kill", KILL), ("restart", START)], "", &[AT_EFFECT, SEND]);
    ran.assert_code(0);
    assert_eq!(ran.of_kind("fault_fired")[0]["point"], "before-effect");
    let exited = &ran.of_kind("consumer_exited")[0];
    assert_eq!((&exited["ended_by"], &exited["left_behind"]), (&"inject[0]".into(), &Value::Null));
    let effects = ran.of_kind("effect");
    assert_eq!((effects.len(), &effects[0]["by"]["start"]), (1, &2.into()), "the first one never made it");
    assert!(deployment.is_alive() && deployment.pid() != first);
}

#[test]
fn a_kill_at_once_leaves_nobody_where_nothing_brings_it_back() {
    let deployment = Deployment::begin();
    let ran = deployment.run(&[("kill", KILL)], "", &["kill: { consumer: c }", SEND]);
    ran.assert_code(1);
    assert_eq!(ran.of_kind("fault_fired").len(), 1);
    assert!(!deployment.is_alive());
}

#[test]
fn its_policy_brings_it_back_after_a_pause() {
    let deployment = Deployment::begin();
    let levers = [("kill", KILL), ("restart", START)];
    let more = "    restart: { after: 60s }\n";
    let ran = deployment.run(&levers, more, &["kill: { consumer: c }", SEND]);
    ran.assert_code(0);
    assert_eq!(ran.of_kind("effect")[0]["by"]["start"], 2);
}

/// As a container with a restart policy of its own does: its first calls wait for the new tap.
#[test]
fn one_that_comes_back_by_itself_is_another() {
    let deployment = Deployment::begin();
    // The one that came back has long connected when the command ends.
    let levers = [("kill", &*format!("{KILL}; {START} sleep 1")), ("restart", "true")];
    let ran = deployment.run(&levers, "", &[AT_EFFECT, SEND]);
    ran.assert_code(0);
    assert_eq!(ran.of_kind("effect")[0]["by"]["start"], 2);
}

#[test]
fn a_kill_command_that_fails_is_an_error_and_its_call_goes_on() {
    let deployment = Deployment::begin();
    let ran = deployment.run(&[("kill", "exit 3"), ("restart", START)], "", &[AT_EFFECT, SEND]);
    ran.assert_code(5);
    assert!(ran.stdout.contains("`kill` command `sh -c exit 3` failed (exit code 3)"), "{}", ran.all());
    assert!(ran.of_kind("fault_fired").is_empty());
    assert_eq!(ran.of_kind("effect")[0]["by"]["start"], 1);
}

/// A fault that did not take place must not count as one.
#[test]
fn a_kill_command_that_kills_nobody_is_found_out() {
    let deployment = Deployment::begin();
    let ran = deployment.run(&[("kill", "true"), ("restart", "true")], "", &[AT_EFFECT, SEND]);
    ran.assert_code(5);
    assert!(ran.stdout.contains("still held connections"), "{}", ran.all());
    assert!(ran.of_kind("fault_fired").is_empty() && deployment.is_alive());
}

#[test]
fn restart_and_swap_end_it_and_bring_back_what_they_say() {
    let deployment = Deployment::begin();
    let fix = format!("echo fixed $HAVOQ_CONSUMER; {START}");
    let levers = [("kill", KILL), ("restart", START), ("fix", &*fix)];
    let steps = ["restart: { consumer: c }", "swap: { consumer: c, to: fixed }", SEND];
    let ran = deployment.run(&levers, "", &steps);
    ran.assert_code(0);
    let fixed: Vec<_> = ran.of_kind("consumer_started").iter().map(|start| start["fixed"] == true).collect();
    assert_eq!(fixed, [false, false, true]);
    let why: Vec<_> = ran.of_kind("consumer_exited").iter().map(|exit| exit["ended_by"].clone()).collect();
    assert_eq!(why, ["restart", "swap"]);
    assert_eq!(ran.log("c-0-3.fix.out"), "fixed c\n");
}

#[test]
fn a_command_that_does_not_bring_it_back_is_an_error() {
    let deployment = Deployment::begin();
    let ran = deployment.run(&[("kill", KILL), ("restart", "exit 1")], "", &[AT_EFFECT, SEND]);
    ran.assert_code(5);
    assert!(ran.stdout.contains("`restart` command"), "{}", ran.all());
}

#[test]
fn steps_wait_until_it_is_ready() {
    let deployment = Deployment::begin();
    let more = "    ready: { command: [sh, -c, \"false\"], within: 1s }\n";
    let ran = deployment.run(&[], more, &[SEND]);
    ran.assert_code(3);
    assert!(ran.of_kind("sent").is_empty() && ran.of_kind("consumer_unready").len() == 1, "{}", ran.all());
}

#[test]
fn an_address_that_is_taken_is_an_error() {
    let deployment = Deployment::begin();
    let _taken = TcpListener::bind(("127.0.0.1", deployment.port)).expect("a listener");
    let ran = deployment.run(&[], "", &[SEND]);
    ran.assert_code(5);
    assert!(ran.stdout.contains("its tap cannot listen on 127.0.0.1"), "{}", ran.all());
    assert!(ran.stdout.contains("--jobs 1"), "{}", ran.all());
}

#[test]
fn a_command_that_is_not_there_is_found_before_anything_starts() {
    let deployment = Deployment::begin();
    let scenario = deployment.scenario(&[("kill", KILL)], "", &[SEND]).replace("[sh, ", "[/nowhere/at-all, ");
    let ran = Havoq::on(&scenario, &[]).ran();
    ran.assert_code(2);
    assert!(ran.all().contains("/nowhere/at-all") && ran.run.is_none(), "{}", ran.all());
}
