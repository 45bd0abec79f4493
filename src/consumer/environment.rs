//! What a consumer is handed in its environment.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use super::spec::Spec;
use super::supervise::Order;
use super::time::Preload;
use crate::history::Instance;

/// What surrounds all consumers of one attempt.
#[derive(Clone, Debug)]
pub struct Surroundings {
    pub account: String,
    pub region: String,
    /// Physical names of the stack's queues, by logical id.
    pub queues: BTreeMap<String, String>,
    /// Paths of the effect sinks, by name.
    pub effects: BTreeMap<String, String>,
    /// Shared by all instances and restarts of a consumer: one folder each below this one.
    pub state: PathBuf,
    /// Where stdout and stderr go.
    pub logs: PathBuf,
    /// havoq's own program, which supervises.
    pub havoq: PathBuf,
}

/// What differs between the processes of one attempt.
pub(super) struct Start<'a> {
    pub argv: &'a [String],
    pub spec: &'a Spec,
    pub by: &'a Instance,
    /// Names its logs and marks its descendants: no other start has it.
    pub label: String,
    pub tap: SocketAddr,
    pub preload: Option<&'a Preload>,
    /// Where it runs; where havoq does when absent.
    pub folder: Option<&'a Path>,
    /// What no variable of the scenario may replace.
    pub reserved: BTreeMap<String, String>,
}

const SERVICES: [&str; 6] = ["SQS", "SNS", "EVENTBRIDGE", "CLOUDWATCH", "DYNAMODB", "LAMBDA"];

impl Surroundings {
    /// The whole environment of one process.
    pub(super) fn environment(&self, start: &Start<'_>) -> BTreeMap<OsString, OsString> {
        let Start { spec, by, tap, .. } = *start;
        let endpoint = format!("http://{tap}");
        let mut env = towards(&endpoint, &self.region);
        let mut set = |name: &str, value: String| env.insert(name.into(), value.into());
        if let Some(first) = spec.queues.first() {
            set("HAVOQ_QUEUE_URL", self.queue_url(tap, first));
        }
        for id in self.queues.keys() {
            set(&format!("HAVOQ_QUEUE_{}_URL", as_variable(id)), self.queue_url(tap, id));
        }
        for (name, path) in &self.effects {
            set(&effect_variable(name), format!("{endpoint}{path}"));
        }
        set("HAVOQ_CONSUMER", by.consumer.clone());
        set("HAVOQ_INSTANCE", by.instance.to_string());
        set("HAVOQ_STATE_DIR", self.state_dir(&by.consumer).to_string_lossy().into_owned());
        for (name, value) in &spec.env {
            set(name, self.fill_in(value, &endpoint));
        }
        for (name, value) in &start.reserved {
            set(name, value.clone());
        }
        if let Some(preload) = start.preload {
            preload.add_to(&mut env);
        }
        env
    }

    /// What a supervisor must know to start a process; makes the folders that it needs.
    pub(super) fn order(&self, start: &Start<'_>) -> std::io::Result<Order> {
        std::fs::create_dir_all(self.state_dir(&start.by.consumer))?;
        ordered(&self.logs, &start.label, start.argv.to_vec(), self.environment(start), start.folder)
    }

    /// The file of a stream, `out` or `err`, of what is started under this label.
    pub(super) fn log(&self, label: &str, stream: &str) -> PathBuf {
        self.logs.join(format!("{label}.{stream}"))
    }

    pub(super) fn state_dir(&self, consumer: &str) -> PathBuf {
        self.state.join(consumer)
    }

    /// The ARN of a queue of the stack.
    pub(super) fn queue_arn(&self, id: &str) -> String {
        let name = self.queues.get(id).map_or(id, String::as_str);
        format!("arn:aws:sqs:{}:{}:{name}", self.region, self.account)
    }

    pub(super) fn queue_url(&self, tap: SocketAddr, id: &str) -> String {
        let name = self.queues.get(id).map_or(id, String::as_str);
        format!("http://{tap}/{}/{name}", self.account)
    }

    fn fill_in(&self, value: &str, endpoint: &str) -> String {
        self.effects.iter().fold(value.to_owned(), |value, (name, path)| {
            value.replace(&format!("{{{{effects.{name}.url}}}}"), &format!("{endpoint}{path}"))
        })
    }
}

/// The order for a process whose logs are below `logs`, a folder that is made. Where they are marks
/// the process and its descendants: no other start has the same.
pub(super) fn ordered(
    logs: &Path,
    label: &str,
    argv: Vec<String>,
    mut environment: BTreeMap<OsString, OsString>,
    folder: Option<&Path>,
) -> std::io::Result<Order> {
    std::fs::create_dir_all(logs)?;
    let log = |ending: &str| logs.join(format!("{label}.{ending}")).into_os_string();
    let own = std::path::absolute(logs.join(label))?.into_os_string();
    let mut mark = OsString::from(format!("{MARK}="));
    mark.push(&own);
    // Last, since nothing may take its place.
    environment.insert(MARK.into(), own);
    Ok(Order {
        mark,
        argv,
        environment: environment.into_iter().collect(),
        folder: folder.map(|folder| folder.as_os_str().to_owned()),
        out: log("out"),
        err: log("err"),
    })
}

