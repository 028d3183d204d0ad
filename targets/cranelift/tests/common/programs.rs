//! Random programs on arrays, tapes and structs of them, through nested control flow and calls.

use super::function;
use caustic_dialects::{agg, arith, scf};
use caustic_ir::{Attr, Builder, Module, SymbolOp, Type, ValueId};

/// Decisions from a list of bytes, so that a shorter or smaller list is a simpler program.
pub struct Choices<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Choices<'_> {
    pub fn new(bytes: &[u8]) -> Choices<'_> {
        Choices { bytes, at: 0 }
    }
    fn below(&mut self, n: usize) -> usize {
        let byte = self.bytes.get(self.at).copied().unwrap_or(0);
        self.at += 1;
        byte as usize % n.max(1)
    }
    fn done(&self) -> bool {
        self.at >= self.bytes.len()
    }
}

pub fn types() -> Vec<Type> {
    let i32 = Type::i32();
    let a = agg::array_type(3, i32);
    let b = agg::array_type(2, a);
    let t = agg::tape_type(i32);
    let s = agg::StructType::get("S", false, &[("x", i32, false), ("a", a, false), ("t", t, false)]);
    let ta = agg::tape_type(a);
    let bt = agg::array_type(2, t);
    let tt = agg::tape_type(t);
    let v = Type::vector(&[2], i32);
    let av = agg::array_type(2, v);
    vec![a, b, t, s, ta, bt, tt, av]
}

struct Function {
    name: String,
    inputs: Vec<Type>,
    outputs: Vec<Type>,
}

struct Gen<'a, 'b> {
    choices: &'a mut Choices<'b>,
    callees: &'a [Function],
    /// Statements left.
    fuel: usize,
    /// The few types that the program is about, so that its values meet.
    types: &'a [Type],
}

/// Values in scope.
type Env = Vec<ValueId>;

impl Gen<'_, '_> {
    fn pick(&mut self, b: &Builder<'_>, env: &Env, ty: Type) -> Option<ValueId> {
        let fitting: Vec<ValueId> = env.iter().copied().filter(|&v| b.ty(v) == ty).collect();
        // The newest first, so that chains of updates are common.
        (!fitting.is_empty()).then(|| fitting[fitting.len() - 1 - self.choices.below(fitting.len())])
    }
    fn value(&mut self, b: &mut Builder<'_>, env: &Env, ty: Type) -> ValueId {
        match self.pick(b, env, ty) {
            Some(v) => v,
            None if ty.is_scalar() => arith::int(b, self.choices.below(7) as i64 - 2, ty),
            None => agg::Zero::build(b, ty, &[]),
        }
    }
    /// A path into `ty` of at least one step, its indices, and where it leads.
    fn path(&mut self, b: &mut Builder<'_>, env: &mut Env, mut ty: Type) -> (Vec<i64>, Vec<ValueId>, Type) {
        let (mut steps, mut indices) = (Vec::new(), Vec::new());
        loop {
            let fields = agg::StructType::of(ty).is_some();
            if fields || (agg::as_tape(ty).is_none() && self.choices.below(3) == 0) {
                steps.push(self.choices.below(agg::num_parts(ty)) as i64);
            } else {
                steps.push(-1);
                let index = match self.choices.below(4) {
                    // The same one again, so that places meet.
                    0 | 1 => self.value(b, env, Type::index()),
                    // Out of range now and then, negative too.
                    2 => arith::index(b, self.choices.below(6) as i64 - 1),
                    _ => {
                        let x = self.value(b, env, Type::i32());
                        let five = arith::int(b, 5, Type::i32());
                        arith::RemSI::build(b, x, five, &[])
                    }
                };
                indices.push(index);
                env.push(index);
            }
            ty = agg::part_type(ty, steps.last().copied().unwrap().max(0)).unwrap();
            if !agg::is_aggregate(ty) || self.choices.below(3) == 0 {
                return (steps, indices, ty);
            }
        }
    }

    fn some_type(&mut self) -> Type {
        self.types[self.choices.below(self.types.len())]
    }

    fn statements(&mut self, b: &mut Builder<'_>, env: &mut Env, depth: usize) {
        let count = 1 + self.choices.below(6);
        for _ in 0..count {
            if self.fuel == 0 || self.choices.done() {
                return;
            }
            self.fuel -= 1;
            self.statement(b, env, depth);
        }
    }

