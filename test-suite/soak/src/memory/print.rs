//! Prints a program about memory in the language, without unused declarations.

use super::tree::{Arg, Compare, Expr, Func, Kind, Mode, Num, Op, Place, Program, Stmt, Struct, Ty};
use std::collections::HashSet;
use std::fmt::Write as _;

/// The buffer for the sums of the threads.
pub const RESULT: &str = "result";

pub fn global_name(g: usize) -> String {
    format!("g{g}")
}

/// The text, and the indices of the global variables in it.
pub fn print(p: &Program) -> (String, Vec<usize>) {
    let mut printer = Printer { p, out: String::new(), depth: 1 };
    printer.stmts(&p.main);
    let main = printer.out;
    let mut used: HashSet<String> = words(&main);
    let mut texts = Vec::new();
    // Only later functions call a function.
    for (n, f) in p.funcs.iter().enumerate().rev() {
        if used.contains(&format!("fun{n}")) {
            let text = function(p, n, f);
            used.extend(words(&text));
            texts.push(text);
        }
    }
    texts.reverse();
    let globals: Vec<usize> = (0..p.globals.len()).filter(|g| used.contains(&global_name(*g))).collect();
    let mut head = String::new();
    for &g in &globals {
        let (global, name) = (&p.globals[g], global_name(g));
        let ty = &global.ty;
        let _ = match global.kind {
            Kind::Structured(w) => {
                writeln!(head, "{}StructuredBuffer<{}> {name};", if w { "RW" } else { "" }, name_of(ty))
            }
            Kind::Bytes(w) => writeln!(head, "{}ByteAddressBuffer {name};", if w { "RW" } else { "" }),
            Kind::Pointer => writeln!(head, "uniform {} {name};", name_of(&Ty::pointer(ty))),
            Kind::Shared => writeln!(head, "groupshared {};", declared(ty, &name)),
            Kind::Static => writeln!(head, "static {};", declared(ty, &name)),
        };
    }
    let mut used_in_text = words(&head);
    used_in_text.extend(used);
    let mut structs = Vec::new();
    for (n, s) in p.structs.iter().enumerate().rev() {
        if used_in_text.contains(&format!("S{n}")) {
            let text = structure(n, s);
            used_in_text.extend(words(&text));
            structs.push(text);
        }
    }
    structs.reverse();
    let clean = "// Which NaN an operation gives is open.\nfloat clean(float x) { return isnan(x) ? 0.25f : x; }\n";
    let clean = if used_in_text.contains("clean") { clean } else { "" };
    let text = format!(
        "{}{clean}RWStructuredBuffer<uint> {RESULT};\n{head}{}\
         [shader(\"compute\")]\n[numthreads({}, 1, 1)]\nvoid computeMain(uint3 thread : SV_DispatchThreadID)\n{{\n    int tid = int(thread.x);\n    uint sum = 0u;\n{main}    {RESULT}[tid] = sum;\n}}\n",
        structs.concat(),
        texts.concat(),
        p.threads,
    );
    (text, globals)
}

fn structure(n: usize, s: &Struct) -> String {
    let own = || s.fields.iter().enumerate().skip(usize::from(s.inherits));
    let fields: String = own()
        .map(|(i, ty)| {
            let default = s.defaults.get(i).copied().flatten().zip(ty.num());
            let default = default.map_or(String::new(), |(bits, num)| format!(" = {}", literal(num, bits)));
            format!(" {}{default};", declared(ty, &field_name(s, i)))
        })
        .collect();
    if !s.inherits {
        return format!("struct S{n} {{{fields} }}\n");
    }
    let params: Vec<String> = own().map(|(i, ty)| declared(ty, &format!("x{i}"))).collect();
    let sets: String = own().map(|(i, _)| format!(" {} = x{i};", field_name(s, i))).collect();
    let base = s.fields.first().map_or(String::new(), name_of);
    format!("struct S{n} : {base} {{{fields} __init({}) {{{sets} }} }}\n", params.join(", "))
}

