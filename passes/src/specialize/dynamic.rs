//! Values of an interface's type: which types conform, how such a value is laid out, and the
//! functions that choose by it.
//!
//! A value becomes a struct: a number that tells the conforming type, then one field for each of
//! them, of which all but one are zero. It is a product like any struct, so it differentiates like
//! one. The conforming types are those of the tables without parameters that the module has for the
//! interface, and those that a value is made of anywhere.

use super::check::{Requirement, requirements};
use super::dispatch;
use super::is_def;
use super::resolve::{Env, Fail, Resolved, Resolver, differential, shown_instance};
use super::rewrite::asked_type;
use caustic_dialects::agg::StructType;
use caustic_dialects::hl;
use caustic_dialects::hl::generics::{
    FunctionRef, GENERICS, Param, as_existential, existential_type, generics_of, instance, readable_type,
    split_instance,
};
use caustic_dialects::hl::source::erase;
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_ir::codes;
use caustic_ir::{Attr, AttrKind, Diagnostic, Loc, Name, OpId, SymbolOp, Type, TypeKind};
use rustc_hash::{FxHashMap, FxHashSet};

struct Interface {
    attr: Attr,
    /// Settled witnesses of the conforming types.
    tables: Vec<Attr>,
    layout: Option<Layout>,
    /// Its layout is being made.
    open: bool,
}

/// How a value of an interface's type is laid out: field `k + 1` holds a value of the `k`-th
/// conforming type.
#[derive(Clone)]
pub struct Layout {
    pub ty: Type,
    pub ids: Vec<i64>,
    /// The conforming types, as source types.
    pub types: Vec<Type>,
}

/// A function that chooses by the value of an interface's type that is its first argument.
pub struct Dispatcher {
    pub name: Name,
    pub loc: Loc,
    /// The type of its interface's values still in it.
    pub ty: Type,
    pub requirement: Attr,
    /// The functions to choose from, in the order of the conforming types.
    pub functions: Vec<Name>,
    interface: usize,
    key: Name,
    args: Vec<Attr>,
}

/// A function that a dispatcher needs.
pub struct Choice {
    pub loc: Loc,
    dispatcher: usize,
    function: Attr,
}

impl Choice {
    /// The function, as a reference.
    pub fn function(&self) -> Attr {
        self.function
    }
}

#[derive(Default)]
pub struct Dynamic {
    interfaces: Vec<Interface>,
    index: FxHashMap<Attr, usize>,
    dispatchers: Vec<Dispatcher>,
    /// Types with the structs put in.
    laid: FxHashMap<Type, Type>,
}

impl Dynamic {
    pub fn dispatchers(&self) -> usize {
        self.dispatchers.len()
    }

    fn interface(&mut self, r: &Resolver<'_>, attr: Attr) -> Resolved<usize> {
        if let Some(&at) = self.index.get(&attr) {
            return Ok(at);
        }
        let mut tables = Vec::new();
        for symbol in r.module.symbols().iter().filter(|s| is_def(s, hl::WitnessTable::DEF)) {
            if generics_of(&symbol.attrs).is_some_and(|g| g.is_empty())
                && r.table_interface(symbol, &Env::default())? == attr
            {
                tables.push(Attr::symbol(symbol.name));
            }
        }
        let at = self.interfaces.len();
        self.interfaces.push(Interface { attr, tables, layout: None, open: false });
        self.index.insert(attr, at);
        Ok(at)
    }

    /// Notes that the type of this table is made a value of the interface's type.
    pub fn conforms(&mut self, r: &Resolver<'_>, interface: Attr, witness: Attr) -> Resolved<()> {
        let at = self.interface(r, interface)?;
        let tables = &mut self.interfaces[at].tables;
        if !tables.contains(&witness) {
            tables.push(witness);
        }
        Ok(())
    }

    /// The function that chooses what a value of the interface's type has for `key`.
    pub fn dispatcher(
        &mut self,
        r: &Resolver<'_>,
        taken: &mut FxHashSet<Name>,
        interface: Attr,
        key: Name,
        args: Vec<Attr>,
        loc: Loc,
    ) -> Result<Name, Diagnostic> {
        let at = self.interface(r, interface).map_err(|f| f.at(loc))?;
        let known = self.dispatchers.iter().find(|d| d.interface == at && d.key == key && d.args == args);
        if let Some(d) = known {
            return Ok(d.name);
        }
        let (ty, requirement, home) = signature(r, interface, key, &args).map_err(|f| f.at(loc))?;
        let base = shown_instance(instance(Name::new(&format!("{}.{key}", shown_instance(interface))), &args));
        let mut name = Name::new(&base);
        let mut n = 1;
        while !taken.insert(name) {
            name = Name::new(&format!("{base}_{n}"));
            n += 1;
        }
        self.dispatchers.push(Dispatcher {
            name,
            loc: home,
            ty,
            requirement,
            functions: Vec::new(),
            interface: at,
            key,
            args,
        });
        Ok(name)
    }

    pub fn type_of(&self, name: Name) -> Option<Type> {
        self.dispatchers.iter().find(|d| d.name == name).map(|d| d.ty)
    }

