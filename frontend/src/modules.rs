//! From the main file to all files of the program, parsed: follows `import` and `__include` through
//! the loader, then parses all files at once, on as many threads as there are.
//!
//! Which modules there are is known before anything is parsed: `import` and its kin are found by a
//! scan of words. So every file is parsed with the type names of the whole program known. Each file
//! is preprocessed on its own; macros do not cross an `import`. What of a module its importers may
//! see is not decided here.

use crate::STACK_BYTES;
use crate::ast::{Decl, ImportKind};
use crate::parse::{self, Parsed, TypeNames};
use crate::preprocess::{self, Unit};
use crate::scan::{self, ModuleWord};
use crate::source::{Arrival, SourceLoader, SourceMap, Span};
use crate::version::Version;
use caustic_ir::codes;
use caustic_ir::{CancelToken, Diagnostic, LocKind, Name, Severity};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleId(pub u32);

/// A module as it was parsed.
#[derive(Debug)]
pub struct Module {
    /// As `module` declares it, otherwise the file's name without its folder and ending.
    pub name: Name,
    /// What its files declare, the main file's first.
    pub decls: Vec<Arc<Decl>>,
    /// Where the declarations of each file begin.
    pub starts: Vec<usize>,
    pub imports: Vec<Import>,
    pub version: Version,
    /// Whether it is the module `glsl` that comes with the compiler.
    pub is_glsl: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct Import {
    pub module: ModuleId,
    /// `__exported`: who imports this module imports that one too.
    pub exported: bool,
    /// The path in the `import`.
    pub span: Span,
}

/// A whole program.
#[derive(Debug, Default)]
pub struct Program {
    /// The imported before the importing; the main file's module is the last.
    pub modules: Vec<Module>,
    /// What may be declared where a text could not be read.
    pub broken: FxHashSet<Name>,
}

/// Modules that come with the compiler. As in slangc, no file takes their place.
const BUILT_IN: &[(&str, &str)] = &[("glsl", include_str!("../modules/glsl.slang"))];

/// The name of a built-in module as a file. No loader has a file that is called so.
fn built_in_file(module: &str) -> Option<String> {
    BUILT_IN.iter().any(|(name, _)| *name == module).then(|| format!("<{module}>"))
}

/// Loads the built-in modules, and nothing else.
struct BuiltIn;

impl SourceLoader for BuiltIn {
    fn load(&mut self, file: &str) -> Result<String, String> {
        let found = BUILT_IN.iter().find(|(name, _)| built_in_file(name).as_deref() == Some(file));
        found.map(|(_, text)| text.to_string()).ok_or_else(|| format!("no module `{file}`"))
    }
}

/// Files of one program; more is a mistake.
const MAX_FILES: usize = 4096;

/// A file that belongs to a module.
struct File {
    path: String,
    module: usize,
    unit: Unit,
    words: Vec<ModuleWord>,
}

struct Draft {
    name: Name,
    files: Vec<usize>,
    imports: Vec<(usize, bool, Span)>,
}

/// Finds the files of a program.
struct Walk<'a> {
    loader: &'a mut dyn SourceLoader,
    options: &'a crate::Options,
    map: &'a mut SourceMap,
    files: Vec<File>,
    /// By path: the number of the file, if its text could be read.
    known: FxHashMap<String, Option<usize>>,
    modules: Vec<Draft>,
    diagnostics: Vec<Diagnostic>,
}

