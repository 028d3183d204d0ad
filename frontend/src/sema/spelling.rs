//! Suggestions for names that are not declared: the most similar declared name, or the name here
//! for a word of other languages. Names in text that could not be parsed are not reported, because
//! the error in that text causes their absence.

use super::bounds::Bound;
use super::resources::Resource;
use super::types::TyKind;
use super::*;
use caustic_ir::codes;
use caustic_ir::nearest::nearest;

/// The number of undeclared names in a program for which a similar name is searched.
pub(super) const MAX_SUGGESTIONS: u32 = 32;

/// Types with names that are not declared anywhere, as candidates for misspelt names.
const TYPES: [&str; 32] = [
    "void",
    "bool",
    "int",
    "uint",
    "half",
    "float",
    "double",
    "float2",
    "float3",
    "float4",
    "float3x3",
    "float4x4",
    "int2",
    "int3",
    "int4",
    "uint2",
    "uint3",
    "uint4",
    "half2",
    "half3",
    "half4",
    "int8_t",
    "int16_t",
    "int64_t",
    "uint8_t",
    "uint16_t",
    "uint64_t",
    "int32_t",
    "uint32_t",
    "float16_t",
    "float32_t",
    "float64_t",
];

/// Operators on functions, which are no declarations either.
pub(super) const OPERATORS: [&str; 4] = ["fwd_diff", "bwd_diff", "no_diff", "__apply"];

/// Builtin interfaces that the prelude does not declare.
const INTERFACES: [&str; 3] = ["IDifferentiable", "IAccumulable", "IDefaultInitializable"];

