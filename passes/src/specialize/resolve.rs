//! Putting arguments in: what types, integers, witnesses and function references are once the
//! parameters of the symbol around them are known.
//!
//! Everything here is a function of the module as it came and of the arguments, so its results can
//! be kept.

use super::is_def;
use caustic_dialects::agg::{StructType, array_type};
use caustic_dialects::hl;
use caustic_dialects::hl::generics::{
    self, FunctionRef, IntExpr, Param, ParamKind, Witness, existential_type, generics_of, instance, matrix_of,
    mentions_generics, readable_instance, readable_type, split_instance, struct_args, struct_instance, vector_of,
};
use caustic_dialects::hl::source::{erase, is_number};
use caustic_ir::codes::{self, Code};
use caustic_ir::{Attr, AttrKind, Diagnostic, Loc, Module, Name, SymbolOp, Type, TypeKind};
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};

/// Entries of tables that lead to each other may go round; a program's do not go on for so long.
const MAX_STEPS: u32 = 256;
/// Elements of one array.
const MAX_ARRAY: i64 = 1 << 30;

/// Why something cannot be resolved.
#[derive(Debug)]
pub enum Fail {
    /// The module is not what it must be.
    Ir(String),
    /// The program is wrong: an error with its code, and a note.
    Program(Code, String, &'static str),
}

impl Fail {
    pub fn at(self, loc: Loc) -> Diagnostic {
        match self {
            Fail::Ir(text) => Diagnostic::invalid_ir(loc, text),
            Fail::Program(code, text, note) => Diagnostic::error(code, loc, text).with_note(note),
        }
    }
}

pub type Resolved<T> = Result<T, Fail>;

fn ir<T>(text: impl Into<String>) -> Resolved<T> {
    Err(Fail::Ir(text.into()))
}

/// The arguments for the parameters of one symbol.
#[derive(Default)]
pub struct Env {
    values: FxHashMap<Name, Attr>,
    /// Types with the arguments put in, as far as they were asked for.
    types: RefCell<FxHashMap<Type, Type>>,
}

impl Env {
    pub fn with(mut self, name: &str, value: Attr) -> Env {
        self.values.insert(Name::new(name), value);
        self
    }
}

/// What a function reference means.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Callee {
    Instance(Name, Vec<Attr>),
    Dynamic { interface: Attr, key: Name, args: Vec<Attr> },
}

pub struct Resolver<'m> {
    pub module: &'m Module,
    steps: Cell<u32>,
}

impl<'m> Resolver<'m> {
    pub fn new(module: &'m Module) -> Self {
        Resolver { module, steps: Cell::new(0) }
    }

    /// The arguments of a symbol by name. They are settled.
    pub fn env(&self, symbol: &SymbolOp, args: &[Attr]) -> Resolved<Env> {
        let params = generics_of(&symbol.attrs).unwrap_or_default();
        if params.len() != args.len() {
            return ir(format!("@{} takes {} generic arguments, not {}", symbol.name, params.len(), args.len()));
        }
        let mut env = Env::default();
        for (param, &arg) in params.iter().zip(args) {
            if !param.kind.admits(arg) {
                return ir(format!("@{}: {arg} is no argument for `{}`", symbol.name, param.name));
            }
            self.shows(symbol, param, arg, &env)?;
            env.values.insert(param.name, arg);
        }
        Ok(env)
    }

    /// Whether an argument for a witness parameter is a witness of the right interface.
    fn shows(&self, symbol: &SymbolOp, param: &Param, arg: Attr, env: &Env) -> Resolved<()> {
        let (ParamKind::Witness, Some(interface)) = (param.kind, param.interface) else { return Ok(()) };
        let (table, table_env) = self.table(arg)?;
        let (wanted, found) = (self.interface(interface, env)?, self.table_interface(table, &table_env)?);
        if wanted == found {
            return Ok(());
        }
        ir(format!("@{}: {arg} shows {found}, but `{}` is to show {wanted}", symbol.name, param.name))
    }

    /// The interface that a table is of, with its arguments.
    pub fn table_interface(&self, table: &SymbolOp, env: &Env) -> Resolved<Attr> {
        match hl::WitnessTable::of_symbol(table).and_then(|t| t.interface(table)) {
            Some(interface) => self.interface(interface, env),
            None => ir(format!("@{} is of no interface", table.name)),
        }
    }

