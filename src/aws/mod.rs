//! Names and ARNs; later, SDK clients from one endpoint and credential description.

mod directory;

pub use directory::{ACCOUNT, Directory, REGION};
