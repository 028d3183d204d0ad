//! The kernels that are timed, as text of IR: loops around one op, and the same loops without it.
//!
//! *Independent*: [`CHAINS`] ops an iteration whose operands change with it and whose results are
//! summed up, so that nothing waits for anything but a sum. *Dependent*: one op an iteration, whose
//! operand is made of its result. What the loop without the op takes is subtracted, so that
//! counters, sums and changes of operands do not count.
//!
//! Operands are read from buffers, so that no compiler knows them. An op is written in the generic
//! form with the types that its row allows: nothing here names an op that is measured.

use caustic_dialects::{arith, math as m};
use caustic_ir::op::{OpDef, TypeRule};
use caustic_ir::{FloatKind, Type};
use caustic_passes::analysis::costs::{Costs, Machine};
use std::fmt::Write;

/// Ops of an iteration of the loop of independent ops.
pub const CHAINS: usize = 4;
/// Iterations of each thread.
pub const ITERATIONS: usize = 512;
/// Elements of each buffer that a thread reads: starts of the chains, and of what they share.
pub const INPUTS: usize = 8;
const SHARED: usize = CHAINS;
const ZERO: usize = CHAINS + 1;

/// What is measured: some ops with the same operands.
#[derive(Clone, Debug)]
pub struct Case {
    pub ops: Vec<&'static OpDef>,
    /// Operands that are this constant.
    pub constant: Option<(usize, f64)>,
    /// The operand that all ops of an iteration have in common.
    pub shared: Option<usize>,
    pub from: Type,
    pub to: Type,
}

/// Which loop around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loop {
    Independent,
    Dependent,
}

/// The types that an op may be measured with, the likeliest first.
pub fn types() -> [Type; 6] {
    let float = Type::float;
    [float(FloatKind::F32), Type::i32(), float(FloatKind::F64), Type::i64(), Type::index(), Type::i1()]
}

/// Whether an op's row says that it takes operands of one type and gives a result of the other.
pub fn allows(def: &OpDef, from: Type, to: Type) -> bool {
    let class = |rule: TypeRule, ty: Type| match rule {
        TypeRule::Class(class) => (class.contains)(ty),
        TypeRule::BoolLike(_) => ty == Type::i1(),
        TypeRule::SameAs(_) | TypeRule::ElemOf(_) => true,
        TypeRule::Exactly(exact) => exact() == ty,
    };
    let result = |rule: TypeRule| match rule {
        TypeRule::SameAs(_) => to == from,
        _ => class(rule, to),
    };
    !def.operands.is_empty()
        && def.operands.iter().all(|o| class(o.rule, from))
        && def.results.iter().all(|r| result(r.rule))
}

/// Writes one function.
struct Writer {
    out: String,
    next: usize,
    /// The numbers that truth values choose between.
    choices: [String; 2],
}

impl Writer {
    fn value(&mut self) -> String {
        self.next += 1;
        format!("%v{}", self.next)
    }

    fn op(&mut self, name: &str, operands: &[&str], from: Type, to: Type, attrs: &str) -> String {
        let result = self.value();
        let types = vec![from.to_string(); operands.len()].join(", ");
        let _ = writeln!(self.out, "    {result} = \"{name}\"({}) {attrs} : ({types}) -> {to}", operands.join(", "));
        result
    }

    fn constant(&mut self, value: f64, ty: Type) -> String {
        let result = self.value();
        let text = if ty.is_float() { format!("{value:e}") } else { format!("{}", value as i64) };
        let text = if ty.is_float() && !text.contains('.') { text.replace('e', ".0e") } else { text };
        let _ = writeln!(self.out, "    {result} = arith.constant {text} : {ty}");
        result
    }

