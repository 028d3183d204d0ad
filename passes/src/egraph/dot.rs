//! The graph as a picture, in the language of Graphviz: a box for each class with its type, facts
//! and region; chosen nodes are bold.

use super::build::Built;
use super::elaborate::Chosen;
use super::graph::Head;
use super::search::sorted_classes;
use caustic_ir::fact::Fact;
use caustic_ir::text::Names;
use caustic_ir::{Body, Name};
use std::fmt::Write;

fn label(head: &Head, names: &Names) -> String {
    match head {
        Head::Op { def, attrs, .. } => {
            let attrs: String = attrs.iter().map(|(_, a)| format!(" {a}")).collect();
            format!("{}{attrs}", def.name)
        }
        Head::Constant(value) => value.to_string(),
        Head::Leaf { value, lane, vector, .. } => {
            let name = names.get(*value);
            if *vector { format!("{name}[{lane}]") } else { name }
        }
        Head::Assumed { number, .. } => format!("assumed {number}"),
        Head::Branch { result, lane, .. } => format!("branch result {result} lane {lane}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// The picture of a function's graph.
pub fn dot(name: Name, body: &Body, built: &Built, chosen: &Chosen) -> String {
    let names = Names::of_body(body);
    let graph = &built.graph;
    let mut out = format!(
        "digraph \"{}\" {{\n  compound=true;\n  node [shape=box, fontname=monospace];\n",
        escaped(name.as_str())
    );
    let first: rustc_hash::FxHashMap<egg::Id, ()> = graph.classes().map(|c| (c.id, ())).collect();
    for class in sorted_classes(graph) {
        let data = &graph[class].data;
        let known = if data.fact == Fact::top(data.ty) {
            String::new()
        } else {
            format!("\\n{}", escaped(&format!("{:?}", data.fact)))
        };
        let _ = writeln!(
            out,
            "  subgraph cluster_{class} {{\n    style=dotted; label=\"class {class}: {}, region {}{known}\";",
            data.ty, data.at.scope
        );
        for (n, node) in graph[class].nodes.iter().enumerate() {
            let bold = if chosen.get(&class) == Some(node) { ", style=bold" } else { "" };
            let _ = writeln!(
                out,
                "    n{class}_{n} [label=\"{}\"{bold}];",
                escaped(&label(graph.analysis.head(node.head), &names))
            );
        }
        out += "  }\n";
    }
    for class in sorted_classes(graph) {
        for (n, node) in graph[class].nodes.iter().enumerate() {
            for &child in &node.children {
                let child = graph.find(child);
                // An edge within a class would leave its box and come back.
                if first.contains_key(&child) && child != class {
                    let _ = writeln!(out, "  n{class}_{n} -> n{child}_0 [lhead=cluster_{child}];");
                }
            }
        }
    }
    out += "}\n";
    out
}
