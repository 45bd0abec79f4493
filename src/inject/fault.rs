//! `fault`: what happens to calls and deliveries at the tap, from here on.

use havoq_fault::FaultSpec;

use super::context::Context;

/// Arms them. Several of one step have ids of their own.
pub(super) fn run(faults: &[FaultSpec], id: &str, context: &Context<'_>) {
    for (at, spec) in faults.iter().enumerate() {
        let own = if faults.len() == 1 { id.to_owned() } else { format!("{id}.{at}") };
        context.faults.arm(&own, spec.clone());
    }
}
