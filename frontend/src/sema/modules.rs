//! Modules: each has a namespace of its own below the prelude's, and sees the names of its imports.
//!
//! An import is not a `using`: only the module itself sees what it imports, unless the import is
//! `__exported`. A namespace that several modules declare is one namespace for code that sees all
//! of them. `access` decides which names may be used.

use super::access::Visibility;
use super::*;
use crate::modules::Module;
use crate::version::Version;
use ast::{Decl, DeclKind, ImportKind};

/// A module of the program during checking.
pub(crate) struct ModuleInfo {
    pub name: Name,
    pub ns: NsId,
    /// The modules that it imports, and those that they export in turn.
    pub sees: rustc_hash::FxHashSet<u32>,
    /// The visibility of declarations that state none.
    pub default: Visibility,
    /// Whether a member that states no visibility is as visible as its type.
    pub members_follow: bool,
    /// Whether `(a, b)` is a tuple instead of `b`.
    pub tuples_in_parentheses: bool,
    pub version: Version,
    /// Whether `(S)0` makes a struct from a number, like `(S)1`.
    pub zero_is_a_number: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModuleNo(pub u32);

impl Checker<'_> {
    /// Declares everything in a module, whose imports have been declared before.
    pub(crate) fn collect_module(&mut self, module: &Module) {
        let ns = self.new_namespace(ROOT, None, "");
        let no = ModuleNo(self.modules.len() as u32);
        self.namespaces[ns.0 as usize].module = Some(no);
        let guarded = module.version >= Version::V2025 || module.decls.iter().any(|d| says_visibility(d));
        self.modules.push(ModuleInfo {
            name: module.name,
            ns,
            sees: Default::default(),
            default: if guarded { Visibility::Internal } else { Visibility::Public },
            members_follow: module.version >= Version::V2026,
            tuples_in_parentheses: module.version >= Version::V2026,
            version: module.version,
            zero_is_a_number: module.version >= Version::Next,
        });
        if module.is_glsl {
            self.glsl = Some(no);
        }
        for (i, start) in module.starts.iter().enumerate() {
            let end = module.starts.get(i + 1).copied().unwrap_or(module.decls.len());
            let decls = &module.decls[*start..end];
            // What the main file uses is used by all files, and what another one uses by itself.
            let uses = i > 0 && decls.iter().any(|d| matches!(d.kind, DeclKind::Using(_)));
            let ns = if uses { self.part_of_namespace(ns, ns) } else { ns };
            self.collect(decls, ns, None);
        }
        let mut seen = rustc_hash::FxHashSet::default();
        for import in &module.imports {
            self.import(ns, import.module.0, &mut seen);
        }
        self.modules[no.0 as usize].sees = seen;
        let exported = module.imports.iter().filter(|i| i.exported).map(|i| i.module.0).collect();
        self.exports.push(exported);
    }

    /// Makes the names of a module, and of the modules that it exports, visible in `ns`.
    fn import(&mut self, ns: NsId, module: u32, seen: &mut rustc_hash::FxHashSet<u32>) {
        let mut open = vec![module];
        while let Some(module) = open.pop() {
            let Some(from) = self.modules.get(module as usize).map(|m| m.ns) else { continue };
            if from == ns || !seen.insert(module) {
                continue;
            }
            self.show_names(ns, from);
            open.extend(self.exports[module as usize].iter().rev());
        }
    }

    /// Makes the names of `from` visible in `ns`. Namespaces of the same name become one there.
    fn show_names(&mut self, ns: NsId, from: NsId) {
        let mut open = vec![(ns, from)];
        while let Some((ns, from)) = open.pop() {
            self.namespaces[ns.0 as usize].imports.push(from);
            let inner: Vec<(Name, NsId)> = self.namespaces[from.0 as usize]
                .names
                .iter()
                .filter_map(|(name, entries)| match entries.first() {
                    Some(Entry::Namespace(id)) => Some((*name, *id)),
                    _ => None,
                })
                .collect();
            for (name, id) in inner {
                let own = match self.namespaces[ns.0 as usize].names.get(&name).and_then(|e| e.first().copied()) {
                    Some(Entry::Namespace(own)) => own,
                    Some(_) => continue,
                    None => {
                        let own = self.new_namespace(ns, None, &name);
                        self.define(ns, name, Entry::Namespace(own));
                        own
                    }
                };
                open.push((own, id));
            }
        }
    }

    /// The module that a namespace belongs to; `None` for the prelude and the compiler's own.
    pub(crate) fn module_of(&self, ns: NsId) -> Option<ModuleNo> {
        self.namespaces[ns.0 as usize].module
    }

    /// The module whose code is being checked.
    pub(crate) fn module(&self) -> Option<&ModuleInfo> {
        self.modules.get(self.module_of(self.current_ns())?.0 as usize)
    }

    /// Whether the code that is being checked belongs to the module of `ns` or imports it. What
    /// the compiler declares is seen everywhere, and sees everything.
    pub(crate) fn imports_module_of(&self, ns: NsId) -> bool {
        let (Some(there), Some(here)) = (self.module_of(ns), self.module_of(self.current_ns())) else { return true };
        here == there || self.modules[here.0 as usize].sees.contains(&there.0)
    }

    /// The namespace in which names of the command line are looked up: that of the main file's
    /// module.
    pub(crate) fn main_ns(&self) -> NsId {
        self.modules.last().map_or(ROOT, |m| m.ns)
    }
}

/// Whether this declaration shows that its module states visibilities. In a module without any,
/// everything is visible.
fn says_visibility(decl: &Decl) -> bool {
    if ["public", "internal", "private"].iter().any(|w| decl.mods.has(w)) {
        return true;
    }
    let accessor = |a: &ast::Accessor| ["public", "internal", "private"].iter().any(|w| a.mods.has(w));
    match &decl.kind {
        DeclKind::Module(_) | DeclKind::Import { kind: ImportKind::Include | ImportKind::Implementing, .. } => true,
        DeclKind::Struct(s) => s.members.iter().any(|m| says_visibility(m)),
        DeclKind::Interface(i) => i.members.iter().any(|m| says_visibility(m)),
        DeclKind::Extension(e) => e.members.iter().any(|m| says_visibility(m)),
        DeclKind::Namespace { members, .. } => members.iter().any(|m| says_visibility(m)),
        DeclKind::Property(p) => p.accessors.iter().any(accessor),
        DeclKind::Subscript(s) => s.accessors.iter().any(accessor),
        _ => false,
    }
}
