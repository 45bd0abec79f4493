//! The errors of EventBridge's model.

use super::modelled::modelled;

modelled! {
    /// The errors of EventBridge. Those of every service are in [`CommonError`](super::CommonError).
    EventBridgeError of EventBridge {
        AccessDeniedException,
        ConcurrentModificationException,
        IllegalStatusException,
        InternalException,
        InvalidEventPatternException,
        InvalidStateException,
        LimitExceededException,
        ManagedRuleException,
        OperationDisabledException,
        PolicyLengthExceededException,
        ResourceAlreadyExistsException,
        ResourceNotFoundException,
        ThrottlingException,
    }
}
