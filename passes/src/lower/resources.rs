//! `legalize-resources`: for machines on which code names its resources, one of several is asked
//! for at each access.
//!
//! A resource that is chosen while a program runs becomes a number, of what it may be in this
//! function; where it is read or written stands a switch on that number, with the same access to
//! each. Arrays of resources are taken apart into their elements, whose names are those that a host
//! binds.
//!
//! Where a resource comes from elsewhere (a parameter, a field, an array) the function stays as it
//! is.

use crate::manager::{Changed, PassReport, PassResult};
use crate::passes;
use caustic_dialects::agg::{self, as_buffer};
use caustic_dialects::carried::{ForParts, WhileParts};
use caustic_dialects::reflect::{COUNT, PARAM, Param, resource_type};
use caustic_dialects::{arith, func, scf, simt, tex};
use caustic_ir::{Attr, Body, Builder, Cloner, Module, Name, OpDef, OpId, SymbolOp, Type, ValueId};
use rustc_hash::{FxHashMap, FxHashSet};

passes! {
    /// Puts a switch on what it may be in the place of each access to a resource that is chosen,
    /// and takes arrays of resources apart.
    pub static LEGALIZE_RESOURCES: "legalize-resources" {
        level: module,
        options: ResourcesOptions {
            arrays: bool = "true", "Takes arrays of resources apart.";
        },
        before: "func scf arith strong math vector agg gpu simt", after: "the same",
        statistics: [("switches", "accesses to one of several"), ("arrays", "arrays of resources that were taken apart")],
        run: |module: &mut Module, options: &ResourcesOptions, report: &mut PassReport| run(module, options, report),
    }
}

/// Ops that a resource is the place of, and nothing else.
const ACCESSES: [&OpDef; 12] = [
    agg::BufferLoad::DEF,
    agg::BufferStore::DEF,
    agg::BufferLen::DEF,
    agg::BufferCount::DEF,
    agg::CheckBounds::DEF,
    agg::ReadBuffer::DEF,
    agg::WriteBuffer::DEF,
    agg::AtomicRmw::DEF,
    agg::AtomicCas::DEF,
    agg::Address::DEF,
    agg::View::DEF,
    simt::AggregationOf::DEF,
];

/// A resource that a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Source {
    /// None is bound to it.
    name: Option<Name>,
    element: Option<i64>,
    /// As what the program sees it.
    ty: Type,
    /// Of what kind it is, if it is seen as another.
    declared: Type,
}

fn run(module: &mut Module, options: &ResourcesOptions, report: &mut PassReport) -> PassResult {
    let counted = |s: &SymbolOp| Some((s.name, s.attr(COUNT)?.as_int().filter(|&n| n > 0)?));
    let counts: FxHashMap<Name, i64> = module.symbols().iter().filter_map(counted).collect();
    let mut switches = 0;
    for symbol in module.symbols_mut().iter_mut().filter(|s| func::Func::of_symbol(s).is_some()) {
        let Some(entry) = symbol.body.entry() else { continue };
        let params: FxHashSet<ValueId> = symbol.body.args(entry).iter().copied().collect();
        let mut choices = Choices {
            body: &mut symbol.body,
            counts: &counts,
            params,
            types: FxHashMap::default(),
            sources: Vec::new(),
        };
        if choices.number().is_none() {
            continue;
        }
        switches += choices.switches();
    }
    let arrays = if options.arrays { split(module, &counts) } else { 0 };
    report.count("switches", switches);
    report.count("arrays", arrays);
    Ok(Changed::from(switches + arrays > 0))
}

fn is_handle(ty: Type) -> bool {
    as_buffer(ty).is_some() || tex::TextureType::of(ty).is_some() || tex::is_sampler(ty)
}

fn is_one_of(def: &OpDef, list: &[&'static OpDef]) -> bool {
    list.iter().any(|d| std::ptr::eq(*d, def))
}

fn constant_index(body: &Body, index: ValueId) -> Option<i64> {
    arith::constant_of(body, index).and_then(|a| a.as_int())
}

/// The element that an index finds: one out of range the last.
fn clamped(index: i64, count: i64) -> i64 {
    if (0..count).contains(&index) { index } else { count - 1 }
}

/// The resources of a function that are chosen.
struct Choices<'a> {
    body: &'a mut Body,
    counts: &'a FxHashMap<Name, i64>,
    params: FxHashSet<ValueId>,
    /// The values that have become numbers, and what they were.
    types: FxHashMap<ValueId, Type>,
    /// What they may be, by their numbers.
    sources: Vec<Source>,
}

