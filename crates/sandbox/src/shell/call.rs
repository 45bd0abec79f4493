//! A call without HTTP, for whoever holds the sandbox: what a client could ask for, in the API's names.

use bytes::Bytes;
use havoq_wire::{Attempt, CommonError, Head, Protocol, Request, Service, ServiceError, decode_error};
use serde_json::{Value, json};

use super::sandbox::Sandbox;

impl Sandbox {
    /// Does an operation as the sandbox's own account. `input` has the operation's members by their
    /// names in the API, wherever the protocol would put them: blobs are base64, times are seconds.
    pub async fn call(
        &self,
        service: Service,
        operation: &str,
        input: &Value,
    ) -> Result<Value, ServiceError> {
        let operation = operation.to_owned();
        let head = Head { service, protocol: Protocol::Json, operation, attempt: Attempt::default() };
        let request = Request::new(Bytes::from(input.to_string()));
        let response = self.dispatch(head, &request).await?;
        if let Some((code, message)) = decode_error(&response) {
            return Err(ServiceError {
                shape: code.clone().into(),
                query_code: code.into(),
                message,
                status: response.status(),
                sender: response.status().is_client_error(),
                details: Vec::new(),
            });
        }
        if response.body().is_empty() {
            return Ok(json!({}));
        }
        serde_json::from_slice(response.body())
            .map_err(|error| CommonError::InternalFailure.with(format!("the answer is not JSON: {error}")))
    }
}
