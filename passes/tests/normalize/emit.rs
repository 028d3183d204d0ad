//! Random programs as `hl`, the way a front end writes them.

use crate::program::{Cond, ELEMENTS, Expr, LoopStmt, Place, SCALARS, Stmt};
use caustic_dialects::arith::{self, IntPredicate};
use caustic_dialects::signature::{Direction, PARAMS, param_attr};
use caustic_dialects::{agg, hl};
use caustic_ir::{Attr, BlockId, Body, Builder, Loc, Module, Name, SymbolOp, Type, ValueId};

pub fn array_type() -> Type {
    agg::array_type(ELEMENTS as u64, Type::i32())
}
pub fn pair_type() -> Type {
    agg::StructType::get("Pair", false, &[("count", Type::i32(), false), ("v", Type::vector(&[2], Type::i32()), false)])
}

pub const BUMP: &str = r#"
hl.func @bump(%x: !hl.ref<i32>, %y: i32, %z: !hl.ref<i32>) -> i32
    attributes {params = [{name = "x", dir = "inout"}, {name = "y", dir = "in"}, {name = "z", dir = "out"}]} {
  %zero = arith.constant 0 : i32
  %negative = arith.cmpi slt, %y, %zero : i32
  hl.if %negative : (i1) -> () {
    %seven = arith.constant 7 : i32
    hl.return %seven : i32
  } {
    hl.yield
  }
  %old = hl.load %x : (!hl.ref<i32>) -> i32
  %new = arith.addi %old, %y : i32
  hl.store %new, %x : (i32, !hl.ref<i32>) -> ()
  %two = arith.constant 2 : i32
  %now = hl.load %x : (!hl.ref<i32>) -> i32
  %twice = arith.muli %now, %two : i32
  hl.store %twice, %z : (i32, !hl.ref<i32>) -> ()
  %one = arith.constant 1 : i32
  %r = arith.subi %now, %one : i32
  hl.return %r : i32
}
"#;

struct Emitter<'a> {
    body: &'a mut Body,
    scalars: [ValueId; SCALARS],
    array: ValueId,
    pair: ValueId,
    counters: Vec<ValueId>,
}

/// Adds `int f(int, int, inout int[], inout Pair)` to a module that has `bump`.
pub fn add_function(module: &mut Module, program: &[Stmt]) {
    let (i32_, array, pair) = (Type::i32(), hl::ref_type(array_type()), hl::ref_type(pair_type()));
    let inputs = [i32_, i32_, array, pair];
    let mut symbol = SymbolOp::new(hl::Func::DEF, Name::new("f"), Loc::unknown());
    symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &[i32_])));
    let params = [("a", Direction::In), ("b", Direction::In), ("array", Direction::InOut), ("pair", Direction::InOut)];
    symbol.set_attr(PARAMS, Attr::array(params.iter().map(|(n, d)| param_attr(n, *d, false)).collect()));
    let body = &mut symbol.body;
    let root = body.root();
    let entry = body.add_block(root, &inputs);
    let args = body.args(entry).to_vec();
    let mut b = Builder::at_end(body, entry, Loc::unknown());
    let scalars: [ValueId; SCALARS] = std::array::from_fn(|k| var(&mut b, &format!("s{k}")));
    for k in 0..2 {
        hl::Store::build(&mut b, args[k], scalars[k], &[]);
    }
    let mut e = Emitter { body, scalars, array: args[2], pair: args[3], counters: vec![] };
    e.stmts(program, entry);
    assert!(module.add(symbol).is_ok());
}

fn var(b: &mut Builder<'_>, name: &str) -> ValueId {
    hl::Var::build(b, hl::ref_type(Type::i32()), &[("name", Attr::string(name))])
}

