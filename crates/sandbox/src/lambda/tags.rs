//! TagResource, UntagResource and ListTags, of functions.

use std::collections::BTreeMap;

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::FunctionId;
use super::errors::{invalid, missing, no_resource};
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct TagResource {
    resource: Option<String>,
    tags: BTreeMap<String, String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct UntagResource {
    resource: Option<String>,
    tag_keys: Vec<String>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct Tags {
    tags: BTreeMap<String, String>,
}

const MOST: usize = 50;

/// `others` is how many tags there are besides.
pub(super) fn check_tags(tags: &BTreeMap<String, String>, others: usize) -> Result<(), ServiceError> {
    if tags.len() + others > MOST {
        return Err(invalid(format!("Number of tags exceeds resource tag limit. (Limit: {MOST})")));
    }
    let fits = |(key, value): (&String, &String)| {
        (1..=128).contains(&key.chars().count())
            && value.chars().count() <= 256
            && !key.to_ascii_lowercase().starts_with("aws:")
    };
    match tags.iter().all(fits) {
        true => Ok(()),
        false => {
            Err(invalid("The provided tags are too long, empty, or begin with the reserved prefix aws:"))
        }
    }
}

impl Core {
    pub(crate) fn tag_function(&mut self, place: Place, input: TagResource) -> Result<(), ServiceError> {
        let id = self.tagged_function(place, input.resource.as_deref())?;
        let function = self.lambda.functions.get_mut(id).ok_or_else(no_resource)?;
        let others = function.tags.keys().filter(|key| !input.tags.contains_key(*key)).count();
        check_tags(&input.tags, others)?;
        function.tags.extend(input.tags);
        Ok(())
    }

    pub(crate) fn untag_function(&mut self, place: Place, input: UntagResource) -> Result<(), ServiceError> {
        let id = self.tagged_function(place, input.resource.as_deref())?;
        let function = self.lambda.functions.get_mut(id).ok_or_else(no_resource)?;
        function.tags.retain(|key, _| !input.tag_keys.contains(key));
        Ok(())
    }

    pub(crate) fn list_function_tags(&self, place: Place, input: TagResource) -> Result<Tags, ServiceError> {
        let id = self.tagged_function(place, input.resource.as_deref())?;
        let function = self.lambda.functions.get(id).ok_or_else(no_resource)?;
        Ok(Tags { tags: function.tags.clone() })
    }

    fn tagged_function(&self, place: Place, arn: Option<&str>) -> Result<FunctionId, ServiceError> {
        let arn = arn.ok_or_else(|| missing("Resource"))?;
        let named = self.named(place, Some(arn), None)?;
        if named.qualifier.is_some() {
            return Err(invalid(
                "Tags on function aliases and versions are not supported. Please specify a function ARN.",
            ));
        }
        self.found(place, &named)
    }
}
