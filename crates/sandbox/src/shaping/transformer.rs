//! An input transformer as it is given: paths by name, and a template.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::bad::BadShape;
use super::path::Path;
use crate::checks::Checks;

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct InputTransformer {
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    input_paths_map: BTreeMap<String, String>,
    input_template: String,
}

/// The most paths that there may be (semantics 3.3).
const MOST_PATHS: usize = 100;

impl InputTransformer {
    /// The limits of its members, which AWS's front end checks.
    pub(crate) fn check(&self, checks: &mut Checks, member: &str) {
        let paths = &self.input_paths_map;
        if paths.len() > MOST_PATHS {
            let all: Vec<_> = paths.iter().map(|(name, path)| format!("{name}={path}")).collect();
            let constraint = format!("have length less than or equal to {MOST_PATHS}");
            checks.fail(format!("'{{{}}}'", all.join(", ")), &format!("{member}.inputPathsMap"), constraint);
        }
        for (name, path) in paths {
            let is_one = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
            let key = format!("{member}.inputPathsMap");
            checks.characters(&key, Some(name), r"[A-Za-z0-9\_\-]+", is_one);
            checks.length(&key, Some(name), 1, 256);
            checks.length(&format!("{key}.{name}.member"), Some(path), 0, 256);
        }
        checks.length(&format!("{member}.inputTemplate"), Some(&self.input_template), 1, 8_192);
    }

    pub(super) fn template(&self) -> &str {
        &self.input_template
    }

    pub(super) fn paths(&self) -> Result<BTreeMap<String, Path>, BadShape> {
        self.input_paths_map.iter().map(|(name, path)| Ok((name.clone(), Path::parse(path)?))).collect()
    }
}