    /// The input of this number, of the thread's own.
    fn input(&mut self, number: usize, ty: Type) -> String {
        let float = ty.is_float();
        let (buffer, read) = if float { ("%floats", "f32") } else { ("%ints", "i32") };
        let (offset, place, value) = (self.constant(number as f64, Type::index()), self.value(), self.value());
        let _ = writeln!(
            self.out,
            "    {place} = arith.addi %first, {offset} : index\n    \
             {value} = agg.buffer_load {buffer}, {place}[] {{path = array<i64>}} : (!agg.buffer<{read}, \"ro\">, index) -> {read}"
        );
        let read = if float { Type::float(FloatKind::F32) } else { Type::i32() };
        self.convert(&value, read, ty)
    }

    /// To a type of at least as many bits, or from one to f32.
    fn convert(&mut self, value: &str, from: Type, to: Type) -> String {
        let name = match (from.is_float(), to.is_float()) {
            _ if from == to => return value.to_string(),
            (true, true) if to.scalar_bits() > from.scalar_bits() => arith::ExtF::NAME,
            (true, true) => arith::TruncF::NAME,
            (false, true) if from.is_index() => {
                let int = self.op(arith::IndexCast::NAME, &[value], from, Type::i32(), "");
                return self.convert(&int, Type::i32(), to);
            }
            (false, true) => arith::SIToFP::NAME,
            _ if to.is_index() => arith::IndexCast::NAME,
            _ => arith::ExtSI::NAME,
        };
        self.op(name, &[value], from, to, "")
    }

    /// What a chain's operand is in the next iteration.
    fn stepped(&mut self, value: &str, ty: Type, step: &str) -> String {
        self.op(if ty.is_float() { arith::AddF::NAME } else { arith::AddI::NAME }, &[value, step], ty, ty, "")
    }

    /// A sum that goes on with a result. Of integers no closed form is known for it.
    fn summed(&mut self, sum: &str, result: &str, ty: Type) -> String {
        if ty.is_float() {
            return self.op(arith::AddF::NAME, &[sum, result], ty, ty, "");
        }
        let added = self.op(arith::AddI::NAME, &[sum, result], ty, ty, "");
        self.op(arith::XOrI::NAME, &[&added, result], ty, ty, "")
    }
}

/// Where operands start, and how far they go: where functions are what they are for most arguments.
fn range(case: &Case) -> (f64, f64) {
    let above_one = case.ops.iter().any(|d| std::ptr::eq(*d, m::Acosh::DEF));
    if above_one { (1.25, 1.0) } else { (0.25, 0.5) }
}

/// Contents of the buffers of floats and of ints, for so many threads.
pub fn inputs(case: &Case, threads: usize) -> (Vec<f32>, Vec<i32>) {
    let start = range(case).0 as f32;
    let number = |i: usize| match i % INPUTS {
        ZERO => 0.0,
        _ => start + (i * 37 % 101) as f32 * 1e-4,
    };
    let int = |i: usize| if i % INPUTS == ZERO { 0 } else { 1000 + (i * 37 % 101) as i32 };
    let all = threads * INPUTS;
    ((0..all).map(number).collect(), (0..all).map(int).collect())
}

/// The type of what is summed up: truth values choose between two numbers.
fn summed_type(case: &Case) -> Type {
    if case.to == Type::i1() { Type::float(FloatKind::F32) } else { case.to }
}

impl Case {
    /// Whether a result can be the next operand.
    pub fn can_depend(&self) -> bool {
        self.from == self.to && self.ops.len() == 1 && self.shared.is_none()
    }

    fn is_measured_with_a_select(&self) -> bool {
        self.to == Type::i1()
    }

    /// What is measured besides the ops themselves, by the table: the select behind a comparison.
    pub fn hidden(&self, machine: Machine) -> f64 {
        let costs = Costs::of_machine(machine);
        let select = costs.of(arith::Select::DEF, summed_type(self), &[]).alone();
        if self.is_measured_with_a_select() { f64::from(select) } else { 0.0 }
    }

