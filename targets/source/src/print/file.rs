//! A program: the header that it uses, its structs, resources and functions, and what runs it.

use super::place::ir_size;
use super::pruned::used;
use super::{Printer, Text};
use crate::lang::syntax::Values;
use crate::lang::{Language, Threads};
use crate::names::spell;
use crate::structure::Module;
use crate::structure::find_tables;
use crate::tree::{Arg, Function, Kind, Named, Passed, Place, Root, Step, Stmt, each_expr, visit_all};
use crate::types::Ty;
use caustic_dialects::agg::{StructType, as_buffer};
use caustic_dialects::func;
use caustic_dialects::reflect::{COUNT, Param, ParamKind, resource_type};
use caustic_dialects::tex::TextureType;
use caustic_ir::{Diagnostic, Name, SymbolOp};
use caustic_runtime::interface::KernelParam;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;
use std::fmt::Write;

/// How many blocks may be around a statement of a shader: drivers lose what is further inside.
const MOST_NESTED: usize = 64;

/// What is emitted for a kernel, or for a library.
pub struct Program {
    pub text: String,
    /// The function that runs groups of threads, in full; empty of a library.
    pub launcher: String,
    /// Names in the text, and what the program calls them.
    pub names: Vec<(String, String)>,
    /// What else the description says.
    pub described: Vec<(&'static str, Value)>,
    pub warnings: Vec<Diagnostic>,
}

/// The text of a module's kernel, or of the functions that it offers, in a name space `prefix`.
///
/// # Errors
/// What the language has not, at its place.
pub fn program(language: &'static Language, module: &Module<'_>, prefix: &str) -> Result<Program, Vec<Diagnostic>> {
    let functions = module.functions();
    let mut made = Vec::new();
    let mut errors = Vec::new();
    for symbol in &functions {
        match module.function(symbol) {
            Ok(function) => made.push(function),
            Err(error) => errors.push(error),
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let mut made = in_shape(language, module, made);
    if cfg!(debug_assertions)
        && let Some(function) = made.iter_mut().find_map(|f| crate::structure::undeclared(f).and(Some(f)))
    {
        return Err(vec![Diagnostic::internal(function.loc, "a variable is used where it is not declared")]);
    }
    let passed = passed(&made);
    // What a program uses decides which names it cannot have, but not the other way around.
    let mut used = FxHashSet::default();
    let mut before = super::shader::State::default();
    for round in 0.. {
        let mut printer = Printer::new(language, module, &used, prefix);
        let known = (before.worded.len(), before.updated.len());
        printer.keep(before);
        printer.globals();
        printer.read_uniforms = made.iter_mut().flat_map(|f| read_uniforms(&mut f.body)).collect();
        let made = match language.threads {
            Threads::Shader => as_shader(&printer, &made, &passed),
            Threads::Host | Threads::Device => made.clone(),
        };
        printer.find_bare(&made);
        printer.declare_tables(&made).map_err(|e| vec![e])?;
        let program = match language.threads {
            Threads::Host if printer.is_library() => printer.assemble_header(&made, prefix),
            Threads::Device if printer.is_library() => printer.assemble_methods(&made, prefix),
            Threads::Host => printer.assemble(&made, prefix),
            Threads::Device => printer.assemble_kernel(&made, prefix),
            Threads::Shader => match printer.is_library() {
                true if printer.hands_over() => printer.assemble_handed_library(&made, prefix),
                true => printer.assemble_include(&made, prefix),
                false => printer.assemble_shader(&made),
            },
        };
        // How memory is declared follows from all that reaches it.
        if round > 0 && (printer.shading.worded.len(), printer.shading.updated.len()) == known {
            return program.map(|p| printer.finished(p)).map_err(|e| vec![e]);
        }
        (used, before) = (printer.snippets, printer.shading);
    }
    Err(vec![Diagnostic::internal(caustic_ir::Loc::unknown(), "nothing was printed")])
}

/// Functions in the shape in which they are printed.
fn in_shape(language: &'static Language, module: &Module<'_>, made: Vec<Function>) -> Vec<Function> {
    let mut made = needed(made, module.roots());
    made.iter_mut().for_each(crate::structure::declare_missing);
    made.iter_mut().for_each(crate::structure::forward_copies);
    made.iter_mut().for_each(crate::structure::leave_as_written);
    made.iter_mut().for_each(crate::structure::return_as_written);
    made.iter_mut().for_each(crate::structure::forward_copies);
    let structs = language.shader.is_none_or(|s| s.syntax.values != Values::Made);
    made.iter_mut().for_each(|f| crate::structure::return_at_once(f, structs));
    made.iter_mut().for_each(crate::structure::only_reached);
    made.iter_mut().for_each(crate::structure::ask_as_written);
    made.iter_mut().for_each(crate::structure::ask_once);
    made.iter_mut().for_each(crate::structure::count_as_written);
    made.iter_mut().for_each(crate::structure::no_certain_truths);
    if language.threads == Threads::Device {
        made.iter_mut().for_each(crate::structure::no_literal_zero_divides);
    }
    made.iter_mut().for_each(crate::structure::declare_late);
    let how = passed(&made);
    made.iter_mut().for_each(|f| crate::structure::keep_unchanged(f, &how));
    made.iter_mut().for_each(crate::structure::shorten);
    made.iter_mut().for_each(crate::structure::labels_as_written);
    made.iter_mut().for_each(crate::structure::narrow);
    made.iter_mut().for_each(crate::structure::forward_copies);
    made.iter_mut().for_each(crate::structure::decide_at_last);
    made.iter_mut().for_each(crate::structure::subtract_wide);
    made.iter_mut().for_each(crate::structure::begin_with_constants);
    made.iter_mut().for_each(crate::structure::begin_in_heads);
    made.iter_mut().for_each(crate::structure::begin_at_fields);
    made.iter_mut().for_each(crate::structure::negate_inside);
    if !module.roots().is_empty() && module.offered.is_empty() {
        made.iter_mut().for_each(|f| crate::structure::number_threads(f, module.interface.numthreads));
    }
    if let Some(shader) = language.shader {
        if !shader.syntax.statements.wide_switches {
            made.iter_mut().for_each(crate::structure::chain_wide_switches);
        }
        made.iter_mut().for_each(|f| crate::structure::unnest(f, MOST_NESTED));
    }
    if language.threads == Threads::Shader && language.printf.is_empty() {
        made.iter_mut().for_each(crate::structure::silence);
    }
    if let Some(shader) = language.shader {
        let native = |ty: &Ty| match ty {
            Ty::Vector { shape, elem } => shape.len() == 1 && (shader.vector)(shape[0], *elem).is_some(),
            _ => false,
        };
        let part = |place: &Place, steps: &[Step]| module.part(&place.of, steps);
        made.iter_mut().for_each(|f| crate::structure::swizzle(f, &part, &native));
    }
    made.iter_mut().for_each(crate::structure::split_deep);
    // What was called may not be any more.
    made = needed(made, module.roots());
    let passed = passed(&made);
    let reads = |callee: Name, param: usize| {
        let how = passed.get(&callee).and_then(|all| all.get(param));
        how == Some(&Passed::Constant) && super::tables::takes_tables(language)
    };
    made.iter_mut().for_each(|f| find_tables(f, &reads, &|ty| super::tables::holds(language, ty)));
    made
}

/// Functions as a shading language wants them.
fn as_shader(printer: &Printer<'_>, made: &[Function], passed: &FxHashMap<Name, Vec<Passed>>) -> Vec<Function> {
    let (module, mut made) = (printer.module, made.to_vec());
    if printer.in_words() && printer.is_library() {
        super::shader::take_values(module, &mut made);
    }
    if printer.in_words() || printer.hands_over() {
        made.iter_mut().for_each(|f| super::shader::own_places(module, passed, f));
    }
    let syntax = printer.language.shader.map(|s| s.syntax);
    if printer.in_words() {
        made.iter_mut().for_each(super::shader::own_params);
    } else if !printer.hands_over() && syntax.is_some_and(|s| !s.statements.precise.is_empty()) {
        made.iter_mut().for_each(|f| super::shader::split_carried(f, &module.signs));
        made.iter_mut().for_each(|f| super::shader::isolate(f, printer.inexact_memory(), &module.signs));
    }
    if syntax.is_some_and(|s| s.returns_arrays) {
        super::returned::return_own_results(&mut made);
    }
    made
}

/// How functions take their parameters.
fn passed(functions: &[Function]) -> FxHashMap<Name, Vec<Passed>> {
    functions.iter().map(|f| (f.symbol, f.params.iter().map(|(_, how)| *how).collect())).collect()
}

impl Printer<'_> {
    /// Names of functions and resources, the programmer's first.
    fn globals(&mut self) {
        let ir = self.module.ir;
        let functions = ir.symbols().iter().filter(|s| func::Func::of_symbol(s).is_some());
        let entry = self.module.interface.entry;
        // A kernel's name is in no name space.
        if self.language.threads == Threads::Device && self.language.is_global(&entry) {
            self.names.reserve(&entry);
        }
        if let Some(name) = self.language.shader.and_then(|s| s.syntax.entry_name) {
            // A function that returns something is called by the entry point.
            if ir.get(entry).and_then(|s| s.function_type()).is_some_and(|(_, results)| results.is_empty()) {
                self.symbols.insert(entry, name.to_string());
            }
        }
        // Who includes a library has an entry point, and compilers have one of this name.
        if let Some(shader) = self.language.shader
            && (self.is_library() || shader.syntax.entry_name.is_some() || &*entry != "main")
        {
            self.names.reserve("main");
        }
        // What the program calls so is called so, whatever is made has to be called else.
        let mut roots = self.module.roots();
        roots.sort_by_key(|root| spell(root) != **root);
        for root in roots {
            match self.is_library() {
                true => self.function_symbol(root),
                // Who launches a kernel knows it by its name.
                false => self.symbols.entry(root).or_insert_with(|| self.names.declare_own(&root)).clone(),
            };
        }
        // Resources of other entry points are not in the text, and leave their names to those that
        // are.
        let own = self.module.interface.params.iter().filter_map(|p| ir.get(p.symbol));
        for symbol in own.chain(ir.symbols()) {
            if let Some(param) = Param::of(symbol) {
                if self.symbols.contains_key(&symbol.name) {
                    continue;
                }
                if param.entry.is_some_and(|of| of != entry) {
                    continue;
                }
                let name = self.resource_name(symbol, &param.name);
                self.symbol(symbol.name, &name);
            } else if resource_type(symbol).is_some() {
                let name = self.resource_name(symbol, &symbol.name);
                self.symbol(symbol.name, &name);
            }
        }
        for symbol in functions {
            self.function_symbol(symbol.name);
        }
    }

    /// A name for a resource: functions of a shader that reach it have names of their own.
    fn resource_name(&self, symbol: &SymbolOp, wanted: &str) -> String {
        let of_texture = |s: &SymbolOp| resource_type(s).is_some_and(|ty| TextureType::of(ty).is_some());
        // What functions are handed is known by its name.
        let everywhere = self.hands_over() && self.module.ir.symbols().iter().any(of_texture);
        let is_texture = everywhere || of_texture(symbol);
        let taken = super::shader::PARAMETERS.contains(&wanted)
            || is_texture && super::shader::TEXEL_VARIABLES.contains(&wanted);
        let hidden = self.language.threads == Threads::Shader && taken;
        if hidden { format!("{wanted}_data") } else { wanted.to_string() }
    }

    /// The functions, and the heads of those that are called before they are declared.
    pub(super) fn functions(&mut self, functions: &[Function]) -> Result<(String, String), Diagnostic> {
        let (mut heads, mut bodies) = (String::new(), String::new());
        let mut before: FxHashSet<Name> = FxHashSet::default();
        for function in functions {
            before.insert(function.symbol);
            // What is called before it is declared is in a circle of calls.
            for callee in calls(self.module, function.symbol) {
                if !before.contains(&callee)
                    && let Some(later) = functions.iter().find(|f| f.symbol == callee)
                {
                    let frame = self.frame(later)?;
                    let head = self.head(&frame, true)?;
                    if !heads.contains(&head) {
                        let _ = writeln!(heads, "{head};");
                    }
                }
            }
            let _ = writeln!(bodies, "{}", self.function(function)?);
        }
        Ok((heads, bodies))
    }

    fn assemble(&mut self, functions: &[Function], prefix: &str) -> Result<Program, Diagnostic> {
        let resources = self.resources()?;
        let (heads, bodies) = self.functions(functions)?;
        let (launcher, launch) = self.launcher(functions)?;
        let structs = self.structs()?;
        let mut rest = String::new();
        for part in [structs, self.tables_text(), resources, heads] {
            if !part.is_empty() {
                let _ = write!(rest, "\n{part}");
            }
        }
        let _ = write!(rest, "\n{bodies}{launch}\n}}  // namespace {prefix}\n");
        let text = format!("namespace {prefix} {{\n\n{}{rest}", self.header(&rest));
        let out = format!("{}\n{text}", includes(&text));
        let launcher = format!("{prefix}::{launcher}");
        Ok(Program { text: out, launcher, names: self.told_names(), described: Vec::new(), warnings: Vec::new() })
    }

    /// The snippets, and short names of types, as far as `rest` uses them.
    pub(super) fn header(&self, rest: &str) -> String {
        let mut out = String::new();
        for snippet in self.language.snippets.iter().filter(|s| self.snippets.contains(s.id)) {
            out.push_str(&self.language.snippet(snippet.text).replace("$lost", &self.lost.to_string()));
        }
        self.lifted.values().for_each(|text| out.push_str(&self.language.snippet(text)));
        for (name, full) in &self.aliases {
            let _ = writeln!(out, "using {name} = {full};");
        }
        // Who includes a library may use all of it.
        if self.is_library() { out } else { used(&out, rest) }
    }

    /// Names in the text, and what the program calls them.
    pub(super) fn told_names(&self) -> Vec<(String, String)> {
        let mut names: Vec<(String, String)> = self.symbols.iter().map(|(s, n)| (n.clone(), s.to_string())).collect();
        names.sort();
        // Overloads share a name.
        names.dedup_by(|a, b| a.0 == b.0);
        names
    }

    pub(super) fn structs(&mut self) -> Text {
        let mut out = String::new();
        let mut at = 0;
        // Declaring one may name others.
        while let Some(&ty) = self.declared.get(at) {
            at += 1;
            let of = StructType(ty);
            let name = self.structure(ty)?;
            let mut body = String::new();
            for index in 0..of.num_fields() {
                let field = self.field_ty(ty, index)?;
                if !field.is_empty() {
                    let (word, name) = (self.ty(&field)?, self.field_name(ty, index)?);
                    let _ = writeln!(body, "    {word} {name};");
                }
            }
            let _ = writeln!(out, "struct {name} {{\n{body}}};");
        }
        Ok(out + &self.put_functions())
    }

    /// The resources as variables of the program.
    pub(super) fn resources(&mut self) -> Text {
        let mut out = String::new();
        let declared = if self.is_library() { "inline" } else { "static" };
        let (interface, ir) = (self.module.interface, self.module.ir);
        let mut seen = FxHashSet::default();
        let symbols = interface.params.iter().map(|p| p.symbol).chain(interface.shared.iter().map(|s| s.symbol));
        for name in symbols.filter(|name| seen.insert(*name)) {
            let Some(symbol) = ir.get(name) else { continue };
            let Some(ty) = resource_type(symbol) else { continue };
            let contents = self.module.contents(name).ok_or_else(|| self.refuse(format!("a resource of {ty}")))?;
            if contents.is_empty() && as_buffer(ty).is_none() {
                continue;
            }
            let word = match as_buffer(ty) {
                Some(_) if self.is_shared(name) => self.ty(&contents)?,
                Some(_) => {
                    self.need("buffer");
                    format!("Buffer<{}>", self.ty(&contents)?)
                }
                None => self.ty(&contents)?,
            };
            let count = symbol.attr(COUNT).and_then(|a| a.as_int()).map_or(String::new(), |n| format!("[{n}]"));
            let name = self.known(name)?;
            let _ = writeln!(out, "{declared} {word} {name}{count};");
        }
        Ok(out)
    }

    /// What binds the resources and runs the threads.
    fn launcher(&mut self, functions: &[Function]) -> Result<(String, String), Diagnostic> {
        let interface = self.module.interface;
        let entry = self.known(interface.entry)?;
        let name = self.names.declare(&format!("{entry}_dispatch"));
        let together = self.snippets.contains("group");
        let dispatch = if together { "dispatch_together" } else { "dispatch" };
        self.need("argument");
        if !together {
            self.need("dispatch");
        }
        let mut binds = String::new();
        for (number, param) in interface.params.iter().enumerate() {
            if let Some(line) = self.bind(number, param)? {
                let _ = writeln!(binds, "    {line}");
            }
        }
        if self.snippets.contains("pointee") {
            let all = interface.params.len() + interface.shared.len();
            let _ = writeln!(binds, "    static thread_local Resource table[{}];", all.max(1));
            for (number, param) in interface.params.iter().enumerate() {
                if param.is_buffer() {
                    let size = param.layout.size.max(1);
                    let bytes = if param.is_pointer() { String::new() } else { format!(" * {size}") };
                    let _ = writeln!(
                        binds,
                        "    table[{number}] = {{static_cast<char*>(arguments[{number}].data), int64_t(arguments[{number}].count){bytes}}};"
                    );
                }
            }
            for (number, shared) in interface.shared.iter().enumerate() {
                let (name, number) = (self.known(shared.symbol)?, interface.params.len() + number);
                let cells = match shared.cells {
                    0 | 1 => String::new(),
                    cells => format!(", {cells}, {}", caustic_dialects::agg::cell_shift(cells)),
                };
                let _ = writeln!(
                    binds,
                    "    table[{number}] = {{reinterpret_cast<char*>(&{name}), sizeof {name}{cells}}};"
                );
            }
            let _ = writeln!(binds, "    resources = table;\n    resource_count = {all};");
        }
        let mut begin = String::new();
        for shared in &interface.shared {
            let ty = self.module.contents(shared.symbol).ok_or_else(|| self.internal("memory without a type"))?;
            let (word, name) = (self.ty(&ty)?, self.known(shared.symbol)?);
            let _ = write!(begin, " {name} = {word}{{}};");
        }
        let [x, y, z] = interface.numthreads;
        // What waits for others has a stack of its own, in which variables may be copied.
        let variables = functions.iter().flat_map(|f| &f.vars).filter_map(|v| ir_size(&v.ty));
        let bytes = variables.fold(0u64, |sum, size| sum.saturating_add(size));
        let stack = match (STACK + bytes.saturating_mul(2)).next_multiple_of(4096) {
            _ if !together => String::new(),
            stack if stack > MOST_STACK => return Err(self.refuse("threads that wait, with so large variables,")),
            stack => format!(", {stack}"),
        };
        let unused = if interface.params.is_empty() { "    (void)arguments;\n" } else { "" };
        let text = format!(
            "// Runs groups of {x} x {y} x {z} threads. Arguments stand in the order of the description's parameters.\n\
             void {name}(const Argument* arguments, uint groups_x, uint groups_y, uint groups_z);\n\
             void {name}(const Argument* arguments, uint groups_x, uint groups_y, uint groups_z) {{\n{unused}{binds}    \
             {dispatch}({{groups_x, groups_y, groups_z}}, {{{x}, {y}, {z}}}, [] {{{begin} }}, {entry}{stack});\n}}\n"
        );
        Ok((name, text))
    }

    fn bind(&mut self, number: usize, param: &KernelParam) -> Result<Option<String>, Diagnostic> {
        let Some(symbol) = self.module.ir.get(param.symbol) else { return Ok(None) };
        let Some(ty) = resource_type(symbol) else { return Ok(None) };
        let contents = self.module.contents(param.symbol).ok_or_else(|| self.internal("a resource without a type"))?;
        let name = self.known(param.symbol)?;
        let first = self.module.interface.params.iter().position(|p| p.symbol == param.symbol).unwrap_or(number);
        let element = if symbol.attr(COUNT).is_some() { format!("[{}]", number - first) } else { String::new() };
        let argument = format!("arguments[{number}]");
        match param.kind {
            ParamKind::Uniform if contents.is_empty() => Ok(Some(format!("(void){argument};"))),
            ParamKind::Uniform => {
                Ok(Some(format!("std::memcpy(&{name}{element}, {argument}.data, sizeof {name}{element});")))
            }
            ParamKind::Texture | ParamKind::RwTexture | ParamKind::Sampler => {
                Ok(Some(format!("std::memcpy(&{name}{element}, {argument}.data, sizeof {name}{element});")))
            }
            _ if as_buffer(ty).is_some() => {
                let word = self.ty(&contents)?;
                // Of a pointer the bytes are counted.
                let size = if param.is_pointer() { format!(" / int64_t(sizeof({word}))") } else { String::new() };
                Ok(Some(format!(
                    "{name}{element} = {{static_cast<{word}*>({argument}.data), int64_t({argument}.count){size}, {argument}.counter}};"
                )))
            }
            _ => Err(self.refuse(format!("the parameter `{}`", param.name))),
        }
    }
}

/// The functions that the text of the roots calls, in their order.
fn needed(mut functions: Vec<Function>, roots: Vec<Name>) -> Vec<Function> {
    let (mut found, mut open) = (FxHashSet::default(), roots);
    while let Some(name) = open.pop() {
        let Some(function) = functions.iter_mut().find(|f| f.symbol == name).filter(|_| found.insert(name)) else {
            continue;
        };
        visit_all(&mut function.body, &mut |named| {
            if let Named::Function(callee) = named {
                open.push(callee);
            }
        });
    }
    functions.retain(|f| found.contains(&f.symbol));
    functions
}

/// The fields of uniforms that statements read, and the uniforms that they read as a whole.
fn read_uniforms(body: &mut [Stmt]) -> Vec<(Name, Option<usize>)> {
    let mut found = Vec::new();
    let mut note = |place: &Place| {
        if let Root::Uniform(name, _) = place.root {
            let first = place.steps.first();
            found.push((name, first.and_then(|step| if let Step::Part(k) = step { Some(*k) } else { None })));
        }
    };
    each_expr(body, &mut |e| match &e.kind {
        Kind::Read(place) => note(place),
        Kind::Call(_, args) => args.iter().for_each(|arg| {
            if let Arg::Place(place) = arg {
                note(place);
            }
        }),
        _ => {}
    });
    found
}

/// The functions that a function calls.
fn calls(module: &Module<'_>, symbol: Name) -> Vec<Name> {
    let of = module.ir.get(symbol);
    of.iter().flat_map(|s| caustic_dialects::call_graph::callees(s)).collect()
}

const INCLUDES: [(&str, &[&str]); 11] = [
    ("climits", &["CHAR_BIT", "INT_MAX", "INT_MIN", "UINT_MAX", "LLONG_MAX", "LLONG_MIN"]),
    ("cmath", &[]),
    ("cstdint", &[]),
    ("cstdio", &["printf"]),
    ("cstdlib", &["abort", "malloc", "free", "abs"]),
    ("cstring", &["memcpy", "memset", "memcmp"]),
    ("limits", &["numeric_limits"]),
    ("type_traits", &["std::is_", "std::conditional", "std::make_", "std::enable_if", "std::remove_"]),
    ("ucontext.h", &["ucontext_t"]),
    ("utility", &["std::pair", "std::move", "std::swap", "std::forward", "std::declval"]),
    ("vector", &["std::vector"]),
];

/// The headers of C++ that a text uses.
pub(super) fn includes(text: &str) -> String {
    let uses = |words: &[&str]| words.is_empty() || words.iter().any(|word| text.contains(word));
    let headers = INCLUDES.iter().filter(|(_, words)| uses(words));
    headers.map(|(header, _)| format!("#include <{header}>\n")).collect()
}

/// Bytes of a thread's stack besides those of its variables.
const STACK: u64 = 1 << 18;

/// Bytes of a thread's stack at most: a group may have 1024 of them.
const MOST_STACK: u64 = 1 << 26;
