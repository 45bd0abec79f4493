//! Lambda's operations.

use bytes::Bytes;
use havoq_wire::{LambdaError, Protocol, body, success_with_payload};

use super::{Answer, Dispatch, not_built};
use crate::lambda::{CodeInput, Invoke, InvokeAnswer, Invoked, MappingInput, OfMapping, Settings};

impl Dispatch<'_> {
    pub(super) async fn lambda(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "Invoke" => self.invoke().await,
            "CreateFunction" => {
                let settings: Settings = self.input()?;
                self.plain(|core, now, input| core.create_function(now, place, input, settings))
            }
            "GetFunction" => self.plain(|core, _, input| core.get_function(place, input)),
            "GetFunctionConfiguration" => {
                self.plain(|core, _, input| core.get_function_configuration(place, input))
            }
            "ListFunctions" => self.plain(|core, _, input| core.list_functions(place, input)),
            "UpdateFunctionCode" => {
                let code: CodeInput = self.input()?;
                self.plain(|core, now, input| core.update_function_code(now, place, input, code))
            }
            "UpdateFunctionConfiguration" => {
                let settings: Settings = self.input()?;
                self.plain(|core, now, input| core.update_function_configuration(now, place, input, settings))
            }
            "DeleteFunction" => self.plain(|core, _, input| core.delete_function(place, input)),
            "TagResource" => self.plain(|core, _, input| core.tag_function(place, input)),
            "UntagResource" => self.plain(|core, _, input| core.untag_function(place, input)),
            "ListTags" => self.plain(|core, _, input| core.list_function_tags(place, input)),
            _ => self.lambda_rules(),
        }
    }

    /// Who may invoke a function, how often, and what becomes of its events.
    fn lambda_rules(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "AddPermission" => self.plain(|core, _, input| core.add_function_permission(place, input)),
            "RemovePermission" => self.plain(|core, _, input| core.remove_function_permission(place, input)),
            "GetPolicy" => self.plain(|core, _, input| core.get_function_policy(place, input)),
            "PutFunctionConcurrency" => {
                self.plain(|core, _, input| core.put_function_concurrency(place, input))
            }
            "GetFunctionConcurrency" => {
                self.plain(|core, _, input| core.get_function_concurrency(place, input))
            }
            "DeleteFunctionConcurrency" => {
                self.plain(|core, _, input| core.delete_function_concurrency(place, input))
            }
            "PutFunctionEventInvokeConfig" => {
                self.plain(|core, now, input| core.put_event_invoke(now, place, input))
            }
            "UpdateFunctionEventInvokeConfig" => {
                self.plain(|core, now, input| core.update_event_invoke(now, place, input))
            }
            "GetFunctionEventInvokeConfig" => {
                self.plain(|core, _, input| core.get_event_invoke(place, input))
            }
            "DeleteFunctionEventInvokeConfig" => {
                self.plain(|core, _, input| core.delete_event_invoke(place, input))
            }
            "ListFunctionEventInvokeConfigs" => {
                self.plain(|core, _, input| core.list_event_invokes(place, input))
            }
            _ => self.lambda_mappings(),
        }
    }

    fn lambda_mappings(&self) -> Answer {
        let place = self.place;
        match self.head.operation.as_str() {
            "CreateEventSourceMapping" => {
                self.plain(|core, now, input| core.create_mapping(now, place, input))
            }
            "UpdateEventSourceMapping" => {
                let input: MappingInput = self.input()?;
                self.plain(|core, now, of: OfMapping| core.update_mapping(now, place, of, input))
            }
            "DeleteEventSourceMapping" => self.plain(|core, now, of| core.delete_mapping(now, place, of)),
            "GetEventSourceMapping" => self.plain(|core, _, of| core.get_mapping(place, of)),
            "ListEventSourceMappings" => self.plain(|core, _, input| core.list_mappings(place, input)),
            operation => Err(not_built("Lambda", operation)),
        }
    }

    /// The answer to a synchronous call waits for the invocation's end.
    async fn invoke(&self) -> Answer {
        let malformed = |problem: havoq_wire::NotACall| problem.answer(self.head.protocol);
        let input: Invoke = self.head.input_without_payload(self.request).map_err(malformed)?;
        let is_rest = self.head.protocol == Protocol::Rest;
        let payload = if is_rest { body(self.request).map_err(malformed)? } else { input.payload()? };
        let trace = self.trace_header();
        let invoked = self
            .sandbox
            .enter(|core, now| core.invoke(now, self.place, input, payload, trace, &self.request_id))?;
        let (answer, payload) = match invoked {
            Invoked::Done(answer) => (answer, Bytes::new()),
            Invoked::Begun { ended } => {
                let returned = ended.await.map_err(|_| {
                    LambdaError::ServiceException.with("the sandbox was reset while the function ran")
                })?;
                (InvokeAnswer::of(&returned), returned.payload(&self.request_id))
            }
        };
        if !is_rest {
            return Ok(self.success(&answer.with_payload(&payload)));
        }
        Ok(success_with_payload(&self.head, &answer, payload, &self.request_id))
    }
}