impl Choices<'_> {
    /// Makes numbers of the resources that branches and loops choose; nothing, if one comes from
    /// elsewhere.
    fn number(&mut self) -> Option<()> {
        let ops = self.body.walk_all();
        let chooses = |def: &OpDef| is_one_of(def, &[arith::Select::DEF, scf::If::DEF, scf::IndexSwitch::DEF]);
        let mut chosen = Vec::new();
        for &op in &ops {
            let def = self.body.op(op).def;
            let loops = [ForParts::of(self.body, op).map(|p| vec![p.body]), self.while_blocks(op)];
            let args = loops.into_iter().flatten().flatten().flat_map(|b| self.body.args(b).to_vec());
            let args: Vec<ValueId> = args.collect();
            if chooses(def) || !args.is_empty() {
                chosen.extend(self.body.results(op).iter().copied().chain(args));
            }
        }
        chosen.retain(|&v| is_handle(self.body.ty(v)));
        self.types = chosen.iter().map(|&v| (v, self.body.ty(v))).collect();
        // Where one goes in, and where it is used.
        let mut given = Vec::new();
        for &op in &ops {
            let def = self.body.op(op).def;
            for (k, v) in self.body.operands(op).to_vec().into_iter().enumerate() {
                if !is_handle(self.body.ty(v)) {
                    continue;
                }
                let carries = is_one_of(def, &[arith::Select::DEF, scf::Yield::DEF, scf::Condition::DEF]);
                if carries || scf::For::is(self.body, op) || scf::While::is(self.body, op) {
                    self.sources_of(v)?;
                    given.push((op, k, v));
                } else if self.types.contains_key(&self.seen(v)) && !is_access(self.body, op) {
                    return None;
                }
            }
        }
        for (op, k, v) in given {
            if !self.types.contains_key(&v) {
                let number = self.number_of(v, op)?;
                self.body.set_operand(op, k, number);
            }
        }
        chosen.iter().for_each(|&v| self.body.set_type(v, Type::index()));
        Some(())
    }

    fn while_blocks(&self, op: OpId) -> Option<Vec<caustic_ir::BlockId>> {
        WhileParts::of(self.body, op).map(|p| vec![p.before, p.after])
    }

    /// What a value is a view of.
    fn seen(&self, mut value: ValueId) -> ValueId {
        while let Some(view) = self.body.def_op(value).and_then(|op| agg::View::cast(self.body, op)) {
            value = view.buffer(self.body);
        }
        value
    }

    /// Notes what a value that goes into a choice may be, unless it was chosen itself; nothing, if
    /// that is not known.
    fn sources_of(&mut self, value: ValueId) -> Option<()> {
        if self.types.contains_key(&value) {
            return Some(());
        }
        let ty = self.body.ty(value);
        let base = match self.body.def_op(value).and_then(|op| agg::View::cast(self.body, op)) {
            Some(view) => view.buffer(self.body),
            None => value,
        };
        if self.params.contains(&base) {
            return None;
        }
        let (op, declared) = (self.body.def_op(base)?, self.body.ty(base));
        let name = agg::resource_name(self.body, op);
        if name.is_none() && !agg::Zero::is(self.body, op) {
            return None;
        }
        let elements = match agg::GlobalElement::cast(self.body, op) {
            Some(_) => (0..*self.counts.get(&name?)?).map(Some).collect(),
            None => vec![None],
        };
        // Those of an array stand in a row.
        let first = Source { name, element: elements[0], ty, declared };
        if !self.sources.contains(&first) {
            self.sources.extend(elements.into_iter().map(|element| Source { element, ..first }));
        }
        Some(())
    }

    /// The number of a value that goes into a choice, before an op.
    fn number_of(&mut self, value: ValueId, before: OpId) -> Option<ValueId> {
        let ty = self.body.ty(value);
        let base = match self.body.def_op(value).and_then(|op| agg::View::cast(self.body, op)) {
            Some(view) => view.buffer(self.body),
            None => value,
        };
        let (op, declared) = (self.body.def_op(base)?, self.body.ty(base));
        let name = agg::resource_name(self.body, op);
        let element = agg::GlobalElement::cast(self.body, op);
        let first = Source { name, element: element.map(|_| 0), ty, declared };
        let first = self.sources.iter().position(|s| *s == first)? as i64;
        let index = element.map(|v| v.index(self.body));
        let count = name.and_then(|n| self.counts.get(&n)).copied().unwrap_or(1);
        let mut b = Builder::before(self.body, before)?;
        let first = arith::index(&mut b, first);
        let Some(index) = index else { return Some(first) };
        let within = element_number(&mut b, index, count);
        Some(arith::AddI::build(&mut b, first, within, &[]))
    }

    /// Puts switches in the place of accesses; how many.
    fn switches(&mut self) -> u64 {
        let mut made = 0;
        // A copy may access another one that is chosen.
        let mut left = self.body.walk_all();
        while let Some(op) = left.pop() {
            if agg::View::is(self.body, op) {
                continue;
            }
            let Some((number, cases)) = self.cases(op) else { continue };
            let Some(copies) = self.switch(op, number, &cases) else { continue };
            left.extend(copies);
            made += 1;
        }
        // Views of numbers, the last first.
        for op in self.body.walk_all().into_iter().rev() {
            let is_left = agg::View::is(self.body, op) || agg::GlobalElement::is(self.body, op);
            if is_left && self.body.results(op).iter().all(|&v| self.body.is_unused(v)) {
                self.body.erase_op(op);
            }
        }
        made
    }

    /// What decides about an op, and of what: of the first operand that is one of several, or of an
    /// element of an array that holds no resource.
    fn cases(&mut self, op: OpId) -> Option<(Decided, Vec<(i64, Source)>)> {
        let of_array = |op: OpId, v: agg::GlobalElement, body: &Body| {
            let (name, ty) = (v.name(body)?, body.ty(body.result(op, 0)));
            let count = *self.counts.get(&name)?;
            constant_index(body, v.index(body)).is_none().then_some(())?;
            let source = |k| (k, Source { name: Some(name), element: Some(k), ty, declared: ty });
            Some((v.index(body), (0..count).map(source).collect::<Vec<_>>()))
        };
        if let Some(v) = agg::GlobalElement::cast(self.body, op) {
            let (index, cases) =
                of_array(op, v, self.body).filter(|_| !is_handle(self.body.ty(self.body.result(op, 0))))?;
            return Some((Decided { by: index, operand: None, is_element: true }, cases));
        }
        // Numbers are handed on as they are.
        if !is_access(self.body, op) {
            return None;
        }
        for (k, &v) in self.body.operands(op).iter().enumerate() {
            let base = self.seen(v);
            if let Some(&ty) = self.types.get(&base) {
                let cases = self.sources.iter().enumerate().filter(|(_, s)| s.ty == ty);
                let cases = cases.map(|(k, s)| (k as i64, *s)).collect();
                return Some((Decided { by: base, operand: Some(k), is_element: false }, cases));
            }
            let element = self.body.def_op(base).and_then(|d| Some((d, agg::GlobalElement::cast(self.body, d)?)));
            if let Some((index, cases)) = element.and_then(|(d, v)| of_array(d, v, self.body))
                && is_handle(self.body.ty(base))
            {
                return Some((Decided { by: index, operand: Some(k), is_element: true }, cases));
            }
        }
        None
    }

    /// A switch with the op on each of the resources in place of the op; the copies.
    fn switch(&mut self, op: OpId, decided: Decided, cases: &[(i64, Source)]) -> Option<Vec<OpId>> {
        let (&(_, last), rest) = cases.split_last()?;
        let results = self.body.results(op).to_vec();
        let types: Vec<Type> = results.iter().map(|&v| self.body.ty(v)).collect();
        let mut views = Vec::new();
        let mut base = decided.operand.map(|k| self.body.operand(op, k));
        while let Some(view) = base.and_then(|v| self.body.def_op(v)).filter(|&d| agg::View::is(self.body, d)) {
            views.insert(0, view);
            base = Some(agg::View(view).buffer(self.body));
        }
        let mut b = Builder::before(self.body, op)?;
        let loc = b.loc;
        let number = match decided.is_element {
            true => element_number(&mut b, decided.by, cases.len() as i64),
            false => decided.by,
        };
        let labels: Vec<i64> = rest.iter().map(|(k, _)| *k).collect();
        let attrs = [("cases", Attr::i64_array(&labels))];
        let switch = b.create(scf::IndexSwitch::DEF, &[number], &types, &attrs, rest.len() + 1);
        let mut copies = Vec::new();
        for (region, source) in std::iter::once(last).chain(rest.iter().map(|(_, s)| *s)).enumerate() {
            let region = self.body.op(switch).regions[region];
            let block = self.body.add_block(region, &[]);
            let mut inner = Builder::at_end(self.body, block, loc);
            let direct = source.build(&mut inner);
            let given = match base {
                None => vec![direct],
                Some(base) => {
                    let mut cloner = Cloner::new();
                    cloner.insert(base, direct);
                    views.iter().for_each(|&view| {
                        cloner.clone_within(self.body, view, block, None);
                    });
                    let copy = cloner.clone_within(self.body, op, block, None);
                    copies.push(copy);
                    self.body.results(copy).to_vec()
                }
            };
            scf::Yield::build(&mut Builder::at_end(self.body, block, loc), &given, &[]);
        }
        for (k, &old) in results.iter().enumerate() {
            let new = self.body.result(switch, k);
            self.body.replace_uses(old, new);
        }
        self.body.erase_op(op);
        Some(copies)
    }
}

