//! Executes the code that the front end produces: variables are cells, control flow is executed,
//! and `out` and `inout` parameters are copied.

use super::derive::GivenCall;
use super::number::Levels;
use super::value::{Place, Root, Value, get, set, unknown, zero};
use super::{Judged, Unjudged};
use caustic_dialects::signature::{DIFFERENTIABLE, Direction, NO_DIFF_RESULT, PARAMS, ZERO};
use caustic_dialects::{ad, agg, hl};
use caustic_ir::{Attr, BlockId, Body, Module, Name, OpId, SymbolOp, Type, ValueId};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::rc::Rc;

/// The most ops that one thread may execute.
const STEPS: u64 = 1 << 22;
/// The deepest nesting of calls.
const DEPTH: usize = 64;

/// How a block ended.
enum Exit {
    Yield(Vec<Value>),
    Return(Vec<Value>),
    Break,
    Continue,
}

/// A parameter as declared.
pub(super) struct Param {
    pub dir: Direction,
    pub no_diff: bool,
    pub ty: Type,
}

/// The signature of a function, for its callers.
pub(super) struct Signature {
    pub params: Vec<Param>,
    pub result: Option<Type>,
    pub no_diff_result: bool,
}

impl Signature {
    pub fn of(symbol: &SymbolOp) -> Judged<Signature> {
        let bad = || Unjudged::Unknown(format!("the signature of @{}", symbol.name));
        let (inputs, results) = symbol.function_type().ok_or_else(bad)?;
        let entries = symbol.attr(PARAMS).and_then(|a| a.as_array()).ok_or_else(bad)?;
        if entries.len() != inputs.len() || results.len() > 1 {
            return Err(bad());
        }
        let param = |(entry, &ty): (&Attr, &Type)| {
            let dir = entry.get("dir").and_then(|d| d.as_str()).and_then(Direction::from_keyword)?;
            let ty = if dir == Direction::In { ty } else { hl::as_ref(ty)? };
            Some(Param { dir, no_diff: entry.get("no_diff").is_some(), ty })
        };
        let params = entries.iter().zip(inputs).map(param).collect::<Option<Vec<_>>>().ok_or_else(bad)?;
        let no_diff_result = symbol.attr(NO_DIFF_RESULT).is_some();
        Ok(Signature { params, result: results.first().copied(), no_diff_result })
    }
}

/// The results of a call: its result, and the values of its `out` and `inout` parameters, in order.
#[derive(Clone, Debug)]
pub(super) struct Called {
    pub result: Option<Value>,
    pub outs: Vec<Value>,
}

impl Called {
    fn map(&mut self, f: &mut dyn FnMut(&Value) -> Value) {
        self.result = self.result.as_ref().map(&mut *f);
        self.outs.iter_mut().for_each(|v| *v = f(v));
    }
}

pub(super) struct Frame<'m> {
    pub body: &'m Body,
    values: Vec<Option<Value>>,
}

impl Frame<'_> {
    pub fn get(&self, v: ValueId) -> Judged<Value> {
        match self.values.get(v.index()) {
            Some(Some(value)) => Ok(value.clone()),
            _ => unknown("a value is used before it is computed"),
        }
    }
    fn set(&mut self, v: ValueId, value: Value) {
        if let Some(place) = self.values.get_mut(v.index()) {
            *place = Some(value);
        }
    }
    fn operand(&self, op: OpId, i: usize) -> Judged<Value> {
        match self.body.operands(op).get(i) {
            Some(&v) => self.get(v),
            None => unknown("an operand is missing"),
        }
    }
    fn operands(&self, op: OpId) -> Judged<Vec<Value>> {
        self.body.operands(op).iter().map(|&v| self.get(v)).collect()
    }
}

/// One thread of a program.
pub struct Judge<'m> {
    pub(super) module: &'m Module,
    pub(super) levels: Levels<Rc<GivenCall>>,
    /// The type and the values of each buffer's elements.
    buffers: FxHashMap<Name, (Type, Vec<Value>)>,
    pub(super) thread: i64,
    steps: u64,
    depth: usize,
    /// The nesting of derivative operators that are running.
    pub(super) nested: usize,
}

