//! Lambda functions behind event source mappings: real processes that speak the Runtime API.

use serde_json::Value;

use crate::support::{Havoq, Ran, diagnoses, provided, root, scenario};

const SCENARIO: &str = r#"
name: function
stack:
  Resources:
    Orders:
      Type: AWS::SQS::Queue
      Properties:
        VisibilityTimeout: VISIBILITY
        RedrivePolicy: { deadLetterTargetArn: !GetAtt OrderDLQ.Arn, maxReceiveCount: RECEIVES }
    OrderDLQ:
      Type: AWS::SQS::Queue
consumers:
  f:
    lambda: { command: COMMAND, code: CODE, SETTINGS }
    env: { MANNERS }
    time: follow
    fixed: { command: COMMAND }
    queue: Orders
effects:
  charges: { http: /charges, key: $.orderId }
inject:
"#;

/// A function of tests/functions/orders.py.
pub(crate) struct Function {
    pub(crate) command: String,
    pub(crate) settings: &'static str,
    pub(crate) manners: &'static str,
    pub(crate) visibility: u32,
    pub(crate) receives: u32,
}

pub(crate) fn function(settings: &'static str) -> Function {
    let bootstrap = root().join("tests/functions/bootstrap.py");
    let command = format!("[python3, {bootstrap:?}, orders.handle]");
    Function { command, settings, manners: "", visibility: 180, receives: 3 }
}

impl Function {
    pub(crate) fn text(&self, steps: &[&str], claims: &[&str]) -> String {
        let list = |lines: &[&str]| lines.iter().map(|line| format!("  - {line}\n")).collect::<String>();
        let code = root().join("tests/functions");
        let text = SCENARIO.replace("COMMAND", &self.command).replace("SETTINGS", self.settings);
        let text = text.replace("CODE", &format!("{code:?}")).replace("MANNERS", self.manners);
        let text = text.replace("VISIBILITY", &self.visibility.to_string());
        let text = text.replace("RECEIVES", &self.receives.to_string());
        format!("{text}{}expect:\n{}", list(steps), list(claims))
    }

    pub(crate) fn ran(&self, steps: &[&str], claims: &[&str]) -> Outcome {
        let ran = Havoq::on(&self.text(steps, claims), &[]).ran();
        let case = scenario(&ran.report(), "function").clone();
        Outcome { ran, case }
    }
}

pub(crate) struct Outcome {
    pub(crate) ran: Ran,
    case: Value,
}

impl Outcome {
    pub(crate) fn verdict(&self, expected: &str) -> &Self {
        assert_eq!(self.case["verdict"], expected, "{}\n{}", self.ran.all(), self.log());
        self
    }

    pub(crate) fn diagnosed(&self, id: &str) -> &Self {
        let found = diagnoses(&self.case);
        assert!(found.contains(&id), "{found:?}\n{}", self.ran.all());
        self
    }

    fn log(&self) -> String {
        let file = self.ran.file("logs/function/f-0-1-1.err");
        std::fs::read_to_string(file).unwrap_or_default()
    }

    /// The effects of each marker of a label.
    pub(crate) fn effects(&self, label: &str) -> Vec<u64> {
        let rows = self.case["ledger"]["rows"].as_array().expect("rows");
        let own = rows.iter().filter(|row| row["label"] == label);
        own.map(|row| row["effects"].as_u64().unwrap_or_default()).collect()
    }

    /// The events of one kind in the attempt that counts.
    pub(crate) fn of_kind(&self, kind: &str) -> Vec<Value> {
        let events = self.ran.of_kind(kind);
        events.into_iter().filter(|event| event["attempt"] == self.case["attempts"]).collect()
    }

    fn outcomes(&self) -> Vec<String> {
        let ended = self.of_kind("invocation_ended");
        ended.iter().filter_map(|event| Some(event["outcome"].as_str()?.to_owned())).collect()
    }

    fn reasons(&self) -> Vec<String> {
        let settled = self.of_kind("batch_settled");
        settled.iter().filter_map(|event| Some(event["reason"].as_str()?.to_owned())).collect()
    }
}

pub(crate) const ONE: &str = "send: { to: Orders, as: order }";
const DEAD: &str = "dead_lettered: { of: order, in: OrderDLQ, within: 1h }";
pub(crate) const ONCE: &str = "effect: { of: order, in: charges, exactly: 1, within: 1h }";

