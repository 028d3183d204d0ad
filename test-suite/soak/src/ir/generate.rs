//! Generates random modules as text: functions of every scalar type, vectors, matrices, arrays and
//! a struct, with branches, loops and memory, and a kernel that calls the last function for the
//! data of its thread.
//!
//! There are two kinds. *Wild* modules use any op of `arith`, any numbers, and indices out of
//! range, but no op whose result depends on the machine's mathematical library, so that all results
//! must agree to the last bit. *Smooth* modules are functions of three reals and an integer, which
//! are differentiated.
//!
//! Invariant: the text is a valid module, in the form that passes take after normalization.

use super::types::{F64, I1, Ty, data, scalar};
use caustic_test_suite::random::Rng;
use caustic_test_suite::rename::traps::{BEHIND_A_POINT, OWN};
use std::fmt::Write;

/// The number of reals, and of integers, that a thread reads.
pub const INPUTS: usize = 4;
/// The number of elements of the memory that a thread may write.
pub const MEMORY: usize = 4;
/// The most numbers of each kind that a thread writes.
pub const OUTPUTS: usize = 24;

#[derive(Clone, Copy, Debug)]
pub struct Size {
    pub funcs: usize,
    pub statements: usize,
    pub depth: usize,
}

/// A function that can be called.
struct Func {
    name: String,
    params: Vec<Ty>,
    results: Vec<Ty>,
    /// Whether it reads or writes memory, at an offset that is its first parameter.
    memory: bool,
}

pub(super) struct Generator {
    pub rng: Rng,
    out: String,
    pub smooth: bool,
    /// Values that can be read.
    pub scope: Vec<(String, Ty)>,
    next: usize,
    indent: usize,
    nesting: usize,
    funcs: Vec<Func>,
    /// The first element of the thread's memory, in functions that use memory.
    base: Option<String>,
    loops: usize,
    size: Size,
}

/// The module of a seed.
pub fn module(seed: u64, smooth: bool, size: Size) -> String {
    let mut g = Generator {
        rng: Rng::new(seed),
        out: String::from("module {\n"),
        smooth,
        scope: Vec::new(),
        next: 0,
        indent: 1,
        nesting: 0,
        funcs: Vec::new(),
        base: None,
        loops: 0,
        size,
    };
    for (name, ty, access) in [
        ("data", "f64", "ro"),
        ("ints", "i64", "ro"),
        ("memory", "f64", "rw"),
        ("out", "f64", "rw"),
        ("outi", "i64", "rw"),
    ] {
        let kind = if access == "ro" { "buffer" } else { "rw_buffer" };
        g.line(&format!(
            "agg.resource @{name} attributes {{type = !agg.buffer<{ty}, \"{access}\">, \
             reflect = {{name = \"{name}\", kind = \"{kind}\", type = \"{ty}\"}}}}"
        ));
    }
    let funcs = g.rng.below(size.funcs + 1);
    for _ in 0..funcs {
        g.function(None);
    }
    if smooth {
        g.function(Some((vec![F64, F64, F64, Ty::Int(32)], vec![F64])));
        g.smooth_kernel();
    } else {
        g.function(None);
        g.wild_kernel();
    }
    g.out.push_str("}\n");
    g.out
}