    /// The source type that a table is for.
    pub fn table_type(&self, table: &SymbolOp, env: &Env) -> Resolved<Type> {
        match hl::WitnessTable::of_symbol(table).and_then(|t| t.for_(table)) {
            Some(ty) => self.ty(ty, env),
            None => ir(format!("@{} is for no type", table.name)),
        }
    }

    pub fn interface(&self, attr: Attr, env: &Env) -> Resolved<Attr> {
        let Some((name, args)) = split_instance(attr) else { return ir(format!("{attr} is no interface")) };
        let Some(symbol) = self.module.get(name).filter(|s| is_def(s, hl::Interface::DEF)) else {
            return ir(format!("@{name} is no interface"));
        };
        let args = self.args(args, env)?;
        self.env(symbol, &args)?;
        Ok(instance(name, &args))
    }

    /// The table of a settled witness and its arguments.
    pub fn table(&self, witness: Attr) -> Resolved<(&'m SymbolOp, Env)> {
        let Some(Witness::Table(name, args)) = Witness::of(witness) else {
            return ir(format!("{witness} is no witness"));
        };
        match self.module.get(name).filter(|s| is_def(s, hl::WitnessTable::DEF)) {
            Some(symbol) => Ok((symbol, self.env(symbol, args)?)),
            None => ir(format!("@{name} is no witness table")),
        }
    }

    /// What a settled witness has for a key, and what its parameters are there.
    fn entry(&self, witness: Attr, key: &str) -> Resolved<(Attr, Env)> {
        let (table, env) = self.table(witness)?;
        let entries = hl::WitnessTable::of_symbol(table).and_then(|t| t.entries(table));
        match entries.and_then(|e| e.get(key)) {
            Some(entry) => Ok((entry, env)),
            None => ir(format!("@{} has no entry `{key}`", table.name)),
        }
    }

    /// Runs a step that may lead to others, which need not end.
    fn step<T>(&self, f: impl FnOnce() -> Resolved<T>) -> Resolved<T> {
        if self.steps.get() >= MAX_STEPS {
            let note = "an associated type or a conformance is defined by itself";
            return Err(Fail::Program(codes::E0501, format!("this needs itself in more than {MAX_STEPS} steps"), note));
        }
        self.steps.set(self.steps.get() + 1);
        let result = f();
        self.steps.set(self.steps.get() - 1);
        result
    }

    pub fn witness(&self, attr: Attr, env: &Env) -> Resolved<Attr> {
        match Witness::of(attr) {
            Some(Witness::Param(name)) => match env.values.get(&name) {
                Some(&witness) => Ok(witness),
                None => ir(format!("there is no witness parameter `{name}` here")),
            },
            Some(Witness::Table(name, args)) => Ok(instance(name, &self.args(args, env)?)),
            Some(Witness::Entry(of, key)) => self.step(|| {
                let (entry, env) = self.entry(self.witness(of, env)?, &key)?;
                self.witness(entry, &env)
            }),
            None => ir(format!("{attr} is no witness")),
        }
    }

    pub fn int(&self, attr: Attr, env: &Env) -> Resolved<i64> {
        match IntExpr::of(attr) {
            Some(IntExpr::Known(n)) => Ok(n),
            Some(IntExpr::Param(name)) => match env.values.get(&name).and_then(|a| a.as_int()) {
                Some(n) => Ok(n),
                None => ir(format!("there is no integer parameter `{name}` here")),
            },
            Some(IntExpr::Apply(op, a, b)) => {
                let (a, b) = (self.int(a, env)?, self.int(b, env)?);
                op.apply(a, b).ok_or_else(|| {
                    let text = format!("{a} {} {b} has no value", op.keyword());
                    Fail::Program(codes::E0503, text, "a compile-time integer must not overflow or be divided by zero")
                })
            }
            Some(IntExpr::Entry(witness, key)) => self.step(|| {
                let (entry, env) = self.entry(self.witness(witness, env)?, &key)?;
                self.int(entry, &env)
            }),
            None => ir(format!("{attr} is no integer argument")),
        }
    }

    fn args(&self, args: &[Attr], env: &Env) -> Resolved<Vec<Attr>> {
        args.iter().map(|&a| self.arg(a, env)).collect()
    }

