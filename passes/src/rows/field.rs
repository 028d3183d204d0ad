//! The ops that rows on sums and products speak of, for what is more than a pattern: sums and
//! products of any number of terms.

use caustic_dialects::arith;
use caustic_ir::OpDef;

/// What an op does to floats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FieldOp {
    Sum,
    Difference,
    Product,
    Quotient,
    Negative,
}

impl FieldOp {
    const ALL: [FieldOp; 5] =
        [FieldOp::Sum, FieldOp::Difference, FieldOp::Product, FieldOp::Quotient, FieldOp::Negative];

    pub fn def(self) -> &'static OpDef {
        match self {
            FieldOp::Sum => arith::AddF::DEF,
            FieldOp::Difference => arith::SubF::DEF,
            FieldOp::Product => arith::MulF::DEF,
            FieldOp::Quotient => arith::DivF::DEF,
            FieldOp::Negative => arith::NegF::DEF,
        }
    }

    pub fn of(def: &OpDef) -> Option<FieldOp> {
        FieldOp::ALL.into_iter().find(|op| std::ptr::eq(op.def(), def))
    }

    pub fn is_sum(self) -> bool {
        matches!(self, FieldOp::Sum | FieldOp::Difference)
    }
}