/// A drill on the runtime client that Lambda itself uses.
#[test]
fn a_real_runtime_client_reports_what_failed() {
    let Some(python) = provided("HAVOQ_TEST_PYTHON") else { return };
    let command = format!("[{python:?}, -m, awslambdaric, orders.handle]");
    let manners = "POISON: report";
    let function =
        Function { command, manners, ..function("report_batch_item_failures: true, timeout: 30s") };
    let ran = function.ran(
        &[
            "kill: { consumer: f, at: before-effect, of: victim }",
            "send: { to: Orders, as: order, count: 5 }",
            "wait: 10s",
            "send: { to: Orders, as: victim }",
            "wait: 10s",
            "poison: { to: Orders, form: truncated-json, as: bad }",
        ],
        &[
            ONCE,
            "effect: { of: victim, in: charges, exactly: 1, within: 1h }",
            "redelivered: { of: victim, not_before: 180s, within: 10m }",
            "dead_lettered: { of: bad, in: OrderDLQ, receives: 3, within: 1h }",
            "no_effect: { of: bad }",
            "drained: { queue: Orders, within: 1h }",
        ],
    );
    ran.verdict("pass");
    assert!(ran.outcomes().contains(&"exited".to_owned()), "{:?}", ran.outcomes());
    let killed = ran.of_kind("environment_ended");
    assert!(killed.iter().any(|event| event["ended_by"] == "inject[0]" && event["signal"] == 9));
}

/// A12: r1 fails, and r2, which is done, is reported with it.
#[test]
fn what_is_done_and_reported_as_failed_is_done_again() {
    let settings = "report_batch_item_failures: true, window: 5s, timeout: 30s";
    let function = Function { manners: "POISON: report, REPORT: all", receives: 2, ..function(settings) };
    let steps = ["poison: { to: Orders, form: wrong-type, as: bad }", "send: { to: Orders, as: order }"];
    let ran = function.ran(&steps, &[ONCE]);
    ran.verdict("fail").diagnosed("whole-batch-retry");
    assert_eq!(ran.effects("order"), [2], "{}", ran.ran.all());
}

/// A14: the function reports the poison, and its mapping does not ask.
#[test]
fn a_report_that_the_mapping_does_not_ask_for_loses_the_message() {
    let function = Function { manners: "POISON: report", ..function("timeout: 30s") };
    let steps = [
        "send: { to: Orders, as: order }",
        "poison: { to: Orders, form: wrong-type, as: bad }",
        "send: { to: Orders, as: more }",
    ];
    let ran = function.ran(&steps, &["dead_lettered: { of: bad, in: OrderDLQ, within: 1h }", ONCE]);
    ran.verdict("fail").diagnosed("report-ignored");
    let all = ran.ran.all();
    assert!(all.contains("the mapping lacks ReportBatchItemFailures"), "{all}");
    assert_eq!(ran.effects("more"), [1]);
}

/// A16: one invocation at a time, a burst, and a single receive for each message.
#[test]
fn throttled_receives_fill_the_dead_letter_queue() {
    let settings = "reserved_concurrency: 1, batch_size: 1, timeout: 2s";
    let function = Function { manners: "WORK: 0.4", visibility: 2, receives: 1, ..function(settings) };
    let ran = function.ran(&["send: { to: Orders, as: order, count: 15 }"], &[ONCE]);
    ran.verdict("fail").diagnosed("throttled-into-dlq");
    let rows = ran.case["ledger"]["rows"].as_array().expect("rows");
    let untouched = rows.iter().filter(|row| row["fate"] == "dead-lettered" && row["effects"] == 0);
    assert!(untouched.count() > 0, "{}", ran.ran.all());
}

/// A17: Lambda refuses the mapping.
#[test]
fn a_timeout_above_the_visibility_timeout_is_refused() {
    let text = Function { visibility: 60, ..function("timeout: 180s") }.text(&[ONE], &[ONCE]);
    let ran = Havoq::on(&text, &[]).ran();
    ran.assert_code(2);
    let said = "the visibility timeout of `Orders` is 60 s, and the function may run for 180 s";
    assert!(ran.stderr.contains(said), "{}", ran.all());
    let line = text.lines().position(|line| line.contains("lambda:")).expect("its line") + 1;
    assert!(ran.stderr.contains(&format!("scenario.yaml:{line}:")), "{}", ran.all());
}

