//! Acts that came after the clock had jumped past what they are about.

use havoq_base::RealDuration;
use havoq_base::ids::{Marker, MessageId};

use crate::history::{Instance, Kind};

/// A jump that came between two acts of a live holder on one message, or while a function was at
/// work on something that is no message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overrun {
    pub message_id: Option<MessageId>,
    pub marker: Option<Marker>,
    pub since_last_act: RealDuration,
}

impl Overrun {
    /// What the history says of it.
    pub fn told(self, by: &Instance) -> Kind {
        let Self { message_id, marker, since_last_act } = self;
        let reason = format!(
            "acted {since_last_act} of real time after its last act, and the clock had jumped meanwhile"
        );
        Kind::ClockOverran { by: by.clone(), message_id, marker, reason }
    }
}
