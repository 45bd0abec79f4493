//! Names and ARNs, and SDK clients from one endpoint.

mod clients;
mod directory;

pub use clients::Clients;
pub use directory::{ACCOUNT, Directory, REGION};
