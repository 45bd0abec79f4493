//! From rules to their targets.

use serde_json::json;

use super::{DEFAULT_RULE, world};
use crate::fact::Fact;

#[test]
fn a_delivery_is_told_with_the_id_that_the_queue_gave() {
    let mut world = world(json!({}));
    world.facts();
    let id = world.put("default", json!({}));
    let message = world.one("q");
    let facts = world.facts();
    match &facts[..] {
        [
            Fact::Published { channel, .. },
            Fact::Delivered { subscription, message_id, attempts, given_id, .. },
        ] => {
            assert_eq!((&**channel, message_id.as_str(), *attempts), ("default", &*id, 1));
            assert_eq!(*subscription, format!("{DEFAULT_RULE}#t"));
            assert_eq!(given_id.as_ref(), Some(&message.id));
        }
        other => panic!("{other:?}"),
    }
}
