//! What the actions of an alarm that is put may be.

use havoq_wire::ServiceError;

use super::alarm::Actions;
use super::errors::validation;
use crate::checks::Checks;

/// Which of them an alarm of this region can have.
pub(super) fn check_arns(actions: &Actions, region: &str) -> Result<(), ServiceError> {
    for action in actions.ok.iter().chain(&actions.alarm).chain(&actions.insufficient_data) {
        let parts: Vec<_> = action.splitn(6, ':').collect();
        let ["arn", _, service, of, _, _] = parts[..] else {
            return Err(validation(format!("Invalid arn syntax: {action}")));
        };
        if service == "sns" && of != region {
            return Err(validation(format!("Invalid region {of} specified. Only {region} is supported.")));
        }
    }
    Ok(())
}

pub(super) fn check_actions(checks: &mut Checks, actions: &Actions) {
    let all = [
        ("oKActions", &actions.ok),
        ("alarmActions", &actions.alarm),
        ("insufficientDataActions", &actions.insufficient_data),
    ];
    for (member, actions) in all {
        checks.count(member, actions, 5);
        for (index, action) in actions.iter().enumerate() {
            checks.length(&format!("{member}.{}.member", index + 1), Some(action), 1, 1024);
        }
    }
}
