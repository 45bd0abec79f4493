//! Reading and changing functions: GetFunction, GetFunctionConfiguration, ListFunctions,
//! UpdateFunctionCode and UpdateFunctionConfiguration.

use std::collections::BTreeMap;
use std::sync::Arc;

use havoq_base::StackTime;
use havoq_lambda::{Code, FunctionSpec};
use havoq_wire::{CommonError, LambdaError, ServiceError};
use serde::{Deserialize, Serialize};

use super::code::CodeInput;
use super::concurrency::Concurrency;
use super::described::Configuration;
use super::errors::{missing, no_function};
use super::function::Function;
use super::names::Named;
use super::pages::page;
use super::settings::Settings;
use super::{FunctionId, OfFunction};
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct ListFunctions {
    marker: Option<String>,
    max_items: Option<i64>,
}

/// What names the function in a change, and what it must still be for it.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct Change {
    function_name: Option<String>,
    revision_id: Option<String>,
    dry_run: bool,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Described {
    configuration: Configuration,
    code: CodeLocation,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    tags: BTreeMap<String, String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    concurrency: Option<Concurrency>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
struct CodeLocation {
    repository_type: &'static str,
    /// Nothing is to be had there: the sandbox has no S3.
    location: String,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct FunctionList {
    functions: Vec<Configuration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next_marker: Option<String>,
}

impl Core {
    pub(crate) fn get_function(&self, place: Place, input: OfFunction) -> Result<Described, ServiceError> {
        let function = self.function_of(place, &input)?;
        let (repository_type, location) = match &function.spec.code {
            Code::Zip(_) | Code::Command { .. } => ("S3", format!("havoq:{}", function.code_sha256)),
            Code::Elsewhere(why) => ("ECR", why.clone()),
        };
        Ok(Described {
            configuration: Configuration::of(function),
            code: CodeLocation { repository_type, location },
            tags: function.tags.clone(),
            concurrency: function.reserved.map(|reserved| Concurrency::of(Some(reserved))),
        })
    }

    pub(crate) fn get_function_configuration(
        &self,
        place: Place,
        input: OfFunction,
    ) -> Result<Configuration, ServiceError> {
        self.function_of(place, &input).map(Configuration::of)
    }

    pub(crate) fn list_functions(
        &self,
        place: Place,
        input: ListFunctions,
    ) -> Result<FunctionList, ServiceError> {
        let all = self.lambda.functions.of(place);
        let (listed, next_marker) =
            page(input.marker.as_deref(), input.max_items, all, |function| &function.spec.name)?;
        Ok(FunctionList { functions: listed.into_iter().map(Configuration::of).collect(), next_marker })
    }

    pub(crate) fn update_function_code(
        &mut self,
        now: StackTime,
        place: Place,
        change: Change,
        code: CodeInput,
    ) -> Result<Configuration, ServiceError> {
        let id = self.to_change(place, &change)?;
        let uploaded = code.read()?;
        self.change(now, id, change.dry_run, |function| {
            function.spec =
                Arc::new(FunctionSpec { code: uploaded.code, ..FunctionSpec::clone(&function.spec) });
            (function.code_sha256, function.code_size) = (uploaded.sha256, uploaded.size);
        })
    }

    /// It holds for the invocations that begin from now on.
    pub(crate) fn update_function_configuration(
        &mut self,
        now: StackTime,
        place: Place,
        change: Change,
        settings: Settings,
    ) -> Result<Configuration, ServiceError> {
        let id = self.to_change(place, &change)?;
        settings.check()?;
        self.change(now, id, false, |function| settings.apply(function))
    }

    fn to_change(&self, place: Place, change: &Change) -> Result<FunctionId, ServiceError> {
        let named = self.named(place, change.function_name.as_deref(), None)?;
        let id = self.found(place, &named)?;
        let function = self.lambda.functions.get(id).ok_or_else(|| no_function(&named.arn))?;
        if change.revision_id.as_ref().is_some_and(|revision| *revision != function.revision) {
            return Err(LambdaError::PreconditionFailedException.with(
                "The Revision Id provided does not match the latest Revision Id. Call the GetFunction/GetAlias API to \
                 retrieve the latest Revision Id",
            ));
        }
        Ok(id)
    }

    fn change(
        &mut self,
        now: StackTime,
        id: FunctionId,
        dry_run: bool,
        change: impl FnOnce(&mut Function),
    ) -> Result<Configuration, ServiceError> {
        let revision = self.new_id();
        let function = self.lambda.functions.get_mut(id).ok_or_else(super::errors::no_resource)?;
        if !dry_run {
            change(function);
            (function.revision, function.modified) = (revision, now);
        }
        Ok(Configuration::of(function))
    }

    /// What a caller from `place` named.
    pub(super) fn named(
        &self,
        place: Place,
        name: Option<&str>,
        qualifier: Option<&str>,
    ) -> Result<Named, ServiceError> {
        Named::read(&self.places, place, name.ok_or_else(|| missing("FunctionName"))?, qualifier)
    }

    /// The function that a caller from `place` named, if it is the caller's own.
    pub(super) fn found(&self, place: Place, named: &Named) -> Result<FunctionId, ServiceError> {
        self.found_or(place, named, || no_function(named.qualified()))
    }

    /// The same, with what the operation says when it is not there.
    pub(super) fn found_or(
        &self,
        place: Place,
        named: &Named,
        absent: impl FnOnce() -> ServiceError,
    ) -> Result<FunctionId, ServiceError> {
        let id = self.find_function(named).ok_or_else(absent)?;
        self.owned(place, id)?;
        Ok(id)
    }

    pub(super) fn function_of(&self, place: Place, input: &OfFunction) -> Result<&Function, ServiceError> {
        let named = self.named(place, input.function_name.as_deref(), input.qualifier.as_deref())?;
        let id = self.found(place, &named)?;
        self.lambda.functions.get(id).ok_or_else(|| no_function(named.qualified()))
    }

    /// There is one version of each function.
    pub(super) fn find_function(&self, named: &Named) -> Option<FunctionId> {
        let place = named.place.filter(|_| named.is_latest())?;
        self.lambda.functions.find(place, &named.name)
    }

    /// Other accounts may invoke a function, if its policy lets them, and nothing else.
    pub(super) fn owned(&self, place: Place, id: FunctionId) -> Result<(), ServiceError> {
        match self.lambda.functions.get(id) {
            Some(function) if function.place != place => {
                let text = format!(
                    "the account is not authorized to perform this on resource: {}",
                    function.spec.arn
                );
                Err(CommonError::AccessDenied.with(text))
            }
            _ => Ok(()),
        }
    }
}
