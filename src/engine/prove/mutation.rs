//! What a mutation is.

use havoq_fault::FaultSpec;

use super::deliveries::Theft;
use super::effects::Bend;
use super::forge::Forgery;
use super::needs::Need;
use super::stack::Site;
use crate::scenario::Scenario;
use crate::stack::Change;

/// Something that is made to go wrong behind a scenario's back, from the injection on.
pub(super) struct Mutation {
    pub name: &'static str,
    /// In one line.
    pub about: &'static str,
    /// What a scenario must have for it to change anything.
    pub needs: &'static [Need],
    pub way: Way,
}

/// How it is done.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// To calls, at the tap.
    Calls(fn() -> Result<FaultSpec, String>),
    /// To what is delivered, between the tap and the stack.
    Deliveries(Theft),
    /// To the stack, by calls before the first step.
    Stack(fn(&Site<'_>) -> Vec<Change>),
    /// To effects, at their sinks.
    Effects(Bend),
    /// By effects that nobody made.
    Forgeries(Forgery),
    /// To the plan: the scenario's kills and faults stay out.
    Unarmed,
}

impl Mutation {
    /// Why it would change nothing about the scenario.
    pub fn is_idle_for(&self, scenario: &Scenario) -> Option<&'static str> {
        self.needs.iter().find_map(|need| need.lacking(scenario))
    }
}
