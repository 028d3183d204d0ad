//! Arrays that a language without arrays as values has all the same: variables, parameters, tables
//! and memory of a group that are only reached by their elements, copied to each other, and handed
//! to functions which do no more. They are declared as the program does it, and are no structs.
//!
//! Invariant: what is copied or handed from one to another is an array on both sides, or a struct
//! on both.

use super::super::tables::key;
use super::super::{Frame, Printer, Text};
use super::value::MOST_WRITTEN;
use crate::structure::Module;
use crate::tree::{Arg, Buffer, Constant, Expr, Function, Kind, Place, Root, Step, Stmt, Var, each_expr};
use crate::types::Ty;
use caustic_dialects::agg::StructType;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Name, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// What may be an array.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Node {
    Var(Name, Var),
    /// Memory of a group.
    Shared(Name),
    /// A field of a struct that is in no memory.
    Field(Type, usize),
    /// A table that functions share, by what it holds.
    Table(String),
}

/// What is an array in the text.
#[derive(Clone, Default)]
pub(in super::super) struct Bare {
    vars: FxHashMap<Name, FxHashSet<Var>>,
    shared: FxHashSet<Name>,
    tables: FxHashSet<String>,
    /// Whether anything was looked for.
    known: bool,
    /// Fields that are structs.
    values: FxHashSet<(Type, usize)>,
}

impl Bare {
    pub(in super::super) fn vars(&self, function: Name) -> FxHashSet<Var> {
        self.vars.get(&function).cloned().unwrap_or_default()
    }

    pub(in super::super) fn is_table(&self, key: &str) -> bool {
        self.tables.contains(key)
    }

    pub(super) fn is_shared(&self, name: Name) -> bool {
        self.shared.contains(&name)
    }
}

/// What functions do with arrays.
struct Search<'s> {
    module: &'s Module<'s>,
    function: Name,
    tables: FxHashMap<Var, String>,
    params: &'s FxHashMap<Name, Vec<Var>>,
    /// Memory of the group that is declared as what it holds.
    shared: &'s FxHashSet<Name>,
    found: &'s mut Found,
}

#[derive(Default)]
struct Found {
    /// What is needed as a value.
    whole: FxHashSet<Node>,
    /// What has to be as another one is.
    links: Vec<(Node, Node)>,
    /// How often something is read as a whole, but for copies and what calls hand over.
    reads: FxHashMap<Node, i64>,
}

impl Found {
    fn read(&mut self, node: &Node, times: i64) {
        *self.reads.entry(node.clone()).or_default() += times;
    }

    /// What is needed as a value, also because of what it is copied from and to.
    fn values(mut self) -> FxHashSet<Node> {
        self.whole.extend(self.reads.into_iter().filter(|(_, times)| *times > 0).map(|(node, _)| node));
        loop {
            let before = self.whole.len();
            for (a, b) in &self.links {
                if self.whole.contains(a) || self.whole.contains(b) {
                    self.whole.extend([a.clone(), b.clone()]);
                }
            }
            if self.whole.len() == before {
                return self.whole;
            }
        }
    }
}

