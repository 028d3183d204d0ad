//! The prelude: the builtin functions, written in the language, found by name and parsed only when
//! a program uses them.
//!
//! The index over the files is made once a process by a scan for the ends of declarations, and what
//! is under a name is parsed once a process; nothing else of the prelude costs anything to a
//! program that does not use it. What is shared between compilations does not change.

use crate::ast::Decl;
use crate::parse::{TypeNames, parse_file};
use crate::scan;
use crate::source::{Shared, SourceMap};
use caustic_ir::{Diagnostic, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::OnceLock;

/// The files, by subject.
const FILES: &[(&str, &str)] = &[
    ("prelude/arithmetic.slang", include_str!("../prelude/arithmetic.slang")),
    ("prelude/interpolation.slang", include_str!("../prelude/interpolation.slang")),
    ("prelude/trigonometry.slang", include_str!("../prelude/trigonometry.slang")),
    ("prelude/exponential.slang", include_str!("../prelude/exponential.slang")),
    ("prelude/vector.slang", include_str!("../prelude/vector.slang")),
    ("prelude/matrix.slang", include_str!("../prelude/matrix.slang")),
    ("prelude/integer.slang", include_str!("../prelude/integer.slang")),
    ("prelude/ranges.slang", include_str!("../prelude/ranges.slang")),
    ("prelude/packing.slang", include_str!("../prelude/packing.slang")),
    ("prelude/buffers.slang", include_str!("../prelude/buffers.slang")),
    ("prelude/textures.slang", include_str!("../prelude/textures.slang")),
    ("prelude/sampling.slang", include_str!("../prelude/sampling.slang")),
    ("prelude/clamped.slang", include_str!("../prelude/clamped.slang")),
    ("prelude/gathering.slang", include_str!("../prelude/gathering.slang")),
    ("prelude/combined.slang", include_str!("../prelude/combined.slang")),
    ("prelude/samplers.slang", include_str!("../prelude/samplers.slang")),
    ("prelude/comparing.slang", include_str!("../prelude/comparing.slang")),
    ("prelude/multisampled.slang", include_str!("../prelude/multisampled.slang")),
    ("prelude/texels.slang", include_str!("../prelude/texels.slang")),
    ("prelude/atomic.slang", include_str!("../prelude/atomic.slang")),
    ("prelude/threads.slang", include_str!("../prelude/threads.slang")),
    ("prelude/lanes.slang", include_str!("../prelude/lanes.slang")),
    ("prelude/partitions.slang", include_str!("../prelude/partitions.slang")),
    ("prelude/pointer.slang", include_str!("../prelude/pointer.slang")),
    ("prelude/small_floats.slang", include_str!("../prelude/small_floats.slang")),
    ("prelude/hints.slang", include_str!("../prelude/hints.slang")),
    ("prelude/tensors.slang", include_str!("../prelude/tensors.slang")),
    ("prelude/torch.slang", include_str!("../prelude/torch.slang")),
    ("prelude/differential.slang", include_str!("../prelude/differential.slang")),
    ("prelude/arrays.slang", include_str!("../prelude/arrays.slang")),
    ("prelude/optional.slang", include_str!("../prelude/optional.slang")),
    ("prelude/tuple.slang", include_str!("../prelude/tuple.slang")),
    ("prelude/function.slang", include_str!("../prelude/function.slang")),
    ("prelude/cooperative.slang", include_str!("../prelude/cooperative.slang")),
    ("prelude/cooperative_matrices.slang", include_str!("../prelude/cooperative_matrices.slang")),
    ("prelude/rays.slang", include_str!("../prelude/rays.slang")),
    ("prelude/raster.slang", include_str!("../prelude/raster.slang")),
    ("prelude/derivatives.slang", include_str!("../prelude/derivatives.slang")),
];

/// Files whose functions compute and do nothing else.
const MATHEMATICS: [&str; 9] = [
    "prelude/arithmetic.slang",
    "prelude/interpolation.slang",
    "prelude/trigonometry.slang",
    "prelude/exponential.slang",
    "prelude/vector.slang",
    "prelude/matrix.slang",
    "prelude/integer.slang",
    "prelude/ranges.slang",
    "prelude/packing.slang",
];

/// Whether a file is one of the prelude's.
pub fn has_file(file: &str) -> bool {
    FILES.iter().any(|(name, _)| *name == file)
}

/// Whether the functions of a file compute and do nothing else.
pub fn is_mathematics(file: &str) -> bool {
    MATHEMATICS.contains(&file)
}

/// Files whose functions are found with a type, so that their overloads cost nothing where only
/// others of their name are used: the file, the type, and how the names begin that are found by
/// themselves all the same.
const FOUND_WITH: &[(&str, &str, &str)] =
    &[("prelude/cooperative.slang", "CoopVec", "coopvec"), ("prelude/cooperative_matrices.slang", "linalg", "linalg")];

#[derive(Clone, Copy)]
struct Chunk {
    file: usize,
    start: usize,
    end: usize,
}

/// What is under a name.
#[derive(Default)]
struct Part {
    chunks: Vec<Chunk>,
    parsed: OnceLock<(Vec<Arc<Decl>>, Vec<Diagnostic>)>,
}

static INDEX: OnceLock<FxHashMap<Name, Part>> = OnceLock::new();

/// The files' places in the offset space of a compilation.
pub fn sources() -> &'static Shared {
    static SOURCES: OnceLock<Shared> = OnceLock::new();
    SOURCES.get_or_init(|| Shared::new(FILES))
}

