//! What a host has to know of a program in source text, as JSON: the interface of the kernel and
//! what is emitted for it.

use crate::Options;
use crate::lang::Language;
use crate::print::Program;
use caustic_runtime::KernelInterface;
use serde_json::{Map, Value, json};

/// The description: that of the interface, with `language`, `launcher`, `names`, `bounds`,
/// `requires` and what the printer of the language adds.
pub fn of(interface: &KernelInterface, language: &Language, options: Options, program: &Program) -> String {
    let json = interface.to_json();
    let mut all: Map<String, Value> = serde_json::from_str(&json).unwrap_or_default();
    all.insert("language".into(), json!(language.name));
    match program.launcher.as_str() {
        // There is no kernel.
        "" => ["entry", "numthreads"].iter().for_each(|key| {
            all.remove(*key);
        }),
        launcher => {
            all.insert("launcher".into(), json!(launcher));
        }
    }
    let names: Map<String, Value> = program.names.iter().map(|(text, source)| (text.clone(), json!(source))).collect();
    all.insert("names".into(), Value::Object(names));
    all.insert("bounds".into(), json!(if options.trusts_bounds { "trust" } else { "zero" }));
    all.insert("requires".into(), json!(language.requires));
    all.extend(program.described.iter().map(|(key, value)| (key.to_string(), value.clone())));
    let text = serde_json::to_string_pretty(&Value::Object(all));
    text.map_or(json, |text| text + "\n")
}
