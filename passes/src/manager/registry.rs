//! The passes that a tool knows: an explicit value, so that a user's crate can add its own.

use super::row::PassDef;
use caustic_ir::nearest::nearest;
use rustc_hash::FxHashMap;

#[derive(Clone, Default)]
pub struct PassRegistry {
    passes: Vec<&'static PassDef>,
    index: FxHashMap<&'static str, usize>,
}

impl PassRegistry {
    pub fn new(passes: &[&'static PassDef]) -> PassRegistry {
        let mut registry = PassRegistry::default();
        for pass in passes {
            registry.add(pass);
        }
        registry
    }
    /// Adds a pass, or replaces the one of that name.
    pub fn add(&mut self, pass: &'static PassDef) {
        match self.index.get(pass.name) {
            Some(&i) => self.passes[i] = pass,
            None => {
                self.index.insert(pass.name, self.passes.len());
                self.passes.push(pass);
            }
        }
    }
    pub fn get(&self, name: &str) -> Option<&'static PassDef> {
        self.index.get(name).map(|&i| self.passes[i])
    }
    pub fn all(&self) -> &[&'static PassDef] {
        &self.passes
    }
    /// The known name nearest to one that is not.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.passes.iter().map(|p| p.name))
    }

    /// Names and first lines, for `--help` and `--list-passes`.
    pub fn list(&self) -> String {
        let width = self.passes.iter().map(|p| p.name.len()).max().unwrap_or(0);
        let mut out = String::new();
        for pass in &self.passes {
            let level = if pass.is_function_pass() { "function" } else { "module" };
            out += &format!("  --{:width$}  {} ({level} pass)\n", pass.name, pass.summary());
            for option in pass.options {
                let name = format!("{}=<{}>", option.shown(), option.kind.name());
                out += &format!("  {:width$}      {name}  {} [{}]\n", "", option.doc, option.default);
            }
        }
        out
    }

    /// The documentation page of all passes, in Markdown.
    pub fn book_page(&self) -> String {
        let mut out = String::from("# Passes\n\nGenerated from the pass rows.\n");
        for pass in &self.passes {
            let level = if pass.is_function_pass() { "Function" } else { "Module" };
            out += &format!("\n## `{}`\n\n", pass.name);
            for line in pass.doc.lines() {
                out += line.strip_prefix(' ').unwrap_or(line);
                out.push('\n');
            }
            out += &format!("\n{level} pass. Takes: {}. Leaves: {}.\n", pass.before, pass.after);
            if !pass.options.is_empty() {
                out += "\n| option | default | meaning |\n| --- | --- | --- |\n";
                for o in pass.options {
                    out += &format!("| `{}` ({}) | `{}` | {} |\n", o.shown(), o.kind.name(), o.default, o.doc);
                }
            }
            if !pass.statistics.is_empty() {
                out += "\n| statistic | meaning |\n| --- | --- |\n";
                for (name, doc) in pass.statistics {
                    out += &format!("| {name} | {doc} |\n");
                }
            }
        }
        out
    }
}