    fn statement(&mut self, b: &mut Builder<'_>, env: &mut Env, depth: usize) {
        match self.choices.below(if depth < 4 { 15 } else { 10 }) {
            0..=3 => {
                let ty = self.some_type();
                let whole = self.value(b, env, ty);
                let (steps, indices, part_ty) = self.path(b, env, ty);
                let part = self.value(b, env, part_ty);
                env.push(agg::Insert::build(b, part, whole, &indices, &[("path", Attr::i64_array(&steps))]));
            }
            4..=5 => {
                let ty = self.some_type();
                let whole = self.value(b, env, ty);
                let (steps, indices, part_ty) = self.path(b, env, ty);
                env.push(agg::Extract::build(b, whole, &indices, part_ty, &[("path", Attr::i64_array(&steps))]));
            }
            6 => {
                let (x, y) = (self.value(b, env, Type::i32()), self.value(b, env, Type::i32()));
                env.push(arith::AddI::build(b, x, y, &[]));
            }
            7 => {
                let ty = self.some_type();
                let whole = self.value(b, env, ty);
                let part = self.value(b, env, ty);
                // A path without steps replaces everything.
                env.push(agg::Insert::build(b, part, whole, &[], &[("path", Attr::i64_array(&[]))]));
            }
            8 => {
                let ty = [types()[0], types()[1], types()[3], types()[5]][self.choices.below(4)];
                let parts: Vec<ValueId> = (0..agg::num_parts(ty))
                    .map(|i| {
                        let part = agg::part_type(ty, i as i64).unwrap();
                        self.value(b, env, part)
                    })
                    .collect();
                env.push(agg::Make::build(b, &parts, ty, &[]));
            }
            9 => self.same_place(b, env),
            10..=11 => self.branch(b, env, depth),
            12 => self.counted_loop(b, env, depth),
            13 => self.while_loop(b, env, depth),
            _ => self.call(b, env),
        }
    }

    /// Writes, reads and writes again at one place, from the old version or the new one.
    fn same_place(&mut self, b: &mut Builder<'_>, env: &mut Env) {
        let ty = self.some_type();
        let whole = self.value(b, env, ty);
        let (steps, indices, part_ty) = self.path(b, env, ty);
        let attrs = [("path", Attr::i64_array(&steps))];
        let part = self.value(b, env, part_ty);
        let first = agg::Insert::build(b, part, whole, &indices, &attrs);
        let read = agg::Extract::build(b, first, &indices, part_ty, &attrs);
        let part = self.value(b, env, part_ty);
        let again = [whole, first][self.choices.below(2)];
        let second = agg::Insert::build(b, part, again, &indices, &attrs);
        env.push(read);
        env.extend([first, second].into_iter().skip(self.choices.below(3)));
        if self.choices.below(2) == 0 {
            env.push(agg::Extract::build(b, whole, &indices, part_ty, &attrs));
        }
    }

    fn carried_types(&mut self) -> Vec<Type> {
        (0..1 + self.choices.below(4))
            .map(|_| if self.choices.below(4) == 0 { Type::i32() } else { self.some_type() })
            .collect()
    }

    fn region(
        &mut self,
        b: &mut Builder<'_>,
        env: &Env,
        args: &[ValueId],
        depth: usize,
        results: &[Type],
    ) -> Vec<ValueId> {
        let mut inner = env.clone();
        inner.extend_from_slice(args);
        self.statements(b, &mut inner, depth + 1);
        results.iter().map(|&ty| self.value(b, &inner, ty)).collect()
    }

    fn branch(&mut self, b: &mut Builder<'_>, env: &mut Env, depth: usize) {
        let types = self.carried_types();
        let x = self.value(b, env, Type::i32());
        let op = if self.choices.below(3) == 0 {
            let index = arith::IndexCast::build(b, x, Type::index(), &[]);
            let attrs = [("cases", Attr::i64_array(&[0, -1]))];
            b.create(scf::IndexSwitch::DEF, &[index], &types, &attrs, 3)
        } else {
            let zero = arith::int(b, 0, Type::i32());
            let c = arith::cmpi(b, arith::IntPredicate::Sgt, x, zero);
            b.create(scf::If::DEF, &[c], &types, &[], 2)
        };
        for i in 0..b.body.op(op).regions.len() {
            let block = b.add_block(op, i, &[]);
            let mut inner = b.at(block);
            let values = self.region(&mut inner, env, &[], depth, &types);
            scf::Yield::build(&mut inner, &values, &[]);
        }
        env.extend_from_slice(b.body.results(op));
    }

    fn counted_loop(&mut self, b: &mut Builder<'_>, env: &mut Env, depth: usize) {
        let types = self.carried_types();
        let inits: Vec<ValueId> = types.iter().map(|&ty| self.value(b, env, ty)).collect();
        let (lower, upper, step) =
            (arith::index(b, 0), arith::index(b, self.choices.below(4) as i64), arith::index(b, 1));
        let operands = [vec![lower, upper, step], inits].concat();
        let op = b.create(scf::For::DEF, &operands, &types, &[], 1);
        let block = b.add_block(op, 0, &[vec![Type::index()], types.clone()].concat());
        let args = b.body.args(block)[1..].to_vec();
        let mut inner = b.at(block);
        let values = self.region(&mut inner, env, &args, depth, &types);
        scf::Yield::build(&mut inner, &values, &[]);
        env.extend_from_slice(b.body.results(op));
    }