impl Generator {
    pub fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 2 * self.indent);
    }
    pub fn fresh(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }
    /// Emits an op with one result, which can be read from now on.
    pub fn emit(&mut self, ty: &Ty, op: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {op}"));
        self.scope.push((name.clone(), ty.clone()));
        name
    }
    /// Emits an op whose result only the generator reads.
    pub fn quiet(&mut self, op: &str) -> String {
        let name = self.fresh();
        self.line(&format!("{name} = {op}"));
        name
    }

    fn function(&mut self, signature: Option<(Vec<Ty>, Vec<Ty>)>) {
        let root = signature.is_some();
        let memory = !self.smooth && self.rng.one_in(2);
        let (mut params, results) = signature.unwrap_or_else(|| {
            let count = 1 + self.rng.below(4);
            let params = (0..count).map(|_| self.ty()).collect();
            let mut results: Vec<Ty> = (0..1 + self.rng.below(3)).map(|_| self.ty()).collect();
            while results.iter().map(Ty::scalars).sum::<usize>() > OUTPUTS {
                results.pop();
            }
            (params, if results.is_empty() { vec![F64] } else { results })
        });
        if memory {
            params.insert(0, Ty::Index);
        }
        // Suffixes that passes append must not matter in names that have them from the start.
        let number = self.funcs.len();
        let name = match self.rng.pick(&[BEHIND_A_POINT, OWN].concat()) {
            Some(trap) if self.rng.one_in(2) => format!("f{number}.{trap}"),
            _ => format!("f{number}"),
        };
        self.scope.clear();
        let mut list = Vec::new();
        let mut described = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            let value = format!("%p{i}");
            list.push(format!("{value}: {}", ty.text()));
            described.push(format!("{{name = \"p{i}\", dir = \"in\"}}"));
            if memory && i == 0 {
                self.base = Some(value);
            } else {
                self.scope.push((value, ty.clone()));
            }
        }
        let texts: Vec<String> = results.iter().map(Ty::text).collect();
        let visible = if root || self.rng.one_in(2) { " " } else { " private " };
        let differentiable = if self.smooth { ", differentiable = \"both\"" } else { "" };
        self.line(&format!(
            "func.func{visible}@{name}({}) -> ({}) attributes {{params = [{}]{differentiable}}} {{",
            list.join(", "),
            texts.join(", "),
            described.join(", ")
        ));
        self.indent += 1;
        let count = 2 + self.rng.below(self.size.statements);
        self.statements(count);
        self.end("func.return", &results);
        self.indent -= 1;
        self.line("}");
        self.base = None;
        self.funcs.push(Func { name, params, results, memory });
    }

    fn ty(&mut self) -> Ty {
        if !self.smooth {
            return data(&mut self.rng, 2);
        }
        match self.rng.below(8) {
            0 => Ty::Vector(vec![2 + self.rng.below(3) as u8], Box::new(F64)),
            1 => Ty::Vector(vec![2, 2 + self.rng.below(2) as u8], Box::new(F64)),
            2 | 3 => Ty::Array(2 + self.rng.below(3) as u8, Box::new(F64)),
            4 => Ty::Int(32),
            _ => F64,
        }
    }

    /// A terminator with a value of each type.
    fn end(&mut self, op: &str, types: &[Ty]) {
        let values: Vec<String> = types.iter().map(|t| self.value(t, 1)).collect();
        self.terminator(op, &values, types);
    }

    fn terminator(&mut self, op: &str, values: &[String], types: &[Ty]) {
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        let colon = if types.is_empty() { "" } else { " : " };
        self.line(&format!("{op} {}{colon}{}", values.join(", "), texts.join(", ")));
    }

    fn statements(&mut self, count: usize) {
        for _ in 0..count {
            let deep = self.nesting < self.size.depth;
            match self.rng.below(if deep { 14 } else { 8 }) {
                0..=5 => {
                    let ty = self.ty();
                    self.operation(&ty, 2);
                }
                6 => self.call(),
                7 if self.base.is_some() => self.memory(),
                7 => {
                    let ty = self.ty();
                    self.operation(&ty, 2);
                }
                8 | 9 => self.branch(),
                10..=12 => self.counted(),
                13 if self.rng.one_in(2) => self.repeated(),
                _ => self.switch(),
            }
        }
    }

    /// A region: its statements, then `end`. Its values are not visible outside.
    fn region(&mut self, count: usize, end: &mut dyn FnMut(&mut Generator)) {
        let scope = self.scope.len();
        self.nesting += 1;
        self.indent += 1;
        self.statements(count);
        end(self);
        self.indent -= 1;
        self.nesting -= 1;
        self.scope.truncate(scope);
    }

    /// Names for the results of an op, which can be read once they are added to the scope.
    fn results(&mut self, types: &[Ty]) -> (String, Vec<(String, Ty)>) {
        let made: Vec<(String, Ty)> = types.iter().map(|t| (self.fresh(), t.clone())).collect();
        let names: Vec<&str> = made.iter().map(|(n, _)| n.as_str()).collect();
        let left = if names.is_empty() { String::new() } else { format!("{} = ", names.join(", ")) };
        (left, made)
    }

    fn some_types(&mut self, least: usize) -> Vec<Ty> {
        (0..least + self.rng.below(3)).map(|_| self.ty()).collect()
    }

    fn arrow(types: &[Ty]) -> String {
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        if texts.is_empty() { String::new() } else { format!(" -> ({})", texts.join(", ")) }
    }

    fn branch(&mut self) {
        let condition = self.value(&I1, 2);
        let least = usize::from(self.base.is_none());
        let types = self.some_types(least);
        let (left, made) = self.results(&types);
        self.line(&format!("{left}scf.if {condition}{} {{", Self::arrow(&types)));
        let mut end = |g: &mut Generator| g.end("scf.yield", &types);
        let count = 1 + self.rng.below(2);
        self.region(count, &mut end);
        self.line("} else {");
        self.region(1, &mut end);
        self.line("}");
        self.scope.extend(made);
    }

    fn switch(&mut self) {
        let on = self.small(4);
        let types = self.some_types(1);
        let (left, made) = self.results(&types);
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        let mut end = |g: &mut Generator| g.end("scf.yield", &types);
        self.line(&format!("{left}scf.index_switch {on} -> {}", texts.join(", ")));
        for case in 0..1 + self.rng.below(3) {
            self.line(&format!("case {} {{", 2 * case));
            self.region(1, &mut end);
            self.line("}");
        }
        self.line("default {");
        self.region(1, &mut end);
        self.line("}");
        self.scope.extend(made);
    }

    /// An index below `n`, which is a power of two.
    fn small(&mut self, n: usize) -> String {
        if self.rng.one_in(3) {
            let k = self.rng.below(n);
            return self.quiet(&format!("arith.constant {k} : index"));
        }
        let from = self.value(&Ty::Int(32), 1);
        let mask = self.quiet(&format!("arith.constant {} : i32", n - 1));
        let low = self.quiet(&format!("arith.andi {from}, {mask} : i32"));
        self.quiet(&format!("arith.index_cast {low} : i32 to index"))
    }

    fn counted(&mut self) {
        if self.loops >= 3 {
            return self.branch();
        }
        let constant = |g: &mut Generator, n: i64| g.quiet(&format!("arith.constant {n} : index"));
        // Loops that are differentiated start at 0 and have step 1.
        let other = !self.smooth && self.rng.one_in(3);
        let lower = if other { self.rng.below(6) as i64 - 3 } else { 0 };
        let step = if other { 1 + self.rng.below(3) as i64 } else { 1 };
        let (lower, step) = (constant(self, lower), constant(self, step));
        let upper = self.small(8);
        let types = self.some_types(usize::from(self.base.is_none()));
        let inits: Vec<String> = types.iter().map(|t| self.value(t, 1)).collect();
        let (left, made) = self.results(&types);
        let counter = self.fresh();
        let carried: Vec<(String, Ty)> = types.iter().map(|t| (self.fresh(), t.clone())).collect();
        let pairs: Vec<String> = carried.iter().zip(&inits).map(|((n, _), v)| format!("{n} = {v}")).collect();
        let iter = if pairs.is_empty() { String::new() } else { format!(" iter_args({})", pairs.join(", ")) };
        let scope = self.scope.len();
        self.line(&format!("{left}scf.for {counter} = {lower} to {upper} step {step}{iter}{} {{", Self::arrow(&types)));
        self.scope.push((counter, Ty::Index));
        self.scope.extend(carried);
        self.loops += 1;
        let count = 1 + self.rng.below(3);
        self.region(count, &mut |g| g.end("scf.yield", &types));
        self.loops -= 1;
        self.scope.truncate(scope);
        self.line("}");
        self.scope.extend(made);
    }

    /// A `while` that counts down and may end early.
    fn repeated(&mut self) {
        if self.loops >= 2 {
            return self.branch();
        }
        let start = self.small(8);
        let start = self.quiet(&format!("arith.index_cast {start} : index to i32"));
        let mut types = self.some_types(1);
        types.insert(0, Ty::Int(32));
        let mut inits: Vec<String> = types[1..].iter().map(|t| self.value(t, 1)).collect();
        inits.insert(0, start);
        let (left, made) = self.results(&types);
        let texts: Vec<String> = types.iter().map(Ty::text).collect();
        let before: Vec<(String, Ty)> = types.iter().map(|t| (self.fresh(), t.clone())).collect();
        let pairs: Vec<String> = before.iter().zip(&inits).map(|((n, _), v)| format!("{n} = {v}")).collect();
        let list = texts.join(", ");
        self.line(&format!("{left}scf.while ({}) : ({list}) -> ({list}) {{", pairs.join(", ")));
        let scope = self.scope.len();
        let base = self.base.take();
        self.indent += 1;
        self.scope.extend(before.clone());
        let zero = self.quiet("arith.constant 0 : i32");
        let mut more = self.quiet(&format!("arith.cmpi sgt, {}, {zero} : i32", before[0].0));
        if self.rng.one_in(2) {
            let also = self.value(&I1, 1);
            more = self.quiet(&format!("arith.andi {more}, {also} : i1"));
        }
        let names: Vec<String> = before.iter().map(|(n, _)| n.clone()).collect();
        self.line(&format!("scf.condition({more}) {} : {list}", names.join(", ")));
        self.indent -= 1;
        self.scope.truncate(scope);
        self.base = base;
        self.line("} do {");
        let args: Vec<(String, Ty)> = types.iter().map(|t| (self.fresh(), t.clone())).collect();
        let typed: Vec<String> = args.iter().map(|(n, t)| format!("{n}: {}", t.text())).collect();
        self.line(&format!("^bb0({}):", typed.join(", ")));
        self.scope.extend(args.clone());
        self.loops += 1;
        let count = 1 + self.rng.below(2);
        self.region(count, &mut |g| {
            let one = g.quiet("arith.constant 1 : i32");
            let mut values = vec![g.quiet(&format!("arith.subi {}, {one} : i32", args[0].0))];
            values.extend(types[1..].iter().map(|t| g.value(t, 1)));
            g.terminator("scf.yield", &values, &types);
        });
        self.loops -= 1;
        self.scope.truncate(scope);
        self.line("}");
        self.scope.extend(made);
    }

    fn call(&mut self) {
        let suits: Vec<usize> =
            (0..self.funcs.len()).filter(|&f| !self.funcs[f].memory || self.base.is_some()).collect();
        let Some(&f) = self.rng.pick(&suits) else {
            let ty = self.ty();
            self.operation(&ty, 2);
            return;
        };
        let Func { name, params, results, memory } = &self.funcs[f];
        let (name, params, results, memory) = (name.clone(), params.clone(), results.clone(), *memory);
        let mut args = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            args.push(match &self.base {
                Some(base) if memory && i == 0 => base.clone(),
                _ => self.value(ty, 1),
            });
        }
        let (left, made) = self.results(&results);
        self.line(&format!("{left}func.call @{name}({}) : {}", args.join(", "), signature(&params, &results)));
        self.scope.extend(made);
    }

    /// A read or a write of the thread's memory.
    fn memory(&mut self) {
        let Some(base) = self.base.clone() else { return };
        let buffer = self.quiet("agg.global @memory : !agg.buffer<f64, \"rw\">");
        let offset = self.small(MEMORY);
        let at = self.quiet(&format!("arith.addi {base}, {offset} : index"));
        if self.rng.one_in(2) {
            let value = self.value(&F64, 2);
            self.line(&format!(
                "agg.buffer_store {value}, {buffer}, {at}[] {{path = array<i64>}} : (f64, !agg.buffer<f64, \"rw\">, index) -> ()"
            ));
        } else {
            let op = format!(
                "agg.buffer_load {buffer}, {at}[] {{path = array<i64>}} : (!agg.buffer<f64, \"rw\">, index) -> f64"
            );
            self.emit(&F64, &op);
        }
    }

    /// The head of a kernel, with the thread's number as `%t`.
    fn kernel_head(&mut self, name: &str) {
        self.line(&format!(
            "func.func @{name}() attributes {{params = [], entry = {{stage = \"compute\", numthreads = array<i64: 1, 1, 1>}}}} {{"
        ));
        self.indent += 1;
        self.line("%t = gpu.global_id x");
        self.scope.clear();
    }

    /// Loads element `k` of the thread's `stride` elements, as a value of the scalar type.
    fn load(&mut self, buffer: &str, ty: &str, stride: usize, k: usize) -> String {
        let at = self.element(stride, k);
        let b = self.quiet(&format!("agg.global @{buffer} : !agg.buffer<{ty}, \"ro\">"));
        self.quiet(&format!(
            "agg.buffer_load {b}, {at}[] {{path = array<i64>}} : (!agg.buffer<{ty}, \"ro\">, index) -> {ty}"
        ))
    }

    fn element(&mut self, stride: usize, k: usize) -> String {
        let (n, k) = (
            self.quiet(&format!("arith.constant {stride} : index")),
            self.quiet(&format!("arith.constant {k} : index")),
        );
        let first = self.quiet(&format!("arith.muli %t, {n} : index"));
        self.quiet(&format!("arith.addi {first}, {k} : index"))
    }

    fn store(&mut self, buffer: &str, ty: &str, value: &str, k: usize) {
        let at = self.element(OUTPUTS, k);
        let b = self.quiet(&format!("agg.global @{buffer} : !agg.buffer<{ty}, \"rw\">"));
        self.line(&format!(
            "agg.buffer_store {value}, {b}, {at}[] {{path = array<i64>}} : ({ty}, !agg.buffer<{ty}, \"rw\">, index) -> ()"
        ));
    }

    /// A kernel that makes arguments from the thread's numbers, calls the last function, and writes
    /// every scalar of its results.
    fn wild_kernel(&mut self) {
        self.kernel_head("main");
        for k in 0..INPUTS {
            let real = self.load("data", "f64", INPUTS, k);
            self.scope.push((real, F64));
            let int = self.load("ints", "i64", INPUTS, k);
            self.scope.push((int, Ty::Int(64)));
        }
        let Some(f) = self.funcs.last() else { return };
        let (name, params, results, memory) = (f.name.clone(), f.params.clone(), f.results.clone(), f.memory);
        let mut args = Vec::new();
        for (i, ty) in params.iter().enumerate() {
            args.push(if memory && i == 0 { self.element(MEMORY, 0) } else { self.value(ty, 0) });
        }
        let (left, made) = self.results(&results);
        self.line(&format!("{left}func.call @{name}({}) : {}", args.join(", "), signature(&params, &results)));
        let mut k = 0;
        for (value, ty) in made {
            self.store_all(&value, &ty, &mut k);
        }
        self.line("func.return");
        self.indent -= 1;
        self.line("}");
    }

    fn store_all(&mut self, value: &str, ty: &Ty, k: &mut usize) {
        match ty {
            Ty::Float(64) => self.store("out", "f64", value, *k),
            Ty::Float(_) => {
                let wide = self.quiet(&format!("arith.extf {value} : {} to f64", ty.text()));
                self.store("out", "f64", &wide, *k);
            }
            Ty::Int(64) => self.store("outi", "i64", value, *k),
            Ty::Int(_) | Ty::Index => {
                let cast = if *ty == Ty::Index { "index_cast" } else { "extsi" };
                let wide = self.quiet(&format!("arith.{cast} {value} : {} to i64", ty.text()));
                self.store("outi", "i64", &wide, *k);
            }
            Ty::Vector(shape, lane) => {
                for i in 0..ty.lanes() {
                    let at = match shape[..] {
                        [_, columns] => format!("{}, {}", i / usize::from(columns), i % usize::from(columns)),
                        _ => i.to_string(),
                    };
                    let part =
                        self.quiet(&format!("vector.extract {value}[{at}] : {} from {}", lane.text(), ty.text()));
                    self.store_all(&part, lane, k);
                }
                return;
            }
            Ty::Array(..) | Ty::Struct => {
                for (i, part_ty) in ty.parts().iter().enumerate() {
                    let part = self.quiet(&format!(
                        "agg.extract {value}[] {{path = array<i64: {i}>}} : ({}) -> {}",
                        ty.text(),
                        part_ty.text()
                    ));
                    self.store_all(&part, part_ty, k);
                }
                return;
            }
        }
        *k += 1;
    }

    /// A kernel that writes the value, the derivative along the direction that follows the point,
    /// and the gradient.
    fn smooth_kernel(&mut self) {
        let Some(name) = self.funcs.last().map(|f| f.name.clone()) else { return };
        let (pair, params) = (
            "!ad.pair<f64>",
            "{name = \"p0\", dir = \"in\"}, {name = \"p1\", dir = \"in\"}, {name = \"p2\", dir = \"in\"}, {name = \"p3\", dir = \"in\"}",
        );
        self.line(&format!(
            "ad.derivative @\"fwd_diff({name})\" attributes {{of = @{name}, mode = \"fwd\", function_type = ({pair}, {pair}, {pair}, i32) -> {pair}, params = [{params}]}}"
        ));
        let inout = params.replace("\"in\"}, {", "\"inout\"}, {");
        self.line(&format!(
            "ad.derivative @\"bwd_diff({name})\" attributes {{of = @{name}, mode = \"bwd\", function_type = ({pair}, {pair}, {pair}, i32, f64) -> ({pair}, {pair}, {pair}), \
             params = [{inout}, {{name = \"dResult\", dir = \"in\"}}]}}"
        ));
        self.kernel_head("main");
        let x: Vec<String> = (0..6).map(|k| self.load("data", "f64", 6, k)).collect();
        let wide = self.load("ints", "i64", INPUTS, 0);
        let n = self.quiet(&format!("arith.trunci {wide} : i64 to i32"));
        let point = x[..3].join(", ");
        let value = self.quiet(&format!("func.call @{name}({point}, {n}) : (f64, f64, f64, i32) -> f64"));
        self.store("out", "f64", &value, 0);
        let pairs: Vec<String> = (0..3)
            .map(|i| self.quiet(&format!("ad.make_pair {}, {} : (f64, f64) -> {pair}", x[i], x[3 + i])))
            .collect();
        let forward = self.quiet(&format!(
            "func.call @\"fwd_diff({name})\"({}, {n}) : ({pair}, {pair}, {pair}, i32) -> {pair}",
            pairs.join(", ")
        ));
        for (k, part) in ["primal", "differential"].iter().enumerate() {
            let part = self.quiet(&format!("ad.{part} {forward} : ({pair}) -> f64"));
            self.store("out", "f64", &part, 1 + k);
        }
        let one = self.quiet("arith.constant 1.0 : f64");
        let (left, made) = self.results(&[F64, F64, F64]);
        self.line(&format!(
            "{left}func.call @\"bwd_diff({name})\"({}, {n}, {one}) : ({pair}, {pair}, {pair}, i32, f64) -> ({pair}, {pair}, {pair})",
            pairs.join(", ")
        ));
        for (k, (p, _)) in made.iter().enumerate() {
            let part = self.quiet(&format!("ad.differential {p} : ({pair}) -> f64"));
            self.store("out", "f64", &part, 3 + k);
        }
        self.line("func.return");
        self.indent -= 1;
        self.line("}");
    }

    /// A random scalar type that this kind of module has.
    pub fn scalar_ty(&mut self) -> Ty {
        if self.smooth { [F64, F64, Ty::Int(32)][self.rng.below(3)].clone() } else { scalar(&mut self.rng) }
    }
}

fn signature(params: &[Ty], results: &[Ty]) -> String {
    let list = |types: &[Ty]| types.iter().map(Ty::text).collect::<Vec<_>>().join(", ");
    format!("({}) -> ({})", list(params), list(results))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides() {
        let size = Size { funcs: 2, statements: 4, depth: 2 };
        assert_eq!(module(7, false, size), module(7, false, size));
        assert_ne!(module(7, false, size), module(8, false, size));
        assert!(module(7, true, size).contains("bwd_diff"));
    }
}
