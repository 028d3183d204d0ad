//! Prints trees as Slang source, with the kernels that call the root.
//!
//! A thread of `primalMain` computes the root at one point, and one of `gradMain` also its
//! derivatives. [`Layout`] defines the positions in the buffers. The same text runs on every back
//! end and in `slangc`.

mod drivers;

use super::idioms::IDIOMS;
use super::views::View;
use super::{CUSTOM, FieldDef, Func, FuncKind, Kind, Leaf, Mode, Node, Param, Program, READ, ROOT, Ty};
use std::fmt::Write;

/// The style of printing a tree. All styles compute the same.
#[derive(Clone, Debug, Default)]
pub struct Style {
    /// `float` and `half` instead of `double`.
    pub narrow: bool,
    /// `x = x + e` for `x += e`.
    pub spread_updates: bool,
    /// `[ForceInline]` on every free function.
    pub inline: bool,
    /// `while` loops for `for` loops without a `continue`.
    pub while_loops: bool,
    /// `[ForceUnroll]` on loops whose bound is a literal.
    pub unroll: bool,
    /// `[MaxIters]` on every loop.
    pub bounds: bool,
    /// Whether the root is differentiated through a function of scalars.
    pub flat: bool,
    /// Whether the root is differentiated through a function that stores the root's result in its
    /// `inout` parameter.
    pub in_place: bool,
    /// Whether groups have several threads, some of which may have nothing to do.
    pub grouped: bool,
    /// Whether the program gets names that are traps, which the caller puts in ([`super::names`]).
    pub other_names: bool,
    /// Whether only names differ, so that all bits of the results must be equal.
    pub same_bits: bool,
    /// The view with derivatives through which the table is read, which needs other kernels
    /// ([`views`](super::views)).
    pub view: Option<&'static View>,
}

/// The positions in a thread's part of the buffers.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The real and integer scalars of the input. `n` and `m` follow the integers.
    pub inputs: Vec<Leaf>,
    pub reals: usize,
    pub ints: usize,
    /// The scalars of the output that have derivatives.
    pub outputs: usize,
    pub second: bool,
}

impl Layout {
    pub fn of(p: &Program) -> Layout {
        let inputs = p.leaves(&Ty::Struct(p.input), "", true);
        let reals = inputs.iter().filter(|l| l.ty.is_float()).count();
        let outputs = p.leaves(&Ty::Struct(p.output), "", true).iter().filter(|l| l.active).count();
        Layout { reals, ints: inputs.len() - reals + 2, outputs, inputs, second: p.second }
    }
    /// The number of reals of a thread in `data`: point, direction, second direction, weights.
    pub fn data_stride(&self) -> usize {
        3 * self.reals + self.outputs
    }
    /// The number of reals of a thread in `result`: the value twice, the directional derivative,
    /// the gradient, two products with the second derivative, and the second derivative in both
    /// directions.
    pub fn result_stride(&self) -> usize {
        2 * self.outputs + self.outputs + 3 * self.reals + 1
    }
    /// For each real of the input, whether it has a derivative.
    pub fn active(&self) -> Vec<bool> {
        self.inputs.iter().filter(|l| l.ty.is_float()).map(|l| l.active).collect()
    }
}

struct Printer<'a> {
    p: &'a Program,
    style: &'a Style,
    out: String,
    depth: usize,
}

/// The program as text.
pub fn print(p: &Program, style: &Style) -> String {
    let mut w = Printer { p, style, out: String::new(), depth: 0 };
    w.head();
    for (i, s) in p.structs.iter().enumerate() {
        // Methods call functions declared before, because names are looked up in the whole module.
        let base = if s.conforms { "IPart" } else { "IDifferentiable" };
        w.line(&format!("struct {} : {base}", s.name));
        w.open();
        for FieldDef { name, ty, no_diff } in &s.fields {
            let mark = if *no_diff { "no_diff " } else { "" };
            w.line(&format!("{mark}{};", w.declared(ty, name)));
        }
        let methods =
            p.functions().filter(|f| matches!(f.kind, FuncKind::Method(o, _) | FuncKind::Interface(o) if o == i));
        for f in methods {
            w.function(f);
        }
        w.close();
    }
    for (i, home) in p.homes.iter().enumerate() {
        w.line(&format!("{} {}", if home.is_space { "namespace" } else { "struct" }, home.name));
        w.open();
        p.functions().filter(|f| f.home == Some(i)).for_each(|f| w.function(f));
        w.close();
    }
    let alone = |f: &&Func| f.home.is_none() && !matches!(f.kind, FuncKind::Method(..) | FuncKind::Interface(_));
    p.functions().filter(alone).for_each(|f| w.function(f));
    w.drivers();
    w.out
}

