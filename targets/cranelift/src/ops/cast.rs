//! Conversions: a lane each.

use super::Lane;
use crate::emit::Emit;
use crate::machine::Clif;
use caustic_dialects::arith as a;
use caustic_native::Helper;
use caustic_native::Leaf;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

impl Emit<'_, '_> {
    pub(super) fn cast_lane(&mut self, lane: &Lane<'_>) -> Option<Value> {
        let (&[x], &[from]) = (lane.args, lane.from) else { return None };
        let to = lane.to;
        Some(match lane.name {
            a::ExtSI::NAME => self.resize(from, to, x, true),
            a::ExtUI::NAME => self.resize(from, to, x, false),
            a::TruncI::NAME => self.resize(from, to, x, false),
            a::IndexCast::NAME => self.resize(from, to, x, true),
            a::IndexCastUI::NAME => self.resize(from, to, x, false),
            a::SIToFP::NAME => {
                let x = self.resize(from, Leaf::I64, x, true);
                match to {
                    Leaf::F32 => self.b.ins().fcvt_from_sint(types::F32, x),
                    to => {
                        let wide = self.b.ins().fcvt_from_sint(types::F64, x);
                        self.narrow(to, wide)
                    }
                }
            }
            a::UIToFP::NAME => {
                let x = self.resize(from, Leaf::I64, x, false);
                match to {
                    Leaf::F32 => self.b.ins().fcvt_from_uint(types::F32, x),
                    to => {
                        let wide = self.b.ins().fcvt_from_uint(types::F64, x);
                        self.narrow(to, wide)
                    }
                }
            }
            a::FPToSI::NAME if to.bits() >= 32 => self.b.ins().fcvt_to_sint_sat(to.clif(), x),
            a::FPToUI::NAME if to.bits() >= 32 => self.b.ins().fcvt_to_uint_sat(to.clif(), x),
            a::FPToSI::NAME => {
                let wide = self.b.ins().fcvt_to_sint_sat(types::I32, x);
                let half = 1i64 << (to.bits() - 1);
                let (least, most) = (self.iconst(Leaf::I32, -half), self.iconst(Leaf::I32, half - 1));
                let wide = self.b.ins().smax(wide, least);
                let wide = self.b.ins().smin(wide, most);
                self.resize(Leaf::I32, to, wide, true)
            }
            a::FPToUI::NAME => {
                let wide = self.b.ins().fcvt_to_uint_sat(types::I32, x);
                let most = self.iconst(Leaf::I32, (1 << to.bits()) - 1);
                let wide = self.b.ins().umin(wide, most);
                self.resize(Leaf::I32, to, wide, false)
            }
            a::ExtF::NAME => {
                if to == Leaf::F64 {
                    self.widen(from, x)
                } else {
                    x
                }
            }
            a::TruncF::NAME => match (from, to) {
                (Leaf::F64, to) => self.narrow(to, x),
                (_, to) => self.round(to, x),
            },
            a::Bitcast::NAME => self.bitcast(from, to, x),
            _ => return None,
        })
    }

    /// An integer in another width: extended by its sign (a set i1 is -1) or zeros, or cut.
    pub(super) fn resize(&mut self, from: Leaf, to: Leaf, x: Value, signed: bool) -> Value {
        let x = if from == Leaf::I1 && signed && to != Leaf::I1 { self.b.ins().ineg(x) } else { x };
        let (a, b) = (from.clif(), to.clif());
        let x = if a.bits() < b.bits() {
            if signed { self.b.ins().sextend(b, x) } else { self.b.ins().uextend(b, x) }
        } else if a.bits() > b.bits() {
            self.b.ins().ireduce(b, x)
        } else {
            x
        };
        if to == Leaf::I1 && from != Leaf::I1 { self.b.ins().band_imm_u(x, 1) } else { x }
    }

    fn bitcast(&mut self, from: Leaf, to: Leaf, x: Value) -> Value {
        match (from, to) {
            _ if from == to => x,
            (Leaf::F16, _) => {
                let bits = self.helper1(Helper::F16ToBits, &[x]);
                self.resize(Leaf::I32, to, bits, false)
            }
            (_, Leaf::F16) => {
                let bits = self.resize(from, Leaf::I32, x, false);
                self.helper1(Helper::F16FromBits, &[bits])
            }
            _ if from.clif() == to.clif() => x,
            _ => self.b.ins().bitcast(to.clif(), MemFlagsData::new(), x),
        }
    }
}
