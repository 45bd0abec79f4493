//! `report.json` and its schema.

use super::format::{Format, RenderError};
use super::model::Report;

pub(super) struct Json;

impl Format for Json {
    fn name(&self) -> &'static str {
        "json"
    }

    fn file_name(&self) -> Option<&'static str> {
        Some("report.json")
    }

    fn render(&self, report: &Report) -> Result<Vec<u8>, RenderError> {
        let mut bytes = serde_json::to_vec_pretty(report)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// The JSON Schema of `report.json`, as `docs/report.schema.json` holds it.
pub fn schema() -> Result<String, RenderError> {
    let schema = serde_json::to_string_pretty(&schemars::schema_for!(Report))?;
    Ok(schema + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::fixtures;

    #[test]
    fn the_schema_in_docs_is_current() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/report.schema.json");
        let current = schema().unwrap();
        if std::env::var_os("HAVOQ_UPDATE_DOCS").is_some() {
            std::fs::write(path, &current).unwrap();
        }
        let checked_in = std::fs::read_to_string(path).unwrap_or_default();
        assert!(
            checked_in == current,
            "docs/report.schema.json is stale\nhint: HAVOQ_UPDATE_DOCS=1 cargo test report::json"
        );
    }

    /// The members that formats.md-style consumers rely on, in their order.
    #[test]
    fn a_report_has_its_documented_members() {
        let json: serde_json::Value =
            serde_json::from_slice(&Json.render(&fixtures::failing()).unwrap()).unwrap();
        let members = |value: &serde_json::Value| -> Vec<String> {
            value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
        };
        let top = "schema havoq run_id seed stack clock started wall_s virtual_s exit totals scenarios";
        assert_eq!(members(&json).join(" "), top);
        let scenario = "name file verdict attempts virtual_s wall_s claims ledger";
        assert_eq!(members(&json["scenarios"][0]).join(" "), scenario);
        let claim = "id text line column verdict reason evidence diagnosis story";
        assert_eq!(members(&json["scenarios"][0]["claims"][0]).join(" "), claim);
        assert_eq!(json["exit"], 1);
        assert_eq!(json["seed"], 123);
    }
}