/// What leads an unmodified SDK to a stack: all that is inherited but AWS's own settings, and those
/// for this endpoint.
pub(super) fn towards(endpoint: &str, region: &str) -> BTreeMap<OsString, OsString> {
    let mut env: BTreeMap<OsString, OsString> =
        std::env::vars_os().filter(|(name, _)| is_inherited(name)).collect();
    let mut set = |name: &str, value: &str| env.insert(name.into(), value.into());
    set("AWS_ENDPOINT_URL", endpoint);
    for service in SERVICES {
        set(&format!("AWS_ENDPOINT_URL_{service}"), endpoint);
    }
    for name in ["AWS_REGION", "AWS_DEFAULT_REGION"] {
        set(name, region);
    }
    for (name, value) in FIXED {
        set(name, value);
    }
    env
}

/// The variable by which the descendants of a start are known.
const MARK: &str = "HAVOQ_START";

const FIXED: &[(&str, &str)] = &[
    ("AWS_ACCESS_KEY_ID", "test"),
    ("AWS_SECRET_ACCESS_KEY", "test"),
    ("AWS_EC2_METADATA_DISABLED", "true"),
    ("AWS_CONFIG_FILE", "/dev/null"),
    ("AWS_SHARED_CREDENTIALS_FILE", "/dev/null"),
    ("NO_PROXY", "127.0.0.1,localhost"),
    ("no_proxy", "127.0.0.1,localhost"),
];

/// Nothing of the user's AWS settings may reach a consumer that plays against a stack of ours.
fn is_inherited(name: &OsString) -> bool {
    !name.to_string_lossy().starts_with("AWS_")
}

/// The variable that holds an effect's address.
pub fn effect_variable(effect: &str) -> String {
    format!("HAVOQ_EFFECT_{}_URL", as_variable(effect))
}

/// `OrderQueue` -> `ORDERQUEUE`, `pay-out` -> `PAY_OUT`: what a shell can name.
fn as_variable(id: &str) -> String {
    id.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consumer::{Program, Restart};

    fn environment() -> BTreeMap<String, String> {
        let surroundings = Surroundings {
            account: "000000000000".into(),
            region: "us-east-1".into(),
            queues: BTreeMap::from([("OrderQueue".into(), "orders-1f".into())]),
            effects: BTreeMap::from([("charges".into(), "/charges".into())]),
            state: "/state".into(),
            logs: "/logs".into(),
            havoq: "havoq".into(),
        };
        let spec = Spec {
            name: "fulfilment".into(),
            program: Program { argv: vec!["true".into()], bug: None },
            fixed: None,
            queues: vec!["OrderQueue".into()],
            instances: 1,
            restart: Restart::Never,
            ready: None,
            env: BTreeMap::from([("PAY_URL".into(), "{{effects.charges.url}}?x=1".into())]),
            function: None,
            deployed: None,
        };
        let by = Instance { consumer: "fulfilment".into(), instance: 2, start: 1 };
        let tap = "127.0.0.1:4000".parse().expect("an address");
        let reserved = BTreeMap::from([("AWS_REGION".into(), "eu-west-1".into())]);
        let (label, preload, folder) = (by.to_string(), None, None);
        let start = Start { argv: &[], spec: &spec, by: &by, label, tap, preload, folder, reserved };
        let env = surroundings.environment(&start);
        env.into_iter()
            .map(|(name, value)| (name.into_string().unwrap(), value.into_string().unwrap()))
            .collect()
    }

    #[test]
    fn urls_lead_to_the_processes_own_tap() {
        let env = environment();
        assert_eq!(env["AWS_ENDPOINT_URL_SQS"], "http://127.0.0.1:4000");
        assert_eq!(env["HAVOQ_QUEUE_URL"], "http://127.0.0.1:4000/000000000000/orders-1f");
        assert_eq!(env["HAVOQ_QUEUE_ORDERQUEUE_URL"], env["HAVOQ_QUEUE_URL"]);
        assert_eq!(env["HAVOQ_EFFECT_CHARGES_URL"], "http://127.0.0.1:4000/charges");
        assert_eq!(env["PAY_URL"], "http://127.0.0.1:4000/charges?x=1");
        assert_eq!(env["HAVOQ_INSTANCE"], "2");
        assert_eq!(env["AWS_REGION"], "eu-west-1", "what is reserved comes last");
    }

    #[test]
    fn starts_in_different_folders_never_share_a_mark() {
        let order = |logs: &str| ordered(Path::new(logs), "f-1", Vec::new(), BTreeMap::new(), None);
        // The folder of the sources: wherever havoq runs, the same name is another folder.
        let order = order("src").expect("the folder is there");
        let own = std::env::current_dir().expect("a folder").join("src/f-1");
        assert_eq!(order.mark, OsString::from(format!("HAVOQ_START={}", own.display())));
        assert!(order.environment.contains(&(MARK.into(), own.into())));
    }

    #[test]
    fn only_our_own_aws_settings_are_left() {
        assert!(!is_inherited(&"AWS_PROFILE".into()));
        assert!(is_inherited(&"PATH".into()));
        assert_eq!(environment()["AWS_CONFIG_FILE"], "/dev/null");
    }
}
