//! Forwards calls to AWS: each is signed anew with credentials of this machine's user, for the
//! service and the region that the client's own signature names.

mod account;
mod credentials;
mod endpoint;
mod refusal;
mod scope;
mod signature;
#[cfg(test)]
mod tests;
mod upstream;

pub use account::NotConfirmed;
pub use upstream::{Signed, SignedSettings};
