//! Pipelines from text, in MLIR's syntax:
//! `builtin.module(func.func(cse,canonicalize{max-iterations=3}),inline)`.
//!
//! The name of a pipeline stands for its passes. A group is an anchor with passes in parentheses;
//! the outermost one may be left out. A function pass that stands directly in a module's group runs
//! on every function, as in `any(…)`.

use super::pipeline::{Anchor, Item, PassRun, Pipeline};
use super::registry::PassRegistry;
use super::row::same_option;
use caustic_ir::codes;
use caustic_ir::nearest::nearest;
use caustic_ir::{Diagnostic, Loc, Name};

/// The name under which diagnostics point into the text of a pipeline.
pub const FILE: &str = "<pass-pipeline>";

const MAX_DEPTH: usize = 32;

/// The pipeline that `text` describes.
pub fn parse_pipeline(text: &str, passes: &PassRegistry) -> Result<Pipeline, Diagnostic> {
    let pipeline = parse_within(text, passes, 0)?;
    // `builtin.module(…)` around everything is the pipeline itself.
    if let [Item::Group(group)] = pipeline.items.as_slice()
        && group.anchor == Anchor::Module
    {
        return Ok(group.clone());
    }
    Ok(pipeline)
}

fn parse_within(text: &str, passes: &PassRegistry, depth: usize) -> Result<Pipeline, Diagnostic> {
    let mut p = Parser { text, at: 0, passes, depth };
    let mut pipeline = Pipeline::new();
    p.items(&mut pipeline)?;
    if p.peek().is_some() {
        return p.fail("expected `,` or the end of the pipeline", 1);
    }
    Ok(pipeline)
}

struct Parser<'p> {
    text: &'p str,
    at: usize,
    passes: &'p PassRegistry,
    depth: usize,
}

impl<'p> Parser<'p> {
    fn diagnostic(&self, start: usize, len: usize, message: impl Into<String>) -> Diagnostic {
        let column = |at: usize| self.text[..at.min(self.text.len())].chars().count() as u32 + 1;
        let loc = Loc::span(Name::new(FILE), (1, column(start)), (1, column(start + len)));
        Diagnostic::error(codes::E0011, loc, message)
    }
    fn fail<T>(&self, message: &str, len: usize) -> Result<T, Diagnostic> {
        Err(self.diagnostic(self.at, len, message))
    }

    fn rest(&self) -> &'p str {
        &self.text[self.at..]
    }
    fn skip_space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }
    fn peek(&mut self) -> Option<char> {
        self.skip_space();
        self.rest().chars().next()
    }
    fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }
    fn name(&mut self) -> &'p str {
        self.skip_space();
        let rest = self.rest();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || "._-".contains(c))).unwrap_or(rest.len());
        self.at += end;
        &rest[..end]
    }

    fn items(&mut self, into: &mut Pipeline) -> Result<(), Diagnostic> {
        if matches!(self.peek(), None | Some(')')) {
            return Ok(());
        }
        loop {
            self.item(into)?;
            if !self.eat(',') {
                return Ok(());
            }
        }
    }

    fn item(&mut self, into: &mut Pipeline) -> Result<(), Diagnostic> {
        self.skip_space();
        let start = self.at;
        let name = self.name();
        if name.is_empty() {
            return self.fail("expected a pass or a group, as in `func.func(cse)`", 1);
        }
        if self.eat('(') {
            if self.depth >= MAX_DEPTH {
                return Err(self.diagnostic(start, name.len(), "groups nested too deeply"));
            }
            let mut group = Pipeline { anchor: Anchor::from_text(name), items: Vec::new() };
            self.depth += 1;
            self.items(&mut group)?;
            self.depth -= 1;
            if !self.eat(')') {
                return self.fail("expected `,` or `)`", 1);
            }
            into.items.push(Item::Group(group));
            return Ok(());
        }
        if let Some(named) = self.passes.pipeline(name).filter(|_| self.passes.get(name).is_none()) {
            if into.anchor != Anchor::Module {
                let text = format!("`{name}` is a pipeline of modules and cannot run on `{}`", into.anchor);
                return Err(self.diagnostic(start, name.len(), text));
            }
            if self.depth >= MAX_DEPTH {
                let text = format!("pipelines nested too deeply, or `{name}` contains itself");
                return Err(self.diagnostic(start, name.len(), text));
            }
            let inner = parse_within(named.text, self.passes, self.depth + 1).map_err(|d| {
                let note = format!("in the pipeline `{name}`, which is `{}`", named.text);
                self.diagnostic(start, name.len(), d.message).with_note(note)
            })?;
            into.append(inner);
            return Ok(());
        }
        let Some(def) = self.passes.get(name) else {
            let mut d = self.diagnostic(start, name.len(), format!("there is no pass `{name}`"));
            if let Some(near) = self.passes.nearest(name) {
                d = d.with_note(format!("did you mean `{near}`?"));
            } else if name.contains('.') {
                d = d.with_note(format!("a group needs its passes in parentheses: `{name}(…)`"));
            }
            return Err(d);
        };
        if !def.is_function_pass() && into.anchor != Anchor::Module {
            let text = format!("`{name}` is a pass of modules and cannot run on `{}`", into.anchor);
            return Err(self.diagnostic(start, name.len(), text));
        }
        let mut run = PassRun::new(def);
        let options = self.at;
        if self.eat('{') {
            self.options(&mut run)?;
        }
        (def.check)(&run.options).map_err(|refusal| {
            let text = format!("`{name}`: {}", refusal.message);
            let d = self.diagnostic(options, self.at - options, text);
            refusal.note.into_iter().fold(d, Diagnostic::with_note)
        })?;
        into.add_run(run);
        Ok(())
    }

    /// `name=value name=value}`
    fn options(&mut self, run: &mut PassRun) -> Result<(), Diagnostic> {
        while !self.eat('}') {
            self.skip_space();
            let start = self.at;
            let name = self.name();
            if name.is_empty() {
                return self.fail("expected an option or `}`", 1);
            }
            let def = run.def;
            let Some(index) = def.options.iter().position(|o| same_option(name, o.name)) else {
                let mut d = self.diagnostic(start, name.len(), format!("`{}` has no option `{name}`", def.name));
                if let Some(near) = nearest(name, def.options.iter().map(|o| o.name)).map(|near| near.replace('_', "-"))
                {
                    d = d.with_note(format!("did you mean `{near}`?"));
                }
                return Err(d);
            };
            let option = &def.options[index];
            let start = self.at;
            let text = if self.eat('=') { self.value()? } else { "true" };
            let Some(value) = option.kind.parse(text) else {
                let text = format!("`{text}` is no value of `{}`, which is {}", option.shown(), option.kind.name());
                return Err(self.diagnostic(start, self.at - start, text));
            };
            run.options.set(index, value);
            self.eat(',');
        }
        Ok(())
    }

    fn value(&mut self) -> Result<&'p str, Diagnostic> {
        for quote in ['\'', '"'] {
            if self.eat(quote) {
                let rest = self.rest();
                let Some(end) = rest.find(quote) else { return self.fail("the value is not closed", 1) };
                self.at += end + 1;
                return Ok(&rest[..end]);
            }
        }
        let rest = self.rest();
        let end = rest.find(|c: char| c.is_whitespace() || c == '}' || c == ',').unwrap_or(rest.len());
        self.at += end;
        Ok(&rest[..end])
    }
}
