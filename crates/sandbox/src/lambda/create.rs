//! CreateFunction and DeleteFunction.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::{StackDuration, StackTime};
use havoq_lambda::{FunctionSpec, LATEST};
use havoq_wire::{LambdaError, ServiceError};
use serde::{Deserialize, Serialize};

use super::OfFunction;
use super::code::CodeInput;
use super::described::Configuration;
use super::errors::{invalid, missing, no_function};
use super::function::Function;
use super::metrics::Counters;
use super::policy::FunctionPolicy;
use super::settings::Settings;
use super::tags::check_tags;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CreateFunction {
    function_name: Option<String>,
    code: Option<CodeInput>,
    package_type: Option<String>,
    tags: BTreeMap<String, String>,
}

/// A function is gone, or a version of it that never was.
#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Deleted {
    status_code: u16,
}

impl Core {
    /// The function can be invoked at once, where AWS takes a moment.
    pub(crate) fn create_function(
        &mut self,
        now: StackTime,
        place: Place,
        input: CreateFunction,
        settings: Settings,
    ) -> Result<Configuration, ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), None)?;
        settings.check()?;
        let role = settings.role.clone().ok_or_else(|| missing("Role"))?;
        let is_image = input.package_type.as_deref() == Some("Image");
        if settings.runtime.is_none() && !is_image {
            return Err(invalid("Runtime is required for functions with deployment package type Zip."));
        }
        check_tags(&input.tags, 0)?;
        let uploaded = input.code.ok_or_else(|| missing("Code"))?.read()?;
        if named.place != Some(place) {
            return Err(invalid("You can't create a function in another account."));
        }
        if self.lambda.functions.find(place, &named.name).is_some() {
            let text = format!("Function already exist: {}", named.name);
            return Err(LambdaError::ResourceConflictException.with(text));
        }
        let spec = FunctionSpec {
            name: named.name,
            arn: named.arn,
            version: LATEST.to_owned(),
            handler: None,
            runtime: None,
            timeout: StackDuration::from_secs(3),
            memory_mb: 128,
            environment: BTreeMap::new(),
            code: uploaded.code,
        };
        let mut function = Function {
            id: self.lambda.functions.next_id(),
            place,
            spec: Arc::new(spec),
            role,
            description: String::new(),
            dead_letters: None,
            code_sha256: uploaded.sha256,
            code_size: uploaded.size,
            revision: self.new_id(),
            modified: now,
            tags: input.tags,
            reserved: None,
            policy: FunctionPolicy::default(),
            event_invoke: None,
            running: 0,
            counters: Counters::default(),
        };
        settings.apply(&mut function);
        let (id, configuration) = (function.id, Configuration::of(&function));
        self.lambda.functions.insert(function);
        self.feed_function(now, id);
        Ok(configuration)
    }

    /// What is under way ends; what waits to be tried again finds no function any more. Its mappings
    /// stay, as on AWS.
    pub(crate) fn delete_function(
        &mut self,
        place: Place,
        input: OfFunction,
    ) -> Result<Deleted, ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        if named.qualifier.is_some() && named.is_latest() {
            return Err(invalid("$LATEST version cannot be deleted without deleting the function."));
        }
        let found = named.place.and_then(|place| self.lambda.functions.find(place, &named.name));
        let id = found.ok_or_else(|| no_function(&named.arn))?;
        self.owned(place, id)?;
        // There are no other versions: to delete one that is not there is no error.
        if named.qualifier.is_none() {
            self.lambda.functions.remove(id);
        }
        Ok(Deleted { status_code: 204 })
    }
}