impl<'m> Judge<'m> {
    pub fn new(module: &'m Module, thread: usize) -> Judge<'m> {
        let buffers = FxHashMap::default();
        Judge { module, levels: Levels::default(), buffers, thread: thread as i64, steps: 0, depth: 0, nested: 0 }
    }

    /// Binds a buffer of scalars.
    pub fn bind(&mut self, name: &str, values: Vec<Value>) -> Judged<()> {
        let name = Name::new(name);
        let ty = self.module.get(name).and_then(|s| s.attr("type")).and_then(|a| a.as_type());
        let Some((elem, _)) = ty.and_then(agg::as_buffer) else { return unknown(format!("no buffer @{name}")) };
        self.buffers.insert(name, (elem, values));
        Ok(())
    }

    /// The contents of a buffer.
    pub fn contents(&self, name: &str) -> &[Value] {
        self.buffers.get(&Name::new(name)).map_or(&[], |b| &b.1)
    }

    /// Runs the thread from an entry point.
    pub fn run(&mut self, entry: &str) -> Judged<()> {
        self.prepare()?;
        self.call(Name::new(entry), Vec::new()).map(|_| ())
    }

    /// Makes the group's memory, and refuses modules with something that the judge does not know.
    pub(super) fn prepare(&mut self) -> Judged<()> {
        for s in self.module.symbols().iter().filter(|s| s.attr("groupshared").is_some()) {
            let Some((elem, _)) = s.attr("type").and_then(|a| a.as_type()).and_then(agg::as_buffer) else { continue };
            self.buffers.insert(s.name, (elem, vec![zero(elem)?]));
        }
        if self.module.symbols().iter().any(|s| std::ptr::eq(s.def, ad::Space::DEF)) {
            return unknown("a vector space that the program defines");
        }
        Ok(())
    }

    fn check(&mut self) -> Judged<()> {
        self.steps += 1;
        match self.levels.stopped.take() {
            Some(why) if why.starts_with("internal") => unknown(why),
            Some(why) => Err(Unjudged::Singular(why)),
            None if self.steps > STEPS => unknown("it takes too long"),
            None => Ok(()),
        }
    }

    /// Calls a function or a derivative of one, with a value for each declared parameter.
    pub(super) fn call(&mut self, name: Name, args: Vec<Value>) -> Judged<Called> {
        let Some(symbol) = self.module.get(name) else { return unknown(format!("no function @{name}")) };
        if std::ptr::eq(symbol.def, ad::Derivative::DEF) {
            return self.derivative(symbol, args);
        }
        if !std::ptr::eq(symbol.def, hl::Func::DEF) {
            return unknown(format!("@{name} is {}", symbol.def.name));
        }
        if self.depth >= DEPTH {
            return unknown("calls are nested too deep");
        }
        self.depth += 1;
        let called = self.call_function(symbol, args);
        self.depth -= 1;
        called
    }

    fn call_function(&mut self, symbol: &'m SymbolOp, mut args: Vec<Value>) -> Judged<Called> {
        if self.levels.active.is_empty() {
            return self.enter(symbol, args);
        }
        let signature = Signature::of(symbol)?;
        let differentiable = symbol.attr(DIFFERENTIABLE).and_then(|a| a.as_str());
        if differentiable.is_none_or(|d| d == ZERO) {
            args.iter_mut().for_each(|a| *a = a.detached());
            let mut called = self.enter(symbol, args)?;
            called.map(&mut Value::detached);
            return Ok(called);
        }
        for (arg, p) in args.iter_mut().zip(&signature.params) {
            if p.no_diff {
                *arg = arg.detached();
            }
        }
        let mut called = match self.given(symbol, &args)? {
            Some(called) => called,
            None => self.enter(symbol, args)?,
        };
        if signature.no_diff_result {
            called.result = called.result.map(|r| r.detached());
        }
        let outs = signature.params.iter().filter(|p| p.dir != Direction::In);
        for (out, _) in called.outs.iter_mut().zip(outs).filter(|(_, p)| p.no_diff) {
            *out = out.detached();
        }
        Ok(called)
    }

    /// Executes a function's own code.
    pub(super) fn enter(&mut self, symbol: &'m SymbolOp, args: Vec<Value>) -> Judged<Called> {
        let (signature, body) = (Signature::of(symbol)?, &symbol.body);
        let Some(entry) = body.entry() else { return unknown(format!("@{} has no code", symbol.name)) };
        if args.len() != signature.params.len() || body.args(entry).len() != args.len() {
            return unknown(format!("@{} is called with {} values", symbol.name, args.len()));
        }
        let mut frame = Frame { body, values: vec![None; body.num_values()] };
        let mut cells = Vec::new();
        for ((arg, p), &v) in args.into_iter().zip(&signature.params).zip(body.args(entry)) {
            if p.dir == Direction::In {
                frame.set(v, arg);
                continue;
            }
            let cell = Rc::new(RefCell::new(arg));
            cells.push(cell.clone());
            frame.set(v, Value::Ref(Rc::new(Place { root: Root::Cell(cell), ty: p.ty, path: Vec::new() })));
        }
        let Exit::Return(values) = self.block(&mut frame, entry)? else {
            return unknown(format!("@{} does not return", symbol.name));
        };
        let outs = cells.iter().map(|c| c.borrow().clone()).collect();
        Ok(Called { result: values.into_iter().next(), outs })
    }

    fn block(&mut self, frame: &mut Frame<'m>, block: BlockId) -> Judged<Exit> {
        let body = frame.body;
        let mut next = body.first_op(block);
        while let Some(op) = next {
            if let Some(exit) = self.op(frame, op)? {
                return Ok(exit);
            }
            self.check()?;
            next = body.next_op(op);
        }
        unknown("a block ends without a terminator")
    }

    fn region(&mut self, frame: &mut Frame<'m>, op: OpId, region: usize) -> Judged<Exit> {
        match frame.body.region_block(op, region) {
            Some(block) => self.block(frame, block),
            None => unknown("a region is missing"),
        }
    }

    /// Executes an op. Returns `Some` if the block ends with it.
    fn op(&mut self, frame: &mut Frame<'m>, op: OpId) -> Judged<Option<Exit>> {
        let body = frame.body;
        let name = body.op(op).def.name;
        let Some(short) = name.strip_prefix("hl.") else {
            let operands = frame.operands(op)?;
            let result = self.compute(body, op, name, &operands)?;
            if let (Some(&v), Some(result)) = (body.results(op).first(), result) {
                frame.set(v, result);
            }
            return Ok(None);
        };
        let result = match short {
            "return" => return Ok(Some(Exit::Return(frame.operands(op)?))),
            "yield" | "condition" => return Ok(Some(Exit::Yield(frame.operands(op)?))),
            "break" => return Ok(Some(Exit::Break)),
            "continue" => return Ok(Some(Exit::Continue)),
            "if" => {
                let taken = usize::from(frame.operand(op, 0)?.int()? & 1 == 0);
                match self.region(frame, op, taken)? {
                    Exit::Yield(values) => {
                        for (&r, value) in body.results(op).iter().zip(values) {
                            frame.set(r, value);
                        }
                        return Ok(None);
                    }
                    exit => return Ok(Some(exit)),
                }
            }
            "loop" => return self.looped(frame, op),
            "switch" => {
                let selector = frame.operand(op, 0)?.int()?;
                let cases = body.attr(op, "cases").and_then(|a| a.as_i64_array()).unwrap_or_default();
                let taken = cases.iter().position(|&c| c == selector).map_or(0, |i| i + 1);
                return Ok(match self.region(frame, op, taken)? {
                    Exit::Yield(_) | Exit::Break => None,
                    exit => Some(exit),
                });
            }
            "var" => {
                let ty = body.results(op).first().and_then(|&r| hl::as_ref(body.ty(r)));
                let Some(ty) = ty else { return unknown("a variable without a type") };
                let root = Root::Cell(Rc::new(RefCell::new(zero(ty)?)));
                Value::Ref(Rc::new(Place { root, ty, path: Vec::new() }))
            }
            "load" => self.load(&frame.operand(op, 0)?)?,
            "store" => {
                let (value, place) = (frame.operand(op, 0)?, frame.operand(op, 1)?);
                self.store(&place, value)?;
                return Ok(None);
            }
            "field" | "element" => {
                let step = match short {
                    "field" => body.attr(op, "index").and_then(|a| a.as_int()),
                    _ => Some(frame.operand(op, 1)?.int()?),
                };
                let (Value::Ref(place), Some(step)) = (frame.operand(op, 0)?, step) else {
                    return unknown("a part of what is no place");
                };
                let mut place = (*place).clone();
                // A negative index is out of range; it must not be read as the marker of a dynamic
                // index.
                place.path.push(if step < 0 { i64::MAX } else { step });
                Value::Ref(Rc::new(place))
            }
            "buffer_element" => {
                let Value::Buffer(buffer) = frame.operand(op, 0)? else { return unknown("no buffer") };
                let Some((ty, _)) = self.buffers.get(&buffer) else {
                    return unknown(format!("@{buffer} is not bound"));
                };
                let root = Root::Element(buffer, frame.operand(op, 1)?.int()?);
                Value::Ref(Rc::new(Place { root, ty: *ty, path: Vec::new() }))
            }
            "call" | "call_generic" => return self.call_op(frame, op).map(|()| None),
            "make_existential" => {
                let witness = body.attr(op, "witness").and_then(|a| a.as_symbol());
                let (Some(ty), Some(witness)) = (body.attr(op, "for").and_then(|a| a.as_type()), witness) else {
                    return unknown("a conformance of a generic type");
                };
                Value::Any(Some(Rc::new((ty, witness, frame.operand(op, 0)?))))
            }
            "is_dynamic" => {
                let Value::Any(any) = frame.operand(op, 0)? else { return unknown("no value of an interface's type") };
                let ty = body.attr(op, "for").and_then(|a| a.as_type());
                Value::Int(i64::from(any.is_some_and(|a| Some(a.0) == ty)))
            }
            _ => return unknown(name),
        };
        if let Some(&v) = body.results(op).first() {
            frame.set(v, result);
        }
        Ok(None)
    }

    fn looped(&mut self, frame: &mut Frame<'m>, op: OpId) -> Judged<Option<Exit>> {
        let mut test = frame.body.attr(op, "test_first").and_then(|a| a.as_bool()).unwrap_or(true);
        loop {
            if test {
                match self.region(frame, op, 0)? {
                    Exit::Yield(values) => match values.first() {
                        Some(holds) if holds.int()? & 1 != 0 => {}
                        Some(_) => return Ok(None),
                        None => return unknown("a condition is missing"),
                    },
                    exit => return Ok(Some(exit)),
                }
            }
            test = true;
            match self.region(frame, op, 1)? {
                Exit::Yield(_) | Exit::Continue => {}
                Exit::Break => return Ok(None),
                exit => return Ok(Some(exit)),
            }
            match self.region(frame, op, 2)? {
                Exit::Yield(_) => {}
                exit => return Ok(Some(exit)),
            }
            self.check()?;
        }
    }

    pub(super) fn load(&self, reference: &Value) -> Judged<Value> {
        let Value::Ref(place) = reference else { return unknown("a load from what is no place") };
        match &place.root {
            Root::Cell(cell) => get(&cell.borrow(), place.ty, &place.path),
            Root::Element(name, index) => {
                let elements = self.buffers.get(name).map_or(&[][..], |b| &b.1);
                match usize::try_from(*index).ok().and_then(|i| elements.get(i)) {
                    Some(element) => get(element, place.ty, &place.path),
                    None => get(&zero(place.ty)?, place.ty, &place.path),
                }
            }
        }
    }

    pub(super) fn store(&mut self, reference: &Value, value: Value) -> Judged<()> {
        let Value::Ref(place) = reference else { return unknown("a store to what is no place") };
        match &place.root {
            Root::Cell(cell) => set(&mut cell.borrow_mut(), place.ty, &place.path, value),
            Root::Element(name, index) => {
                let elements = self.buffers.get_mut(name).map(|b| &mut b.1);
                match elements.zip(usize::try_from(*index).ok()).and_then(|(e, i)| e.get_mut(i)) {
                    // Memory that other threads can see carries no derivatives.
                    Some(element) => set(element, place.ty, &place.path, value.detached()),
                    None => Ok(()),
                }
            }
        }
    }

    fn call_op(&mut self, frame: &mut Frame<'m>, op: OpId) -> Judged<()> {
        let body = frame.body;
        let operands = frame.operands(op)?;
        let Some(mut callee) = body.attr(op, "callee") else { return unknown("a call of nothing") };
        if let (Some(_), Some(key)) = (callee.get("interface"), callee.get("key").and_then(|k| k.as_str())) {
            callee = self.dispatched(&operands, key)?;
        }
        let Some(name) = callee.as_symbol() else { return unknown(format!("a call of {callee}")) };
        // The receiver of a call through an interface is the value that the interface value holds.
        let receiver = |judge: &Judge<'m>, v: &Value| -> Judged<Value> {
            match if let Value::Ref(_) = v { judge.load(v)? } else { v.clone() } {
                Value::Any(Some(any)) => Ok(any.2.clone()),
                other => Ok(other),
            }
        };
        let interface = body.attr(op, "callee").and_then(|a| a.get("interface"));
        let dispatched = interface.is_some();
        // Values of an interface that declares no derivatives have none.
        let name_of = |a: Attr| a.as_symbol().or_else(|| Some(hl::generics::split_instance(a)?.0));
        let interface = interface.and_then(name_of).and_then(|n| self.module.get(n));
        let ends = dispatched && interface.is_none_or(|i| i.attr("differentiable").is_none());
        let mut args = Vec::new();
        for (i, v) in operands.iter().enumerate() {
            args.push(match v {
                _ if i == 0 && ends => receiver(self, v)?.detached(),
                _ if i == 0 && dispatched => receiver(self, v)?,
                Value::Ref(_) => self.load(v)?,
                other => other.clone(),
            });
        }
        let cuts = body.attr(op, "no_diff").is_some();
        if cuts {
            args.iter_mut().for_each(|a| *a = a.detached());
        }
        let mut called = self.call(name, args)?;
        if cuts {
            called.map(&mut Value::detached);
        }
        if dispatched && let (Some(Value::Ref(_)), Some(new)) = (operands.first(), called.outs.first_mut()) {
            let Value::Any(Some(old)) = self.load(&operands[0])? else { return unknown("no receiver") };
            let held = if ends { new.detached() } else { new.clone() };
            *new = Value::Any(Some(Rc::new((old.0, old.1, held))));
        }
        let places = operands.iter().filter(|v| matches!(v, Value::Ref(_)));
        if places.clone().count() != called.outs.len() {
            return unknown(format!("a call of @{name} with other places than it writes"));
        }
        for (place, value) in places.zip(called.outs) {
            self.store(place, value)?;
        }
        if let Some(&r) = body.results(op).first() {
            match called.result {
                Some(value) => frame.set(r, value),
                None => return unknown(format!("@{name} gives nothing")),
            }
        }
        Ok(())
    }

    /// The function that provides the requirement for the type that the value holds.
    fn dispatched(&self, operands: &[Value], key: &str) -> Judged<Attr> {
        let held = match operands.first() {
            Some(place @ Value::Ref(_)) => self.load(place)?,
            Some(value) => value.clone(),
            None => return unknown("a call through an interface without a value"),
        };
        let Value::Any(Some(any)) = held else { return unknown("a call of a value that is of no type yet") };
        let table = self.module.get(any.1).and_then(|t| t.attr("entries"));
        table.and_then(|t| t.get(key)).ok_or_else(|| Unjudged::Unknown(format!("@{} has no {key}", any.1)))
    }
}