impl Search<'_> {
    fn node(&self, var: Var) -> Node {
        match self.tables.get(&var) {
            Some(key) => Node::Table(key.clone()),
            None => Node::Var(self.function, var),
        }
    }

    /// What a place is, as a whole.
    fn whole(&self, place: &Place) -> Option<Node> {
        if let [before @ .., last] = &place.steps[..] {
            let (Step::Part(k), Ty::Struct(of)) = (last, self.module.part(&place.of, before)?) else { return None };
            return Some(Node::Field(of, *k));
        }
        match &place.root {
            Root::Var(var) => Some(self.node(*var)),
            Root::Element { buffer: Buffer::Resource(name, None), .. } if self.shared.contains(name) => {
                Some(Node::Shared(*name))
            }
            _ => None,
        }
    }

    /// Memory that is reached in another way than by elements.
    fn buffer(&mut self, buffer: &Buffer) {
        self.found.whole.extend(buffer.resource().map(Node::Shared));
    }

    fn place(&mut self, place: &Place) {
        match &place.root {
            Root::Var(_) => return,
            Root::Element { buffer: Buffer::Resource(name, None), .. } if self.shared.contains(name) => return,
            Root::Element { buffer, .. } => self.buffer(buffer),
            Root::Uniform(..) => {}
        }
        self.in_memory(&place.of);
    }

    /// Structs that are in memory are read and written by their parts, as they are laid out.
    fn in_memory(&mut self, ty: &Ty) {
        match ty {
            Ty::Array(_, elem) => self.in_memory(elem),
            Ty::Struct(of) => {
                for k in 0..StructType(*of).num_fields() {
                    if self.found.whole.insert(Node::Field(*of, k))
                        && let Some(field) = self.module.signs.field(*of, k)
                    {
                        self.in_memory(&field);
                    }
                }
            }
            _ => {}
        }
    }

    /// What goes to a place as a whole.
    fn goes(&mut self, value: &Expr, to: Node, declares: bool) {
        match &value.kind {
            Kind::Read(place) => match self.whole(place) {
                Some(from) => {
                    self.found.read(&from, -1);
                    self.found.links.push((from, to));
                }
                None => drop(self.found.whole.insert(to)),
            },
            Kind::Zero => {}
            Kind::Make(_) if declares => {}
            _ => drop(self.found.whole.insert(to)),
        }
    }

    fn stmts(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            match stmt {
                Stmt::Declare(var, Some(value)) => self.goes(value, self.node(*var), true),
                Stmt::Assign(place, value) => {
                    self.place(place);
                    if let Some(to) = self.whole(place) {
                        self.goes(value, to, false);
                    }
                }
                _ => {}
            }
            stmt.bodies().for_each(|body| self.stmts(body));
        }
    }

    fn expr(&mut self, e: &Expr) {
        match &e.kind {
            Kind::Read(place) => {
                self.place(place);
                if let Some(node) = self.whole(place) {
                    self.found.read(&node, 1);
                }
            }
            Kind::Atomic { place, .. } => {
                self.place(place);
                self.found.whole.extend(self.whole(place));
            }
            Kind::Handle(buffer) | Kind::Length(buffer) | Kind::Count(buffer, _) => self.buffer(buffer),
            Kind::Call(callee, args) => self.args(*callee, args),
            Kind::Make(parts) => {
                if let Ty::Struct(of) = e.ty {
                    parts.iter().enumerate().for_each(|(k, part)| self.field(part, Node::Field(of, k)));
                }
            }
            Kind::Part(whole, steps) => {
                for k in 0..steps.len() {
                    if let (Step::Part(field), Some(Ty::Struct(of))) =
                        (&steps[k], self.module.part(&whole.ty, &steps[..k]))
                    {
                        self.found.whole.insert(Node::Field(of, *field));
                    }
                }
            }
            _ => {}
        }
    }

    /// What becomes a field of a struct that is made.
    fn field(&mut self, part: &Expr, field: Node) {
        let read = if let Kind::Read(place) = &part.kind { self.whole(place) } else { None };
        match read {
            Some(from) => {
                self.found.read(&from, -1);
                self.found.links.push((from, field));
            }
            None => drop(self.found.whole.insert(field)),
        }
    }

    /// What a call hands over.
    fn args(&mut self, callee: Name, args: &[Arg]) {
        let params = self.params.get(&callee).cloned().unwrap_or_default();
        for (k, arg) in args.iter().enumerate() {
            let handed = match arg {
                Arg::Place(place) => {
                    self.place(place);
                    self.whole(place)
                }
                Arg::Value(Expr { kind: Kind::Read(place), .. }) => {
                    let handed = self.whole(place);
                    handed.iter().for_each(|node| self.found.read(node, -1));
                    handed
                }
                Arg::Value(_) => None,
            };
            let param = params.get(k).map(|var| Node::Var(callee, *var));
            match (handed, param) {
                (Some(handed), Some(param)) => self.found.links.push((handed, param)),
                (handed, param) => self.found.whole.extend(handed.into_iter().chain(param)),
            }
        }
    }
}

/// Whether an array's elements are no arrays themselves.
fn is_simple(ty: &Ty) -> bool {
    let Ty::Array(1.., elem) = ty else { return false };
    !ty.is_empty() && matches!(**elem, Ty::Scalar(_) | Ty::Vector { .. } | Ty::Struct(_))
}

