//! The errors of EventBridge Scheduler's model.

use super::modelled::modelled;

modelled! {
    /// The errors of EventBridge Scheduler. Those of every service are in [`CommonError`](super::CommonError).
    SchedulerError of Scheduler {
        ConflictException,
        InternalServerException,
        ResourceNotFoundException,
        ServiceQuotaExceededException,
        ThrottlingException,
        ValidationException,
    }
}
