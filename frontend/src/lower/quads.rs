//! Decides how the threads of a group form quads, where code compares neighbours (`ddx`).
//!
//! Four consecutive lanes are a quad on every machine. If a quad is two threads by two, the
//! kernel's thread ids are permuted: each lane reads the ids of the thread that it stands for. Each
//! id still occurs once, so only the order of lanes changes, and only in kernels that can observe
//! it. A kernel without an attribute has the quads that slangc and Direct3D derive from the size of
//! its groups. A kernel whose threads form no quads cannot be run if it reaches code that compares
//! neighbours.

use super::Lowering;
use crate::sema::Quads;
use crate::sema::tree::FuncId;
use caustic_dialects::call_graph::CallGraph;
use caustic_dialects::signature::{NO_QUADS, QUADS};
use caustic_dialects::{arith, gpu};
use caustic_ir::{Attr, Body, Builder, Name, OpId, ValueId};

/// A kernel, with its attribute for quads and the size of its groups, if it states them.
struct Kernel {
    symbol: Name,
    said: Option<Quads>,
    size: Option<[u32; 3]>,
}

impl Kernel {
    /// Returns how its threads form quads, or why they form none.
    fn quads(&self) -> Result<(Quads, [u32; 3]), String> {
        let Some(size @ [x, y, z]) = self.size else {
            return Err("`[numthreads]` does not say how many threads there are".to_string());
        };
        let square = x % 2 == 0 && y % 2 == 0;
        let linear = u64::from(x) * u64::from(y) * u64::from(z) % 4 == 0;
        match self.said {
            Some(Quads::Square) | None if square => Ok((Quads::Square, size)),
            Some(Quads::Linear) if linear => Ok((Quads::Linear, size)),
            None if x % 4 == 0 && y == 1 && z == 1 => Ok((Quads::Linear, size)),
            _ => Err(format!("{x}x{y}x{z} threads form none")),
        }
    }
}

impl Lowering<'_, '_> {
    /// Makes the kernels that compare neighbours read the ids that form their quads.
    pub(super) fn form_quads(&mut self) {
        let compare = self.module.symbols().iter().filter(|s| s.attr(QUADS).is_some());
        let compare: Vec<Name> = compare.map(|s| s.name).collect();
        if compare.is_empty() {
            return;
        }
        let reaching = CallGraph::of_mentions(&self.module).reaching(compare);
        for kernel in self.kernels() {
            let symbol = self.module.get_mut(kernel.symbol).filter(|s| reaching.contains(&s.name));
            let Some(symbol) = symbol else { continue };
            match kernel.quads() {
                Ok((Quads::Square, size)) => two_by_two(&mut symbol.body, size),
                Ok((Quads::Linear, _)) => {}
                Err(why) => symbol.set_attr(NO_QUADS, Attr::string(&why)),
            }
        }
    }

    fn kernels(&mut self) -> Vec<Kernel> {
        let mut out = Vec::new();
        for i in 0..self.checker.funcs.len() {
            let attrs = &self.checker.funcs[i].attrs;
            let Some(entry) = &attrs.entry else { continue };
            let (said, size) = (attrs.quads, entry.sized.then_some(entry.numthreads));
            out.push(Kernel { symbol: self.checker.symbol_of(FuncId(i as u32)), said, size });
        }
        out
    }
}

/// Permutes thread ids: thread `4 q + i` of a plane, in launch order, stands for thread `i` of quad
/// `q`.
fn two_by_two(body: &mut Body, [x, y, _]: [u32; 3]) {
    let reads = |op: &OpId| body.is(*op, gpu::ThreadId::DEF) || body.is(*op, gpu::GlobalId::DEF);
    let ids: Vec<OpId> = body.walk_all().into_iter().filter(reads).collect();
    for op in ids {
        let Some(dimension) = gpu::dimension(body, op).filter(|d| *d < 2) else { continue };
        let (Some(block), is_global) = (body.op(op).block, body.is(op, gpu::GlobalId::DEF)) else { continue };
        let (result, loc) = (body.result(op, 0), body.loc(op));
        let mut b = Builder { body, block, before: Some(op), loc };
        let local = local_id(&mut b, dimension, x);
        let id = if is_global {
            let (group, size) =
                (gpu::build_id(&mut b, gpu::BlockId::DEF, dimension), arith::index(&mut b, [x, y][dimension].into()));
            let first = arith::MulI::build(&mut b, group, size, &[]);
            arith::AddI::build(&mut b, first, local, &[])
        } else {
            local
        };
        body.replace_uses(result, id);
        body.erase_op(op);
    }
}

/// A coordinate of the thread that a lane stands for, in groups that are `width` wide.
fn local_id(b: &mut Builder<'_>, dimension: usize, width: u32) -> ValueId {
    let row = gpu::build_id(b, gpu::ThreadId::DEF, 1);
    let column = gpu::build_id(b, gpu::ThreadId::DEF, 0);
    let (row_size, quads) = (arith::index(b, width.into()), arith::index(b, (width / 2).into()));
    let (four, two) = (arith::index(b, 4), arith::index(b, 2));
    let before = arith::MulI::build(b, row, row_size, &[]);
    let launched = arith::AddI::build(b, before, column, &[]);
    let quad = arith::DivUI::build(b, launched, four, &[]);
    let within = arith::RemUI::build(b, launched, four, &[]);
    let (at, part) = match dimension {
        0 => (arith::RemUI::build(b, quad, quads, &[]), arith::RemUI::build(b, within, two, &[])),
        _ => (arith::DivUI::build(b, quad, quads, &[]), arith::DivUI::build(b, within, two, &[])),
    };
    let first = arith::MulI::build(b, at, two, &[]);
    arith::AddI::build(b, first, part, &[])
}