    /// What a name says of it.
    pub fn title(&self) -> String {
        let names: Vec<&str> = self.ops.iter().map(|d| d.name).collect();
        let mut out = format!("`{}`", names.join("`, `"));
        if let Some((operand, value)) = self.constant {
            let name = self.ops.first().and_then(|d| d.operands.get(operand)).map_or("operand", |o| o.name);
            let _ = write!(out, ", {name} = {value}");
        }
        if self.is_measured_with_a_select() {
            out += " and a select";
        }
        out
    }

    /// The case's ops on these operands; their results, as what is summed up.
    fn applied(&self, w: &mut Writer, operands: [&str; 3], constant: Option<&str>) -> Vec<String> {
        let mut results = Vec::new();
        for def in &self.ops {
            let mut given: Vec<&str> = (0..def.operands.len()).map(|n| operands[n % 3]).collect();
            if let (Some((n, _)), Some(constant)) = (self.constant, constant) {
                given[n] = constant;
            }
            // The predicate `slt`, or `ogt`.
            let attrs = if def.attrs.iter().any(|a| a.name == "predicate") { "{predicate = 2 : i64}" } else { "" };
            let result = w.op(def.name, &given, self.from, self.to, attrs);
            results.push(if self.is_measured_with_a_select() {
                let ty = summed_type(self);
                let chosen = w.value();
                let [left, right] = &w.choices;
                let _ = writeln!(w.out, "    {chosen} = arith.select {result}, {left}, {right} : {ty}");
                chosen
            } else {
                result
            });
        }
        results
    }

    /// The kernel `main` in groups of so many threads: the loop with the ops, or without them.
    pub fn kernel(&self, which: Loop, with: bool, group: usize) -> String {
        let mut w = Writer { out: header(group), next: 0, choices: Default::default() };
        let sum = summed_type(self);
        w.choices = [w.input(0, sum), w.input(1, sum)];
        let _ = writeln!(w.out, "    %count = arith.constant {ITERATIONS} : index");
        let step = w.constant(if self.from.is_float() { range(self).1 / ITERATIONS as f64 } else { 3.0 }, self.from);
        let constant = self.constant.map(|(_, value)| w.constant(value, self.from));
        let values = match which {
            Loop::Independent => self.independent(&mut w, with, &step, constant.as_deref()),
            Loop::Dependent => self.dependent(&mut w, with, &step, constant.as_deref()),
        };
        // Everything is needed in the end.
        let float = Type::float(FloatKind::F32);
        let mut total = w.constant(0.0, float);
        for (value, ty) in values {
            let value = if ty.is_float() || ty.is_index() || ty == Type::i32() {
                w.convert(&value, ty, float)
            } else {
                w.op(arith::SIToFP::NAME, &[&value], ty, float, "")
            };
            total = w.summed(&total, &value, float);
        }
        let _ = writeln!(
            w.out,
            "    agg.buffer_store {total}, %result, %id[] {{path = array<i64>}} : (f32, !agg.buffer<f32, \"rw\">, index) -> ()\n    \
             func.return\n  }}\n}}"
        );
        w.out
    }

    /// The loop, and what it gives.
    fn independent(&self, w: &mut Writer, with: bool, step: &str, constant: Option<&str>) -> Vec<(String, Type)> {
        let (from, sum) = (self.from, summed_type(self));
        let mut carried: Vec<(String, Type)> = Vec::new();
        for chain in 0..=CHAINS {
            let start = w.input(if chain == CHAINS { SHARED } else { chain }, from);
            carried.push((start, from));
        }
        for _ in 0..CHAINS {
            carried.push((w.constant(0.0, sum), sum));
        }
        let (results, arguments) = begin(w, &carried);
        let mut next: Vec<String> = Vec::new();
        for argument in arguments.iter().take(CHAINS + 1) {
            next.push(w.stepped(argument, from, step));
        }
        for chain in 0..CHAINS {
            let [own, other] = [&arguments[chain], &arguments[(chain + 1) % CHAINS]].map(String::as_str);
            let mut operands = [own, other, &arguments[(chain + 2) % CHAINS]];
            if let Some(n) = self.shared.filter(|_| self.ops.len() == 1) {
                operands = [own; 3];
                operands[n] = &arguments[CHAINS];
            }
            let mut total = arguments[CHAINS + 1 + chain].clone();
            let added = match with {
                true => self.applied(w, operands, constant),
                false if from == sum => vec![own.to_string(); self.ops.len()],
                false => vec![w.choices[0].clone(); self.ops.len()],
            };
            for result in added {
                total = w.summed(&total, &result, sum);
            }
            next.push(total);
        }
        end(w, &next, &carried);
        results.into_iter().zip(carried).map(|(r, (_, ty))| (r, ty)).collect()
    }