/// A program that has been read and not yet parsed.
pub struct Texts {
    files: Vec<File>,
    modules: Vec<Draft>,
    order: Vec<usize>,
    /// Of the modules that do not say so.
    version: Version,
    cancel: CancelToken,
    /// With an error among them there is nothing to parse: what a wrong directive or a missing file
    /// leaves over would only give errors that follow from it.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads the program whose main file is `main`.
pub fn read(loader: &mut dyn SourceLoader, main: &str, options: &crate::Options, map: &mut SourceMap) -> Texts {
    let mut walk = Walk {
        loader,
        options,
        map,
        files: Vec::new(),
        known: FxHashMap::default(),
        modules: Vec::new(),
        diagnostics: Vec::new(),
    };
    match walk.read(main, 0) {
        Ok(file) => walk.add_module(main, file),
        Err(diagnostics) => walk.diagnostics.extend(diagnostics),
    }
    let mut next = 0;
    while next < walk.files.len() && !options.cancel.is_cancelled() {
        walk.follow(next);
        next += 1;
    }
    let order = walk.order();
    let Walk { files, modules, diagnostics, .. } = walk;
    Texts { files, modules, order, version: options.version, cancel: options.cancel.clone(), diagnostics }
}

impl Texts {
    /// The files of the main module: the main file, and those that it joins by `__include`.
    pub fn main_files(&self) -> Vec<String> {
        let files = self.modules.first().map(|main| main.files.as_slice()).unwrap_or_default();
        files.iter().map(|&f| self.files[f].path.clone()).collect()
    }
}

/// The program, as far as it can be parsed, and what is wrong with its syntax.
pub fn parse(texts: &Texts, map: &SourceMap) -> (Program, Vec<Diagnostic>) {
    let Texts { files, modules, order, version, cancel, .. } = texts;
    let mut parsed = parse_all(files, map, cancel);
    let mut diagnostics = Vec::new();
    let place: FxHashMap<usize, u32> = order.iter().enumerate().map(|(at, &m)| (m, at as u32)).collect();
    let mut out = Program::default();
    for &m in order {
        let draft = &modules[m];
        let (mut decls, mut starts) = (Vec::new(), Vec::new());
        for &f in &draft.files {
            starts.push(decls.len());
            let parsed = std::mem::take(&mut parsed[f]);
            decls.extend(parsed.decls);
            diagnostics.extend(parsed.errors);
            out.broken.extend(parsed.broken);
        }
        let import = |&(m, exported, span): &(usize, bool, Span)| {
            place.get(&m).map(|&at| Import { module: ModuleId(at), exported, span })
        };
        let imports = draft.imports.iter().filter_map(import).collect();
        let said = draft.files.iter().filter_map(|&f| files[f].unit.version).next();
        let is_glsl = draft.files.iter().any(|&f| built_in_file("glsl").as_deref() == Some(&files[f].path));
        let version = said.unwrap_or(*version);
        out.modules.push(Module { name: draft.name, decls, starts, imports, version, is_glsl });
    }
    (out, diagnostics)
}

impl Walk<'_> {
    /// Reads and preprocesses a file; its brackets are matched.
    fn read(&mut self, path: &str, module: usize) -> Result<usize, Vec<Diagnostic>> {
        let built_in = BUILT_IN.iter().any(|(name, _)| built_in_file(name).as_deref() == Some(path));
        let loader: &mut dyn SourceLoader = if built_in { &mut BuiltIn } else { self.loader };
        let mut unit = preprocess::preprocess(loader, path, self.options, self.map)?;
        self.diagnostics.append(&mut unit.diagnostics);
        let words = match scan::check_nesting(&unit.text) {
            Ok(()) => scan::module_words(&unit.text),
            Err(e) => {
                // A wrong directive explains a bracket that is missing.
                if !self.diagnostics.iter().any(|d| d.severity == Severity::Error) {
                    let at = e.at();
                    let found = crate::scan_diagnostic(self.map, unit.base, e);
                    self.diagnostics.push(self.earlier_error(&unit, at, &found).unwrap_or(found));
                }
                Vec::new()
            }
        };
        self.files.push(File { path: path.to_string(), module, unit, words });
        let file = self.files.len() - 1;
        self.known.insert(clean(path), Some(file));
        Ok(file)
    }

    /// What is wrong with the text on a line before that of a bracket: there the mistake is, and
    /// the bracket only shows it.
    fn earlier_error(&self, unit: &Unit, at: Option<usize>, bracket: &Diagnostic) -> Option<Diagnostic> {
        let before = unit.text.get(..at?)?;
        let closed = format!("{before}{}", scan::closing_all(before));
        let mut types = TypeNames::default();
        types.add(&closed);
        let line = |d: &Diagnostic| match d.loc.kind() {
            LocKind::Span { file, line, .. } => Some((*file, *line)),
            _ => None,
        };
        let (file, last) = line(bracket)?;
        let parsed = parse::parse_file(&closed, unit.base, &types, &|span| self.map.shown(span));
        let first = parsed.errors.into_iter().filter(|d| line(d).is_some_and(|(of, at)| of == file && at < last));
        let first = first.min_by_key(|d| line(d).map(|(_, at)| at))?;
        Some(first.with_label_at(bracket.loc, bracket.message.clone()))
    }

    fn add_module(&mut self, path: &str, file: usize) {
        let declared = self.files[file].words.iter().find(|w| w.is_module_name()).map(|w| Name::new(&w.path));
        let stem = path.rsplit('/').next().unwrap_or(path);
        let stem = stem.strip_suffix(".slang").unwrap_or(stem);
        let name = declared.unwrap_or_else(|| Name::new(stem));
        self.modules.push(Draft { name, files: vec![file], imports: Vec::new() });
    }