/// B6: a report that cannot be read fails the whole batch, which is dead-lettered in the end.
#[test]
fn a_malformed_report_fails_the_whole_batch() {
    let settings = "report_batch_item_failures: true, timeout: 30s";
    let manners = r#"ANSWER: '{"batchItemFailures": [{"foo": "x"}]}'"#;
    let ran = Function { manners, ..function(settings) }
        .ran(&[ONE], &["dead_lettered: { of: order, in: OrderDLQ, receives: 3, within: 1h }"]);
    ran.verdict("pass");
    assert_eq!(ran.reasons(), ["report-void"; 3]);
    assert!(ran.of_kind("deleted").is_empty());
}

/// The clock jumps to the function's timeout, and no further.
#[test]
fn a_hung_invocation_ends_at_its_timeout() {
    let function = Function { manners: "THEN: hang", receives: 2, ..function("timeout: 30s") };
    let ran = function.ran(&[ONE], &[DEAD]);
    ran.verdict("pass");
    assert_eq!(ran.outcomes(), ["timed_out"; 2], "{}", ran.ran.all());
    let at = |event: &Value| event["at"].as_str().expect("a time").to_owned();
    let (begun, ended) = (ran.of_kind("invoked"), ran.of_kind("invocation_ended"));
    for (begun, ended) in begun.iter().zip(&ended) {
        let took = seconds(&at(ended)) - seconds(&at(begun));
        assert!((29.9..31.5).contains(&took.rem_euclid(86_400.0)), "{took}");
        assert_eq!(
            ended["error"].as_str().unwrap_or_default().split(" Error: ").last(),
            Some("Task timed out after 30.00 seconds")
        );
    }
}

/// The clock jumps to its timeout while it works. It comes back after all, so the attempts whose bound
/// was too short count for nothing, neither for it nor against it.
#[test]
fn work_that_outlasts_its_bound_is_judged_with_a_longer_one() {
    let ran = Function { manners: "WORK: 5", ..function("timeout: 30s") }.ran(&[ONE], &[ONCE, DEAD]);
    ran.verdict("fail");
    let claims = ran.case["claims"].as_array().expect("claims");
    let verdict = |key: &str| {
        let claim = claims.iter().find(|claim| claim.to_string().contains(key)).expect("the claim");
        claim["verdict"].as_str().expect("a verdict").to_owned()
    };
    assert_eq!(
        (verdict("effect"), verdict("dead_lettered")),
        ("pass".into(), "fail".into()),
        "{}",
        ran.ran.all()
    );
    assert_eq!(ran.outcomes(), ["returned"]);
    assert_eq!(ran.case["attempts"], 3);
}

/// Two queues feed it, and it may run once at a time.
#[test]
fn the_pollers_of_one_function_share_its_reserved_concurrency() {
    let resources = "    More: { Type: AWS::SQS::Queue, Properties: { VisibilityTimeout: 180 } }
    Pay:
      Type: AWS::Serverless::Function
      Properties:
        Handler: orders.handle
        Runtime: python3.13
        CodeUri: functions/orders
        Timeout: 30
        ReservedConcurrentExecutions: 1
        Environment: { Variables: { WORK: '0.5' } }
        Events:
          Orders: { Type: SQS, Properties: { Queue: !GetAtt Orders.Arn } }
          More: { Type: SQS, Properties: { Queue: !GetAtt More.Arn } }
consumers:
  g:
    lambda: { command: COMMAND, code: CODE, function: Pay }
    queue: More";
    let function = function("function: Pay");
    let resources = resources.replace("COMMAND", &function.command);
    let resources = resources.replace("CODE", &format!("{:?}", root().join("tests/functions")));
    let text = function.text(&[ONE, "send: { to: More, as: more }"], &[ONCE]);
    let ran = Havoq::on(&text.replace("consumers:", &resources), &[]).ran();
    ran.assert_code(0);
    let mut events = [ran.of_kind("invoked"), ran.of_kind("invocation_ended")].concat();
    events.sort_by_key(|event| event["seq"].as_u64());
    assert!(events.len() >= 4, "{}", ran.all());
    let kinds: Vec<&str> = events.iter().filter_map(|event| event["kind"].as_str()).collect();
    assert!(kinds.chunks(2).all(|pair| pair == ["invoked", "invocation_ended"]), "{kinds:?}\n{}", ran.all());
}