    /// An argument; what it is is plain from how it is written, but for a name, which stands for
    /// what its parameter is.
    fn arg(&self, arg: Attr, env: &Env) -> Resolved<Attr> {
        match arg.kind() {
            AttrKind::Type(ty) => self.ty(*ty, env).map(Attr::ty),
            AttrKind::Int(n, _) => Ok(Attr::i64(*n)),
            AttrKind::String(name) => match env.values.get(name) {
                Some(&value) => Ok(value),
                None => ir(format!("there is no parameter `{name}` here")),
            },
            AttrKind::Dict(_) if arg.get("op").is_some() => self.int(arg, env).map(Attr::i64),
            // A witness or an integer: the entry tells.
            AttrKind::Dict(_) => self.step(|| {
                let Some(Witness::Entry(of, key)) = Witness::of(arg) else {
                    return ir(format!("{arg} is no argument"));
                };
                let (entry, env) = self.entry(self.witness(of, env)?, &key)?;
                self.arg(entry, &env)
            }),
            _ => self.witness(arg, env),
        }
    }

    pub fn function(&self, attr: Attr, env: &Env) -> Resolved<Callee> {
        match FunctionRef::of(attr) {
            Some(FunctionRef::Instance(name, args)) => Ok(Callee::Instance(name, self.args(args, env)?)),
            Some(FunctionRef::Dynamic { interface, key, args }) => {
                Ok(Callee::Dynamic { interface: self.interface(interface, env)?, key, args: self.args(args, env)? })
            }
            Some(FunctionRef::Witness { witness, key, args }) => self.step(|| {
                let args = self.args(args, env)?;
                let (entry, env) = self.entry(self.witness(witness, env)?, &key)?;
                let mut callee = self.function(entry, &env)?;
                let (Callee::Instance(_, all) | Callee::Dynamic { args: all, .. }) = &mut callee;
                all.extend(args);
                Ok(callee)
            }),
            None => ir(format!("{attr} is no function")),
        }
    }

    /// The type that a value has.
    pub fn value_type(&self, ty: Type, env: &Env) -> Resolved<Type> {
        self.ty(ty, env).map(erase)
    }

    /// A source type with the arguments put in.
    pub fn ty(&self, ty: Type, env: &Env) -> Resolved<Type> {
        if !matches!(ty.kind(), TypeKind::Dialect { .. } | TypeKind::Function { .. }) {
            return Ok(ty);
        }
        if let Some(&known) = env.types.borrow().get(&ty) {
            return Ok(known);
        }
        let new = self.new_type(ty, env)?;
        env.types.borrow_mut().insert(ty, new);
        Ok(new)
    }

    fn types(&self, types: &[Type], env: &Env) -> Resolved<Vec<Type>> {
        types.iter().map(|&t| self.ty(t, env)).collect()
    }

    fn new_type(&self, ty: Type, env: &Env) -> Resolved<Type> {
        let (name, params) = match ty.kind() {
            TypeKind::Function { inputs, results } => {
                return Ok(Type::function(&self.types(inputs, env)?, &self.types(results, env)?));
            }
            TypeKind::Dialect { name, params } => (name, params.as_slice()),
            _ => return Ok(ty),
        };
        let size = |attr: &Attr| self.int(*attr, env);
        match (name.as_str(), params) {
            ("hl.param", _) => {
                match generics::as_param(ty).and_then(|p| env.values.get(&p)).and_then(|a| a.as_type()) {
                    Some(ty) => Ok(ty),
                    None => ir(format!("there is no type parameter for {ty} here")),
                }
            }
            ("hl.vector", [elem, n]) => {
                let (elem, n) = (self.element(*elem, "vector", env)?, dimension(size(n)?, "vector")?);
                Ok(vector_of(elem, n))
            }
            ("hl.matrix", [elem, r, c]) => {
                let elem = self.element(*elem, "matrix", env)?;
                Ok(matrix_of(elem, dimension(size(r)?, "matrix")?, dimension(size(c)?, "matrix")?))
            }
            ("hl.array", [elem, n]) => {
                let (elem, n) = (self.type_param(*elem, env)?, size(n)?);
                if !(1..=MAX_ARRAY).contains(&n) {
                    return Err(Fail::Program(
                        codes::E0503,
                        format!("an array of {n} elements"),
                        "an array has at least one element",
                    ));
                }
                Ok(array_type(n as u64, elem))
            }
            ("hl.assoc", [witness, key]) => self.step(|| {
                let (entry, env) = self.entry(self.witness(*witness, env)?, key.as_str().unwrap_or(""))?;
                self.type_param(entry, &env)
            }),
            ("hl.differential", [of]) => {
                let of = self.type_param(*of, env)?;
                // That of a value of an interface's type waits for the layout.
                if mentions_generics(of, &mut FxHashMap::default()) {
                    return Ok(Type::dialect(name, vec![Attr::ty(of)]));
                }
                differential(of)
            }
            ("hl.existential", _) => match generics::as_existential(ty) {
                Some(interface) => {
                    let settled = self.interface(interface, env)?;
                    let (name, args) = split_instance(settled).unwrap_or((Name::new(""), &[]));
                    Ok(existential_type(name, args))
                }
                None => ir(format!("{ty} is of no interface")),
            },
            ("agg.struct", _) => self.struct_type(ty, env),
            _ => {
                let new = params.iter().map(|&p| self.types_in(p, env)).collect::<Resolved<Vec<Attr>>>()?;
                Ok(Type::dialect(name, new))
            }
        }
    }

