//! All checks: a line a file.

use super::check::Check;

const FAMILIES: &[&[Check]] = &[
    super::sqs_visibility::CHECKS,
    super::sqs_handles::CHECKS,
    super::sqs_receive::CHECKS,
    super::sqs_delay::CHECKS,
    super::sqs_queues::CHECKS,
    super::sqs_sizes::CHECKS,
    super::sqs_batches::CHECKS,
    super::sqs_redrive::CHECKS,
    super::sqs_dead_letters::CHECKS,
    super::sqs_move_tasks::CHECKS,
    super::sqs_purge::CHECKS,
    super::sqs_fifo::CHECKS,
    super::sqs_fifo_duplicates::CHECKS,
    super::sqs_policies::CHECKS,
    super::sqs_wire::CHECKS,
    super::sns_delivery::CHECKS,
    super::sns_filters::CHECKS,
    super::sns_failures::CHECKS,
    super::sns_fifo::CHECKS,
    super::sns_topics::CHECKS,
    super::cloudwatch_metrics::CHECKS,
    super::cloudwatch_alarms::CHECKS,
    super::cloudwatch_actions::CHECKS,
    super::eb_buses::CHECKS,
    super::eb_rules::CHECKS,
    super::eb_patterns::CHECKS,
    super::eb_operators::CHECKS,
    super::eb_put_events::CHECKS,
    super::eb_inputs::CHECKS,
    super::eb_targets::CHECKS,
    super::eb_dead_letters::CHECKS,
    super::eb_archives::CHECKS,
    super::eb_schedules::CHECKS,
    super::eb_alarm_events::CHECKS,
    super::eb_metrics::CHECKS,
    super::lambda_functions::CHECKS,
    super::lambda_async::CHECKS,
    super::lambda_mappings::CHECKS,
    super::lambda_batches::CHECKS,
    super::ddb_tables::CHECKS,
    super::ddb_conditions::CHECKS,
    super::scheduler_runs::CHECKS,
    super::scheduler_targets::CHECKS,
    super::pipes_runs::CHECKS,
];

/// Every check, in the order in which they are shown.
pub fn checks() -> impl Iterator<Item = &'static Check> {
    FAMILIES.iter().copied().flatten()
}

/// The checks of this id, or of the family whose ids begin with it.
pub fn select(id: &str) -> Vec<&'static Check> {
    let family = format!("{id}-");
    checks().filter(|check| check.id == id || check.id.starts_with(&family)).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::stack::probe::Service;

    #[test]
    fn ids_are_unique_short_and_begin_with_their_service() {
        let mut seen = BTreeSet::new();
        for check in checks() {
            let begin = match check.service {
                Service::Sqs => "sqs-",
                Service::Sns => "sns-",
                Service::CloudWatch => "cw-",
                Service::EventBridge => "eb-",
                Service::Lambda => "lambda-",
                Service::DynamoDb => "ddb-",
                Service::Scheduler => "scheduler-",
                Service::Pipes => "pipe-",
            };
            assert!(check.id.starts_with(begin), "{}", check.id);
            // Names of resources begin with a run's prefix and the id, and SQS allows 80 characters.
            assert!(check.id.len() <= 40, "{}", check.id);
            assert!(
                check
                    .id
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            );
            assert!(seen.insert(check.id), "{} twice", check.id);
            assert!(!check.claim.is_empty() && !check.section.is_empty(), "{}", check.id);
        }
    }

    /// The table in docs/probe.md, which must hold every check as it is.
    fn table() -> String {
        let mut table = "| check | section | right is | |\n|---|---|---|---|\n".to_owned();
        for check in checks() {
            let slow = if check.is_slow() { "slow" } else { "" };
            table += &format!("| `{}` | {} | {} | {slow} |\n", check.id, check.section, check.claim);
        }
        table
    }

    #[test]
    fn the_page_knows_every_check() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/probe.md");
        let page = std::fs::read_to_string(path).expect("docs/probe.md");
        let begin = page.find("-->\n").expect("the beginning of the table") + 4;
        let end = page.find("<!-- end of checks -->").expect("the end of the table");
        if std::env::var_os("HAVOQ_UPDATE_DOCS").is_some() {
            let written = format!("{}\n{}\n{}", &page[..begin], table(), &page[end..]);
            std::fs::write(path, written).expect("written");
            return;
        }
        let is_current = page[begin..end].trim() == table().trim();
        assert!(
            is_current,
            "docs/probe.md is stale\nhint: HAVOQ_UPDATE_DOCS=1 cargo test --lib probe::registry"
        );
    }

    #[test]
    fn there_is_enough_of_each_service() {
        for (service, least) in [
            (Service::Sqs, 45),
            (Service::Sns, 15),
            (Service::CloudWatch, 12),
            (Service::EventBridge, 60),
            (Service::Lambda, 25),
            (Service::DynamoDb, 12),
            (Service::Scheduler, 12),
            (Service::Pipes, 8),
        ] {
            let count = checks().filter(|check| check.service == service).count();
            assert!(count >= least, "{} has {count}", service.name());
        }
    }

    #[test]
    fn a_check_is_found_by_its_id_and_a_family_by_its_beginning() {
        assert_eq!(select("sqs-batch-empty").len(), 1);
        assert!(select("sqs-batch").len() > 3);
        assert!(select("sqs").iter().all(|check| check.service == Service::Sqs));
        for none in ["", "sq", "sqs-bat", "sqs-batch-"] {
            assert!(select(none).is_empty(), "{none}");
        }
    }
}
