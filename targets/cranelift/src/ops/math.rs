//! Functions that the machine has instructions for; all others are called, see the module above.

use crate::emit::Clifs;
use caustic_codegen::{Assembler, Lane};
use caustic_dialects::math as m;
use caustic_native::Helper;
use caustic_native::Leaf;
use cranelift_codegen::ir::{InstBuilder, Value};

impl Clifs<'_, '_> {
    pub(crate) fn math_lane(&mut self, lane: &Lane<'_, Value>) -> Option<Value> {
        let to = lane.to;
        match *lane.args {
            [x] if to.is_float() => Some(match lane.name {
                m::AbsF::NAME => self.b.ins().fabs(x),
                m::Sqrt::NAME => {
                    let root = self.b.ins().sqrt(x);
                    self.round(to, root)
                }
                m::Rsqrt::NAME => {
                    let root = self.b.ins().sqrt(x);
                    let root = self.round(to, root);
                    let one = self.float(to, 1.0);
                    let quotient = self.b.ins().fdiv(one, root);
                    self.round(to, quotient)
                }
                // Of an f16 these are f16 again.
                m::Floor::NAME => self.b.ins().floor(x),
                m::Ceil::NAME => self.b.ins().ceil(x),
                m::Trunc::NAME => self.b.ins().trunc(x),
                m::RoundEven::NAME => self.b.ins().nearest(x),
                _ => return None,
            }),
            [x] if to != Leaf::I1 => Some(match lane.name {
                m::AbsI::NAME => self.b.ins().iabs(x),
                m::CtPop::NAME => self.b.ins().popcnt(x),
                m::CountLeadingZeros::NAME => self.b.ins().clz(x),
                m::CountTrailingZeros::NAME => self.b.ins().ctz(x),
                _ => return None,
            }),
            [x, y] if lane.name == m::CopySign::NAME => Some(self.b.ins().fcopysign(x, y)),
            [x, y, z] if lane.name == m::Fma::NAME => match to {
                Leaf::F32 => Some(self.helper1(Helper::FmaF32, &[x, y, z])),
                Leaf::F64 => Some(self.helper1(Helper::FmaF64, &[x, y, z])),
                _ => None,
            },
            _ => None,
        }
    }
}