    fn type_param(&self, attr: Attr, env: &Env) -> Resolved<Type> {
        match attr.as_type() {
            Some(ty) => self.ty(ty, env),
            None => ir(format!("{attr} is no type")),
        }
    }

    fn element(&self, attr: Attr, what: &str, env: &Env) -> Resolved<Type> {
        let ty = self.type_param(attr, env)?;
        if is_number(ty) && !ty.is_vector() {
            return Ok(ty);
        }
        let text = format!("a {what} of `{}`", readable_type(ty));
        Err(Fail::Program(codes::E0502, text, "the elements of vectors and matrices are numbers or truth values"))
    }

    fn struct_type(&self, ty: Type, env: &Env) -> Resolved<Type> {
        let s = StructType(ty);
        let mut fields = Vec::with_capacity(s.num_fields());
        for field in s.fields() {
            fields.push((field.name, self.value_type(field.ty, env)?, field.no_diff));
        }
        if s.is_pair() {
            let halves: Vec<Type> = fields.iter().map(|f| f.1).collect();
            return match halves.as_slice() {
                &[p, d] => Ok(StructType::pair(s.name(), p, d)),
                _ => Ok(ty),
            };
        }
        let args = self.args(struct_args(ty).unwrap_or(&[]), env)?;
        let whole = struct_instance(s.name(), s.differentiable(), &fields, &args);
        let whole = s.presence().map_or(whole, |flag| StructType(whole).with_presence(flag));
        Ok(match s.chosen_kind() {
            Some(kind) => StructType(whole).with_chosen_kind(self.types_in(kind, env)?),
            None => whole,
        })
    }

    /// An attribute with the arguments put into the types in it.
    pub fn types_in(&self, attr: Attr, env: &Env) -> Resolved<Attr> {
        Ok(match attr.kind() {
            AttrKind::Type(ty) => Attr::ty(self.ty(*ty, env)?),
            AttrKind::Array(items) => {
                Attr::array(items.iter().map(|&a| self.types_in(a, env)).collect::<Resolved<Vec<Attr>>>()?)
            }
            AttrKind::Dict(items) => {
                let new = items.iter().map(|&(k, a)| Ok((k, self.types_in(a, env)?)));
                Attr::dict(new.collect::<Resolved<Vec<(Name, Attr)>>>()?)
            }
            _ => attr,
        })
    }
}

/// D(T)
pub fn differential(of: Type) -> Resolved<Type> {
    caustic_dialects::ad::differential_type(erase(of)).ok_or_else(|| {
        let text = format!("the type `{}` has no derivative", readable_type(of));
        Fail::Program(codes::E0502, text, "the argument must be a differentiable type")
    })
}

/// An instance as a programmer would write it.
pub fn shown_instance(attr: Attr) -> String {
    split_instance(attr).map_or_else(|| attr.to_string(), |(name, args)| readable_instance(&name, args))
}

fn dimension(n: i64, what: &str) -> Resolved<Attr> {
    if (1..=4).contains(&n) {
        return Ok(Attr::i64(n));
    }
    let text = format!("a {what} with a dimension of {n}");
    Err(Fail::Program(codes::E0503, text, "the dimensions of vectors and matrices are 1 to 4"))
}
