//! The tags of pipes. Their members are in lower case here.

use std::collections::BTreeMap;

use havoq_wire::ServiceError;
use serde::{Deserialize, Serialize};

use super::errors::{no_pipe, validation};
use super::pipe::Pipe;
use crate::core::Core;
use crate::place::Place;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(crate) struct TagInput {
    resource_arn: String,
    tags: BTreeMap<String, String>,
    tag_keys: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Tags {
    tags: BTreeMap<String, String>,
}

const MOST: usize = 50;

/// `others` is how many tags there are besides.
pub(super) fn check_tags(tags: &BTreeMap<String, String>, others: usize) -> Result<(), ServiceError> {
    if tags.len() + others > MOST {
        return Err(validation(format!("A pipe has {MOST} tags at most.")));
    }
    let fits = |(key, value): (&String, &String)| {
        (1..=128).contains(&key.chars().count()) && value.chars().count() <= 256 && !key.starts_with("aws:")
    };
    if tags.iter().all(fits) { Ok(()) } else { Err(validation("A tag is too long, empty, or AWS's own.")) }
}

impl Core {
    pub(crate) fn tag_pipe(&mut self, place: Place, input: TagInput) -> Result<(), ServiceError> {
        let pipe = self.tagged_pipe(place, &input.resource_arn)?;
        let others = pipe.tags.keys().filter(|key| !input.tags.contains_key(*key)).count();
        check_tags(&input.tags, others)?;
        pipe.tags.extend(input.tags);
        Ok(())
    }

    pub(crate) fn untag_pipe(&mut self, place: Place, input: TagInput) -> Result<(), ServiceError> {
        let pipe = self.tagged_pipe(place, &input.resource_arn)?;
        pipe.tags.retain(|key, _| !input.tag_keys.contains(key));
        Ok(())
    }

    pub(crate) fn list_pipe_tags(&mut self, place: Place, input: TagInput) -> Result<Tags, ServiceError> {
        Ok(Tags { tags: self.tagged_pipe(place, &input.resource_arn)?.tags.clone() })
    }

    fn tagged_pipe(&mut self, place: Place, arn: &str) -> Result<&mut Pipe, ServiceError> {
        let named = self.places.resource("pipes", arn).filter(|(of, _)| *of == place);
        let name = named.and_then(|(_, resource)| resource.strip_prefix("pipe/")).unwrap_or(arn);
        let id = self.pipes.find(place, name).ok_or_else(|| no_pipe(name))?;
        self.pipes.get_mut(id).ok_or_else(|| no_pipe(name))
    }
}
