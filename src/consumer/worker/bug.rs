//! The mistakes that the reference consumer can be told to make, one at a time.

/// A named mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Bug {
    /// Keeps no marks and sends no Idempotency-Key.
    NoIdempotency,
    /// Acknowledges on receipt.
    DeleteBeforeEffect,
    /// Marks the message as done before the effect.
    MarkBeforeEffect,
    /// Acknowledges what it cannot understand.
    SwallowErrors,
    /// Does the work and never acknowledges.
    NeverDelete,
    /// Dies on what it cannot understand.
    CrashOnPoison,
    /// Makes an effect of what it cannot understand.
    IgnoreBodyErrors,
    /// Asks for a visibility timeout shorter than its work, and trusts its marks alone.
    ShortVisibility,
    /// Acknowledges, and makes the effect later, on the side.
    LateEffect,
}
