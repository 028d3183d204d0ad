//! Exchanges between the lanes of a wave, on what all of them bring.

use super::expr::{Bound, atom};
use super::{Frame, Printer, Text};
use crate::tree::Expr;
use crate::types::Ty;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt;
use caustic_dialects::{combine, gpu};
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, Type};

impl Printer<'_> {
    pub(super) fn wave(
        &mut self,
        f: &Frame<'_>,
        (op, word, instance, result): (&str, &str, i64, usize),
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        self.need("wave");
        let first = match args.first() {
            Some(value) => (self.expr(f, value)?, value.ty.clone()),
            None => ("true".to_string(), crate::types::BOOL),
        };
        let of = self.ty(&first.1)?;
        let lanes = format!("gather<{of}>({instance}, {})", first.0);
        let text = match op {
            _ if op == gpu::SubgroupReduce::NAME => {
                let (none, combined) = (self.identity(word, &first.1)?, self.combiner(word, &first.1)?);
                format!("wave_fold<{of}>({lanes}, 32, {none}, {combined})")
            }
            _ if op == simt::WaveScan::NAME => {
                let (kind, end) = match word.strip_prefix("inclusive ") {
                    Some(kind) => (kind, "thread.index % 32 + 1"),
                    None => (word, "thread.index % 32"),
                };
                let (none, combined) = (self.identity(kind, &first.1)?, self.combiner(kind, &first.1)?);
                format!("wave_fold<{of}>({lanes}, {end}, {none}, {combined})")
            }
            _ if op == simt::WaveReadFirst::NAME => format!("{lanes}.value[0]"),
            _ if op == simt::WaveReadLane::NAME => {
                let lane = args.get(1).ok_or_else(|| self.internal("no lane"))?;
                format!("wave_lane<{of}>({lanes}, {}, {of}{{}})", self.index(f, lane)?)
            }
            _ if op == simt::WaveBallot::NAME => format!("wave_mask({lanes}, [](bool x) {{ return x; }})"),
            _ if op == simt::WaveVote::NAME => {
                let mask =
                    format!("wave_mask({lanes}, [](bool x) {{ return {}x; }})", if word == "all" { "!" } else { "" });
                format!("({mask} {} 0)", if word == "all" { "==" } else { "!=" })
            }
            _ if op == simt::WaveMatch::NAME && !first.1.is_vector() => {
                format!("wave_mask({lanes}, [&]({of} of_lane) {{ return of_lane == {}; }})", first.0)
            }
            _ if op == simt::WaveElect::NAME => format!("({lanes}.number[0] == thread.index % 32)"),
            _ if op == simt::WaveAllEqual::NAME && !first.1.is_vector() => {
                format!(
                    "[](const Lanes<{of}>& all) {{ return wave_mask(all, [&]({of} of_lane) {{ return of_lane == all.value[0]; }}) == all.active; }}({lanes})"
                )
            }
            _ => {
                let _ = (result, ty);
                return Err(self.refuse(format!("`{op}`")));
            }
        };
        Ok(atom(text))
    }

    /// A function of two values that an operation combines.
    pub(super) fn combiner(&mut self, kind: &str, ty: &Ty) -> Text {
        let scalar = Ty::Scalar(ty.scalar().ok_or_else(|| self.internal("no number"))?);
        let word = self.ty(&scalar)?;
        let one = match ty {
            // Row by row.
            Ty::Vector { shape: rows, elem } if rows.len() > 1 => {
                self.combiner(kind, &Ty::Vector { shape: rows[1..].to_vec(), elem: *elem })?
            }
            _ => {
                let inner = self.combined(kind, "x", "y", &scalar)?;
                format!("[]({word} x, {word} y) {{ return {inner}; }}")
            }
        };
        if !ty.is_vector() {
            return Ok(one);
        }
        self.need("map");
        let whole = self.ty(ty)?;
        Ok(format!("[](const {whole}& a, const {whole}& b) {{ return map({one}, a, b); }}"))
    }

    /// What combining nothing gives.
    pub(super) fn identity(&mut self, kind: &str, ty: &Ty) -> Text {
        let scalar = ty.scalar().ok_or_else(|| self.internal("no number"))?;
        let of = match scalar {
            Scalar::F16 => Type::f16(),
            Scalar::F32 => Type::f32(),
            Scalar::F64 => Type::f64(),
            Scalar::Bool => Type::i1(),
            other => Type::int(8 * other.size() as u32),
        };
        let value = combine::identity(kind, of).ok_or_else(|| self.refuse(format!("an exchange by `{kind}`")))?;
        let literal = match value {
            Val::Float(v) => crate::tree::Literal::Float(v),
            other => crate::tree::Literal::Int(other.as_int()),
        };
        let text = self.literal(literal, &Ty::Scalar(scalar))?.0;
        if !ty.is_vector() {
            return Ok(text);
        }
        self.need("splat");
        Ok(format!("splat<{}>({text})", self.ty(ty)?))
    }
}
