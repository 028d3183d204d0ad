//! The passes and the named pipelines that a tool knows: an explicit value, so that a user's crate
//! can add its own.

use super::row::PassDef;
use caustic_ir::nearest::nearest;
use rustc_hash::FxHashMap;

/// The row of a pipeline. Its name stands for its text wherever a pipeline of modules is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// `kebab-case`; no pass has it.
    pub name: &'static str,
    pub doc: &'static str,
    /// Passes, and other pipelines by name.
    pub text: &'static str,
}

#[derive(Clone, Default)]
pub struct PassRegistry {
    passes: Vec<&'static PassDef>,
    pipelines: Vec<Standard>,
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
    /// Adds a pipeline, or replaces the one of that name.
    pub fn add_pipeline(&mut self, pipeline: Standard) {
        match self.pipelines.iter_mut().find(|p| p.name == pipeline.name) {
            Some(known) => *known = pipeline,
            None => self.pipelines.push(pipeline),
        }
    }
    pub fn with_pipelines(mut self, pipelines: &[Standard]) -> PassRegistry {
        pipelines.iter().for_each(|p| self.add_pipeline(*p));
        self
    }
    pub fn pipeline(&self, name: &str) -> Option<Standard> {
        self.pipelines.iter().find(|p| p.name == name).copied()
    }
    pub fn pipelines(&self) -> &[Standard] {
        &self.pipelines
    }
    /// The names of all passes, then of all pipelines.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.passes.iter().map(|p| p.name).chain(self.pipelines.iter().map(|p| p.name))
    }
    pub fn get(&self, name: &str) -> Option<&'static PassDef> {
        self.index.get(name).map(|&i| self.passes[i])
    }
    pub fn all(&self) -> &[&'static PassDef] {
        &self.passes
    }
    /// The known name nearest to one that is not.
    pub fn nearest(&self, name: &str) -> Option<&'static str> {
        nearest(name, self.names())
    }

    /// Names and first lines, for `--help` and `--list-passes`.
    pub fn list(&self) -> String {
        let width = self.names().map(str::len).max().unwrap_or(0);
        let mut out = String::new();
        for pass in &self.passes {
            let level = if pass.is_function_pass() { "function" } else { "module" };
            out += &format!("  --{:width$}  {} ({level} pass)\n", pass.name, pass.summary());
            for option in pass.options {
                let name = format!("{}=<{}>", option.shown(), option.kind.name());
                out += &format!("  {:width$}      {name}  {} [{}]\n", "", option.doc, option.default);
            }
        }
        if !self.pipelines.is_empty() {
            out += "\nPipelines:\n";
        }
        for pipeline in &self.pipelines {
            out += &format!("  --{:width$}  {}\n", pipeline.name, pipeline.doc);
            out += &format!("  {:width$}      {}\n", "", pipeline.text);
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
        if !self.pipelines.is_empty() {
            out += "\n# Pipelines\n\nThe name of a pipeline stands for its text.\n";
        }
        for pipeline in &self.pipelines {
            out += &format!("\n## `{}`\n\n{}\n\n`{}`\n", pipeline.name, pipeline.doc, pipeline.text);
        }
        out
    }
}
