//! A function of a check's own, and mappings that hand it a queue's messages.

use aws_sdk_lambda::operation::create_event_source_mapping::builders::CreateEventSourceMappingFluentBuilder as CreateMapping;
use aws_sdk_lambda::operation::create_function::builders::CreateFunctionFluentBuilder as CreateFunction;
use aws_sdk_lambda::operation::invoke::InvokeOutput;
use aws_sdk_lambda::operation::invoke::builders::InvokeFluentBuilder as Invoke;
use aws_sdk_lambda::primitives::Blob;
use aws_sdk_lambda::types::{
    DestinationConfig, Environment, FunctionCode, FunctionResponseType, OnFailure, OnSuccess, Runtime, State,
};
use serde_json::Value;

use super::finding::{Not, Shown, wrong};
use super::lab::Lab;
use super::made::Thing;
use super::queue::Queue;
use super::script::{ANSWER, CALL, NAME, SAYS, Script};
use super::zip::archive;

/// How long a function may run, and how long its queues hide messages.
pub(super) const TIMEOUT: i32 = 3;
pub(super) const VISIBILITY: &str = "4";

/// How long a stack may take until a function can be invoked, and until a record of an invocation
/// is there.
const ACTIVE: u64 = 30;
const TOLD: u64 = 20;

const FILES: [(&str, &[u8]); 2] = [
    ("index.py", include_bytes!("python/index.py")),
    ("bootstrap.py", include_bytes!("python/bootstrap.py")),
];

#[derive(Clone)]
pub(super) struct Function {
    pub(super) lab: Lab,
    pub(super) name: String,
    pub(super) arn: String,
}

impl Lab {
    pub(super) async fn function(&self, script: Script) -> Shown<Function> {
        self.function_with(script, |create| create).await
    }

    /// A function that runs: it was called once.
    pub(super) async fn function_with(
        &self,
        script: Script,
        with: impl FnOnce(CreateFunction) -> CreateFunction,
    ) -> Shown<Function> {
        let name = self.short_name()?;
        let arn = with(self.creating_function(&name, script).await?).send().await?.function_arn;
        let arn = arn.ok_or_else(|| Not::Absent("CreateFunction gave no FunctionArn".to_owned()))?;
        let function = Function { lab: self.clone(), name, arn };
        function.runs().await?;
        Ok(function)
    }

    pub(super) async fn creating_function(&self, name: &str, script: Script) -> Shown<CreateFunction> {
        self.0.made.note(Thing::Function { name: name.to_owned() });
        let code = FunctionCode::builder().zip_file(Blob::new(archive(&FILES))).build();
        let variables = [
            (NAME, script.name()),
            (SAYS, script.says()),
            // havoq's sandbox runs this; others run the handler.
            ("HAVOQ_FUNCTION_COMMAND", "python3 bootstrap.py"),
        ];
        let environment = variables
            .into_iter()
            .fold(Environment::builder(), |environment, (name, value)| environment.variables(name, value));
        let create = self.lambda().create_function().function_name(name).runtime(Runtime::Python312);
        let create = create.handler("index.handler").role(self.role().await?);
        Ok(create.code(code).environment(environment.build()).timeout(TIMEOUT))
    }

    /// A function whose asynchronous invocations are tried once, and the queue that is told of each.
    pub(super) async fn function_with_destination(&self, script: Script) -> Shown<(Function, Queue)> {
        let (function, told) = (self.function(script).await?, self.queue(&[]).await?);
        function.tell(&told, Some(0)).await?;
        Ok((function, told))
    }
}

impl Function {
    /// A stack may take functions and run none.
    async fn runs(&self) -> Shown {
        let look = || async {
            let described = self.lab.lambda().get_function_configuration().function_name(&self.name);
            let state = described.send().await?.state;
            Ok(if state == Some(State::Pending) { None } else { Some(state) })
        };
        let state = self.lab.until(ACTIVE, look).await?.flatten();
        if !matches!(state, None | Some(State::Active)) {
            return Err(Not::Absent(format!("functions do not become active: {state:?}")));
        }
        let answer = self.invoke(CALL).await?;
        let seen = payload(&answer);
        let value = |text: &str| serde_json::from_str::<Value>(text).ok();
        if value(&seen) == value(ANSWER) {
            return Ok(());
        }
        Err(Not::Absent(format!("functions do not run: Invoke was answered with {seen}")))
    }

    pub(super) fn invoking(&self, payload: &str) -> Invoke {
        self.lab.lambda().invoke().function_name(&self.name).payload(Blob::new(payload))
    }

    /// Invokes it and waits.
    pub(super) async fn invoke(&self, payload: &str) -> Shown<InvokeOutput> {
        Ok(self.invoking(payload).send().await?)
    }

    /// Lets a service invoke it on behalf of this.
    pub(super) async fn admit(&self, service: &str, source_arn: &str) -> Shown {
        let add = self.lab.lambda().add_permission().function_name(&self.name).statement_id("one");
        add.action("lambda:InvokeFunction").principal(service).source_arn(source_arn).send().await?;
        Ok(())
    }

    /// Has a queue told of every asynchronous invocation, good or bad.
    pub(super) async fn tell(&self, queue: &Queue, retries: Option<i32>) -> Shown {
        let destinations = DestinationConfig::builder()
            .on_success(OnSuccess::builder().destination(&queue.arn).build())
            .on_failure(OnFailure::builder().destination(&queue.arn).build());
        let put = self.lab.lambda().put_function_event_invoke_config().function_name(&self.name);
        let put = put.destination_config(destinations.build()).set_maximum_retry_attempts(retries);
        put.send().await?;
        Ok(())
    }

    /// A mapping with reports of failed items, or without, on its way.
    pub(super) fn mapping(&self, queue: &Queue, reports: bool) -> CreateMapping {
        let create = self.lab.lambda().create_event_source_mapping().function_name(&self.name);
        let reports = reports.then_some(FunctionResponseType::ReportBatchItemFailures);
        create.event_source_arn(&queue.arn).set_function_response_types(reports.map(|kind| vec![kind]))
    }
}

pub(super) fn payload(answer: &InvokeOutput) -> String {
    let bytes = answer.payload().map(Blob::as_ref).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}

/// The record of an invocation in the queue that is told.
pub(super) async fn record(told: &Queue) -> Shown<Value> {
    record_within(told, TOLD).await
}

pub(super) async fn record_within(told: &Queue, seconds: u64) -> Shown<Value> {
    let look = || async { Ok(told.receiving().send().await?.messages.unwrap_or_default().pop()) };
    match told.lab.until(seconds, look).await? {
        Some(message) => super::bus::json_of(&message),
        None => wrong(format!("a record of the invocation within {seconds} s"), "no message"),
    }
}
