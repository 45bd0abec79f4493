//! Names and ARNs, SDK clients from one endpoint, and how calls are forwarded: to a URL, and to AWS
//! with a signature of its own.

mod asker;
mod causes;
mod clients;
mod directory;
pub mod queue_urls;
mod signed;

pub use asker::{Asker, to};
pub use causes::{causes, told};
pub use clients::Clients;
pub use directory::{ACCOUNT, Directory, REGION};
pub use signed::{NotConfirmed, Signed, SignedSettings};