/// Of the day.
fn seconds(at: &str) -> f64 {
    let time = at.split(['T', 'Z']).nth(1).expect("a time of day");
    time.split(':').fold(0.0, |sum, part| sum * 60.0 + part.parse::<f64>().expect("a number"))
}

#[test]
fn a_crash_of_the_function_brings_its_batch_back() {
    let function = Function { manners: "THEN: crash", receives: 2, ..function("timeout: 30s") };
    let ran = function.ran(&[ONE], &[DEAD]);
    ran.verdict("pass");
    assert_eq!(ran.outcomes(), ["exited"; 2]);
    let ended = ran.of_kind("invocation_ended");
    let error = ended[0]["error"].as_str().expect("an error");
    assert!(error.ends_with("Runtime exited with error: exit status 7"), "{error}");
    assert_eq!(ran.of_kind("environment_started").len(), 2, "a new environment for the second one");
}

#[test]
fn warm_environments_are_used_again_and_the_steady_state_needs_one() {
    let ran = function("timeout: 30s").ran(&[ONE, "wait: 1m", "send: { to: Orders, as: more }"], &[ONCE]);
    ran.verdict("pass");
    assert_eq!(ran.of_kind("environment_started").len(), 1);
    assert_eq!(ran.effects("more"), [1]);
}

#[test]
fn a_function_that_cannot_start_fails_each_invocation() {
    let command = "[python3, -c, 'raise SystemExit(3)']".to_owned();
    let ran = Function { command, receives: 1, ..function("timeout: 30s") }.ran(&[ONE], &[DEAD]);
    ran.verdict("pass");
    assert_eq!(ran.outcomes(), ["exited"]);
    assert_eq!(ran.of_kind("environment_started").len(), 2, "once more within the invocation");
}

#[test]
fn an_error_of_the_start_is_what_the_invocation_fails_with() {
    let command = function("").command.replace("orders.handle", "orders.no_such");
    let ran = Function { command, receives: 1, ..function("timeout: 30s") }.ran(&[ONE], &[DEAD]);
    ran.verdict("pass");
    let ended = ran.of_kind("invocation_ended");
    assert_eq!(ended[0]["outcome"], "failed");
    assert!(ended[0]["error"].as_str().is_some_and(|error| error.starts_with("AttributeError: ")));
}

#[test]
fn a_window_gathers_a_batch() {
    let ran =
        function("window: 20s, timeout: 30s").ran(&[ONE, ONE.replace("order", "more").as_str()], &[ONCE]);
    ran.verdict("pass");
    let invoked = ran.of_kind("invoked");
    assert_eq!(invoked.len(), 1, "{}", ran.ran.all());
    assert_eq!(invoked[0]["messages"].as_array().map(Vec::len), Some(2));
}

#[test]
fn what_the_filter_does_not_match_is_deleted() {
    let settings = "timeout: 30s, filter: [{ body: { type: [order.placed] } }]";
    let other = r#"send: { to: Orders, as: other, body: { id: "{{id}}", type: other } }"#;
    let text = function(settings).text(&[ONE, other], &[ONCE, "no_effect: { of: other }"]);
    let ran = Havoq::on(&format!("{text}allow: [discarded]\n"), &[]).ran();
    ran.assert_code(0);
    let filtered = ran.of_kind("batch_settled");
    assert!(filtered.iter().any(|event| event["reason"] == "filtered"), "{}", ran.all());
}

#[test]
fn any_environment_can_be_killed_and_the_next_invocation_has_another() {
    let steps = [ONE, "wait: 1m", "kill: { consumer: f }", "send: { to: Orders, as: more }"];
    let ran = function("timeout: 30s")
        .ran(&steps, &[ONCE, "effect: { of: more, in: charges, exactly: 1, within: 1h }"]);
    ran.verdict("pass");
    assert_eq!(ran.of_kind("environment_started").len(), 2);
}