    /// A function that some dispatcher still needs.
    pub fn next_choice(&self) -> Option<Choice> {
        self.dispatchers.iter().enumerate().find_map(|(i, d)| {
            let witness = *self.interfaces[d.interface].tables.get(d.functions.len())?;
            let function = FunctionRef::witness(witness, &d.key, &d.args);
            Some(Choice { loc: d.loc, dispatcher: i, function })
        })
    }

    pub fn choose(&mut self, choice: Choice, function: Name) {
        self.dispatchers[choice.dispatcher].functions.push(function);
    }

    fn layout(&mut self, r: &Resolver<'_>, attr: Attr) -> Resolved<Layout> {
        let at = self.interface(r, attr)?;
        if let Some(layout) = &self.interfaces[at].layout {
            return Ok(layout.clone());
        }
        if self.interfaces[at].open {
            let text = format!("a value of type `{}` would contain itself", shown_instance(attr));
            return Err(Fail::Program(codes::E0504, text, "a conforming type has a field of the interface's own type"));
        }
        self.interfaces[at].open = true;
        let tables = self.interfaces[at].tables.clone();
        let (mut types, mut fields, mut wanted) = (Vec::new(), Vec::<(String, Type)>::new(), Vec::new());
        for &witness in &tables {
            let (table, env) = r.table(witness)?;
            let ty = r.table_type(table, &env)?;
            types.push(ty);
            wanted.push(hl::WitnessTable::of_symbol(table).and_then(|t| t.id(table)));
            let field = self.ty(r, erase(ty))?;
            let name = readable_type(ty);
            let clash = name == "id" || fields.iter().any(|(other, _)| *other == name);
            fields.push((if clash { format!("{name}_{}", fields.len() + 1) } else { name }, field));
        }
        let (name, _) = split_instance(attr).unwrap_or((Name::new(""), &[]));
        let differentiable = r.module.get(name).is_some_and(|s| s.attr(DIFFERENTIABLE).is_some());
        let fields: Vec<(&str, Type, bool)> = fields.iter().map(|(n, t)| (n.as_str(), *t, false)).collect();
        let ids = numbered(&wanted)?;
        let ty = StructType::choice(&shown_instance(attr), differentiable, &ids, &fields);
        let layout = Layout { ty, ids, types };
        self.interfaces[at].layout = Some(layout.clone());
        self.interfaces[at].open = false;
        Ok(layout)
    }

    /// The type with structs for values of interfaces' types.
    fn ty(&mut self, r: &Resolver<'_>, ty: Type) -> Resolved<Type> {
        if !matches!(ty.kind(), TypeKind::Dialect { .. } | TypeKind::Function { .. }) {
            return Ok(ty);
        }
        if let Some(&known) = self.laid.get(&ty) {
            return Ok(known);
        }
        let new = match (as_existential(ty), ty.kind()) {
            (Some(interface), _) => self.layout(r, interface)?.ty,
            (None, TypeKind::Function { inputs, results }) => {
                let inputs = inputs.iter().map(|&t| self.ty(r, t)).collect::<Resolved<Vec<Type>>>()?;
                let results = results.iter().map(|&t| self.ty(r, t)).collect::<Resolved<Vec<Type>>>()?;
                Type::function(&inputs, &results)
            }
            (None, TypeKind::Dialect { name, params }) if name.as_str() == "hl.differential" => {
                let of = params.first().and_then(|p| p.as_type()).unwrap_or(ty);
                differential(self.ty(r, of)?)?
            }
            (None, TypeKind::Dialect { name, params }) => {
                let new = params.iter().map(|&p| self.attr(r, p)).collect::<Resolved<Vec<Attr>>>()?;
                Type::dialect(name, new)
            }
            _ => ty,
        };
        self.laid.insert(ty, new);
        Ok(new)
    }

    fn attr(&mut self, r: &Resolver<'_>, attr: Attr) -> Resolved<Attr> {
        Ok(match attr.kind() {
            AttrKind::Type(ty) => Attr::ty(self.ty(r, *ty)?),
            AttrKind::Array(items) => {
                Attr::array(items.iter().map(|&a| self.attr(r, a)).collect::<Resolved<Vec<Attr>>>()?)
            }
            AttrKind::Dict(items) => {
                let new = items.iter().map(|&(k, a)| Ok((k, self.attr(r, a)?)));
                Attr::dict(new.collect::<Resolved<Vec<(Name, Attr)>>>()?)
            }
            _ => attr,
        })
    }

