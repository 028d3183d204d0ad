//! Names for variables that the programmer gave none: after what they are computed from.
//!
//! A name has two parts: the first name that is found in the value (of a variable, a field, a
//! resource, a function), and a word for what is done to it: `roughness_sum`, `hit_less`. What is
//! computed from such a variable is called after the same first name, so that names stay short.
//!
//! Invariant: names depend on the function alone, and only unnamed variables get others.
//!
//! This module must not know: any language, which names are taken.

use crate::ops::Row;
use crate::tree::{
    Arg, Buffer, Compare, Expr, Function, Kind, Literal, Place, Root, Step, Stmt, UNNAMED, Var, Variable,
};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::{arith, vector};
use caustic_ir::{Name, OpDef};

/// What nothing says a name for.
const NOTHING: &str = "t";

/// What counts where the program counted the other way, and where it began at another number.
const BACKWARDS: &str = "from_end";
const STEPS: &str = "step";

/// Names that a function's variables should have; `called` is what the text calls resources, and
/// the program functions.
pub fn wanted_names(function: &Function, called: &dyn Fn(Name) -> Option<String>) -> Vec<String> {
    let given = |v: &Variable| (v.name != UNNAMED).then(|| (v.name.clone(), v.name.clone()));
    let named = |v: &Variable| given(v).or_else(|| context(&v.ty));
    let mut naming = Naming { function, called, names: function.vars.iter().map(named).collect() };
    naming.list(&function.body);
    // What is only known by what comes later in the text.
    naming.list(&function.body);
    let all = naming.names.into_iter().zip(&function.vars);
    all.map(|(name, var)| name.map_or_else(|| by_type(&var.ty), |(_, whole)| whole)).collect()
}

/// Words for ops whose names are no words.
const WORDS: [(&OpDef, &str); 8] = [
    (arith::MinNumF::DEF, "min"),
    (arith::MaxNumF::DEF, "max"),
    (arith::MinSI::DEF, "min"),
    (arith::MaxSI::DEF, "max"),
    (arith::MinUI::DEF, "min"),
    (arith::MaxUI::DEF, "max"),
    (arith::AndI::DEF, "bits"),
    (arith::OrI::DEF, "bits"),
];

struct Naming<'f> {
    function: &'f Function,
    called: &'f dyn Fn(Name) -> Option<String>,
    /// Of each variable: what it is named after, and its name.
    names: Vec<Option<(String, String)>>,
}

impl Naming<'_> {
    fn list(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(var, Some(value)) => self.given(*var, value),
                Stmt::Assign(Place { root: Root::Var(var), .. }, value) => self.given(*var, value),
                Stmt::For { counter, body, .. } => self.counts(*counter, body),
                _ => {}
            }
            self.handed(stmt);
            stmt.bodies().collect::<Vec<_>>().into_iter().for_each(|body| self.list(body));
        }
    }

    fn give(&mut self, var: Var, subject: String, word: &str) {
        let name = match word {
            "" => format!("{subject}_value"),
            word => format!("{subject}_{word}"),
        };
        if let Some(slot @ None) = self.names.get_mut(var.0) {
            *slot = Some((subject, name));
        }
    }

    fn given(&mut self, var: Var, value: &Expr) {
        if self.names.get(var.0).is_some_and(Option::is_none)
            && let Some(subject) = self.subject(value)
        {
            match element(value) {
                Some(number) => self.give(var, subject, &number.to_string()),
                None => self.give(var, subject, word(value)),
            }
        }
    }

    /// A counter is called after what the program counted, if it comes first.
    fn counts(&mut self, counter: Var, body: &[Stmt]) {
        if let Some(Stmt::Declare(counted, Some(value)) | Stmt::Assign(Place { root: Root::Var(counted), .. }, value)) =
            body.first()
            && value.reads(counter)
            && let Some(Some((subject, _))) = self.names.get(counted.0)
        {
            let mut backwards = false;
            value.each(&mut |e| {
                backwards |= e.operands(arith::SubI::DEF).is_some_and(|[_, b]| b.reads(counter));
            });
            self.give(counter, subject.clone(), if backwards { BACKWARDS } else { STEPS });
        }
    }

    /// Variables that a callee writes are called after it.
    fn handed(&mut self, stmt: &Stmt) {
        let (Stmt::Do(value) | Stmt::Declare(_, Some(value)) | Stmt::Assign(_, value)) = stmt else { return };
        let mut found = Vec::new();
        value.each(&mut |e| {
            if let Kind::Call(callee, args) = &e.kind {
                let places =
                    args.iter().filter_map(|arg| if let Arg::Place(place) = arg { place.whole() } else { None });
                found.extend(places.map(|var| (*callee, var)));
            }
        });
        for (callee, var) in found {
            if let Some(subject) = (self.called)(callee) {
                self.give(var, subject, "result");
            }
        }
    }

    /// What a value is named after.
    fn subject(&self, e: &Expr) -> Option<String> {
        let first = |args: &[Expr]| args.iter().find_map(|a| self.subject(a));
        match &e.kind {
            Kind::Read(place) | Kind::TapeLength(place) => self.of_place(place),
            Kind::Atomic { place, .. } => self.of_place(place),
            Kind::Op { args, .. } | Kind::Make(args) | Kind::Wave { args, .. } => first(args),
            Kind::Compare(_, a, b) | Kind::And(a, b) | Kind::Or(a, b) => self.subject(a).or_else(|| self.subject(b)),
            Kind::Not(a) | Kind::Convert(a) | Kind::Splat(a) | Kind::Part(a, _) | Kind::Swizzle(a, _) => {
                self.subject(a)
            }
            Kind::Choose(c, a, b) => [a, b, c].into_iter().find_map(|e| self.subject(e)),
            Kind::Call(callee, _) => (self.called)(*callee),
            Kind::Id(id, _) => self.function.ids.iter().find(|(of, _)| of == id).map(|(_, name)| name.to_string()),
            Kind::Length(buffer) | Kind::Handle(buffer) | Kind::Count(buffer, _) => self.of_buffer(buffer),
            Kind::TexelUpdate { texture, .. } | Kind::Texture { texture, .. } => self.subject(texture),
            Kind::Literal(_) | Kind::Zero | Kind::Address(_) => None,
        }
    }

    fn of_buffer(&self, buffer: &Buffer) -> Option<String> {
        match buffer {
            Buffer::Resource(name, _) => (self.called)(*name),
            Buffer::Value(value) | Buffer::Pointee(value) => self.subject(value),
            Buffer::View(of) | Buffer::Retyped(of, _) => self.of_buffer(of),
            Buffer::None => None,
        }
    }

    /// A place is named after the last field on the way, if the programmer gave it its name.
    fn of_place(&self, place: &Place) -> Option<String> {
        let root = match &place.root {
            Root::Var(var) => self.names.get(var.0)?.as_ref().map(|(subject, _)| subject.clone()),
            Root::Uniform(name, _) => (self.called)(*name),
            Root::Element { buffer, .. } => self.of_buffer(buffer),
        };
        let field = match (&place.of, &place.steps[..]) {
            (Ty::Struct(of), [Step::Part(k), ..]) if !StructType(*of).is_pair() => StructType(*of).field(*k),
            _ => None,
        };
        let numbered = |name: &str| name.len() > 1 && name[1..].bytes().all(|b| b.is_ascii_digit());
        field.map(|f| f.name.to_string()).filter(|name| !numbered(name)).or(root)
    }
}