/// The fields of a struct that inherits have other names than those that it inherits.
fn field_name(s: &Struct, n: usize) -> String {
    format!("{}{n}", if s.inherits { "d" } else { "f" })
}

fn words(text: &str) -> HashSet<String> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').map(str::to_string).collect()
}

fn function(p: &Program, n: usize, f: &Func) -> String {
    let mut printer = Printer { p, out: String::new(), depth: 1 };
    printer.stmts(&f.body);
    let ret = f.ret.as_ref().map_or("void".to_string(), name_of);
    let params: String = f
        .params
        .iter()
        .map(|(v, mode)| {
            let mode = match mode {
                Mode::In => "",
                Mode::Out => "out ",
                Mode::InOut => "inout ",
            };
            format!(", {mode}{}", declared(&p.vars[*v], &format!("v{v}")))
        })
        .collect();
    let result = f.result.as_ref().map_or(String::new(), |e| format!("    return {};\n", printer.expr(e)));
    format!("{ret} fun{n}(int tid{params})\n{{\n{}{result}}}\n", printer.out)
}

pub fn num_name(n: Num) -> &'static str {
    match n {
        Num::Bool => "bool",
        Num::I8 => "int8_t",
        Num::U8 => "uint8_t",
        Num::I16 => "int16_t",
        Num::U16 => "uint16_t",
        Num::I32 => "int",
        Num::U32 => "uint",
        Num::I64 => "int64_t",
        Num::U64 => "uint64_t",
        Num::F32 => "float",
    }
}

/// The name of a type; of an array, that of its elements, because the size follows the declared
/// name.
fn name_of(ty: &Ty) -> String {
    match ty {
        Ty::Num(n) => num_name(*n).to_string(),
        Ty::Vec(n @ (Num::I32 | Num::U32 | Num::F32), count) => format!("{}{count}", num_name(*n)),
        Ty::Vec(n, count) => format!("vector<{}, {count}>", num_name(*n)),
        Ty::Array(elem, _) => name_of(elem),
        Ty::Struct(s) => format!("S{s}"),
        Ty::Ptr(to) => format!("{}*", name_of(to)),
    }
}

fn declared(ty: &Ty, name: &str) -> String {
    let mut text = format!("{} {name}", name_of(ty));
    let mut at = ty;
    while let Ty::Array(elem, count) = at {
        let _ = match count {
            0 => write!(text, "[]"),
            _ => write!(text, "[{count}]"),
        };
        at = elem;
    }
    text
}

fn literal(n: Num, bits: u64) -> String {
    let narrow = |signed: i64| format!("{}({signed})", num_name(n));
    match n {
        Num::Bool => (bits & 1 == 1).to_string(),
        Num::I8 => narrow(i64::from(bits as i8)),
        Num::U8 => narrow(i64::from(bits as u8)),
        Num::I16 => narrow(i64::from(bits as i16)),
        Num::U16 => narrow(i64::from(bits as u16)),
        Num::I32 if (0..1 << 20).contains(&(bits as i32)) => (bits as i32).to_string(),
        Num::I32 => format!("int(0x{:x}u)", bits as u32),
        Num::U32 => format!("{}u", bits as u32),
        Num::I64 if bits as i64 == i64::MIN => format!("({})", i64::MIN),
        Num::I64 => format!("int64_t(0x{bits:x}ull)"),
        Num::U64 => format!("uint64_t(0x{bits:x}ull)"),
        Num::F32 => digits(f32::from_bits(bits as u32)).unwrap_or_else(|| format!("asfloat(0x{:x}u)", bits as u32)),
    }
}

/// Decimal digits for a float with an odd mantissa: just above the midpoint between it and its
/// neighbour, so that only a single rounding gives the right float.
fn digits(value: f32) -> Option<String> {
    let magnitude = value.abs();
    if magnitude.to_bits() & 1 == 0 || !(1e-5..1e7).contains(&magnitude) {
        return None;
    }
    let below = f32::from_bits(magnitude.to_bits() - 1);
    // The midpoint is exact, and so are its digits.
    let middle = (f64::from(below) + f64::from(magnitude)) / 2.0;
    let sign = if value < 0.0 { "-" } else { "" };
    Some(format!("({sign}{middle:.60}1f)"))
}