impl Printer<'_> {
    fn line(&mut self, text: &str) {
        let depth = 4 * self.depth;
        let _ = writeln!(self.out, "{:depth$}{text}", "");
    }
    fn open(&mut self) {
        self.line("{");
        self.depth += 1;
    }
    fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    fn head(&mut self) {
        let (real, low) = if self.style.narrow { ("float", "half") } else { ("double", "double") };
        let vectors = (2..=4).map(|n| format!("typealias real{n} = vector<real, {n}>;\n"));
        let matrices =
            (2..=3).flat_map(|r| (2..=3).map(move |c| format!("typealias real{r}x{c} = matrix<real, {r}, {c}>;\n")));
        let names: String = vectors.chain(matrices).collect();
        let _ = write!(self.out, "typealias real = {real};\ntypealias low = {low};\n{names}");
        match self.style.view {
            Some(view) => self.line(&view.declarations()),
            None => self.line("StructuredBuffer<real> table;"),
        }
        self.line("RWStructuredBuffer<real> data;");
        self.line("RWStructuredBuffer<int> ints;");
        self.line("RWStructuredBuffer<real> result;");
        if self.p.structs.iter().any(|s| s.conforms) {
            self.line("interface IPart : IDifferentiable");
            self.open();
            self.line("[Differentiable] real part(real x, int k);");
            self.close();
        }
    }

    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Void => "void".into(),
            Ty::Bool => "bool".into(),
            Ty::Int => "int".into(),
            Ty::Uint => "uint".into(),
            Ty::Real => "real".into(),
            Ty::Low => "low".into(),
            Ty::Vec(n) => format!("real{n}"),
            Ty::Mat(r, c) => format!("real{r}x{c}"),
            Ty::Array(elem, n) => format!("Array<{}, {n}>", self.ty(elem)),
            Ty::Struct(s) => self.p.structs[*s].name.clone(),
        }
    }

    fn declared(&self, ty: &Ty, name: &str) -> String {
        let mut lengths = String::new();
        let mut elem = ty;
        while let Ty::Array(inner, n) = elem {
            let _ = write!(lengths, "[{n}]");
            elem = inner;
        }
        format!("{} {name}{lengths}", self.ty(elem))
    }

    fn params(&self, params: &[Param]) -> String {
        let texts = params.iter().map(|p| {
            let mode = match p.mode {
                Mode::In => "",
                Mode::Out => "out ",
                Mode::InOut => "inout ",
                Mode::NoDiff => "no_diff ",
            };
            format!("{mode}{}", self.declared(&p.ty, &p.name))
        });
        texts.collect::<Vec<_>>().join(", ")
    }

    fn bound(&mut self) {
        if self.style.bounds {
            // No generated loop runs longer.
            self.line("[MaxIters(5)]");
        }
    }

    fn function(&mut self, f: &Func) {
        if let FuncKind::Dispatch(parts) = &f.kind {
            return self.dispatch(f, parts);
        }
        let mut attrs: String = f.attrs.iter().map(|a| format!("[{a}]")).collect();
        if self.style.inline && f.kind == FuncKind::Free && !f.name.starts_with(ROOT) {
            attrs += "[ForceInline]";
        }
        let mut head = format!("{}{} {}", self.before(f), self.ty(&f.ret), f.name);
        match &f.kind {
            FuncKind::Method(_, true) => attrs += "[mutating]",
            FuncKind::Generic => head += "<T : IPart>",
            FuncKind::Custom(row) => return self.given(f, *row),
            FuncKind::Idiom(row) => {
                let text = IDIOMS[*row].1.replace("$n", &f.name);
                return text.lines().for_each(|l| self.line(l));
            }
            FuncKind::Slope(of, forward) => return self.slope(f, *of, *forward),
            _ => {}
        }
        let generic = f.kind == FuncKind::Generic;
        let params = self.params(&f.params[usize::from(generic)..]);
        let first = if generic { "T o, " } else { "" };
        self.line(&format!("[Differentiable]{attrs} {head}({first}{params})"));
        self.body(&f.body);
    }

    /// The word before a function in a struct, which needs no object.
    fn before(&self, f: &Func) -> &'static str {
        match f.home.and_then(|h| self.p.homes.get(h)) {
            Some(home) if !home.is_space => "static ",
            _ => "",
        }
    }

    /// The name of a function for its callers.
    fn name(&self, f: &Func) -> String {
        match f.home.and_then(|h| self.p.homes.get(h)) {
            Some(home) => format!("{}.{}", home.name, f.name),
            None => f.name.clone(),
        }
    }

    fn given(&mut self, f: &Func, row: usize) {
        let before = self.before(f);
        let (value, dx, dy) = CUSTOM[row];
        let spelled = |e: &str| e.replace("one", "real(1)").replace("two", "real(2)");
        let (name, value, dx, dy) = (&f.name, spelled(value), spelled(dx), spelled(dy));
        let values = "real x = px.p; real y = py.p;";
        self.line(&format!("[ForwardDerivative({name}_fwd)] [BackwardDerivative({name}_bwd)]"));
        self.line(&format!("{before}real {name}(real x, real y) {{ return {value}; }}"));
        self.line(&format!(
            "[Differentiable] {before}DifferentialPair<real> {name}_fwd(DifferentialPair<real> px, DifferentialPair<real> py) {{ {values} \
             return diffPair({value}, ({dx}) * px.d + ({dy}) * py.d); }}"
        ));
        self.line(&format!(
            "[Differentiable] {before}void {name}_bwd(inout DifferentialPair<real> px, inout DifferentialPair<real> py, real d) {{ {values} \
             px = diffPair(x, ({dx}) * d); py = diffPair(y, ({dy}) * d); }}"
        ));
    }

    fn dispatch(&mut self, f: &Func, parts: &[usize]) {
        let choose = format!("{}_choose", f.name);
        self.line(&format!("[Differentiable] IPart {choose}(int k, real x)"));
        self.open();
        for (i, s) in parts.iter().enumerate() {
            let def = &self.p.structs[*s];
            let fields = def.fields.iter().map(|f| match f.ty {
                Ty::Int => format!("o.{} = k;", f.name),
                _ if f.no_diff => format!("o.{} = real(0.5);", f.name),
                _ => format!("o.{} = x * real({}.5);", f.name, i),
            });
            let fields = fields.collect::<Vec<_>>().join(" ");
            let when = if i + 1 < parts.len() { format!("if ((k & 3) == {i}) ") } else { String::new() };
            self.line(&format!("{when}{{ {} o; {fields} return o; }}", def.name));
        }
        self.close();
        self.line(&format!("[Differentiable] real {}(int k, real x)", f.name));
        // The value is stored, passed on, or chosen again in a loop.
        match f.attrs.first() {
            Some(&"kept") => self.line(&format!("{{ IPart o = {choose}(k, x); return o.part(x, k); }}")),
            Some(&"branch") => self.line(&format!(
                "{{ IPart o; if (x > real(0.25)) o = {choose}(k, x); else o = {choose}(k + 1, -x); real y = o.part(x, k); \
                 return real(0.5) * (y + o.part(y, k + 1)); }}"
            )),
            _ => self.line(&format!(
                "{{ IPart o = {choose}(k, x); real s = x; for (int i = 0; i < (k & 3); i++) {{ s = sin(o.part(s, i)); \
                 if ((i & 1) == 0) o = {choose}(k + i, s); }} return s + real(0.5) * o.part(s, k); }}"
            )),
        }
    }

    fn slope(&mut self, f: &Func, of: usize, forward: bool) {
        let Some(Some(target)) = self.p.funcs.get(of) else { return };
        let mut first = String::new();
        let mut args = Vec::new();
        let mut sum = Vec::new();
        for (i, p) in target.params.iter().enumerate() {
            match p.ty {
                Ty::Real if p.mode == Mode::In => {
                    let value = if i == 0 { "x".into() } else { format!("y * real(0.{i}5)") };
                    if forward {
                        args.push(format!("diffPair({value}, real(0.5) + x * real(0.{i}))"));
                    } else {
                        let _ = write!(first, "DifferentialPair<real> p{i} = diffPair({value}); ");
                        args.push(format!("p{i}"));
                        sum.push(format!("p{i}.d"));
                    }
                }
                _ => args.push("k".into()),
            }
        }
        let args = args.join(", ");
        self.line(&format!("[Differentiable] {}real {}(real x, real y, int k)", self.before(f), f.name));
        let of = self.name(target);
        if forward {
            self.line(&format!("{{ return sin(fwd_diff({of})({args}).d); }}"));
        } else {
            self.line(&format!("{{ {first}bwd_diff({of})({args}, real(0.5) + y); return sin({}); }}", sum.join(" + ")));
        }
    }

    fn body(&mut self, block: &Node) {
        self.open();
        block.kids.iter().for_each(|s| self.statement(s));
        self.close();
    }

    fn statement(&mut self, s: &Node) {
        match (&s.kind, &s.kids[..]) {
            (Kind::Block, _) => self.body(s),
            (Kind::Decl(name), [value]) => {
                self.line(&format!("{} = {};", self.declared(&value.ty, name), self.expr(value)))
            }
            (Kind::Assign(op), [place, value]) => {
                let (target, text) = (self.expr(place), self.expr(value));
                match op.strip_suffix('=') {
                    Some(op) if !op.is_empty() && self.style.spread_updates => {
                        self.line(&format!("{target} = {target} {op} ({text});"));
                    }
                    _ => self.line(&format!("{target} {op} {text};")),
                }
            }
            (Kind::If, [condition, rest @ ..]) => {
                self.line(&format!("if ({})", self.expr(condition)));
                for (i, arm) in rest.iter().enumerate() {
                    if i == 1 {
                        self.line("else");
                    }
                    self.body(arm);
                }
            }
            (Kind::For(name), [bound, body]) => {
                let literal = matches!(bound.kind, Kind::Int(_));
                let bound = self.expr(bound);
                if self.style.while_loops && !jumps(body) {
                    self.open();
                    self.line(&format!("int {name} = 0;"));
                    self.bound();
                    self.line(&format!("while ({name} < {bound})"));
                    self.open();
                    body.kids.iter().for_each(|s| self.statement(s));
                    self.line(&format!("{name}++;"));
                    self.close();
                    return self.close();
                }
                if self.style.unroll && literal {
                    self.line("[ForceUnroll]");
                } else {
                    self.bound();
                }
                self.line(&format!("for (int {name} = 0; {name} < {bound}; {name}++)"));
                self.body(body);
            }
            (Kind::While(name), [start, condition, body]) => {
                self.line(&format!("int {name} = {};", self.expr(start)));
                self.bound();
                self.line(&format!("while ({name} > 0 && {})", self.expr(condition)));
                self.counted(name, body);
                self.close();
            }
            (Kind::Do(name), [start, condition, body]) => {
                self.line(&format!("int {name} = {};", self.expr(start)));
                self.bound();
                self.line("do");
                self.counted(name, body);
                self.close();
                self.line(&format!("while ({name} > 0 && {});", self.expr(condition)));
            }
            (Kind::Switch, [selector, arms @ ..]) => {
                self.line(&format!("switch ({})", self.expr(selector)));
                self.open();
                for (i, arm) in arms.iter().enumerate() {
                    let label = if i + 1 < arms.len() { format!("case {i}:") } else { "default:".into() };
                    self.line(&label);
                    self.body(arm);
                    let ended =
                        arm.kids.last().is_some_and(|s| matches!(s.kind, Kind::Break | Kind::Continue | Kind::Return));
                    if !ended {
                        self.line("    break;");
                    }
                }
                self.close();
            }
            (Kind::Break, _) => self.line("break;"),
            (Kind::Continue, _) => self.line("continue;"),
            (Kind::Return, []) => self.line("return;"),
            (Kind::Return, [value]) => self.line(&format!("return {};", self.expr(value))),
            (Kind::Expr, [call]) => self.line(&format!("{};", self.expr(call))),
            _ => self.line("// malformed"),
        }
    }

    /// The body of a loop that first decrements its counter, without the closing brace.
    fn counted(&mut self, name: &str, body: &Node) {
        self.open();
        self.line(&format!("{name}--;"));
        body.kids.iter().for_each(|s| self.statement(s));
    }

    fn list(&self, nodes: &[Node]) -> String {
        nodes.iter().map(|k| self.expr(k)).collect::<Vec<_>>().join(", ")
    }

    fn expr(&self, e: &Node) -> String {
        match (&e.kind, &e.kids[..]) {
            (Kind::Lit(v), _) => format!("{}({v:?})", self.ty(&e.ty)),
            (Kind::Int(v), _) if e.ty == Ty::Uint => format!("{v}u"),
            (Kind::Int(v), _) => v.to_string(),
            (Kind::Bool(v), _) => v.to_string(),
            (Kind::Var(name), _) => name.clone(),
            (Kind::Un(op), [a]) => format!("({op}{})", self.expr(a)),
            (Kind::Bin(op), [a, b]) => format!("({} {op} {})", self.expr(a), self.expr(b)),
            (Kind::Builtin(name), kids) => format!("{name}({})", self.list(kids)),
            (Kind::Call(f), kids) => self.call(*f, kids),
            (Kind::Spell(text), kids) => {
                let viewed = *text == READ && self.style.view.is_some();
                let mut out = if viewed { "read($0)" } else { text }.to_string();
                for (i, k) in kids.iter().enumerate() {
                    out = out.replace(&format!("${i}"), &self.expr(k));
                }
                format!("({out})")
            }
            (Kind::Index, [base, index]) => format!("{}[{}]", self.expr(base), self.expr(index)),
            (Kind::Field(name) | Kind::Swizzle(name), [base]) => format!("{}.{name}", self.expr(base)),
            (Kind::Cond, [c, a, b]) => format!("({} ? {} : {})", self.expr(c), self.expr(a), self.expr(b)),
            (Kind::Cast, [a]) => format!("{}({})", self.ty(&e.ty), self.expr(a)),
            (Kind::Make, kids) => format!("{}({})", self.ty(&e.ty), self.list(kids)),
            (Kind::Braces, kids) => format!("{{ {} }}", self.list(kids)),
            (Kind::NoDiff, [a]) => format!("no_diff({})", self.expr(a)),
            _ => "malformed".into(),
        }
    }

    fn call(&self, number: usize, kids: &[Node]) -> String {
        let Some(Some(f)) = self.p.funcs.get(number) else { return "removed()".into() };
        match f.kind {
            FuncKind::Method(..) | FuncKind::Interface(_) => match kids.split_first() {
                Some((object, rest)) => format!("{}.{}({})", self.expr(object), f.name, self.list(rest)),
                None => "malformed".into(),
            },
            _ => format!("{}({})", self.name(f), self.list(kids)),
        }
    }
}

/// Whether a loop's body contains a `break` or a `continue` of that loop.
fn jumps(body: &Node) -> bool {
    body.kids.iter().any(|s| match s.kind {
        Kind::Continue | Kind::Break => true,
        Kind::For(_) | Kind::While(_) | Kind::Do(_) => false,
        _ => jumps(s),
    })
}
