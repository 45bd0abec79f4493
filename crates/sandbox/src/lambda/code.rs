//! The code of a function, as the API takes it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use havoq_lambda::Code;
use havoq_wire::ServiceError;
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::errors::invalid;

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "PascalCase", default)]
pub(crate) struct CodeInput {
    /// In base64.
    zip_file: Option<String>,
    s3_bucket: Option<String>,
    s3_key: Option<String>,
    image_uri: Option<String>,
}

/// Code with what is told of it.
pub(super) struct Uploaded {
    pub(super) code: Code,
    pub(super) sha256: String,
    pub(super) size: u64,
}

impl CodeInput {
    /// What is not in the call itself is not in the sandbox: such a function can be described, and
    /// run only if its environment names a command.
    pub(super) fn read(&self) -> Result<Uploaded, ServiceError> {
        if let Some(text) = &self.zip_file {
            let bytes = STANDARD.decode(text).ok().filter(|bytes| bytes.starts_with(b"PK"));
            let bytes = bytes.ok_or_else(|| {
                invalid("Could not unzip uploaded file. Please check your file, then try to upload again.")
            })?;
            let (sha256, size) = (sum(&bytes), bytes.len() as u64);
            return Ok(Uploaded { code: Code::Zip(Bytes::from(bytes)), sha256, size });
        }
        let place = match (&self.s3_bucket, &self.s3_key, &self.image_uri) {
            (Some(bucket), Some(key), None) => format!("s3://{bucket}/{key}"),
            (None, None, Some(image)) => image.clone(),
            _ => return Err(invalid("Please provide a source for function code.")),
        };
        let code = Code::Elsewhere(format!("its code is at {place}, which the sandbox does not fetch"));
        Ok(Uploaded { code, sha256: sum(place.as_bytes()), size: 0 })
    }
}

fn sum(bytes: &[u8]) -> String {
    STANDARD.encode(Sha256::digest(bytes))
}
