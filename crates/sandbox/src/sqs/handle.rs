//! Receipt handles: which receive of which message this is, and a check that the sandbox itself
//! wrote it. Nothing has to be remembered to read one back, and no value repeats (semantics 1.2).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use havoq_base::Seed;

use super::{QueueId, Seq};

/// What a receipt handle says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    pub(crate) queue: QueueId,
    pub(crate) message: Seq,
    /// The message's receive count at that receive.
    pub(crate) receive: u32,
}

/// Writes and reads the handles of one sandbox.
#[derive(Debug)]
pub(crate) struct Handles(Seed);

impl Handles {
    pub(crate) fn new(seed: Seed) -> Self {
        Self(seed.fork("receipt handles"))
    }

    pub(crate) fn write(&self, handle: Handle) -> String {
        let mut bytes = [0; 24];
        bytes[..4].copy_from_slice(&handle.queue.0.to_be_bytes());
        bytes[4..12].copy_from_slice(&handle.message.0.to_be_bytes());
        bytes[12..16].copy_from_slice(&handle.receive.to_be_bytes());
        let check = self.check(&bytes[..16]);
        bytes[16..].copy_from_slice(&check);
        STANDARD.encode(bytes)
    }

    /// `None` when it is not a handle that this sandbox wrote.
    pub(crate) fn read(&self, text: &str) -> Option<Handle> {
        let bytes: [u8; 24] = STANDARD.decode(text).ok()?.try_into().ok()?;
        if bytes[16..] != self.check(&bytes[..16]) {
            return None;
        }
        Some(Handle {
            queue: QueueId(u32::from_be_bytes(bytes[..4].try_into().ok()?)),
            message: Seq(u64::from_be_bytes(bytes[4..12].try_into().ok()?)),
            receive: u32::from_be_bytes(bytes[12..16].try_into().ok()?),
        })
    }

    fn check(&self, bytes: &[u8]) -> [u8; 8] {
        let hash = bytes.iter().fold(self.0.0, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(17)
        });
        hash.to_be_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_reads_back_and_a_forged_one_does_not() {
        let handles = Handles::new(Seed(1));
        let handle = Handle { queue: QueueId(3), message: Seq(9), receive: 2 };
        let text = handles.write(handle);
        assert_eq!(handles.read(&text), Some(handle));
        assert_eq!(Handles::new(Seed(2)).read(&text), None);
        assert_eq!(handles.read("garbage"), None);
        assert_eq!(handles.read(""), None);
    }
}