/// What the end of a declaration is told by.
const MARKS: [bool; 256] = {
    let (mut marks, all, mut i) = ([false; 256], b"/\"()[]{};", 0);
    while i < all.len() {
        marks[all[i] as usize] = true;
        i += 1;
    }
    marks
};

/// Finds the declarations of `text`: each ends with a `;` or `}` outside of all brackets.
fn index_file(file: usize, text: &str, out: &mut FxHashMap<Name, Vec<Chunk>>) {
    let bytes = text.as_bytes();
    let (mut i, mut start, mut depth, mut name) = (0, None, 0usize, None);
    while i < bytes.len() {
        // Inside of a declaration only a few bytes matter, and this looks at each byte of the whole
        // prelude.
        if start.is_some() {
            let Some(skipped) = bytes[i..].iter().position(|b| MARKS[*b as usize]) else { break };
            i += skipped;
        }
        let b = bytes[i];
        match b {
            b'/' if bytes.get(i + 1) == Some(&b'/') => {
                while i < bytes.len() && bytes[i] != b'\n' {
                    i += 1;
                }
                continue;
            }
            b'"' => {
                i = scan::string_end(bytes, i);
                continue;
            }
            _ if b.is_ascii_whitespace() => {}
            _ => {
                let from = *start.get_or_insert(i);
                match b {
                    b'{' if depth == 0 && name.is_none() && text[from..i].starts_with("extension") => {
                        name = extended_type(&text[from..i]);
                        depth += 1;
                    }
                    b'(' | b'[' | b'{' => {
                        if b == b'(' && depth == 0 && name.is_none() {
                            name = declared_name(&text[from..i]);
                        }
                        if b == b'{' && depth == 0 && name.is_none() {
                            name = declared_struct(&text[from..i]);
                        }
                        depth += 1;
                    }
                    b')' | b']' | b'}' => depth = depth.saturating_sub(1),
                    _ => {}
                }
                // The value of a constant may end with a bracket.
                let ends = b == b';' || b == b'}' && !text[from..].starts_with("static const ");
                if depth == 0 && ends {
                    let name = name.take().or_else(|| declared_struct(&text[from..i]).filter(|_| b == b';'));
                    if let Some(n) = found_under(FILES[file].0, name) {
                        out.entry(n).or_default().push(Chunk { file, start: from, end: i + 1 });
                    }
                    start = None;
                }
            }
        }
        i += 1;
    }
}

/// Under what a declaration of that name is found.
fn found_under(file: &str, name: Option<Name>) -> Option<Name> {
    let Some((_, with, own)) = FOUND_WITH.iter().find(|(f, ..)| *f == file) else { return name };
    let by_itself = name.filter(|n| n.trim_start_matches('_').to_ascii_lowercase().starts_with(own));
    by_itself.or(Some(Name::new(with)))
}