    /// Adds what a file imports and includes.
    fn follow(&mut self, file: usize) {
        let words = std::mem::take(&mut self.files[file].words);
        let (base, module) = (self.files[file].unit.base, self.files[file].module);
        let main = self.modules[module].files[0] == file;
        for word in &words {
            let span = Span::new(base + word.at as u32, base + word.end as u32);
            match word.kind {
                None => {}
                Some(ImportKind::Implementing) => {
                    let of = word.path.strip_suffix(".slang").unwrap_or(&word.path);
                    if main {
                        let text = format!("`{of}` cannot be compiled or imported by this file, which is a part of it");
                        let mut d = Diagnostic::error(codes::E0115, self.map.loc(span), text);
                        d.notes.push("the file that begins with `module` is the one to name".to_string());
                        self.diagnostics.push(d);
                    }
                }
                Some(kind) => self.add(file, kind, word, span),
            }
        }
    }

    fn add(&mut self, from: usize, kind: ImportKind, word: &ModuleWord, span: Span) {
        let from_path = self.files[from].path.clone();
        let built_in = built_in_file(&word.path).filter(|_| kind == ImportKind::Import);
        let found = || candidates(word).iter().find_map(|c| self.loader.resolve(c, &from_path));
        let Some(path) = built_in.or_else(found) else {
            // A module that is loaded already may be named from anywhere.
            let loaded = self.modules.iter().position(|m| kind == ImportKind::Import && m.name == *word.path);
            if let Some(loaded) = loaded {
                let module = self.files[from].module;
                self.modules[module].imports.push((loaded, word.exported, span));
                return;
            }
            let what = if kind == ImportKind::Include { "file" } else { "module" };
            let mut d =
                Diagnostic::error(codes::E0114, self.map.loc(span), format!("there is no {what} `{}`", word.path));
            let folders = self.loader.folders(&from_path);
            let within = if folders.is_empty() { String::new() } else { format!(" in {}", list(&folders)) };
            d.notes.push(format!("looked for {}{within}", list(&candidates(word))));
            self.diagnostics.push(d);
            return;
        };
        let module = self.files[from].module;
        let is_import = kind == ImportKind::Import;
        let known = self.known.get(&clean(&path)).copied();
        let new = known.is_none();
        let file = match known {
            Some(known) => known,
            None if self.files.len() >= MAX_FILES => {
                let text = format!("a program has at most {MAX_FILES} files");
                self.diagnostics.push(Diagnostic::error(codes::E0111, self.map.loc(span), text));
                return;
            }
            None => {
                let owner = if is_import { self.modules.len() } else { module };
                let how = if is_import { Arrival::Imported } else { Arrival::Included };
                let at = self.map.loc(span);
                self.map.note_arrival(&path, at, how);
                match self.read(&path, owner) {
                    Ok(file) => {
                        match is_import {
                            true => self.add_module(&path, file),
                            false => self.modules[module].files.push(file),
                        }
                        Some(file)
                    }
                    Err(diagnostics) => {
                        self.known.insert(clean(&path), None);
                        let loc = self.map.loc(span);
                        self.diagnostics.extend(diagnostics.into_iter().map(|d| Diagnostic { loc, ..d }));
                        None
                    }
                }
            }
        };
        let Some(file) = file else { return };
        let owner = self.files[file].module;
        match is_import {
            true if self.modules[owner].files[0] != file => {
                let text = format!("`{path}` is a part of module `{}`, not a module", self.modules[owner].name);
                self.diagnostics.push(Diagnostic::error(codes::E0115, self.map.loc(span), text));
            }
            true => self.modules[module].imports.push((owner, word.exported, span)),
            false if owner != module => {
                let text = format!("`{path}` is a part of module `{}` already", self.modules[owner].name);
                self.diagnostics.push(Diagnostic::error(codes::E0115, self.map.loc(span), text));
            }
            false if new && !self.files[file].words.iter().any(|w| w.kind == Some(ImportKind::Implementing)) => {
                let name = self.modules[module].name;
                let mut d = Diagnostic::error(
                    codes::E0115,
                    self.map.loc(span),
                    format!("`{path}` does not say that it is a part of `{name}`"),
                );
                d.notes.push(format!("begin that file with `implementing {name};`"));
                self.diagnostics.push(d);
            }
            false => {
                let owner = self.modules[module].name;
                let base = self.files[file].unit.base;
                let other = self.files[file].words.iter().find(|w| {
                    let of = w.path.strip_suffix(".slang").unwrap_or(&w.path);
                    w.kind == Some(ImportKind::Implementing) && of.rsplit('/').next() != Some(owner.as_str())
                });
                if let Some(w) = other {
                    let text = format!("`{path}` implements `{}`, but `{owner}` includes it", w.path);
                    let at = self.map.loc(Span::new(base + w.at as u32, base + w.end as u32));
                    let d = Diagnostic::error(codes::E0115, self.map.loc(span), text);
                    self.diagnostics.push(d.with_label_at(at, "what it says"));
                }
            }
        }
    }