impl Printer<'_> {
    /// Finds the arrays that need not be values.
    pub(in super::super) fn find_bare(&mut self, functions: &[Function]) {
        if !self.makes_values() {
            return;
        }
        let params = functions.iter().map(|f| (f.symbol, f.params.iter().map(|(var, _)| *var).collect())).collect();
        let shared = self.module.interface.shared.iter().map(|shared| shared.symbol);
        let shared: FxHashSet<Name> = shared.filter(|name| !self.shading.worded.contains(name)).collect();
        let mut found = Found::default();
        for function in functions {
            let table = |(var, value): &(Var, Constant)| (*var, key(&function.vars[var.0].ty, value));
            let tables = function.tables.iter().map(table).collect();
            let mut search = Search {
                module: self.module,
                function: function.symbol,
                tables,
                params: &params,
                shared: &shared,
                found: &mut found,
            };
            search.stmts(&function.body);
            each_expr(&mut function.body.clone(), &mut |e| search.expr(e));
        }
        // What is in memory is laid out as it is.
        let held = self.held.iter().flat_map(|&of| (0..StructType(of).num_fields()).map(move |k| Node::Field(of, k)));
        found.whole.extend(held);
        let values = found.values();
        let mut bare = Bare { known: true, ..Bare::default() };
        bare.values =
            values.iter().filter_map(|v| if let Node::Field(of, k) = v { Some((*of, *k)) } else { None }).collect();
        for function in functions {
            let vars = function.vars.iter().enumerate().filter(|(_, v)| is_simple(&v.ty)).map(|(k, _)| Var(k));
            let own = |var: &Var| !values.contains(&Node::Var(function.symbol, *var));
            let mut vars: FxHashSet<Var> = vars.filter(own).collect();
            for (var, value) in &function.tables {
                let key = key(&function.vars[var.0].ty, value);
                if !vars.contains(var) || values.contains(&Node::Table(key.clone())) {
                    vars.remove(var);
                } else {
                    bare.tables.insert(key);
                }
            }
            bare.vars.insert(function.symbol, vars);
        }
        let simple = |name: &Name| self.module.contents(*name).is_some_and(|ty| is_simple(&ty));
        bare.shared =
            shared.into_iter().filter(|name| simple(name) && !values.contains(&Node::Shared(*name))).collect();
        self.shading.bare = bare;
    }

    /// Whether a field of a struct is an array.
    pub(in super::super) fn is_bare_field(&self, of: Type, k: usize) -> bool {
        let bare = &self.shading.bare;
        bare.known && !bare.values.contains(&(of, k)) && self.module.signs.field(of, k).is_some_and(|ty| is_simple(&ty))
    }

    /// The type of a variable, which is an array if it need be no value.
    pub(in super::super) fn var_ty(&mut self, f: &Frame<'_>, var: Var) -> Text {
        let ty = f.function.vars[var.0].ty.clone();
        if f.bare.contains(&var) { self.bare_ty(&ty) } else { self.shader_ty(&ty, false) }
    }

    pub(in super::super) fn bare_ty(&mut self, ty: &Ty) -> Text {
        let Ty::Array(count, elem) = ty else { return self.shader_ty(ty, false) };
        Ok(format!("{}[{count}]", self.shader_ty(elem, true)?))
    }

    /// The lines that declare an array that is none as a value.
    pub(in super::super) fn bare_declaration(
        &mut self,
        f: &Frame<'_>,
        var: Var,
        value: Option<&Expr>,
    ) -> Result<Vec<String>, Diagnostic> {
        let (ty, name) = (f.function.vars[var.0].ty.clone(), f.name(var).to_string());
        let Ty::Array(count, elem) = &ty else { return Err(self.internal("no array")) };
        let word = self.bare_ty(&ty)?;
        let parts = match value.map(|v| &v.kind) {
            None | Some(Kind::Zero) if self.scalars_in(&ty) > MOST_WRITTEN => {
                let declared = (self.statements().param)(&word, &name) + ";";
                return Ok(vec![declared, self.bare_cleared(&name, *count, elem)?]);
            }
            None | Some(Kind::Zero) => vec![self.shader_zero(elem, true)?; usize::try_from(*count).unwrap_or(0)],
            Some(Kind::Make(parts)) => {
                parts.iter().map(|part| self.stored_value(f, part, true)).collect::<Result<Vec<_>, _>>()?
            }
            Some(_) => {
                let value = self.plain(f, value.ok_or_else(|| self.internal("no value"))?)?.0;
                return Ok(vec![(self.statements().variable)(&word, &name, &value)]);
            }
        };
        Ok(vec![(self.statements().variable)(&word, &name, &format!("{{{}}}", parts.join(", ")))])
    }

    /// A loop that makes an array zero.
    pub(super) fn bare_cleared(&mut self, name: &str, count: u64, elem: &Ty) -> Text {
        let (counter, zero) = (self.loop_name("n"), self.shader_zero(elem, true)?);
        Ok(format!("for (uint {counter} = 0u; {counter} < {count}u; {counter}++) {name}[{counter}] = {zero};"))
    }

    /// An index of a variable's array that is inside of it, as it is: it needs no check.
    pub(super) fn proved_index(
        &mut self,
        f: &Frame<'_>,
        (local, of, count): (bool, &Ty, u64),
        index: &Expr,
    ) -> Result<Option<String>, Diagnostic> {
        let narrow = match &index.kind {
            Kind::Convert(inner) => &**inner,
            _ => index,
        };
        let is_word = matches!(narrow.ty, Ty::Scalar(Scalar::U32 | Scalar::I32));
        let indexed = matches!(of, Ty::Array(..)) || self.is_native(of);
        if !local || !is_word || !indexed || !f.ranges.is_within(narrow, count) {
            return Ok(None);
        }
        self.expr(f, narrow).map(Some)
    }
}
