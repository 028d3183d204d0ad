//! Random normalized functions, made from a string of choices so that a failing one can be made
//! smaller.

use caustic_dialects::agg::{self, StructType, array_type, as_array, num_parts, part_type};
use caustic_dialects::arith::{self, FloatPredicate, IntPredicate};
use caustic_dialects::{func, math, scf, vector};
use caustic_ir::eval::Val;
use caustic_ir::{Attr, BlockId, Body, Builder, Loc, Module, Name, OpDef, SymbolOp, Type, ValueId};

/// Where decisions come from; at the end all of them are 0, the simplest.
pub struct Choices<'a> {
    bytes: std::slice::Iter<'a, u8>,
}

impl<'a> Choices<'a> {
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes: bytes.iter() }
    }
    pub fn pick(&mut self, n: usize) -> usize {
        *self.bytes.next().unwrap_or(&0) as usize % n.max(1)
    }
    fn chance(&mut self, percent: usize) -> bool {
        self.pick(100) + percent >= 100
    }
    fn of<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.pick(items.len())]
    }
    fn is_done(&self) -> bool {
        self.bytes.len() == 0
    }
}

pub fn pair_type() -> Type {
    StructType::get(
        "Pair",
        true,
        &[("x", Type::f32(), false), ("a", array_type(3, Type::f32()), false), ("n", Type::i32(), false)],
    )
}

/// The types that values have.
pub fn types() -> Vec<Type> {
    vec![
        Type::f32(),
        Type::i32(),
        Type::i1(),
        Type::index(),
        Type::vector(&[3], Type::f32()),
        Type::vector(&[2, 2], Type::f32()),
        array_type(4, Type::f32()),
        pair_type(),
        array_type(2, Type::vector(&[3], Type::f32())),
    ]
}

/// A value of the type for the parameter of a test call.
pub fn argument(c: &mut Choices<'_>, ty: Type) -> Val {
    if ty.is_float() {
        const FLOATS: [f64; 11] =
            [1.0, 0.0, -0.0, -1.5, 0.25, 3.0, 1e30, -7.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN];
        return Val::Float(c.of(&FLOATS) as f32 as f64);
    }
    if ty.is_i1() {
        return Val::Int(c.pick(2) as i64);
    }
    if ty.is_int_or_index() {
        return Val::Int(c.of(&[0, 1, 2, 3, 5, -1, 7, i32::MAX as i64, i32::MIN as i64]));
    }
    if ty.is_vector() {
        return Val::agg((0..ty.num_elements()).map(|_| argument(c, ty.elem())).collect());
    }
    Val::agg((0..num_parts(ty)).filter_map(|i| part_type(ty, i as i64)).map(|t| argument(c, t)).collect())
}

struct Generator<'c, 'b> {
    c: &'c mut Choices<'b>,
    /// Values in scope, the newest last.
    scope: Vec<ValueId>,
    callees: Vec<(Name, Vec<Type>, Vec<Type>)>,
    ops_left: usize,
}

const FLOAT_BINARY: &[&OpDef] = &[
    arith::AddF::DEF,
    arith::SubF::DEF,
    arith::MulF::DEF,
    arith::DivF::DEF,
    arith::MinNumF::DEF,
    arith::MaximumF::DEF,
];
const FLOAT_UNARY: &[&OpDef] = &[arith::NegF::DEF, math::Sqrt::DEF, math::AbsF::DEF, math::Floor::DEF];
const INT_BINARY: &[&OpDef] = &[
    arith::AddI::DEF,
    arith::SubI::DEF,
    arith::MulI::DEF,
    arith::AndI::DEF,
    arith::OrI::DEF,
    arith::XOrI::DEF,
    arith::DivSI::DEF,
    arith::RemUI::DEF,
    arith::ShRSI::DEF,
    arith::MinSI::DEF,
    arith::MaxUI::DEF,
];

impl Generator<'_, '_> {
    /// A value of the type: one in scope, or a constant.
    fn value(&mut self, b: &mut Builder<'_>, ty: Type) -> ValueId {
        let known: Vec<ValueId> = self.scope.iter().copied().filter(|&v| b.ty(v) == ty).collect();
        if !known.is_empty() && self.c.chance(80) {
            // Newer ones more often, so that code depends on code.
            let n = known.len();
            let back = self.c.pick(n).min(self.c.pick(n));
            return known[n - 1 - back];
        }
        self.constant(b, ty)
    }