    /// Counts in its first carried value.
    fn while_loop(&mut self, b: &mut Builder<'_>, env: &mut Env, depth: usize) {
        let types = [vec![Type::index()], self.carried_types()].concat();
        let mut inits = vec![arith::index(b, 0)];
        inits.extend(types[1..].iter().map(|&ty| self.value(b, env, ty)));
        let op = b.create(scf::While::DEF, &inits, &types, &[], 2);
        let (before, after) = (b.add_block(op, 0, &types), b.add_block(op, 1, &types));
        {
            let args = b.body.args(before).to_vec();
            let mut inner = b.at(before);
            let limit = arith::index(&mut inner, self.choices.below(4) as i64);
            let c = arith::cmpi(&mut inner, arith::IntPredicate::Slt, args[0], limit);
            let mut forwarded = args.clone();
            // Forwarding something else than the arguments is allowed before normalization.
            let mut scope = env.clone();
            scope.extend_from_slice(&args[1..]);
            for (i, &ty) in types.iter().enumerate().skip(1) {
                if self.choices.below(4) == 0 {
                    forwarded[i] = self.value(&mut inner, &scope, ty);
                }
            }
            scf::Condition::build(&mut inner, c, &forwarded, &[]);
        }
        let args = b.body.args(after).to_vec();
        let mut inner = b.at(after);
        let one = arith::index(&mut inner, 1);
        let next = arith::AddI::build(&mut inner, args[0], one, &[]);
        let mut values = vec![next];
        values.extend(self.region(&mut inner, env, &args[1..], depth, &types[1..]));
        scf::Yield::build(&mut inner, &values, &[]);
        env.extend_from_slice(&b.body.results(op)[1..]);
    }

    fn call(&mut self, b: &mut Builder<'_>, env: &mut Env) {
        if self.callees.is_empty() {
            return;
        }
        let callee = &self.callees[self.choices.below(self.callees.len())];
        let args: Vec<ValueId> = callee.inputs.iter().map(|&ty| self.value(b, env, ty)).collect();
        let attrs = [("callee", Attr::symbol(caustic_ir::Name::new(&callee.name)))];
        let op = b.create(caustic_dialects::func::Call::DEF, &args, &callee.outputs, &attrs, 0);
        env.extend_from_slice(b.body.results(op));
    }
}

/// A module of a few functions; the last one, `main`, may call the others.
pub fn program(bytes: &[u8]) -> Module {
    let (head, rest) = bytes.split_at(bytes.len().min(2));
    let all = types();
    let about: Vec<Type> = [0, 1].map(|i| all[head.get(i).map_or(i, |&b| b as usize % all.len())]).to_vec();
    let mut functions: Vec<Function> = Vec::new();
    let mut symbols: Vec<SymbolOp> = Vec::new();
    // Half of the bytes for `main`.
    let (quarter, half) = (rest.len() / 4, rest.len() / 2);
    for (k, bytes) in [&rest[..quarter], &rest[quarter..half], &rest[half..]].into_iter().enumerate() {
        let name = if k == 2 { "main".to_string() } else { format!("f{k}") };
        let mut choices = Choices::new(bytes);
        let mut generator = Gen { choices: &mut choices, callees: &functions, fuel: 40, types: &about };
        let mut inputs = generator.carried_types();
        if k == 2 {
            inputs.extend([Type::i32(), about[0], about[0], about[1]]);
        }
        let outputs = generator.carried_types();
        let symbol = function(&name, &inputs, |b, args| {
            let mut env: Env = args.to_vec();
            while generator.fuel > 0 && !generator.choices.done() {
                generator.statements(b, &mut env, 0);
            }
            let mut results: Vec<ValueId> = outputs.iter().map(|&ty| generator.value(b, &env, ty)).collect();
            if k == 2 {
                // Whatever was read counts, and so does every array that is left.
                let numbers: Vec<ValueId> = env.iter().copied().filter(|&v| b.ty(v) == Type::i32()).collect();
                let mut sum = arith::int(b, 1, Type::i32());
                for v in numbers {
                    let three = arith::int(b, 3, Type::i32());
                    sum = arith::MulI::build(b, sum, three, &[]);
                    sum = arith::AddI::build(b, sum, v, &[]);
                }
                results.push(sum);
                results.extend(env.iter().rev().copied().filter(|&v| !b.ty(v).is_scalar()).take(4));
            }
            results
        });
        let outputs = symbol.function_type().map(|(_, outputs)| outputs.to_vec()).unwrap_or_default();
        symbols.push(symbol);
        functions.push(Function { name, inputs, outputs });
    }
    super::module(symbols)
}