    fn dependent(&self, w: &mut Writer, with: bool, step: &str, constant: Option<&str>) -> Vec<(String, Type)> {
        let ty = self.from;
        let (start, zero) = (w.input(0, ty), w.input(ZERO, ty));
        let carried = vec![(start.clone(), ty), (w.input(1, ty), ty)];
        let (results, arguments) = begin(w, &carried);
        let other = w.stepped(&arguments[1], ty, step);
        let result = match with {
            true => self.applied(w, [&arguments[0], &arguments[1], &arguments[1]], constant).remove(0),
            false => arguments[0].clone(),
        };
        // The same operand again, which nobody can know.
        let (product, sum) =
            if ty.is_float() { (arith::MulF::NAME, arith::AddF::NAME) } else { (arith::AndI::NAME, arith::AddI::NAME) };
        let nothing = w.op(product, &[&result, &zero], ty, ty, "");
        let again = w.op(sum, &[&nothing, &start], ty, ty, "");
        end(w, &[again, other], &carried);
        results.into_iter().map(|r| (r, ty)).collect()
    }
}

fn header(group: usize) -> String {
    let resource = |name: &str, ty: &str, access: &str, kind: &str, of: &str| {
        format!(
            "  agg.resource @{name} attributes {{type = !agg.buffer<{ty}, \"{access}\">, \
             reflect = {{name = \"{name}\", kind = \"{kind}\", type = \"{of}\"}}}}\n"
        )
    };
    let resources = [
        resource("floats", "f32", "ro", "buffer", "f32"),
        resource("ints", "i32", "ro", "buffer", "i32"),
        resource("result", "f32", "rw", "rw_buffer", "f32"),
    ]
    .concat();
    format!(
        "module {{\n{resources}  func.func @main() attributes {{params = [], entry = {{stage = \"compute\", \
         numthreads = array<i64: {group}, 1, 1>}}}} {{\n    \
         %id = gpu.global_id x\n    %each = arith.constant {INPUTS} : index\n    \
         %first = arith.muli %id, %each : index\n    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    \
         %floats = agg.global @floats : !agg.buffer<f32, \"ro\">\n    %ints = agg.global @ints : !agg.buffer<i32, \"ro\">\n    \
         %result = agg.global @result : !agg.buffer<f32, \"rw\">\n"
    )
}

/// The head of the loop; its results, and what is carried.
fn begin(w: &mut Writer, carried: &[(String, Type)]) -> (Vec<String>, Vec<String>) {
    let results: Vec<String> = carried.iter().map(|_| w.value()).collect();
    let arguments: Vec<String> = carried.iter().map(|_| w.value()).collect();
    let given: Vec<String> = arguments.iter().zip(carried).map(|(a, (start, _))| format!("{a} = {start}")).collect();
    let types: Vec<String> = carried.iter().map(|(_, ty)| ty.to_string()).collect();
    let _ = writeln!(
        w.out,
        "    {} = scf.for %i = %c0 to %count step %c1 iter_args({}) -> ({}) {{",
        results.join(", "),
        given.join(", "),
        types.join(", ")
    );
    (results, arguments)
}

fn end(w: &mut Writer, next: &[String], carried: &[(String, Type)]) {
    let types: Vec<String> = carried.iter().map(|(_, ty)| ty.to_string()).collect();
    let _ = writeln!(w.out, "    scf.yield {} : {}\n    }}", next.join(", "), types.join(", "));
}