/// What a derivative is handed by a function is called after the function.
fn context(ty: &Ty) -> Option<(String, String)> {
    let Ty::Struct(of) = ty else { return None };
    let of = StructType(*of).name();
    let function = of.strip_suffix(".Context")?;
    let function = function.strip_suffix(".primal").unwrap_or(function);
    Some((function.to_string(), format!("{function}_context")))
}

/// A variable that nothing else says a name for is called after its struct, or is [`NOTHING`].
fn by_type(ty: &Ty) -> String {
    match ty {
        Ty::Struct(of) if StructType(*of).is_pair() => "pair".to_string(),
        Ty::Struct(of) => {
            let mut letters = StructType(*of).name().chars();
            letters.next().map_or(NOTHING.to_string(), |first| first.to_lowercase().chain(letters).collect())
        }
        Ty::Array(_, of) if matches!(**of, Ty::Struct(_)) => format!("{}_values", by_type(of)),
        _ => NOTHING.to_string(),
    }
}

/// The number of the element that a value is of a resource, if it is a literal.
fn element(e: &Expr) -> Option<i64> {
    let Kind::Read(Place { root: Root::Element { index, .. }, steps, .. }) = &e.kind else { return None };
    match index.literal() {
        Some(Literal::Int(number @ 0..)) if steps.is_empty() => Some(number),
        _ => None,
    }
}

/// What is done to a value: empty if nothing is.
fn word(e: &Expr) -> &'static str {
    match &e.kind {
        Kind::Op { row, args } => word_of_op(row, args),
        Kind::Compare(how, ..) => match how {
            Compare::Equal => "equal",
            Compare::NotEqual => "differs",
            Compare::Less => "less",
            Compare::LessEqual => "at_most",
            Compare::Greater => "greater",
            Compare::GreaterEqual => "at_least",
        },
        Kind::Not(_) => "not",
        Kind::And(..) => "both",
        Kind::Or(..) => "either",
        Kind::Choose(..) => "chosen",
        Kind::Call(..) => "result",
        Kind::Length(_) | Kind::TapeLength(_) => "length",
        Kind::Atomic { .. } | Kind::TexelUpdate { .. } => "before",
        Kind::Wave { .. } => "wave",
        Kind::Convert(inner) => word(inner),
        Kind::Read(_) if matches!(e.ty, Ty::Array(..)) => "values",
        _ => "",
    }
}

fn word_of_op(row: &Row, args: &[Expr]) -> &'static str {
    let is = |defs: &[&'static OpDef]| defs.iter().any(|def| std::ptr::eq(*def, row.op));
    let is_one = |e: &Expr| matches!(e.literal(), Some(Literal::Int(1))) || e.literal() == Some(Literal::Float(1.0));
    match args {
        [a, b] if is(&[arith::MulF::DEF, arith::MulI::DEF]) => {
            match a.variable().is_some() && a.variable() == b.variable() {
                true => "square",
                false => "product",
            }
        }
        [a, _] if is(&[arith::DivF::DEF]) && is_one(a) => "inverse",
        _ if is(&[arith::AddF::DEF, arith::AddI::DEF, vector::Reduction::DEF]) => "sum",
        _ if is(&[arith::SubF::DEF, arith::SubI::DEF]) => "difference",
        _ if is(&[arith::DivF::DEF, arith::DivSI::DEF, arith::DivUI::DEF]) => "quotient",
        _ if is(&[arith::RemF::DEF, arith::RemSI::DEF, arith::RemUI::DEF]) => "remainder",
        _ if is(&[arith::NegF::DEF]) => "negated",
        _ => {
            if let Some((_, word)) = WORDS.iter().find(|(def, _)| std::ptr::eq(*def, row.op)) {
                return word;
            }
            let name = row.op.name.rsplit('.').next().unwrap_or_default();
            if name.bytes().all(|b| b.is_ascii_lowercase()) { name } else { "" }
        }
    }
}