fn sign(op: Op) -> &'static str {
    match op {
        Op::Add => "+",
        Op::Sub => "-",
        Op::Mul => "*",
        Op::And => "&",
        Op::Or => "|",
        Op::Xor => "^",
        Op::Shl => "<<",
        Op::Shr => ">>",
    }
}

struct Printer<'p> {
    p: &'p Program,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:1$}{text}", "", 4 * self.depth);
    }

    fn block(&mut self, stmts: &[Stmt]) {
        self.line("{");
        self.depth += 1;
        self.stmts(stmts);
        self.depth -= 1;
        self.line("}");
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        stmts.iter().for_each(|s| self.stmt(s));
    }

    fn variable(&self, v: usize) -> String {
        self.p.vars.get(v).map_or(String::new(), |ty| declared(ty, &format!("v{v}")))
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(v, value) => {
                let value = value.as_ref().map_or(String::new(), |e| format!(" = {}", self.expr(e)));
                self.line(&format!("{}{value};", self.variable(*v)));
            }
            Stmt::Store(to, value) => self.line(&format!("{} = {};", self.place(to), self.expr(value))),
            Stmt::Update(op, to, value) => {
                let value = self.operand(*op, value);
                // A NaN in a sum of floats is replaced, as in expressions.
                if self.p.place_ty(to) == Some(Ty::Num(Num::F32)) {
                    let place = self.place(to);
                    self.line(&format!("{place} = clean({place} {} {value});", sign(*op)));
                } else {
                    self.line(&format!("{} {}= {value};", self.place(to), sign(*op)));
                }
            }
            Stmt::StoreBytes(g, ty, at, value) => {
                let (ty, at, value) = (name_of(ty), self.expr(at), self.expr(value));
                self.line(&format!("{}.Store<{ty}>(uint({at}), {value});", global_name(*g)));
            }
            Stmt::Atomic(to, value, old) => {
                self.line(&format!("{};", self.variable(*old)));
                self.line(&format!("InterlockedAdd({}, {}, v{old});", self.place(to), self.expr(value)));
            }
            Stmt::If(condition, yes, no) => {
                self.line(&format!("if ({})", self.expr(condition)));
                self.block(yes);
                if !no.is_empty() {
                    self.line("else");
                    self.block(no);
                }
            }
            Stmt::For(v, count, body) => {
                self.line(&format!("for (int v{v} = 0; v{v} < {count}; v{v}++)"));
                self.block(body);
            }
            Stmt::While(condition, v, count, body) => {
                self.line(&format!("int v{v} = 0;"));
                self.line(&format!("while ({} && v{v} < {count})", self.expr(condition)));
                self.line("{");
                self.depth += 1;
                self.line(&format!("v{v}++;"));
                self.stmts(body);
                self.depth -= 1;
                self.line("}");
            }
            Stmt::Break(condition) => self.line(&format!("if ({}) break;", self.expr(condition))),
            Stmt::Continue(condition) => self.line(&format!("if ({}) continue;", self.expr(condition))),
            Stmt::Leave(condition, value) => {
                let value = value.as_ref().map_or(String::new(), |e| format!(" {}", self.expr(e)));
                self.line(&format!("if ({}) return{value};", self.expr(condition)));
            }
            Stmt::Call(to, f, args) => {
                let args: String = args
                    .iter()
                    .map(|a| match a {
                        Arg::In(e) => format!(", {}", self.expr(e)),
                        Arg::To(place) => format!(", {}", self.place(place)),
                    })
                    .collect();
                let to = to.map_or(String::new(), |v| format!("{} = ", self.variable(v)));
                self.line(&format!("{to}fun{f}(tid{args});"));
            }
            Stmt::Barrier(all) => {
                let what = if *all { "All" } else { "Group" };
                self.line(&format!("{what}MemoryBarrierWithGroupSync();"));
            }
            Stmt::Note(value) => self.line(&format!("sum = sum * 31u + {};", self.expr(value))),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Var(v) => format!("v{v}"),
            Place::Global(g) => global_name(*g),
            Place::Element(g, at) => format!("{}[{}]", global_name(*g), self.expr(at)),
            Place::Deref(p) => format!("(*{})", self.expr(p)),
            Place::At(p, at) => format!("{}[{}]", self.expr(p), self.expr(at)),
            Place::Field(of, n) => {
                let s = match self.p.place_ty(of) {
                    Some(Ty::Struct(s)) => self.p.structs.get(s).cloned().unwrap_or_default(),
                    _ => Struct::default(),
                };
                match &**of {
                    // The inherited struct has no name.
                    of if s.inherits && *n == 0 => self.place(of),
                    Place::Deref(p) => format!("{}->{}", self.expr(p), field_name(&s, *n)),
                    of => format!("{}.{}", self.place(of), field_name(&s, *n)),
                }
            }
            Place::Index(of, at) => match (self.p.place_ty(of), &**at) {
                (Some(Ty::Vec(_, count)), Expr::Lit(_, bits)) if (*bits as usize) < count => {
                    format!("{}.{}", self.place(of), ["x", "y", "z", "w"][*bits as usize % 4])
                }
                _ => format!("{}[{}]", self.place(of), self.expr(at)),
            },
        }
    }

    fn operand(&self, op: Op, value: &Expr) -> String {
        let text = self.expr(value);
        let wide = matches!(self.p.expr_ty(value).and_then(|t| t.num()), Some(Num::I64 | Num::U64));
        match op {
            Op::Shl | Op::Shr => format!("(int({text}) & {})", if wide { 63 } else { 31 }),
            _ => text,
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        match expr {
            Expr::Lit(n, bits) => literal(*n, *bits),
            Expr::Thread => "tid".to_string(),
            Expr::Load(place) => self.place(place),
            Expr::Param(g) => global_name(*g),
            Expr::Bin(op, a, b) => {
                let text = format!("({} {} {})", self.expr(a), sign(*op), self.operand(*op, b));
                if self.p.expr_ty(a) == Some(Ty::Num(Num::F32)) { format!("clean{text}") } else { text }
            }
            Expr::Compare(how, a, b) => {
                let sign = match how {
                    Compare::Less => "<",
                    Compare::LessEqual => "<=",
                    Compare::Equal => "==",
                    Compare::NotEqual => "!=",
                };
                format!("({} {sign} {})", self.expr(a), self.expr(b))
            }
            Expr::Choose(c, a, b) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            Expr::Cast(n, e) => format!("{}({})", num_name(*n), self.expr(e)),
            Expr::Bits(n, e) => format!("as{}({})", num_name(*n), self.expr(e)),
            Expr::New(s, args) => {
                let list: Vec<String> = args.iter().map(|e| self.expr(e)).collect();
                format!("S{s}({})", list.join(", "))
            }
            Expr::Make(n, parts) => {
                let list: Vec<String> = parts.iter().map(|e| self.expr(e)).collect();
                format!("{}({})", name_of(&Ty::Vec(*n, parts.len())), list.join(", "))
            }
            Expr::AddressOf(place) => format!("(&{})", self.place(place)),
            Expr::Step(p, by) => format!("({} + {})", self.expr(p), self.expr(by)),
            Expr::PointerCast(to, p) => format!("(({}){})", name_of(&Ty::pointer(to)), self.expr(p)),
            Expr::Null(to) => format!("(({})nullptr)", name_of(&Ty::pointer(to))),
            Expr::SamePointer(a, b) => format!("({} == {})", self.expr(a), self.expr(b)),
            Expr::Bytes(g, ty, at) => format!("{}.Load<{}>(uint({}))", global_name(*g), name_of(ty), self.expr(at)),
        }
    }
}