/// What decides which resource an op means.
struct Decided {
    by: ValueId,
    /// Which operand it is; none where the op gives it.
    operand: Option<usize>,
    /// Whether it is an index into an array.
    is_element: bool,
}

fn is_access(body: &Body, op: OpId) -> bool {
    is_one_of(body.op(op).def, &ACCESSES) || tex::TexView::of(body, op).is_some()
}

/// An index into an array of so many resources; one out of range is that of the last.
fn element_number(b: &mut Builder<'_>, index: ValueId, count: i64) -> ValueId {
    // In 32 bits, where they are enough.
    let cast =
        b.body.def_op(index).filter(|&op| arith::IndexCast::is(b.body, op) || arith::IndexCastUI::is(b.body, op));
    let index = match cast.map(|op| b.body.operand(op, 0)) {
        Some(narrow) if b.ty(narrow) == Type::i32() => narrow,
        _ if [Type::i32(), Type::index()].contains(&b.ty(index)) => index,
        _ => arith::IndexCast::build(b, index, Type::index(), &[]),
    };
    let ty = b.ty(index);
    let last = if ty == Type::index() { arith::index(b, count - 1) } else { arith::int(b, count - 1, ty) };
    let number = arith::MinUI::build(b, index, last, &[]);
    if ty == Type::index() { number } else { arith::IndexCastUI::build(b, number, Type::index(), &[]) }
}