/// The name of a struct, an enum, an interface, an alias, a name space or a constant, from what it
/// begins with.
fn declared_struct(head: &str) -> Option<Name> {
    if let Some(constant) = head.strip_prefix("static const ") {
        return constant.split_once('=').and_then(|(named, _)| named.split_whitespace().last()).map(Name::new);
    }
    let rest = ["struct ", "interface ", "enum ", "typealias ", "namespace "]
        .iter()
        .find_map(|word| head.strip_prefix(word))?
        .trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    (end > 0).then(|| Name::new(&rest[..end]))
}

/// Under what the extension of a type is found.
pub fn extension_of(ty: &str) -> Name {
    Name::new(&format!("extension {ty}"))
}

/// The type after `extension` and its generic parameters, without arguments. An extension that adds
/// a conformance is found by the interface: nobody else misses it.
fn extended_type(head: &str) -> Option<Name> {
    let mut rest = head.strip_prefix("extension")?.trim_start();
    if rest.starts_with('<') {
        let mut depth = 0usize;
        let end = rest.bytes().position(|b| {
            match b {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            depth == 0
        })?;
        rest = rest[end + 1..].trim_start();
    }
    if let Some((_, bases)) = rest.split_once(" : ") {
        return declared_struct(&format!("interface {bases}"));
    }
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(extension_of(&rest[..end]))
}

/// The name right before a parameter list, generic parameters skipped. The marker of intrinsics is
/// no name.
fn declared_name(head: &str) -> Option<Name> {
    let head = head.trim_end();
    let mut end = head.len();
    if head.ends_with('>') {
        let mut depth = 0usize;
        for (i, b) in head.bytes().enumerate().rev() {
            match b {
                b'>' => depth += 1,
                b'<' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                end = i;
                break;
            }
        }
    }
    let word = head[..end].trim_end().rsplit(|c: char| !c.is_ascii_alphanumeric() && c != '_').next()?;
    (!word.is_empty() && word != "__intrinsic").then(|| Name::new(word))
}

fn index() -> &'static FxHashMap<Name, Part> {
    INDEX.get_or_init(|| {
        let mut out: FxHashMap<Name, Vec<Chunk>> = FxHashMap::default();
        for (i, (_, text)) in FILES.iter().enumerate() {
            index_file(i, text, &mut out);
        }
        // What extends a struct of the prelude comes with it.
        let structs: Vec<Name> = out.keys().copied().filter(|name| out.contains_key(&extension_of(name))).collect();
        for name in structs {
            let extensions = out.remove(&extension_of(&name)).unwrap_or_default();
            out.entry(name).or_default().extend(extensions);
        }
        out.into_iter().map(|(name, chunks)| (name, Part { chunks, ..Part::default() })).collect()
    })
}

impl Part {
    fn parsed(&self) -> &(Vec<Arc<Decl>>, Vec<Diagnostic>) {
        self.parsed.get_or_init(|| {
            let map = SourceMap::with(sources());
            let (mut decls, mut errors) = (Vec::new(), Vec::new());
            for chunk in &self.chunks {
                let piece = &FILES[chunk.file].1[chunk.start..chunk.end];
                let base = sources().base(chunk.file) + chunk.start as u32;
                let piece = scan::blank_comments(piece).unwrap_or_default();
                let parsed = parse_file(&piece, base, &TypeNames::default(), &|span| map.shown(span));
                decls.extend(parsed.decls);
                errors.extend(parsed.errors);
            }
            (decls, errors)
        })
    }
}

/// The prelude of one compilation: which of its declarations have been taken already.
#[derive(Default)]
pub struct Prelude {
    taken: FxHashSet<Name>,
}

impl Prelude {
    /// Whether there is something under `name` that has not been taken.
    pub fn has(&self, name: Name) -> bool {
        index().contains_key(&name) && !self.taken.contains(&name)
    }

    pub fn names(&self) -> impl Iterator<Item = Name> {
        index().keys().copied()
    }

    /// The declarations of `name`, and what is wrong with their syntax. `sources` is a map with
    /// [`sources`].
    pub fn take(&mut self, name: Name, sources: &mut SourceMap) -> (&'static [Arc<Decl>], &'static [Diagnostic]) {
        self.taken.insert(name);
        let Some(part) = index().get(&name) else { return (&[], &[]) };
        part.chunks.iter().for_each(|chunk| sources.note_used(chunk.file));
        let (decls, errors) = part.parsed();
        (decls, errors)
    }
}
