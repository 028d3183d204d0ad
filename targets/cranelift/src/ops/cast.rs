//! Conversions: a lane each.

use crate::emit::Clifs;
use crate::machine::Clif;
use caustic_codegen::{Assembler, Lane};
use caustic_dialects::arith as a;
use caustic_native::Helper;
use caustic_native::Leaf;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

impl Clifs<'_, '_> {
    pub(crate) fn cast_lane(&mut self, lane: &Lane<'_, Value>) -> Option<Value> {
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
                        self.round_to(to, wide)
                    }
                }
            }
            a::UIToFP::NAME => {
                let x = self.resize(from, Leaf::I64, x, false);
                match to {
                    Leaf::F32 => self.b.ins().fcvt_from_uint(types::F32, x),
                    to => {
                        let wide = self.b.ins().fcvt_from_uint(types::F64, x);
                        self.round_to(to, wide)
                    }
                }
            }
            a::FPToSI::NAME if to.bits() >= 32 => self.b.ins().fcvt_to_sint_sat(to.clif(), x),
            a::FPToUI::NAME if to.bits() >= 32 => self.b.ins().fcvt_to_uint_sat(to.clif(), x),
            a::FPToSI::NAME => {
                let wide = self.b.ins().fcvt_to_sint_sat(types::I32, x);
                let half = 1i64 << (to.bits() - 1);
                let (least, most) = (self.int(Leaf::I32, -half), self.int(Leaf::I32, half - 1));
                let wide = self.b.ins().smax(wide, least);
                let wide = self.b.ins().smin(wide, most);
                self.resize(Leaf::I32, to, wide, true)
            }
            a::FPToUI::NAME => {
                let wide = self.b.ins().fcvt_to_uint_sat(types::I32, x);
                let most = self.int(Leaf::I32, (1 << to.bits()) - 1);
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
                (Leaf::F64, to) => self.round_to(to, x),
                (_, to) => self.round(to, x),
            },
            a::Bitcast::NAME => self.bitcast(from, to, x),
            _ => return None,
        })
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
