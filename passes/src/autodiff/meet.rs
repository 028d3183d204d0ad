//! Reverse sweeps in which lanes meet: those of loops that call custom derivatives with wave
//! operations.
//!
//! Lanes that leave a loop one by one were together in its iterations with the same number. A sweep
//! counts from a lane's own last iteration, and so lanes would meet in others. Such sweeps begin
//! with the last iteration of any lane, and each lane takes part from its own last one on.
//!
//! The sweep of a sweep counts upwards again, and lanes meet as they are. Runs at the end of
//! differentiation, on marked loops ([`SWEEP`]), and takes the marks away.

use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::carried::{ForParts, bounds};
use caustic_dialects::scf::SWEEP;
use caustic_dialects::{arith, func, gpu, scf, simt};
use caustic_ir::{Attr, Attrs, Body, Builder, Cloner, Module, Name, OpId, Type, ValueId};
use rustc_hash::FxHashSet;

/// The attributes of a sweep over a loop that has these.
pub fn mark(mut of_loop: Attrs) -> Attrs {
    let before = of_loop.len();
    of_loop.retain(|(name, _)| *name != SWEEP);
    if of_loop.len() == before {
        of_loop.push((Name::new(SWEEP), Attr::unit()));
    }
    of_loop
}

/// Lets lanes meet in the sweeps of a module.
pub fn run(module: &mut Module) {
    let has = |body: &Body| body.all_ops().any(|op| simt::is_wave_op(body.op(op).def));
    let found = module.symbols().iter().filter(|s| has(&s.body)).map(|s| s.name);
    let meeting = CallGraph::of_calls(module).reaching(found);
    for symbol in module.symbols_mut() {
        let body = &mut symbol.body;
        // Loops in a loop come first.
        for op in body.walk_all().into_iter().rev().filter(|&op| scf::For::is(body, op)).collect::<Vec<_>>() {
            let is_sweep = body.attr(op, SWEEP).is_some();
            body.remove_attr(op, SWEEP);
            if is_sweep && !is_counted(body, op) && meets(body, op, &meeting) {
                align(body, op);
            }
        }
    }
}

/// Whether all lanes run a loop equally often, for the program says how often.
fn is_counted(body: &Body, op: OpId) -> bool {
    bounds(body, op).iter().all(|&bound| arith::build::constant_of(body, bound).is_some())
}

/// Whether lanes may come together in a loop.
fn meets(body: &Body, op: OpId, meeting: &FxHashSet<Name>) -> bool {
    let called = |o: OpId| body.callee(o).filter(|_| func::Call::is(body, o));
    let inside = body.op(op).regions.iter().flat_map(|&region| body.walk(region));
    inside.into_iter().any(|o| simt::is_wave_op(body.op(o).def) || called(o).is_some_and(|f| meeting.contains(&f)))
}

/// Replaces a sweep by one that begins with the last iteration of any lane.
fn align(body: &mut Body, op: OpId) {
    let Some(parts) = ForParts::of(body, op) else { return };
    let (operands, results, attrs) = (body.operands(op).to_vec(), body.results(op).to_vec(), body.op(op).attrs.clone());
    let types: Vec<Type> = results.iter().map(|&r| body.ty(r)).collect();
    let Some(mut b) = Builder::before(body, op) else { return };
    let most = most_of_lanes(&mut b, operands[1]);
    let not_yet = arith::SubI::build(&mut b, most, operands[1], &[]);
    let mut handed = operands.clone();
    handed[1] = most;
    let new = b.body.create_op(scf::For::DEF, &handed, &types, attrs, 1, b.loc);
    b.body.insert_op(new, b.block, b.before);
    let arg_types: Vec<Type> = [Type::index()].into_iter().chain(types.iter().copied()).collect();
    let block = b.add_block(new, 0, &arg_types);
    let args = b.body.args(block).to_vec();
    let mut inner = b.at(block);
    let takes_part = arith::cmpi(&mut inner, arith::IntPredicate::Sge, args[0], not_yet);
    let branch = scf::If::build(&mut inner, takes_part, &types, &[]);
    let own = inner.add_block(branch, 0, &[]);
    let number = arith::SubI::build(&mut inner.at(own), args[0], not_yet, &[]);
    let mut cloner = Cloner::new();
    let old_args = inner.body.args(parts.body).to_vec();
    for (&old, value) in old_args.iter().zip(std::iter::once(number).chain(args[1..].iter().copied())) {
        cloner.insert(old, value);
    }
    for inside in inner.body.block_ops(parts.body) {
        cloner.clone_within(inner.body, inside, own, None);
    }
    let other = inner.add_block(branch, 1, &[]);
    scf::Yield::build(&mut inner.at(other), &args[1..], &[]);
    let after = inner.body.results(branch).to_vec();
    scf::Yield::build(&mut inner, &after, &[]);
    let made = b.body.results(new).to_vec();
    for (old, new) in results.into_iter().zip(made) {
        body.replace_uses(old, new);
    }
    body.erase_op(op);
}

/// The greatest of the numbers that the lanes have.
fn most_of_lanes(b: &mut Builder<'_>, count: ValueId) -> ValueId {
    let own = arith::IndexCast::build(b, count, Type::i64(), &[]);
    let most = gpu::SubgroupReduce::build(b, own, &[], &[("op", gpu::reduce_attr("maxsi"))]);
    arith::IndexCast::build(b, most, Type::index(), &[])
}
