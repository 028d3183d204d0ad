//! `printf`: a debug layer formats it. A value is converted to what its directive wants, of 32 bits
//! but for large integers.

use crate::assembly::Id;
use crate::emit::Emit;
use crate::grammar::{Op, debug};
use caustic_dialects::gpu;
use caustic_ir::{Diagnostic, OpId, Type};
use caustic_runtime::directives::{self, Piece};
use caustic_source::layer::{self, Wanted};

const EXTENSION: &str = "SPV_KHR_non_semantic_info";
const SET: &str = "NonSemantic.DebugPrintf";

impl Emit<'_> {
    pub fn print_op(&mut self, op: OpId) -> Result<(), Diagnostic> {
        let (body, v) = (self.body, gpu::Printf(op));
        let format = v.format(body).unwrap_or("");
        if format.contains('\0') {
            return Err(self.refuse("`printf` of a text with a zero byte"));
        }
        let mut values = Vec::new();
        for &arg in v.args(body) {
            let ty = body.ty(arg);
            if !ty.elem().is_float() && !ty.elem().is_int_or_index() {
                return Err(self.refuse("`printf` of what is no number"));
            }
            let id = self.value(arg)?;
            values.extend(self.scalars(id, ty)?.into_iter().map(|id| (id, ty.elem())));
        }
        let mut values = values.into_iter();
        let (mut out, mut given) = (String::new(), Vec::new());
        let pieces = directives::pieces(format);
        for piece in pieces.ok_or_else(|| self.refuse("`printf` with a width that is computed"))? {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Percent => out.push_str("%%"),
                Piece::Directive(directive) => match values.next() {
                    Some((id, ty)) => {
                        let large = ty.scalar_bits().unwrap_or(64) == 64;
                        let of_layer = layer::directive(&directive, ty.is_float(), large);
                        let (word, wanted) = of_layer.ok_or_else(|| self.refuse("a character in `printf`"))?;
                        out.push_str(&word);
                        given.push(self.printed(id, ty, wanted)?);
                    }
                    None => out.extend(["%%", directive.written]),
                },
            }
        }
        self.out.extension(EXTENSION);
        let (set, void, format) = (self.out.set(SET), self.out.void(), self.out.string(&out));
        let operands: Vec<Id> = std::iter::once(format).chain(given).collect();
        self.of_set((set, debug::PRINTF), void, &operands);
        Ok(())
    }

    /// A number as a directive wants it.
    fn printed(&mut self, id: Id, ty: Type, wanted: Wanted) -> Result<Id, Diagnostic> {
        let (uint, float, bool) = (self.out.int(32), self.out.float(32), self.out.bool());
        // A truth value is 1 or 0.
        let (id, ty) = match ty.is_i1() {
            true => {
                let (one, zero) = (self.out.word(1), self.out.word(0));
                (self.op(Op::Select, uint, &[id, one, zero]), Type::i32())
            }
            false => (id, ty),
        };
        let bits = ty.scalar_bits();
        Ok(match wanted {
            Wanted::Long | Wanted::Ulong => id,
            Wanted::Float if ty == Type::f32() => id,
            Wanted::Float if ty.is_float() => self.op(Op::FConvert, float, &[id]),
            Wanted::Float => self.op(Op::ConvertSToF, float, &[id]),
            Wanted::Int if ty.is_float() => self.nearest((id, ty), Type::i32(), true)?,
            // What is below zero wraps.
            Wanted::Uint if ty.is_float() => {
                let (below, above) =
                    (self.nearest((id, ty), Type::i32(), true)?, self.nearest((id, ty), Type::i32(), false)?);
                let zero = self.float_constant(0.0, ty)?;
                let negative = self.op(Op::FOrdLessThan, bool, &[id, zero]);
                self.op(Op::Select, uint, &[negative, below, above])
            }
            Wanted::Int | Wanted::Uint if bits == Some(32) => id,
            Wanted::Int => self.op(Op::SConvert, uint, &[id]),
            Wanted::Uint => self.op(Op::UConvert, uint, &[id]),
        })
    }
}
