//! Rewrites of arithmetic that are no pattern: the order of operands. All others are rows of
//! [`crate::rows`].

use crate::optimize::rewrite::{Rewriter, rewrites};
use caustic_dialects::arith::{self, constant_of};
use caustic_ir::OpId;

rewrites! {
    pub static REWRITES: [
        "constant-right" Exact [
            arith::AddI, arith::MulI, arith::AndI, arith::OrI, arith::XOrI, arith::MinSI, arith::MaxSI, arith::MinUI, arith::MaxUI,
            arith::AddF, arith::MulF, arith::MinimumF, arith::MaximumF, arith::MinNumF, arith::MaxNumF,
        ] "c op x => x op c" constant_right;
    ]
}

fn constant_right(r: &mut Rewriter<'_>, op: OpId) -> bool {
    let (a, b) = (r.body.operand(op, 0), r.body.operand(op, 1));
    let swap = constant_of(r.body, a).is_some() && constant_of(r.body, b).is_none();
    if swap {
        r.set_operand(op, 0, b);
        r.set_operand(op, 1, a);
    }
    swap
}