#[test]
fn a_swap_begins_with_environments_of_the_fixed_code() {
    let steps = [ONE, "wait: 1m", "swap: { consumer: f, to: fixed }", "send: { to: Orders, as: more }"];
    let ran = function("timeout: 30s")
        .ran(&steps, &[ONCE, "effect: { of: more, in: charges, exactly: 1, within: 1h }"]);
    ran.verdict("pass");
    let started = ran.of_kind("consumer_started");
    assert_eq!(
        started.iter().map(|event| event["fixed"].as_bool()).collect::<Vec<_>>(),
        [Some(false), Some(true)]
    );
    let by = |event: &Value| event["by"]["start"].as_u64();
    let environments = ran.of_kind("environment_started");
    assert_eq!(environments.iter().map(by).collect::<Vec<_>>(), [Some(1), Some(2)]);
}

#[test]
fn the_same_on_a_real_clock() {
    let text = Function { visibility: 4, ..function("timeout: 2s") }.text(&[ONE], &[ONCE]);
    Havoq::on(&text, &["--clock", "real"]).ran().assert_code(0);
}

/// All but the code is in the template, as a stack is deployed.
#[test]
fn a_function_of_the_stack_has_its_settings_and_its_mapping_from_there() {
    let text = function("TIMEOUT").text(
        &[ONE, "poison: { to: Orders, form: wrong-type, as: bad }"],
        &[ONCE, "dead_lettered: { of: bad, in: OrderDLQ, receives: 3, within: 1h }"],
    );
    let resources = "    Pay:
      Type: AWS::Serverless::Function
      Properties:
        Handler: orders.handle
        Runtime: python3.13
        CodeUri: functions/orders
        Timeout: 30
        Environment: { Variables: { POISON: report } }
        Events:
          Orders:
            Type: SQS
            Properties:
              Queue: !GetAtt Orders.Arn
              FunctionResponseTypes: [ReportBatchItemFailures]
consumers:";
    let text = text.replace("TIMEOUT", "function: Pay").replace("consumers:", resources);
    let ran = Havoq::on(&text.replace("    queue: Orders\n", ""), &[]).ran();
    ran.assert_code(0);
    assert_eq!(ran.of_kind("invoked")[0]["function"], "Pay", "{}", ran.all());
}

/// What the stack itself invokes runs in the same environments: here an alarm's topic. It is silent
/// for longer than the shortest bound, and not cut off for that.
#[test]
fn a_topic_of_the_stack_calls_the_function() {
    let resources = "    Told:
      Type: AWS::Lambda::Function
      Properties:
        Handler: told.handle
        Runtime: python3.13
        Role: none
        Code: { ZipFile: x }
        Timeout: 30
        Environment: { Variables: { WORK: '3' } }
    Ops: { Type: AWS::SNS::Topic }
    Call:
      Type: AWS::SNS::Subscription
      Properties: { Protocol: lambda, TopicArn: !Ref Ops, Endpoint: !GetAtt Told.Arn }
    May:
      Type: AWS::Lambda::Permission
      Properties: { Action: lambda:InvokeFunction, FunctionName: !Ref Told, Principal: sns.amazonaws.com }
    Dead:
      Type: AWS::CloudWatch::Alarm
      Properties:
        Namespace: AWS/SQS
        MetricName: ApproximateNumberOfMessagesVisible
        Dimensions: [{ Name: QueueName, Value: !GetAtt OrderDLQ.QueueName }]
        Statistic: Maximum
        Period: 60
        EvaluationPeriods: 1
        ComparisonOperator: GreaterThanThreshold
        Threshold: 0
        AlarmActions: [!Ref Ops]
consumers:
  told: { lambda: { function: Told, command: TELL, code: FOLDER } }";
    let function = function("timeout: 30s");
    let command = function.command.replace("orders.handle", "told.handle");
    let text = function.text(
        &["poison: { to: Orders, form: wrong-type, as: bad }"],
        &[
            "dead_lettered: { of: bad, in: OrderDLQ, within: 1h }",
            "alarm: { name: Dead, reaches: ALARM, within: 1h }",
        ],
    );
    let folder = format!("{:?}", root().join("tests/functions"));
    let resources = resources.replace("TELL", &command).replace("FOLDER", &folder);
    let ran = Havoq::on(&text.replace("consumers:", &resources), &[]).ran();
    let ended = ran.of_kind("invocation_ended");
    let told: Vec<&Value> = ended.iter().filter(|event| event["function"] == "Told").collect();
    assert!(
        !told.is_empty() && told.iter().all(|event| event["outcome"] == "returned"),
        "{told:?}\n{}",
        ran.all()
    );
}
