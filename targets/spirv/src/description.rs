//! What a host has to know of a program, as JSON: the interface of the kernel and what is emitted
//! for it. The keys are those of shaders as source text, so that one launcher runs both.

use crate::emit::Made;
use crate::ops::Accuracy;
use caustic_dialects::simt;
use caustic_runtime::KernelInterface;
use serde_json::{Map, Value, json};

pub fn of(interface: &KernelInterface, made: &Made) -> String {
    let json = interface.to_json();
    let mut all: Map<String, Value> = serde_json::from_str(&json).unwrap_or_default();
    let names: Map<String, Value> = made.names.iter().map(|(text, source)| (text.clone(), json!(source))).collect();
    let told = |accuracy: &Accuracy| match *accuracy {
        Accuracy::Exact => json!({}),
        Accuracy::Ulps(n) => json!({ "ulps": n }),
        Accuracy::Absolute(bits) => json!({ "absolute": 2f64.powi(-(bits as i32)) }),
        Accuracy::Either(n, bits) => json!({ "ulps": n, "absolute": 2f64.powi(-(bits as i32)) }),
    };
    let accuracy: Map<String, Value> = made.accuracy.iter().map(|(op, a)| (op.to_string(), told(a))).collect();
    all.insert("language".into(), json!("spirv"));
    all.insert("launcher".into(), json!(crate::emit::MAIN));
    all.insert("names".into(), Value::Object(names));
    all.insert("bindings".into(), Value::Array(made.bindings.clone()));
    all.insert("requires".into(), json!(made.module.requires));
    let threads: u32 = interface.numthreads.iter().product();
    let (least, most) = simt::lanes_of_groups(threads);
    all.insert("subgroup".into(), if made.waves { json!({ "least": least, "most": most }) } else { Value::Null });
    all.insert("accuracy".into(), Value::Object(accuracy));
    let text = serde_json::to_string_pretty(&Value::Object(all));
    text.map_or(json, |text| text + "\n")
}
