//! The calls for whole templates, as snapshots.

use std::path::Path;

use havoq_base::Seed;
use serde_json::{Value, json};

use super::{ApiCall, function, made, topic};
use crate::scenario::{Template, load};
use crate::stack::names::{Naming, directory};

fn template(name: &str) -> Template {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("src/scenario/tests/good/{name}.yaml"));
    load(&path).unwrap_or_else(|problems| panic!("{problems:#?}")).stack
}

fn told(id: &str, calls: Vec<ApiCall>) -> Vec<Value> {
    let one = |call: ApiCall| json!({ format!("{id}: {}", call.operation): call.input });
    calls.into_iter().map(one).collect()
}

#[test]
fn templates_are_made_by_these_calls() {
    for name in ["services", "serverless"] {
        let template = template(name);
        let names = directory(&template, &Naming::Stack(name), Seed(1));
        let mut all = Vec::new();
        for (id, of) in &template.topics {
            all.extend(told(id, vec![topic(names.name_of(id), of, &names)]));
        }
        for (id, of) in &template.functions {
            all.extend(told(id, function(names.name_of(id), of, &names)));
        }
        for (id, of) in &template.others {
            all.extend(told(id, made(id, of, &names)));
        }
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_json_snapshot!(format!("{name}_calls"), all);
        });
    }
}