impl Emitter<'_> {
    fn b(&mut self, at: BlockId) -> Builder<'_> {
        Builder::at_end(self.body, at, Loc::unknown())
    }
    fn place(&mut self, p: &Place, at: BlockId) -> ValueId {
        let int = hl::ref_type(Type::i32());
        match p {
            Place::Scalar(k) => self.scalars[*k],
            Place::Element(i) => {
                let (i, array) = (self.expr(i, at), self.array);
                hl::Element::build(&mut self.b(at), array, i, int, &[])
            }
            Place::Count => {
                let pair = self.pair;
                hl::Field::build(&mut self.b(at), pair, int, &[("index", Attr::i64(0))])
            }
            Place::Component(i) => {
                let (i, pair) = (self.expr(i, at), self.pair);
                let mut b = self.b(at);
                let v = hl::ref_type(Type::vector(&[2], Type::i32()));
                let v = hl::Field::build(&mut b, pair, v, &[("index", Attr::i64(1))]);
                hl::Element::build(&mut b, v, i, int, &[])
            }
        }
    }
    fn load(&mut self, reference: ValueId, at: BlockId) -> ValueId {
        hl::Load::build(&mut self.b(at), reference, Type::i32(), &[])
    }
    /// `hl.if` with one result of type `ty`.
    fn choose(
        &mut self,
        c: ValueId,
        ty: Type,
        at: BlockId,
        then: &mut dyn FnMut(&mut Self, BlockId) -> ValueId,
        otherwise: &mut dyn FnMut(&mut Self, BlockId) -> ValueId,
    ) -> ValueId {
        let mut b = self.b(at);
        let op = hl::If::build(&mut b, c, &[ty], &[]);
        let (x, y) = (b.add_block(op, 0, &[]), b.add_block(op, 1, &[]));
        let v = then(self, x);
        hl::Yield::build(&mut self.b(x), &[v], &[]);
        let v = otherwise(self, y);
        hl::Yield::build(&mut self.b(y), &[v], &[]);
        self.body.result(op, 0)
    }
    fn expr(&mut self, e: &Expr, at: BlockId) -> ValueId {
        match e {
            Expr::Const(c) => arith::int(&mut self.b(at), *c as i64, Type::i32()),
            Expr::Read(p) => {
                let r = self.place(p, at);
                self.load(r, at)
            }
            Expr::Counter(n) => match self.counters.iter().rev().nth(*n).copied() {
                Some(r) => self.load(r, at),
                None => arith::int(&mut self.b(at), 0, Type::i32()),
            },
            Expr::Binary(op, l, r) => {
                let (l, r) = (self.expr(l, at), self.expr(r, at));
                let mut b = self.b(at);
                match op {
                    0 => arith::AddI::build(&mut b, l, r, &[]),
                    1 => arith::SubI::build(&mut b, l, r, &[]),
                    2 => arith::MulI::build(&mut b, l, r, &[]),
                    _ => arith::AndI::build(&mut b, l, r, &[]),
                }
            }
            Expr::Choose(c, x, y) => {
                let c = self.cond(c, at);
                self.choose(c, Type::i32(), at, &mut |s, b| s.expr(x, b), &mut |s, b| s.expr(y, b))
            }
            Expr::Assign(p, e) => {
                let r = self.place(p, at);
                let v = self.expr(e, at);
                hl::Store::build(&mut self.b(at), v, r, &[]);
                v
            }
            Expr::Bump(p, e, out) => {
                let r = self.place(p, at);
                let v = self.expr(e, at);
                let z = self.place(out, at);
                let attrs = [("callee", Attr::symbol(Name::new("bump")))];
                let call = hl::Call::build(&mut self.b(at), &[r, v, z], &[Type::i32()], &attrs);
                self.body.result(call, 0)
            }
        }
    }
    fn cond(&mut self, c: &Cond, at: BlockId) -> ValueId {
        match c {
            Cond::Compare(p, l, r) => {
                let (l, r) = (self.expr(l, at), self.expr(r, at));
                let p = [IntPredicate::Slt, IntPredicate::Eq, IntPredicate::Sge][*p as usize];
                arith::cmpi(&mut self.b(at), p, l, r)
            }
            Cond::And(x, y) => {
                let c = self.cond(x, at);
                let no = |s: &mut Self, b| arith::bool(&mut s.b(b), false);
                self.choose(c, Type::i1(), at, &mut |s, b| s.cond(y, b), &mut { no })
            }
            Cond::Or(x, y) => {
                let c = self.cond(x, at);
                let yes = |s: &mut Self, b| arith::bool(&mut s.b(b), true);
                self.choose(c, Type::i1(), at, &mut { yes }, &mut |s, b| s.cond(y, b))
            }
        }
    }
    /// Emits the statements and the block's end.
    fn stmts(&mut self, list: &[Stmt], at: BlockId) {
        for s in list {
            match s {
                Stmt::Do(e) => {
                    self.expr(e, at);
                }
                Stmt::If(c, x, y) => {
                    let c = self.cond(c, at);
                    let mut b = self.b(at);
                    let op = hl::If::build(&mut b, c, &[], &[]);
                    let (then, otherwise) = (b.add_block(op, 0, &[]), b.add_block(op, 1, &[]));
                    self.stmts(x, then);
                    self.stmts(y, otherwise);
                }
                Stmt::Loop(l) => self.looped(l, at),
                Stmt::Switch(e, arms) => {
                    let v = self.expr(e, at);
                    let cases: Vec<i64> = (0..arms.len() as i64 - 1).collect();
                    let attrs = [("cases", Attr::i64_array(&cases))];
                    let op = self.b(at).create(hl::Switch::DEF, &[v], &[], &attrs, arms.len());
                    for (i, arm) in arms.iter().enumerate() {
                        let block = self.b(at).add_block(op, i, &[]);
                        self.stmts(arm, block);
                    }
                }
                Stmt::Break => {
                    hl::Break::build(&mut self.b(at), &[]);
                    return;
                }
                Stmt::Continue => {
                    hl::Continue::build(&mut self.b(at), &[]);
                    return;
                }
                Stmt::Return(e) => {
                    let v = self.expr(e, at);
                    hl::Return::build(&mut self.b(at), &[v], &[]);
                    return;
                }
            }
        }
        hl::Yield::build(&mut self.b(at), &[], &[]);
    }
    fn looped(&mut self, l: &LoopStmt, at: BlockId) {
        let mut b = self.b(at);
        let counter = var(&mut b, "i");
        let start = arith::int(&mut b, l.start as i64, Type::i32());
        hl::Store::build(&mut b, start, counter, &[]);
        let mut attrs = vec![("test_first", Attr::bool(l.test_first))];
        if l.unroll {
            attrs.push(("unroll", Attr::string("force")));
        }
        let op = hl::Loop::build(&mut b, &attrs);
        let blocks = [b.add_block(op, 0, &[]), b.add_block(op, 1, &[]), b.add_block(op, 2, &[])];
        let [condition, body, step] = blocks;
        self.counters.push(counter);

        let i = self.load(counter, condition);
        let mut b = self.b(condition);
        let limit = arith::int(&mut b, l.limit as i64, Type::i32());
        let predicate = match (l.step > 0, l.inclusive) {
            (true, false) => IntPredicate::Slt,
            (true, true) => IntPredicate::Sle,
            (false, false) => IntPredicate::Sgt,
            (false, true) => IntPredicate::Sge,
        };
        let mut test = arith::cmpi(&mut b, predicate, i, limit);
        if let Some(extra) = &l.extra {
            let no = |s: &mut Self, b| arith::bool(&mut s.b(b), false);
            test = self.choose(test, Type::i1(), condition, &mut |s, b| s.cond(extra, b), &mut { no });
        }
        hl::Condition::build(&mut self.b(condition), test, &[]);

        let hidden = l.own.map(|k| {
            let own = var(&mut self.b(body), &format!("own{k}"));
            (k, std::mem::replace(&mut self.scalars[k], own))
        });
        self.advance(counter, l.step, if l.in_step { step } else { body });
        self.stmts(&l.body, body);
        if let Some((k, outer)) = hidden {
            self.scalars[k] = outer;
        }
        hl::Yield::build(&mut self.b(step), &[], &[]);
        self.counters.pop();
    }
    fn advance(&mut self, counter: ValueId, step: i32, at: BlockId) {
        let i = self.load(counter, at);
        let mut b = self.b(at);
        let size = arith::int(&mut b, step.abs() as i64, Type::i32());
        let next =
            if step > 0 { arith::AddI::build(&mut b, i, size, &[]) } else { arith::SubI::build(&mut b, i, size, &[]) };
        hl::Store::build(&mut b, next, counter, &[]);
    }
}