    /// Lays out all values in `symbols` and adds the functions that choose.
    pub fn finish(&mut self, r: &Resolver<'_>, symbols: &mut Vec<SymbolOp>) -> Result<(), Vec<Diagnostic>> {
        let mut found = Vec::new();
        for symbol in symbols.iter_mut() {
            found.extend(self.symbol(r, symbol).err());
        }
        for i in 0..self.dispatchers.len() {
            match self.dispatch(r, i) {
                Ok(symbol) => symbols.push(symbol),
                Err(d) => found.push(d),
            }
        }
        // One diagnostic for each interface is enough.
        found.dedup_by(|a, b| a.message == b.message);
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    fn dispatch(&mut self, r: &Resolver<'_>, index: usize) -> Result<SymbolOp, Diagnostic> {
        let (at, ty, loc) = {
            let d = &self.dispatchers[index];
            (self.interfaces[d.interface].attr, d.ty, d.loc)
        };
        let layout = self.layout(r, at).map_err(|f| f.at(loc))?;
        let ty = self.ty(r, ty).map_err(|f| f.at(loc))?;
        Ok(dispatch::function(&self.dispatchers[index], ty, &layout))
    }

    fn symbol(&mut self, r: &Resolver<'_>, symbol: &mut SymbolOp) -> Result<(), Diagnostic> {
        let loc = symbol.loc;
        for (_, attr) in symbol.attrs.iter_mut() {
            *attr = self.attr(r, *attr).map_err(|f| f.at(loc))?;
        }
        let body = &mut symbol.body;
        let ops = body.walk_all();
        let mut objects: Vec<(OpId, Layout)> = Vec::new();
        for &op in &ops {
            let def = body.op(op).def;
            let object = match () {
                () if std::ptr::eq(def, hl::MakeExistential::DEF) => body.result(op, 0),
                () if std::ptr::eq(def, hl::IsDynamic::DEF) || std::ptr::eq(def, hl::AsDynamic::DEF) => {
                    body.operand(op, 0)
                }
                () => continue,
            };
            if let Some(interface) = as_existential(body.ty(object)) {
                objects.push((op, self.layout(r, interface).map_err(|f| f.at(body.loc(op)))?));
            }
        }
        for value in (0..body.num_values() as u32).map(caustic_ir::ValueId) {
            let ty = self.ty(r, body.ty(value)).map_err(|f| f.at(body.def_op(value).map_or(loc, |op| body.loc(op))))?;
            body.set_type(value, ty);
        }
        for &op in &ops {
            for (name, attr) in body.op(op).attrs.clone() {
                if matches!(attr.kind(), AttrKind::Type(_)) && name != "for" {
                    let new = self.attr(r, attr).map_err(|f| f.at(body.loc(op)))?;
                    body.set_attr(op, &name, new);
                }
            }
        }
        for (op, layout) in objects {
            let which = asked_type(body, op).and_then(|ty| layout.types.iter().position(|&t| t == ty));
            dispatch::lay_out(body, op, &layout, which);
        }
        Ok(())
    }
}

/// The type of the function that chooses, what the interface says about it, and where.
fn signature(r: &Resolver<'_>, interface: Attr, key: Name, args: &[Attr]) -> Resolved<(Type, Attr, Loc)> {
    let (name, interface_args) =
        split_instance(interface).ok_or_else(|| Fail::Ir(format!("{interface} is no interface")))?;
    let symbol = r.module.get(name).ok_or_else(|| Fail::Ir(format!("there is no interface @{name}")))?;
    let list = requirements(symbol).unwrap_or_default();
    let Some(Requirement { attr, .. }) = list.into_iter().find(|r| r.key == key) else {
        return Err(Fail::Ir(format!("@{name} does not require `{key}`")));
    };
    let this = existential_type(name, interface_args);
    let mut env = r.env(symbol, interface_args)?.with("This", Attr::ty(this));
    let own: Vec<Param> =
        attr.get(GENERICS).and_then(|a| a.as_array()).unwrap_or(&[]).iter().filter_map(|&p| Param::of(p)).collect();
    if own.len() != args.len() {
        return Err(Fail::Ir(format!("`{key}` takes {} generic arguments, not {}", own.len(), args.len())));
    }
    for (param, &arg) in own.iter().zip(args) {
        env = env.with(&param.name, arg);
    }
    let refused = || {
        let text = format!("`{key}` cannot be called on a value of type `{}`", shown_instance(interface));
        Fail::Program(codes::E0505, text, "its signature depends on the conforming type, which is not known here")
    };
    let ty = attr.get("type").and_then(|t| t.as_type()).ok_or_else(refused)?;
    let ty = r.value_type(ty, &env).map_err(|_| refused())?;
    let TypeKind::Function { inputs, results } = ty.kind() else { return Err(refused()) };
    let object = inputs.first().map(|&t| hl::as_ref(t).unwrap_or(t));
    if object != Some(this) || results.len() > 1 {
        return Err(refused());
    }
    Ok((ty, attr, symbol.loc))
}

/// Numbers for the conforming types: those that are asked for, and for the others the smallest that
/// are left.
fn numbered(wanted: &[Option<i64>]) -> Resolved<Vec<i64>> {
    let asked: Vec<i64> = wanted.iter().flatten().copied().collect();
    if let Some((_, twice)) = asked.iter().enumerate().find(|(i, id)| asked[..*i].contains(id)) {
        return Err(Fail::Ir(format!("two witness tables of one interface have the number {twice}")));
    }
    let mut free = (0..).filter(|n| !asked.contains(n));
    Ok(wanted.iter().map(|id| id.unwrap_or_else(|| free.next().unwrap_or(0))).collect())
}