impl Checker<'_> {
    /// The visible name that is most similar to `name`, if one is similar enough. Where it has
    /// generic arguments, it is that of a generic declaration, unless another one differs in
    /// capitals only.
    pub(super) fn nearest_name(&mut self, name: &str, generic: bool) -> Option<String> {
        let mut candidates: Vec<Name> = self.cx.names.iter().filter(|(_, s)| !s.is_empty()).map(|(n, _)| *n).collect();
        let mut at = Some(self.current_ns());
        while let Some(id) = at {
            let (parent, owner) = (self.namespaces[id.0 as usize].parent, self.namespaces[id.0 as usize].owner);
            candidates.extend(self.names_of_namespace(id));
            // Members stand for those of `this`.
            if let Some(ty) = owner.map(|o| self.this_type(o)) {
                candidates.extend(self.names_of_type(ty));
            }
            at = parent;
        }
        candidates.extend(self.prelude.names());
        let mut takes_arguments: Vec<&str> = typeexpr::GENERIC.to_vec();
        takes_arguments.extend(Resource::names().filter(|(_, of)| *of).map(|(n, _)| n));
        if generic {
            let of_program = candidates.iter().filter(|n| self.names_generic(**n));
            takes_arguments.extend(of_program.map(|n| n.as_str()));
        }
        let builtin = TYPES.into_iter().chain(OPERATORS).chain(INTERFACES).chain(typeexpr::GENERIC);
        let builtin = builtin.chain(Resource::names().map(|(n, _)| n));
        let all: Vec<&str> = candidates.iter().map(|n| n.as_str()).chain(builtin).collect();
        let capitals = |names: &[&str]| names.iter().any(|n| *n != name && n.eq_ignore_ascii_case(name));
        let better = generic && (capitals(&takes_arguments) || !capitals(&all));
        let found = if better { most_like(name, takes_arguments.into_iter()) } else { None };
        found.or_else(|| most_like(name, all.into_iter()))
    }

    /// The builtin generic type whose name differs from `name` in capitals only.
    pub(super) fn differs_in_capitals(&self, name: &str) -> Option<&'static str> {
        let textures = Resource::names().filter(|(_, of)| *of).map(|(n, _)| n);
        typeexpr::GENERIC.into_iter().chain(textures).find(|n| *n != name && n.eq_ignore_ascii_case(name))
    }

    /// Whether the program declares something generic of this name, which is seen from here.
    fn names_generic(&self, name: Name) -> bool {
        let (mut at, mut found) = (Some(self.current_ns()), false);
        while let Some(id) = at {
            let entries = self.namespaces[id.0 as usize].names.get(&name);
            found |= entries.into_iter().flatten().any(|e| match *e {
                Entry::Func(f) => self.funcs[f.0 as usize].declares_generics,
                Entry::Struct(s) => !self.own_params(self.structs[s.0 as usize].gens).is_empty(),
                Entry::Interface(i) => !self.own_params(self.interfaces[i.0 as usize].gens).is_empty(),
                Entry::Alias(a) => self.aliases[a.0 as usize].declares_generics,
                _ => false,
            });
            at = self.namespaces[id.0 as usize].parent;
        }
        found
    }

    /// The names that can be used with `ns` in front of them, or within it.
    fn names_of_namespace(&self, ns: NsId) -> Vec<Name> {
        let whole = self.whole(ns);
        let (here, all) = (&self.namespaces[ns.0 as usize], &self.namespaces[whole.0 as usize]);
        let used = here.using.iter().chain(&here.imports).chain(&all.using).chain(&all.imports);
        let spaces = used.map(|id| self.whole(*id)).chain([whole]);
        let mut out = Vec::new();
        for id in spaces {
            let names = self.namespaces[id.0 as usize].names.iter();
            out.extend(names.filter(|(_, entries)| entries.iter().any(|e| self.sees(*e))).map(|(n, _)| *n));
        }
        out
    }

    /// The names of a type's members.
    pub(super) fn names_of_type(&mut self, ty: Ty) -> Vec<Name> {
        let (mut out, mut at) = (Vec::new(), Some(ty));
        while let Some(ty) = at {
            let mut spaces: Vec<NsId> =
                self.extensions_of(ty).into_iter().map(|(id, _)| self.extensions[id.0 as usize].ns).collect();
            match ty.kind() {
                TyKind::Struct(id) => {
                    let info = &self.structs[id.0 as usize];
                    out.extend(info.fields.iter().map(|f| f.name));
                    spaces.push(info.ns);
                }
                TyKind::Enum(id) => spaces.push(self.enums[id.0 as usize].ns),
                TyKind::Param(_) | TyKind::Each(_) | TyKind::Assoc { .. } | TyKind::Interface(_) => {
                    for i in self.facts_of(ty).interfaces.clone() {
                        for b in self.with_bases(i, ty) {
                            if let Bound::Interface(i) = b {
                                spaces.push(self.interfaces[i.id.0 as usize].ns);
                            }
                        }
                    }
                }
                _ => {}
            }
            out.extend(spaces.iter().flat_map(|ns| self.namespaces[ns.0 as usize].names.keys()));
            at = self.base_of(ty);
        }
        out
    }

    /// A note about the member of a type or of a name space that was probably meant.
    pub(super) fn similar(name: Name, among: &[Name]) -> Option<String> {
        most_like(&name, among.iter().map(|n| &**n)).map(|near| format!("there is `{near}`, with a similar name"))
    }

    /// The same for a name that is looked up in `ns`.
    pub(super) fn similar_in(&self, ns: NsId, name: Name) -> Option<String> {
        Self::similar(name, &self.names_of_namespace(ns))
    }

    /// Reports a name that is not declared; `generic`: it has generic arguments.
    pub(crate) fn undeclared(&mut self, name: &ast::Ident, generic: bool) {
        // What a type is whose name was refused is not known either, nor what it has.
        if self.is_broken(name.name) || self.cx.this_ty.is_some_and(|this| this.is_error()) {
            return;
        }
        // Words that the grammar leaves to names where what belongs to them is missing.
        let instead = match name.name.as_str() {
            "throw" => Some("syntax error: `throw` needs the error that it throws"),
            "let" | "var" => Some("syntax error: a declaration names one variable, and has no patterns"),
            _ => None,
        };
        if let Some(text) = instead {
            self.error(codes::E0100, name.span, text);
            return;
        }
        // `retrun x;` reads as a declaration, `brek;` as a value.
        let begins = name.span.lo == self.noted.statement && self.cx.ret.is_some();
        if let Some(word) = crate::parse::word_meant(&name.name).filter(|_| begins) {
            let d = self.error(codes::E0201, name.span, format!("`{}` is not declared", name.name));
            d.label = "not found in this scope".to_string();
            d.notes.push(format!("did you mean `{word}`?"));
            return;
        }
        let elsewhere = elsewhere::meaning(&name.name);
        let is_block = self.globals.iter().any(|g| g.block == Some(name.name));
        let of_block = is_block.then_some(name.name);
        let within = if self.suggestions > 0 { self.declared_within(name.name) } else { None };
        // Each search looks at all names. A program with many undeclared names has not misspelt
        // them.
        let near = match (&elsewhere, self.suggestions.checked_sub(1)) {
            (None, Some(left)) if within.is_none() => {
                self.suggestions = left;
                self.nearest_name(&name.name, generic)
            }
            _ => None,
        };
        let d = self.error(codes::E0201, name.span, format!("`{}` is not declared", name.name));
        d.label = "not found in this scope".to_string();
        d.notes.extend(near.map(|near| format!("there is `{near}`, with a similar name")));
        d.notes.extend(of_block.map(|name| format!("what stands in a block of constants has no `{name}.` in front")));
        d.notes.extend(within.map(|path| format!("there is `{path}.{0}`: write it in full", name.name)));
        d.notes.extend(elsewhere.map(|here| format!("what `{}` is elsewhere is {here} here", name.name)));
    }

    /// The name space or the enum of the program that declares this name, if there is one.
    fn declared_within(&self, name: Name) -> Option<String> {
        let declares = |ns: &&Namespace| {
            let of_program = ns.module.is_some() && !ns.path.is_empty();
            let named = matches!(ns.owner, None | Some(Owner::Enum(_)));
            let entries = if of_program && named { ns.names.get(&name) } else { None };
            entries.is_some_and(|entries| entries.iter().any(|e| self.sees(*e)))
        };
        let mut found = self.namespaces.iter().filter(declares).map(|ns| ns.path.clone());
        let first = found.next()?;
        // Which of several is meant is not known.
        found.all(|path| path == first).then_some(first)
    }

    /// Whether the name may be declared in text that could not be parsed.
    pub(crate) fn is_broken(&self, name: Name) -> bool {
        self.broken.contains(&name)
    }
}

/// The candidate that is most similar to `name`; the first in alphabetical order if there are
/// several.
pub(super) fn most_like<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    // Internal names of the library are no help.
    let mut candidates: Vec<&str> =
        candidates.filter(|c| *c != name && !c.is_empty() && (name.starts_with('_') || !c.starts_with("__"))).collect();
    candidates.sort_unstable();
    // `int64` is `int64_t`.
    let in_full = candidates.iter().find(|c| c.strip_suffix("_t").is_some_and(|c| c.eq_ignore_ascii_case(name)));
    if let Some(in_full) = in_full {
        return Some(in_full.to_string());
    }
    nearest(name, candidates).map(str::to_string)
}