    fn constant(&mut self, b: &mut Builder<'_>, ty: Type) -> ValueId {
        if ty.is_scalar() {
            return match argument(self.c, ty) {
                Val::Float(v) => arith::float(b, v, ty),
                v => arith::int(b, v.as_int(), ty),
            };
        }
        if ty.is_vector() {
            let items: Vec<ValueId> = (0..ty.num_elements()).map(|_| self.constant(b, ty.elem())).collect();
            return match self.c.pick(3) {
                0 => arith::zero(b, ty),
                1 => vector::broadcast(b, items[0], ty),
                _ => vector::from_elements(b, &items, ty),
            };
        }
        match self.c.pick(2) {
            0 => agg::Zero::build(b, ty, &[]),
            _ => {
                let parts: Vec<Type> = (0..num_parts(ty)).filter_map(|i| part_type(ty, i as i64)).collect();
                let parts: Vec<ValueId> = parts.into_iter().map(|t| self.value(b, t)).collect();
                agg::Make::build(b, &parts, ty, &[])
            }
        }
    }

    /// Emits ops into the builder's block; values stay in scope there.
    fn code(&mut self, b: &mut Builder<'_>, depth: usize, most: usize) {
        let count = 1 + self.c.pick(most);
        for _ in 0..count {
            if self.ops_left == 0 || self.c.is_done() {
                return;
            }
            self.ops_left -= 1;
            self.op(b, depth);
        }
    }

    fn op(&mut self, b: &mut Builder<'_>, depth: usize) {
        let all = types();
        let numbers = [Type::f32(), Type::vector(&[3], Type::f32()), Type::vector(&[2, 2], Type::f32())];
        let ints = [Type::i32(), Type::index(), Type::i1()];
        let kinds = if depth < 3 { 20 } else { 14 };
        let new = match self.c.pick(kinds) {
            0 | 1 => {
                let ty = self.c.of(&numbers);
                let (x, y) = (self.value(b, ty), self.value(b, ty));
                b.create_one(self.c.of(FLOAT_BINARY), &[x, y], ty, &[])
            }
            2 => {
                let ty = self.c.of(&numbers);
                let x = self.value(b, ty);
                b.create_one(self.c.of(FLOAT_UNARY), &[x], ty, &[])
            }
            3 | 4 => {
                let ty = self.c.of(&ints);
                let (x, y) = (self.value(b, ty), self.value(b, ty));
                b.create_one(self.c.of(INT_BINARY), &[x, y], ty, &[])
            }
            5 => {
                let (x, y) = (self.value(b, Type::f32()), self.value(b, Type::f32()));
                arith::cmpf(b, self.c.of(FloatPredicate::ALL), x, y)
            }
            6 => {
                let ty = self.c.of(&ints);
                let (x, y) = (self.value(b, ty), self.value(b, ty));
                arith::cmpi(b, self.c.of(IntPredicate::ALL), x, y)
            }
            7 => {
                let ty = self.c.of(&all[..6]);
                let (c, x, y) = (self.value(b, Type::i1()), self.value(b, ty), self.value(b, ty));
                arith::Select::build(b, c, x, y, &[])
            }
            8 => self.cast(b),
            9..=11 => self.read(b, &all),
            12 | 13 => self.write(b, &all),
            14 | 15 => return self.branch(b, depth, &all),
            16 | 17 => return self.counted(b, depth, &all),
            18 => return self.conditional_loop(b, depth, &all),
            _ => return self.call(b),
        };
        self.scope.push(new);
    }

    fn cast(&mut self, b: &mut Builder<'_>) -> ValueId {
        let (def, from, to): (&'static OpDef, Type, Type) = match self.c.pick(9) {
            0 => (arith::IndexCast::DEF, Type::i32(), Type::index()),
            1 => (arith::IndexCast::DEF, Type::index(), Type::i32()),
            2 => (arith::SIToFP::DEF, Type::i32(), Type::f32()),
            3 => (arith::FPToSI::DEF, Type::f32(), Type::i32()),
            4 => (arith::ExtUI::DEF, Type::i1(), Type::i32()),
            5 => (arith::TruncI::DEF, Type::i32(), Type::i1()),
            6 => (arith::ExtSI::DEF, Type::i1(), Type::i32()),
            7 => (arith::IndexCastUI::DEF, Type::i32(), Type::index()),
            _ => {
                let m = self.value(b, Type::vector(&[2, 2], Type::f32()));
                return vector::transposed(b, m);
            }
        };
        let x = self.value(b, from);
        b.create_one(def, &[x], to, &[])
    }

