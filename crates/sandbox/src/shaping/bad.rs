//! Why a shape is none, in the words of PutTargets.

/// It is told with the id of its target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum BadShape {
    /// More than one shape was given.
    Several,
    Input,
    Path,
    /// A placeholder that nobody declared.
    Placeholder(String),
    /// A placeholder that only a template that is a JSON object can have.
    OnlyInJson(&'static str),
    /// What is wrong with a template that would not become JSON whatever the values.
    Template(String),
}

impl BadShape {
    pub(crate) fn of_target(&self, id: &str) -> String {
        match self {
            Self::Several => {
                format!("Only one of Input, InputPath, or InputTransformer must be provided for target {id}.")
            }
            Self::Input => format!("JSON syntax error in input for target {id}."),
            Self::Path => format!("InputPath for target {id} is invalid."),
            Self::Placeholder(name) => {
                format!("InputTemplate for target {id} contains invalid placeholder {name}.")
            }
            Self::OnlyInJson(name) => {
                format!(
                    "InputTemplate for target {id} contains placeholder {name} valid only for JSON template."
                )
            }
            Self::Template(reason) => format!("Invalid InputTemplate for target {id} : [{reason}]."),
        }
    }
}
