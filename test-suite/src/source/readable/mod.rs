//! Readability, counted: the programs of `test-suite/bench` and of `examples` in every language.
//!
//! Of each text are counted: which names of the program it keeps, which of its own names come from
//! none of the program's, its lines beside those of the program, the lines of helper functions, and
//! the widest line. A text of a kernel without derivatives has the program's functions in their
//! order. `READABLE=1` prints the counts.
//!
//! Only texts are looked at: names and functions are found by a scan ([`scan`]), in the program and
//! in the text alike. SPIR-V has one line an instruction; there only names are counted.

mod scan;

use super::{Job, LANGUAGES};
use crate::Suite;
use scan::{Kind, Unit, plain, units};
use std::collections::BTreeSet;
use std::sync::Arc;

const FOLDERS: [&str; 2] = ["test-suite/bench", "examples"];
/// No program: its function is a macro that a host defines.
const TEMPLATES: [&str; 1] = ["errors.slang"];

/// Parts of names of the program that a text keeps, at least.
const KEPT: f64 = 0.90;
/// Parts of its own names that come from none of the program's, at most.
const FOREIGN: f64 = 0.25;
/// Lines of a kernel without derivatives, in those of the program, at most.
const LINES: f64 = 1.3;
const WIDEST: usize = 120;
/// Lines that declare resources and threads, which a program has among an entry point's parameters.
const BINDINGS: usize = 6;
/// Lines of helper functions, at most, by language. In C++ and CUDA they are a header; in CUDA it
/// has the sums of lanes and groups.
const HELPERS: [(&str, usize); 6] =
    [("cpp", 205), ("cuda", 330), ("glsl", 66), ("hlsl", 100), ("wgsl", 60), ("metal", 60)];
/// Programs that sample textures, which the text does itself.
const SAMPLES: [&str; 1] = ["texture_fit.slang"];

/// Names that reach no kernel, or not all of them, and why.
const GONE: [(&str, &[&str], &str); 13] = [
    ("fit.slang", &["parameters"], "an array of resources is inside of the functions that read it"),
    ("ceilings.slang", &["i"], "SPIR-V counts in a variable without a name"),
    ("loss.slang", &["color", "distance2", "i", "sum"], "the derivative computes with the parts"),
    ("mixture.slang", &["zero", "sums"], "a constant, and a resource that one kernel does not use"),
    ("mlp.slang", &["sum", "zero", "sums"], "a value that no derivative needs; the others as above"),
    ("mypow.slang", &["i"], "the loop is unrolled"),
    ("normal.slang", &["c", "world"], "values that the derivative does not need"),
    ("paths.slang", &["l", "n", "v", "weight", "materialOf", "parameter", "sums"], "inside of the derivative"),
    ("shapes.slang", &["c", "coverage", "pixel", "parameter", "shapeOf", "sums"], "inside of the derivative"),
    ("taylor_sine.slang", &["k"], "the loop is unrolled"),
    (
        "texture_fit.slang",
        &["derivative", "derivatives", "load_bwd", "sample", "sampler", "target", "texture", "load", "step"],
        "methods of a texture, which take it",
    ),
    ("vertex.slang", &["row", "column", "sum", "sums"], "loops that are unrolled, and values nobody needs"),
    (
        "warped_area.slang",
        &["color", "disc", "dx", "dy", "exact", "reach", "reparameterize"],
        "inside of the second derivative",
    ),
];

/// Names of the language: the receiver, and the cotangent of a result in `bwd_diff(f)`.
const WORDS: [&str; 2] = ["this", "dResult"];

/// What a language asks a text for: the block of uniforms, lengths of buffers, the thread's number.
const BOUND: [&str; 5] = ["Uniforms", "uniforms", "Lengths", "lengths", "global_id"];

/// What a text is found to be.
#[derive(Default)]
struct Count {
    /// Names of the program that are used, and those that the text lacks.
    names: usize,
    lost: Vec<String>,
    own: usize,
    foreign: Vec<String>,
    lines: usize,
    of_program: usize,
    helpers: usize,
    widest: usize,
    /// Functions of the program in its order, and those of the text in that of the text.
    order: [Vec<String>; 2],
}

pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let job = |target: &'static str, text: &'static str| -> Job {
        let suite = suite.clone();
        (format!("source/readable/{target}"), Box::new(move || check(&suite, target, text)))
    };
    LANGUAGES.iter().map(|l| job(l.target, l.text)).collect()
}

fn check(suite: &Suite, target: &str, text: &str) -> Result<(), String> {
    let mut wrong = String::new();
    let mut programs = 0;
    for (path, source) in sources(suite)? {
        let program = units(&source);
        let gone =
            GONE.iter().find(|(of, ..)| path.rsplit('/').next() == Some(of)).map_or(&[][..], |(_, names, _)| names);
        let samples = SAMPLES.iter().any(|of| path.rsplit('/').next() == Some(of));
        for entry in entries(&source) {
            let args = ["emit", &path, "--target", text, "--entry", &entry].map(String::from).to_vec();
            let emitted = match suite.run_text("caustic", &args, "") {
                Ok(emitted) => emitted,
                Err(why) if why.contains("E0853") => continue,
                Err(why) => return Err(format!("{path}: {entry}: {why}")),
            };
            let json: Vec<String> = args.iter().cloned().chain(["--format", "json"].map(String::from)).collect();
            let json = suite.run_text("caustic", &json, "")?;
            let primal = is_primal(&program, &entry);
            let count = count(&program, (&entry, primal, gone), (target, &emitted, &json))?;
            if std::env::var_os("READABLE").is_some() {
                eprintln!("{target} {path} {entry}: {}", count.told());
            }
            programs += 1;
            let why = count.wrong((target, samples), primal);
            if !why.is_empty() {
                wrong += &format!("{path}: {entry}: {}\n", why.join("; "));
            }
        }
    }
    match wrong.is_empty() {
        true if programs < 30 => Err(format!("only {programs} texts were counted")),
        true => Ok(()),
        false => Err(wrong),
    }
}

/// The programs, without comments, by their paths.
fn sources(suite: &Suite) -> Result<Vec<(String, String)>, String> {
    let mut found = Vec::new();
    for folder in FOLDERS {
        let entries = std::fs::read_dir(suite.root.join(folder)).map_err(|e| format!("{folder}: {e}"))?;
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|e| e.file_name().into_string().ok())
            .filter(|n| n.ends_with(".slang"))
            .collect();
        names.sort();
        for name in names.into_iter().filter(|n| !TEMPLATES.contains(&&**n)) {
            let read = |name: &str| std::fs::read_to_string(suite.root.join(folder).join(name)).unwrap_or_default();
            found.push((format!("{folder}/{name}"), plain(&read(&name), &read)));
        }
    }
    Ok(found)
}

/// The entry points of a program.
fn entries(source: &str) -> Vec<String> {
    let parts = source.split("[shader(\"compute\")]").skip(1);
    let name = |part: &str| {
        let head = part.split("void ").nth(1)?;
        head.split('(').next().map(|name| name.trim().to_string())
    };
    parts.filter_map(name).collect()
}

/// The units of a program that an entry point leads to.
fn reached<'p>(program: &'p [Unit], entry: &str) -> Vec<&'p Unit> {
    let mut names: BTreeSet<&str> = [entry].into();
    let asks = |units: &[&'p Unit], word: &str| units.iter().any(|u| u.mentioned.iter().any(|w| w == word));
    loop {
        let before = names.len();
        let in_use: Vec<&Unit> = program.iter().filter(|u| names.contains(&*u.name)).collect();
        let mut open: Vec<&str> = in_use.iter().flat_map(|u| &u.mentioned).map(|w| &**w).collect();
        // A derivative of the programmer's stands for what is derived by itself.
        for (mode, attribute) in [("bwd_diff", "BackwardDerivative"), ("fwd_diff", "ForwardDerivative")] {
            if asks(&in_use, mode) {
                let given = in_use.iter().filter(|u| u.attributes.iter().any(|w| w == attribute));
                let behind = |u: &&&'p Unit| u.attributes.iter().skip_while(|w| *w != attribute).nth(1).map(|w| &**w);
                open.extend(given.collect::<Vec<_>>().iter().filter_map(behind));
            }
        }
        names.extend(open.into_iter().filter(|word| program.iter().any(|u| u.name == *word)));
        if names.len() == before {
            let owned = |u: &Unit| u.owner.as_ref().is_none_or(|owner| names.contains(&**owner));
            return program.iter().filter(|u| names.contains(&*u.name) && owned(u)).collect();
        }
    }
}