    /// The modules, each after what it imports; modules that import each other are reported.
    fn order(&mut self) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            New,
            Open,
            Done,
        }
        let mut marks = vec![Mark::New; self.modules.len()];
        let mut order = Vec::new();
        let mut path: Vec<(usize, usize)> = Vec::new();
        if !self.modules.is_empty() {
            path.push((0, 0));
            marks[0] = Mark::Open;
        }
        while let Some((module, at)) = path.last_mut() {
            let Some(&(to, _, span)) = self.modules[*module].imports.get(*at) else {
                marks[*module] = Mark::Done;
                order.push(*module);
                path.pop();
                continue;
            };
            *at += 1;
            match marks[to] {
                Mark::New => {
                    marks[to] = Mark::Open;
                    path.push((to, 0));
                }
                Mark::Open => {
                    let from = path.iter().skip_while(|(m, _)| *m != to);
                    let round: Vec<String> = from.map(|(m, _)| format!("`{}`", self.modules[*m].name)).collect();
                    let name = self.modules[to].name;
                    let mut d = Diagnostic::error(
                        codes::E0116,
                        self.map.loc(span),
                        format!("module `{name}` imports itself, by way of {}", round.join(", ")),
                    );
                    d.notes.push("files of one module are joined with `__include`".to_string());
                    self.diagnostics.push(d);
                }
                Mark::Done => {}
            }
        }
        order
    }
}

/// The files that may hold what a path names, relative to the importing file or a folder of `-I`.
fn candidates(word: &ModuleWord) -> Vec<String> {
    if word.quoted {
        let path = word.path.clone();
        return if path.ends_with(".slang") { vec![path] } else { vec![format!("{path}.slang"), path] };
    }
    let path = word.path.replace('.', "/");
    let hyphens = path.replace('_', "-");
    let mut out = vec![format!("{path}.slang")];
    if hyphens != path {
        out.push(format!("{hyphens}.slang"));
    }
    out
}

/// A path without `.` and `..` where they can be done without.
fn clean(path: &str) -> String {
    let mut out: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match (part, out.last()) {
            (".", _) => {}
            ("..", Some(&"")) if out.len() == 1 => {}
            ("..", Some(last)) if *last != ".." => {
                out.pop();
            }
            _ => out.push(part),
        }
    }
    out.join("/")
}

fn list(names: &[String]) -> String {
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(" and ")
}

/// Parses the files on several threads; the results are in their order.
fn parse_all(files: &[File], map: &SourceMap, cancel: &CancelToken) -> Vec<Parsed> {
    let mut types = TypeNames::default();
    files.iter().for_each(|f| types.add(&f.unit.text));
    let one = |f: &File| match cancel.is_cancelled() {
        true => Parsed::default(),
        false => parse::parse_file(&f.unit.text, f.unit.base, &types, &|span| map.shown(span)),
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(files.len()).min(8);
    if threads <= 1 {
        return files.iter().map(one).collect();
    }
    let next = std::sync::atomic::AtomicUsize::new(0);
    let work = || {
        let mut out = Vec::new();
        loop {
            let at = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            let Some(file) = files.get(at) else { return out };
            out.push((at, one(file)));
        }
    };
    let mut done: Vec<(usize, Parsed)> = std::thread::scope(|scope| {
        let spawn = |n| {
            let builder = std::thread::Builder::new().name(format!("parser {n}")).stack_size(STACK_BYTES);
            builder.spawn_scoped(scope, work)
        };
        let workers: Vec<_> = (1..threads).map(spawn).collect();
        let mut done = work();
        for worker in workers.into_iter().flatten() {
            match worker.join() {
                Ok(part) => done.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, parsed)| parsed).collect()
}

#[cfg(test)]
mod tests;
