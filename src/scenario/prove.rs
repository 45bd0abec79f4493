//! `havoq prove`: a scenario as it is, and with a mutation of what it runs on. Its steps and claims
//! stay those of the text: whoever judges is not told what was made to go wrong.

use super::model::Scenario;

/// As what `havoq prove` runs a scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proving {
    /// The scenario's own name.
    pub of: String,
    pub part: ProvingPart,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ProvingPart {
    /// As it is, before these.
    Baseline(Vec<Planned>),
    /// With the mutation of this name.
    Mutated(String),
}

/// A mutation that a scenario is to be run with, or why it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Planned {
    pub mutation: String,
    pub skipped: Option<String>,
}

impl Scenario {
    /// The scenario as a part of a proof, under a name of its own.
    pub fn proving(mut self, part: ProvingPart) -> Self {
        let of = self.name.value.clone();
        if let ProvingPart::Mutated(mutation) = &part {
            self.name.value = format!("{of} [mutation: {mutation}]");
        }
        self.proving = Some(Proving { of, part });
        self
    }

    pub fn is_mutated(&self) -> bool {
        self.mutation().is_some()
    }

    /// The mutation that it is run with.
    pub fn mutation(&self) -> Option<&str> {
        match &self.proving.as_ref()?.part {
            ProvingPart::Mutated(mutation) => Some(mutation),
            ProvingPart::Baseline(_) => None,
        }
    }
}
