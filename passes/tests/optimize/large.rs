//! Large functions: the number of changes grows with the code, not with its square.

use caustic_dialects::{agg, arith, func, scf};
use caustic_ir::{Attr, Body, Builder, Loc, Module, Name, SymbolOp, Type, ValueId};
use caustic_passes::analysis::effects::Summary;
use caustic_passes::optimize::{canonicalize, cse, dce, licm};

/// `n` rounds of arithmetic, of writing to and reading from an array, of branches and of loops,
/// each on the results of the one before.
fn function(n: usize) -> SymbolOp {
    let array = agg::array_type(64, Type::f32());
    let (inputs, results) = ([Type::f32(), Type::i1(), array, Type::index()], [Type::f32(), array]);
    let mut symbol = SymbolOp::new(func::Func::DEF, Name::new("large"), Loc::unknown());
    symbol.set_attr("function_type", Attr::ty(Type::function(&inputs, &results)));
    symbol.body = Body::new();
    let root = symbol.body.root();
    let block = symbol.body.add_block(root, &inputs);
    let args = symbol.body.args(block).to_vec();
    let (mut x, mut a, mut k) = (args[0], args[2], args[3]);
    let mut b = Builder::at_end(&mut symbol.body, block, Loc::unknown());
    let path = |steps: &[i64]| [("path", Attr::i64_array(steps))];
    for i in 0..n {
        let c = arith::index(&mut b, 1);
        k = arith::AddI::build(&mut b, k, c, &[]);
        let half = arith::float(&mut b, 1.0 + (i % 7) as f64, Type::f32());
        x = arith::MulF::build(&mut b, half, x, &[]);
        a = agg::Insert::build(&mut b, x, a, &[], &path(&[i as i64 % 64]));
        a = agg::Insert::build(&mut b, x, a, &[k], &path(&[-1]));
        let y = agg::Extract::build(&mut b, a, &[], Type::f32(), &path(&[(i as i64 + 1) % 64]));
        let z = agg::Extract::build(&mut b, a, &[k], Type::f32(), &path(&[-1]));
        x = arith::AddF::build(&mut b, y, z, &[]);
        let branch = scf::If::build(&mut b, args[1], &[Type::f32()], &[]);
        for (arm, value) in [x, y].into_iter().enumerate() {
            let block = b.add_block(branch, arm, &[]);
            let mut inner = b.at(block);
            let value = arith::AddF::build(&mut inner, value, z, &[]);
            scf::Yield::build(&mut inner, &[value], &[]);
        }
        x = b.body.result(branch, 0);
        let (zero, upper) = (arith::index(&mut b, 0), arith::index(&mut b, i as i64 % 3));
        let round = scf::For::build(&mut b, zero, upper, c, &[x, y], &[Type::f32(); 2], &[]);
        let block = b.add_block(round, 0, &[Type::index(), Type::f32(), Type::f32()]);
        let carried: Vec<ValueId> = b.body.args(block)[1..].to_vec();
        let mut inner = b.at(block);
        let sum = arith::AddF::build(&mut inner, carried[0], carried[1], &[]);
        scf::Yield::build(&mut inner, &[sum, carried[1]], &[]);
        x = b.body.result(round, 0);
    }
    func::Return::build(&mut b, &[x, a], &[]);
    symbol
}

fn changes(n: usize) -> (u64, usize) {
    let mut module = Module::new();
    module.put(function(n));
    let summary = Summary::of(&module);
    let mut symbol = function(n);
    let ops = symbol.body.num_ops();
    let mut total = 0;
    for _ in 0..2 {
        let start = std::time::Instant::now();
        total += canonicalize::run_with(&mut symbol, Default::default()).unwrap_or(u64::MAX / 4);
        let folded = start.elapsed();
        cse::run(&mut symbol, &summary);
        let shared = start.elapsed();
        licm::run(&mut symbol, &summary);
        dce::run(&mut symbol, &summary);
        println!("{ops} ops: canonicalize {folded:?}, cse {:?}, rest {:?}", shared - folded, start.elapsed() - shared);
    }
    (total, ops)
}

#[test]
fn work_is_proportional_to_the_code() {
    let (few, small) = changes(60);
    let (many, large) = changes(1200);
    assert!(large >= 20_000, "{large}");
    assert!(few > small as u64 / 10, "nothing to do: {few} changes of {small} ops");
    let (a, b) = (few as f64 / small as f64, many as f64 / large as f64);
    assert!(b < 1.2 * a, "{a} changes an op, then {b}");
}