impl Source {
    /// The resource itself.
    fn build(self, b: &mut Builder<'_>) -> ValueId {
        let Some(name) = self.name else { return agg::Zero::build(b, self.ty, &[]) };
        let attr = [("name", Attr::symbol(name))];
        let whole = match self.element {
            None => agg::Global::build(b, self.declared, &attr),
            Some(k) => {
                let k = arith::index(b, k);
                agg::GlobalElement::build(b, k, self.declared, &attr)
            }
        };
        if self.declared == self.ty { whole } else { agg::View::build(b, whole, self.ty, &[]) }
    }
}

/// Takes arrays apart of which all accesses are by constants; how many.
fn split(module: &mut Module, counts: &FxHashMap<Name, i64>) -> u64 {
    let mut kept: FxHashSet<Name> = FxHashSet::default();
    for body in module.symbols().iter().map(|s| &s.body) {
        for op in body.all_ops() {
            let Some(v) = agg::GlobalElement::cast(body, op) else { continue };
            kept.extend(v.name(body).filter(|_| constant_index(body, v.index(body)).is_none()));
        }
    }
    let split: FxHashMap<Name, i64> =
        counts.iter().filter(|(name, _)| !kept.contains(*name)).map(|(&name, &count)| (name, count)).collect();
    let mut arrays = 0;
    for symbol in module.take_symbols() {
        let Some(&count) = split.get(&symbol.name).filter(|_| resource_type(&symbol).is_some()) else {
            module.put(with_elements(symbol, &split));
            continue;
        };
        arrays += 1;
        for k in 0..count {
            let mut element = symbol.clone();
            element.name = element_name(symbol.name, k);
            element.remove_attr(COUNT);
            if let Some(param) = Param::of(&symbol) {
                let name = element_name(param.name, k);
                element.set_attr(PARAM, Param { name, ..param }.to_attr());
            }
            module.put(element);
        }
    }
    arrays
}

fn element_name(name: Name, k: i64) -> Name {
    Name::new(&format!("{name}[{k}]"))
}

/// A function that names elements by themselves.
fn with_elements(mut symbol: SymbolOp, split: &FxHashMap<Name, i64>) -> SymbolOp {
    let body = &mut symbol.body;
    for op in body.walk_all() {
        let Some(v) = agg::GlobalElement::cast(body, op) else { continue };
        let Some((name, &count)) = v.name(body).and_then(|n| Some((n, split.get(&n)?))) else { continue };
        let Some(index) = constant_index(body, v.index(body)) else { continue };
        let (old, attr) = (body.result(op, 0), Attr::symbol(element_name(name, clamped(index, count))));
        let ty = body.ty(old);
        let Some(mut b) = Builder::before(body, op) else { continue };
        let new = agg::Global::build(&mut b, ty, &[("name", attr)]);
        body.replace_uses(old, new);
        body.erase_op(op);
    }
    symbol
}
