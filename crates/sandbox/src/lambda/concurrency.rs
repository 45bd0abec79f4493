//! Reserved concurrency: its operations, and whether one more invocation of a function may begin.

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::{invalid, no_function, no_resource, validation};
use super::{FunctionId, OfFunction};
use crate::checks::Checks;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct PutConcurrency {
    function_name: Option<String>,
    reserved_concurrent_executions: Option<i64>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Concurrency {
    #[serde(skip_serializing_if = "Option::is_none")]
    reserved_concurrent_executions: Option<u32>,
}

impl Concurrency {
    pub(super) fn of(reserved_concurrent_executions: Option<u32>) -> Self {
        Self { reserved_concurrent_executions }
    }
}

/// How many invocations an account may have under way in a region, and how many of those no function
/// may reserve.
const OF_ACCOUNT: u32 = 1_000;
const UNRESERVED: u32 = 100;

impl Core {
    pub(crate) fn put_function_concurrency(
        &mut self,
        place: Place,
        input: PutConcurrency,
    ) -> Result<Concurrency, ServiceError> {
        let id = self.unqualified(place, input.function_name.as_deref())?;
        let wanted = input.reserved_concurrent_executions;
        let mut checks = Checks::default();
        checks.required("reservedConcurrentExecutions", &wanted);
        checks.range("reservedConcurrentExecutions", wanted, 0, i64::from(i32::MAX));
        checks.done(validation)?;
        let reserved = wanted.and_then(|wanted| u32::try_from(wanted).ok()).unwrap_or_default();
        if self.reserved_by_others(place, id) + reserved > OF_ACCOUNT - UNRESERVED {
            return Err(invalid(format!(
                "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution \
                 below its minimum value of [{UNRESERVED}]."
            )));
        }
        self.lambda.functions.get_mut(id).ok_or_else(no_resource)?.reserved = Some(reserved);
        Ok(Concurrency::of(Some(reserved)))
    }

    pub(crate) fn get_function_concurrency(
        &self,
        place: Place,
        input: OfFunction,
    ) -> Result<Concurrency, ServiceError> {
        Ok(Concurrency::of(self.function_of(place, &input)?.reserved))
    }

    pub(crate) fn delete_function_concurrency(
        &mut self,
        place: Place,
        input: OfFunction,
    ) -> Result<(), ServiceError> {
        let id = self.unqualified(place, input.function_name.as_deref())?;
        self.lambda.functions.get_mut(id).ok_or_else(no_resource)?.reserved = None;
        Ok(())
    }

    fn unqualified(&self, place: Place, name: Option<&str>) -> Result<FunctionId, ServiceError> {
        let named = self.named(place, name, None)?;
        if named.qualifier.is_some() {
            return Err(invalid(
                "This operation is permitted on Lambda functions only. Aliases and versions do not support this \
                 operation. Please specify either a function name or an unqualified function ARN.",
            ));
        }
        self.found_or(place, &named, || no_function(named.of_version()))
    }

    fn reserved_by_others(&self, place: Place, id: FunctionId) -> u32 {
        let others = self.lambda.functions.of(place).filter(|function| function.id != id);
        others.filter_map(|function| function.reserved).sum()
    }

    /// Whether one more invocation of a function may begin: its own share is free, or, when it has
    /// none, something of what nobody has reserved.
    pub(super) fn has_concurrency(&self, id: FunctionId) -> bool {
        let Some(function) = self.lambda.functions.get(id) else { return false };
        if let Some(reserved) = function.reserved {
            return function.running < reserved;
        }
        let others = self.lambda.functions.of(function.place).filter(|other| other.reserved.is_none());
        let running: u32 = others.map(|function| function.running).sum();
        running < OF_ACCOUNT - self.reserved_by_others(function.place, id)
    }
}