fn is_primal(program: &[Unit], entry: &str) -> bool {
    !reached(program, entry).iter().any(|u| u.mentioned.iter().any(|w| w == "fwd_diff" || w == "bwd_diff"))
}

/// Whether a function is handed a resource. All languages but C++ have it inside of those that call
/// it, where its parameters are what it is given.
fn takes_resources(unit: &Unit, program: &[Unit]) -> bool {
    let is_resource = |word: &str| word.contains("Buffer") || word.starts_with("Texture");
    let called = |word: &String| program.iter().any(|u| u.name == *word && u.mentioned.iter().any(|w| is_resource(w)));
    unit.parameters.iter().any(|w| is_resource(w) || w.starts_with(char::is_uppercase) && called(w))
}

/// The names of a program that may reach the kernel: what is declared and used again.
fn names_of<'p>(units: &[&'p Unit], program: &[Unit], (entry, inlines): (&str, bool)) -> BTreeSet<&'p str> {
    let mut names = BTreeSet::new();
    for unit in units.iter().filter(|u| u.kind != Kind::Other) {
        let gone = inlines && unit.kind == Kind::Function && unit.name != entry && takes_resources(unit, program);
        if unit.kind == Kind::Function && !gone {
            names.insert(&*unit.name);
        }
        let of = |name: &&String| match unit.kind {
            // A field is used in functions.
            Kind::Struct => units.iter().any(|u| u.kind == Kind::Function && u.mentioned.contains(name)),
            _ => unit.mentioned.iter().filter(|w| w == name).count() > 1 && !unit.semantic.contains(name),
        };
        let kept = unit.declared.iter().filter(of).filter(|name| !(gone && unit.parameters.contains(name)));
        names.extend(kept.map(|name| &**name));
    }
    names
}

/// Whether a name of the text comes from one of the program: it is that name, with words around.
fn is_of(own: &str, name: &str) -> bool {
    own.match_indices(name).any(|(at, _)| {
        let (before, after) = (&own[..at], &own[at + name.len()..]);
        (before.is_empty() || before.ends_with('_')) && (after.is_empty() || after.starts_with('_'))
    })
}