    /// A random path into an aggregate, with the type of the part.
    fn path(&mut self, b: &mut Builder<'_>, whole: Type) -> (Vec<i64>, Vec<ValueId>, Type) {
        let (mut ty, mut path, mut dynamic) = (whole, vec![], vec![]);
        while num_parts(ty) > 0 && (path.is_empty() || self.c.chance(50)) {
            let is_dynamic = (ty.is_vector() || as_array(ty).is_some()) && self.c.chance(40);
            if is_dynamic {
                path.push(-1);
                dynamic.push(self.value(b, Type::index()));
            } else {
                path.push(self.c.pick(num_parts(ty)) as i64);
            }
            let step = if is_dynamic { 0 } else { path[path.len() - 1] };
            match part_type(ty, step) {
                Some(part) => ty = part,
                None => break,
            }
        }
        (path, dynamic, ty)
    }

    fn aggregate(&mut self, b: &mut Builder<'_>, all: &[Type]) -> ValueId {
        let ty = self.c.of(&all[4..]);
        self.value(b, ty)
    }

    fn read(&mut self, b: &mut Builder<'_>, all: &[Type]) -> ValueId {
        let whole = self.aggregate(b, all);
        let (path, dynamic, ty) = self.path(b, b.ty(whole));
        agg::Extract::build(b, whole, &dynamic, ty, &[("path", Attr::i64_array(&path))])
    }

    fn write(&mut self, b: &mut Builder<'_>, all: &[Type]) -> ValueId {
        let whole = self.aggregate(b, all);
        let (path, dynamic, ty) = self.path(b, b.ty(whole));
        let part = self.value(b, ty);
        agg::Insert::build(b, part, whole, &dynamic, &[("path", Attr::i64_array(&path))])
    }

    /// Fills a block and gives the values that it yields; what it defines goes out of scope.
    fn region(&mut self, b: &mut Builder<'_>, block: BlockId, depth: usize, yields: &[Type]) -> Vec<ValueId> {
        let outer = self.scope.len();
        self.scope.extend(b.body.args(block).to_vec());
        let mut inner = b.at(block);
        self.code(&mut inner, depth + 1, 4);
        let values = yields.iter().map(|&ty| self.value(&mut inner, ty)).collect();
        self.scope.truncate(outer);
        values
    }

    fn some_types(&mut self, all: &[Type], most: usize) -> Vec<Type> {
        (0..self.c.pick(most + 1)).map(|_| self.c.of(all)).collect()
    }

    fn branch(&mut self, b: &mut Builder<'_>, depth: usize, all: &[Type]) {
        let results = self.some_types(all, 3);
        let switch = self.c.chance(30);
        let op = if switch {
            let value = self.value(b, Type::index());
            let cases = Attr::i64_array(&[1, 2]);
            let op = scf::IndexSwitch::build(b, value, &results, &[("cases", cases)]);
            while b.body.op(op).regions.len() < 3 {
                b.body.add_region(op);
            }
            op
        } else {
            let condition = self.value(b, Type::i1());
            scf::If::build(b, condition, &results, &[])
        };
        for k in 0..if switch { 3 } else { 2 } {
            let block = b.add_block(op, k, &[]);
            let yields = self.region(b, block, depth, &results);
            scf::Yield::build(&mut b.at(block), &yields, &[]);
        }
        self.scope.extend(b.body.results(op).to_vec());
    }

    fn counted(&mut self, b: &mut Builder<'_>, depth: usize, all: &[Type]) {
        let carried = self.some_types(all, 3);
        let (zero, one) = (arith::index(b, 0), arith::index(b, 1));
        let upper = if self.c.chance(60) {
            arith::index(b, self.c.pick(4) as i64)
        } else {
            let any = self.value(b, Type::index());
            let three = arith::index(b, 3);
            arith::AndI::build(b, any, three, &[])
        };
        let inits: Vec<ValueId> = carried.iter().map(|&ty| self.value(b, ty)).collect();
        let op = scf::For::build(b, zero, upper, one, &inits, &carried, &[]);
        let mut args = vec![Type::index()];
        args.extend(&carried);
        let block = b.add_block(op, 0, &args);
        let mut yields = self.region(b, block, depth, &carried);
        for (k, value) in yields.iter_mut().enumerate() {
            // A value that stays is what loops are simplified by.
            if self.c.chance(15) {
                *value = b.body.args(block)[k + 1];
            }
        }
        scf::Yield::build(&mut b.at(block), &yields, &[]);
        self.scope.extend(b.body.results(op).to_vec());
    }

