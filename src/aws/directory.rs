//! Which physical name belongs to which logical id.

use std::collections::HashMap;

use havoq_base::StackDuration;

/// The account of the embedded stack.
pub const ACCOUNT: &str = "000000000000";
/// The region of the embedded stack.
pub const REGION: &str = "us-east-1";

/// The names of a provisioned stack. Events speak of logical ids; the wire, of physical names.
#[derive(Debug, Default)]
pub struct Directory {
    ids: HashMap<String, String>,
    names: HashMap<String, String>,
    visibilities: HashMap<String, StackDuration>,
}

impl Directory {
    pub fn add(&mut self, id: &str, name: &str) {
        self.ids.insert(name.to_owned(), id.to_owned());
        self.names.insert(id.to_owned(), name.to_owned());
    }

    /// A name that another resource may have too: it is the first one's id that the name stands for.
    pub fn add_another(&mut self, id: &str, name: &str) {
        self.ids.entry(name.to_owned()).or_insert_with(|| id.to_owned());
        self.names.insert(id.to_owned(), name.to_owned());
    }

    pub fn set_visibility(&mut self, queue: &str, visibility: StackDuration) {
        self.visibilities.insert(queue.to_owned(), visibility);
    }

    /// The logical id of a physical name; the name itself when the stack does not know it.
    pub fn id_of(&self, name: &str) -> String {
        self.ids.get(name).map_or(name, String::as_str).to_owned()
    }

    /// The logical id behind the last part of an ARN.
    pub fn id_of_arn(&self, arn: &str) -> String {
        self.id_of(arn.rsplit(':').next().unwrap_or(arn))
    }

    /// The physical name of a logical id; the id itself when the stack does not know it.
    pub fn name_of<'a>(&'a self, id: &'a str) -> &'a str {
        self.names.get(id).map_or(id, String::as_str)
    }

    /// The queue that a QueueUrl means.
    pub fn queue_at(&self, url: &str) -> String {
        self.id_of(url.rsplit('/').next().unwrap_or(url))
    }

    /// The queue's own visibility timeout; SQS's default for a queue that is not the stack's.
    pub fn visibility(&self, queue: &str) -> StackDuration {
        self.visibilities.get(queue).copied().unwrap_or(StackDuration::from_secs(30))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_ids_find_each_other() {
        let mut directory = Directory::default();
        directory.add("OrderQueue", "orders-1f");
        assert_eq!(directory.queue_at("http://127.0.0.1:1/000000000000/orders-1f"), "OrderQueue");
        assert_eq!(directory.id_of_arn("arn:aws:sqs:us-east-1:000000000000:orders-1f"), "OrderQueue");
        assert_eq!(directory.name_of("OrderQueue"), "orders-1f");
        assert_eq!(directory.queue_at("http://127.0.0.1:1/000000000000/foreign"), "foreign");
    }
}