fn count(
    program: &[Unit],
    (entry, primal, gone): (&str, bool, &[&str]),
    (target, text, json): (&str, &str, &str),
) -> Result<Count, String> {
    let reached = reached(program, entry);
    let description: serde_json::Value = serde_json::from_str(json).map_err(|e| e.to_string())?;
    let known = description["names"].as_object().cloned().unwrap_or_default();
    let source_of = |name: &str| known.get(name).and_then(|n| n.as_str()).unwrap_or(name).to_string();
    // A method is `Type.method` there, a derivative `bwd_diff(f)`, an instance `f.float`.
    let of_unit = |name: &str| {
        let source = source_of(name);
        let parts: Vec<String> = source.split(['.', '(', ')']).map(str::to_string).collect();
        program.iter().find(|u| u.kind == Kind::Function && parts.contains(&u.name)).map(|u| u.name.clone())
    };
    let mut count = Count { widest: text.lines().map(|l| l.chars().count()).max().unwrap_or(0), ..Count::default() };
    let names = names_of(&reached, program, (entry, target != "cpp"));
    let all = crate::rename::scan::words(text);
    let mut idents: BTreeSet<&str> = all.iter().map(|w| &text[w.range.clone()]).collect();
    if target == "spirv" {
        // Names of members are strings there.
        idents.extend(text.split('"').skip(1).step_by(2));
    }
    let is_function = |name: &str| reached.iter().any(|u| u.kind == Kind::Function && u.name == name);
    let keeps = |name: &&str| {
        idents.iter().any(|i| i.trim_end_matches('_') == *name || is_of(i, name) && (!primal || is_function(name)))
    };
    let exempt = |name: &str| name == entry || idents.contains(&*format!("{name}_"));
    let names: BTreeSet<&str> = names.into_iter().filter(|name| keeps(name) || !gone.contains(name)).collect();
    count.names = names.len();
    count.lost = names.iter().filter(|n| !keeps(n) && !exempt(n)).map(|n| n.to_string()).collect();
    if target == "spirv" {
        count.widest = 0;
        return Ok(count);
    }
    let mentioned = program.iter().flat_map(|u| u.mentioned.iter().chain(&u.declared));
    let source_names: BTreeSet<&str> = mentioned.map(|n| &**n).chain(WORDS).collect();
    let types: Vec<&str> = program.iter().filter(|u| u.kind == Kind::Struct).map(|u| &*u.name).collect();
    let has_methods = |name: &str| program.iter().any(|u| u.owner.as_deref() == Some(name));
    let interfaces: Vec<&str> = types.iter().copied().filter(|name| !has_methods(name)).collect();
    for unit in units(text) {
        // In CUDA what is bound and all functions are members of a struct; these are units, too.
        if target == "cuda" && unit.kind == Kind::Struct && unit.name.starts_with("Program") {
            continue;
        }
        let is_entry = ["main", entry].contains(&&*unit.name);
        let own = match unit.kind {
            // Functions of the standard library that stay functions.
            Kind::Function if known.contains_key(&unit.name) && of_unit(&unit.name).is_none() => continue,
            Kind::Function => is_entry || of_unit(&unit.name).is_some(),
            Kind::Struct => types.iter().any(|name| is_of(&unit.name, name)),
            Kind::Other => unit.declared.iter().any(|d| names.contains(d.trim_end_matches('_'))),
        };
        if !own {
            count.helpers += unit.lines;
            continue;
        }
        count.lines += unit.lines;
        let own: Vec<&String> = unit.declared.iter().filter(|n| !BOUND.contains(&&***n)).collect();
        count.own += own.len();
        let from = |name: &str| source_names.iter().any(|n| is_of(name, n));
        count.foreign.extend(own.into_iter().filter(|n| !from(n)).cloned());
        // A compiler makes the functions of an interface, which choose a type's.
        let source = source_of(&unit.name);
        let choice = source.split_once('.').is_some_and(|(of, _)| interfaces.contains(&of));
        if unit.kind == Kind::Function && !choice {
            count.order[1].push(if is_entry { entry.to_string() } else { of_unit(&unit.name).unwrap_or_default() });
        }
    }
    count.of_program = reached.iter().filter(|u| u.owner.is_none()).map(|u| u.lines).sum();
    let written = reached.iter().filter(|u| u.kind == Kind::Function && count.order[1].contains(&u.name));
    count.order[0] = written.map(|u| u.name.clone()).collect();
    Ok(count)
}

impl Count {
    fn part(some: usize, all: usize) -> f64 {
        some as f64 / all.max(1) as f64
    }

    fn told(&self) -> String {
        format!(
            "kept {}/{} lost {:?}; foreign {}/{} {:?}; lines {} of {}; helpers {}; widest {}",
            self.names - self.lost.len(),
            self.names,
            self.lost,
            self.foreign.len(),
            self.own,
            self.foreign,
            self.lines,
            self.of_program,
            self.helpers,
            self.widest
        )
    }

    /// What a text is not allowed to be.
    fn wrong(&self, (target, samples): (&str, bool), primal: bool) -> Vec<String> {
        let mut wrong = Vec::new();
        let kept = Count::part(self.names - self.lost.len(), self.names);
        if kept < KEPT {
            wrong.push(format!("it keeps {kept:.2} of the names and lacks {:?}", self.lost));
        }
        let foreign = Count::part(self.foreign.len(), self.own);
        if foreign > FOREIGN {
            wrong.push(format!("{foreign:.2} of its names come from none of the program's: {:?}", self.foreign));
        }
        if self.widest > WIDEST {
            wrong.push(format!("a line has {} columns", self.widest));
        }
        let most = HELPERS.iter().find(|(of, _)| *of == target).map_or(0, |(_, most)| *most);
        if !samples && self.helpers > most {
            wrong.push(format!("helper functions have {} lines", self.helpers));
        }
        if primal && self.lines as f64 > LINES * self.of_program as f64 + BINDINGS as f64 {
            wrong.push(format!("it has {} lines, the program {}", self.lines, self.of_program));
        }
        let [program, text] = &self.order;
        if primal && program != text {
            wrong.push(format!("its functions are {text:?}, the program's {program:?}"));
        }
        wrong
    }
}