    /// A normalized while that a counter ends for sure.
    fn conditional_loop(&mut self, b: &mut Builder<'_>, depth: usize, all: &[Type]) {
        let mut carried = vec![Type::index()];
        carried.extend(self.some_types(all, 2));
        carried.push(Type::i1());
        let mut inits = vec![arith::index(b, 0)];
        inits.extend(carried[1..].iter().map(|&ty| self.value(b, ty)).collect::<Vec<_>>());
        let op = scf::While::build(b, &inits, &carried, &[]);
        let before = b.add_block(op, 0, &carried);
        let args = b.body.args(before).to_vec();
        let mut inner = b.at(before);
        let most = arith::index(&mut inner, 1 + self.c.pick(3) as i64);
        let below = arith::cmpi(&mut inner, IntPredicate::Slt, args[0], most);
        let go_on = arith::AndI::build(&mut inner, below, args[args.len() - 1], &[]);
        scf::Condition::build(&mut inner, go_on, &args, &[]);
        let after = b.add_block(op, 1, &carried);
        let mut yields = self.region(b, after, depth, &carried);
        let mut inner = b.at(after);
        let one = arith::index(&mut inner, 1);
        let counter = inner.body.args(after)[0];
        yields[0] = arith::AddI::build(&mut inner, counter, one, &[]);
        for (k, value) in yields.iter_mut().enumerate().skip(1) {
            if self.c.chance(20) {
                *value = inner.body.args(after)[k];
            }
        }
        scf::Yield::build(&mut inner, &yields, &[]);
        self.scope.extend(b.body.results(op).to_vec());
    }

    fn call(&mut self, b: &mut Builder<'_>) {
        if self.callees.is_empty() {
            return;
        }
        let n = self.c.pick(self.callees.len());
        let (name, inputs, results) = self.callees[n].clone();
        let args: Vec<ValueId> = inputs.iter().map(|&ty| self.value(b, ty)).collect();
        let op = func::Call::build(b, &args, &results, &[("callee", Attr::symbol(name))]);
        self.scope.extend(b.body.results(op).to_vec());
    }
}

/// A function that may call the ones before it.
fn function(c: &mut Choices<'_>, name: &str, callees: &[(Name, Vec<Type>, Vec<Type>)], ops: usize) -> SymbolOp {
    let all = types();
    let inputs = [&all[..5], &all[6..8], &[Type::i1(), Type::f32()]].concat();
    let results: Vec<Type> = (0..1 + c.pick(4)).map(|_| c.of(&all)).collect();
    let mut symbol = SymbolOp::new(func::Func::DEF, Name::new(name), Loc::unknown());
    symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &results)));
    symbol.body = Body::new();
    let root = symbol.body.root();
    let block = symbol.body.add_block(root, &inputs);
    let scope = symbol.body.args(block).to_vec();
    let mut generator = Generator { c, scope, callees: callees.to_vec(), ops_left: ops };
    let mut b = Builder::at_end(&mut symbol.body, block, Loc::unknown());
    while generator.ops_left > 0 && !generator.c.is_done() {
        generator.code(&mut b, 0, 6);
    }
    let values: Vec<ValueId> = results.iter().map(|&ty| generator.value(&mut b, ty)).collect();
    func::Return::build(&mut b, &values, &[]);
    symbol
}

/// A module whose last function, `main`, may call the others.
pub fn module(c: &mut Choices<'_>) -> Module {
    let mut module = Module::new();
    let mut callees = Vec::new();
    for (name, ops) in [("g", 8), ("h", 8), ("main", 80)] {
        let symbol = function(c, name, &callees, ops);
        if let Some((inputs, results)) = symbol.function_type() {
            callees.push((symbol.name, inputs.to_vec(), results.to_vec()));
        }
        let _ = module.add(symbol);
    }
    module
}

/// Arguments for `main`.
pub fn arguments(c: &mut Choices<'_>, module: &Module) -> Vec<Val> {
    let inputs = module.get(Name::new("main")).and_then(|s| s.function_type()).map_or(&[][..], |(i, _)| i);
    inputs.iter().map(|&ty| argument(c, ty)).collect()
}
