//! The errors of EventBridge Pipes's model.

use super::modelled::modelled;

modelled! {
    /// The errors of EventBridge Pipes. Those of every service are in [`CommonError`](super::CommonError).
    PipesError of Pipes {
        ConflictException,
        InternalException,
        NotFoundException,
        ServiceQuotaExceededException,
        ThrottlingException,
        ValidationException,
    }
}
