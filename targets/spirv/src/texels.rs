//! Writes to texels and updates of them, in the buffers of words that textures are.
//!
//! A texel is written component by component, by what the format says each is: a byte from 0 to 1
//! is the nearest of 256 steps, a float is rounded, an integer is cut.

use crate::assembly::Id;
use crate::emit::{Emit, Helper};
use crate::grammar::{Op, std450};
use crate::textures::{FORMAT, NOWHERE};
use caustic_dialects::tex::{Kind, TextureOp};
use caustic_ir::{Diagnostic, Name, OpId, Type, ValueId};

impl Emit<'_> {
    /// `tex.store`, and updates, which give the number before.
    pub fn texel_op(&mut self, op: OpId, access: &TextureOp) -> Result<Option<Id>, Diagnostic> {
        let operands = self.body.operands(op);
        let texture = operands[access.texture_at];
        let (name, ty) = (self.texture_name(texture)?, access.texture);
        let place = operands.get(access.texture_at + 1).ok_or_else(|| self.internal("an access without a place"))?;
        let (place, level) = (self.numbers(*place)?, self.out.word(0));
        let texel = self.texel(name, ty, &place, level, &[])?;
        let values = &operands[..access.texture_at];
        let kind = match access.kind {
            Kind::Update(kind) => kind,
            Kind::Exchange => "cas",
            _ => return self.texel_store((name, texel), values[0]).map(|()| None),
        };
        let of = self.body.ty(values[0]);
        let function = self.atomic_function(name, kind, of)?;
        let mut args = vec![texel];
        for &value in values {
            args.push(self.value(value)?);
        }
        Ok(Some(self.call_helper(function, &args)))
    }

    fn texel_store(&mut self, (name, texel): (Name, Id), value: ValueId) -> Result<(), Diagnostic> {
        let ty = self.body.ty(value);
        if ty.elem().is_i1() || ty.num_elements() > 4 {
            return Err(self.refuse("a texel of such a type"));
        }
        let id = self.value(value)?;
        let function = self.texel_store_function(name, ty)?;
        self.call_helper(function, &[texel, id]);
        Ok(())
    }

    /// The function that writes a value to a texel: zeros to the components that it lacks.
    fn texel_store_function(&mut self, name: Name, ty: Type) -> Result<Helper, Diagnostic> {
        self.resources.write(name);
        let (uint, void, held) = (self.out.int(32), self.out.void(), self.ty(ty)?);
        let title = format!("{}.store_texel.{ty}", self.resource_name(name));
        self.helper(format!("texel store {name} {ty}"), &title, (&[uint, held], void), |e, args| {
            let (bool, nowhere, mask) = (e.out.bool(), e.out.word(NOWHERE), e.out.word(0xff));
            let there = e.op(Op::INotEqual, bool, &[args[0], nowhere]);
            let parts = e.scalars(args[1], ty)?;
            e.only_if(there, &mut |e| {
                let write = e.component_write_function(name, ty.elem())?;
                let bytes = e.component_bytes(name)?;
                let bytes = e.call_helper(bytes, &[]);
                let format = e.texture_word(name, FORMAT)?;
                let components = e.op(Op::BitwiseAnd, uint, &[format, mask]);
                for k in 0..4 {
                    let part = match parts.get(k as usize) {
                        Some(&part) => part,
                        None => e.null(ty.elem())?,
                    };
                    let k = e.out.word(k);
                    let has = e.op(Op::ULessThan, bool, &[k, components]);
                    e.only_if(has, &mut |e| {
                        let offset = e.op(Op::IMul, uint, &[k, bytes]);
                        let at = e.op(Op::IAdd, uint, &[args[0], offset]);
                        e.call_helper(write, &[at, part]);
                        Ok(())
                    })?;
                }
                Ok(())
            })?;
            Ok(None)
        })
    }

    /// The function that writes a number as a component, at a byte.
    fn component_write_function(&mut self, name: Name, ty: Type) -> Result<Helper, Diagnostic> {
        let (uint, void, held) = (self.out.int(32), self.out.void(), self.ty(ty)?);
        let title = format!("{}.write.{ty}", self.resource_name(name));
        self.helper(format!("texel write {name} {ty}"), &title, (&[uint, held], void), |e, args| {
            let (bool, eight) = (e.out.bool(), e.out.word(8));
            let format = e.texture_word(name, FORMAT)?;
            let kind = e.op(Op::ShiftRightLogical, uint, &[format, eight]);
            let raw = e.component_of(args[1], ty, kind)?;
            let bytes = e.component_bytes(name)?;
            let bytes = e.call_helper(bytes, &[]);
            for bits in [8, 16, 32, 64] {
                let of = Type::int(bits);
                let (size, integer) = (e.out.word(bits / 8), e.ty(of)?);
                let is_it = e.op(Op::IEqual, bool, &[bytes, size]);
                let store = e.store_function(name, of, true)?;
                e.only_if(is_it, &mut |e| {
                    let cut = if bits == 64 { raw } else { e.op(Op::UConvert, integer, &[raw]) };
                    e.call_helper(store, &[args[0], cut]);
                    Ok(())
                })?;
            }
            Ok(None)
        })
    }

    /// The bits of a number as a component of a kind, as 64.
    fn component_of(&mut self, value: Id, ty: Type, kind: Id) -> Result<Id, Diagnostic> {
        let (bool, long) = (self.out.bool(), self.ty(Type::i64())?);
        let (double, float) = (self.ty(Type::f64())?, self.ty(Type::f32())?);
        let (half, short, uint) = (self.ty(Type::f16())?, self.out.int(16), self.out.int(32));
        let convert = |e: &mut Self, inst: Op, to: Id, from: Type, of: Type| {
            if from == of { value } else { e.op(inst, to, &[value]) }
        };
        let (whole, number) = match ty.is_float() {
            true => {
                let whole = convert(self, Op::FConvert, double, ty, Type::f64());
                (whole, self.nearest((whole, Type::f64()), Type::i64(), true)?)
            }
            false => {
                let number = convert(self, Op::SConvert, long, ty, Type::i64());
                (self.op(Op::ConvertSToF, double, &[number]), number)
            }
        };
        let as_half = self.op(Op::FConvert, half, &[whole]);
        let as_half = self.op(Op::Bitcast, short, &[as_half]);
        let as_half = self.op(Op::UConvert, long, &[as_half]);
        let as_float = if ty == Type::f32() { value } else { self.op(Op::FConvert, float, &[whole]) };
        let as_float = self.op(Op::Bitcast, uint, &[as_float]);
        let as_float = self.op(Op::UConvert, long, &[as_float]);
        let as_double = self.op(Op::Bitcast, long, &[whole]);
        let step = self.unit_step(whole)?;
        let mut raw = number;
        for (k, bits) in [step, as_half, as_float, as_double].into_iter().enumerate() {
            let k = self.out.word(k as u32);
            let is_it = self.op(Op::IEqual, bool, &[kind, k]);
            raw = self.op(Op::Select, long, &[is_it, bits, raw]);
        }
        Ok(raw)
    }

    /// The nearest of the 256 steps from 0 to 1, of two the farther from zero; 0 for what is no
    /// number.
    fn unit_step(&mut self, value: Id) -> Result<Id, Diagnostic> {
        let of = Type::f64();
        let (double, bool, long) = (self.ty(of)?, self.out.bool(), self.ty(Type::i64())?);
        let [zero, half, one, most] = [0.0, 0.5, 1.0, 255.0].map(|n| self.float_constant(n, of));
        let (zero, half, one, most) = (zero?, half?, one?, most?);
        let above = self.op(Op::FOrdGreaterThan, bool, &[value, zero]);
        let inside = self.op(Op::Select, double, &[above, value, zero]);
        let below = self.op(Op::FOrdLessThan, bool, &[inside, one]);
        let inside = self.op(Op::Select, double, &[below, inside, one]);
        let steps = self.exact(Op::FMul, double, &[inside, most]);
        let floor = self.std450(std450::FLOOR, double, &[steps]);
        let rest = self.exact(Op::FSub, double, &[steps, floor]);
        let far = self.op(Op::FOrdGreaterThanEqual, bool, &[rest, half]);
        let up = self.exact(Op::FAdd, double, &[floor, one]);
        let nearest = self.op(Op::Select, double, &[far, up, floor]);
        Ok(self.op(Op::ConvertFToU, long, &[nearest]))
    }
}
