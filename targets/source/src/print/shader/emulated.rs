//! Integers of 64 bits as two words where memory is words (WGSL): which function of ours an op is
//! follows from its name, since the rows spell it as a function of the language. `wide.rs` is the
//! same for a language whose rows name snippets.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use crate::ops::{Row, Spelling, prec};
use crate::tree::{Compare, Expr};
use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_dialects::{arith, math};
use caustic_ir::Diagnostic;

/// Whether an integer is two words.
pub(super) fn is_wide(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I64 | Scalar::U64)
}

/// The functions on two words, and the snippets that declare them.
const WIDE: [(&str, &str, &str); 17] = [
    (arith::AddI::NAME, "add64", "add64"),
    (arith::SubI::NAME, "sub64", "sub64"),
    (arith::MulI::NAME, "mul64", "mul64"),
    (arith::DivSI::NAME, "div_int64", "div64"),
    (arith::DivUI::NAME, "div_uint64", "div64"),
    (arith::RemSI::NAME, "rem_int64", "div64"),
    (arith::RemUI::NAME, "rem_uint64", "div64"),
    (arith::ShLI::NAME, "shl64", "shl64"),
    (arith::ShRSI::NAME, "sar64", "sar64"),
    (arith::ShRUI::NAME, "shr64", "shr64"),
    (arith::MinSI::NAME, "min_int64", "extremes64"),
    (arith::MaxSI::NAME, "max_int64", "extremes64"),
    (arith::MinUI::NAME, "min_uint64", "extremes64"),
    (arith::MaxUI::NAME, "max_uint64", "extremes64"),
    (math::AbsI::NAME, "abs64", "div64"),
    (math::CtPop::NAME, "ones64", "bits64"),
    (math::CountLeadingZeros::NAME, "leading64", "bits64"),
];

impl Printer<'_> {
    /// Whether an op is on two words, or makes them.
    pub(super) fn is_wide_row(&self, args: &[Expr], ty: &Ty) -> bool {
        let wide = |ty: &Ty| ty.scalar().is_some_and(is_wide);
        self.in_words() && (wide(ty) || args.iter().any(|a| wide(&a.ty)))
    }

    /// An op on two words.
    pub(super) fn emulated_row(
        &mut self,
        f: &Frame<'_>,
        row: &Row,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let spelling = (self.shader()?.shading)(row).spelling;
        let name = row.op.name;
        if matches!(spelling, Spelling::Convert | Spelling::Bits)
            && let [a] = args
        {
            return self.shader_convert(f, a, ty);
        }
        let given = self.typed(f, args)?;
        let signed = ty.scalar() == Some(Scalar::I64);
        let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
            if let Spelling::Infix(sign, strength @ prec::BIT_OR..=prec::BIT_AND) = spelling {
                return Ok(Bound(format!("({}) {sign} ({})", texts[0], texts[1]), strength));
            }
            if let Spelling::Template(_, "saturate") = spelling {
                p.instance("float64", Scalar::U64, Scalar::U64)?;
                return Ok(atom(format!("{}_of_float({})", if signed { "int64" } else { "uint64" }, texts[0])));
            }
            if types[0] == crate::types::BOOL {
                return Ok(atom(format!("select(vec2u(), vec2u(0xffffffffu, 0xffffffffu), {})", texts[0])));
            }
            if name == math::CountTrailingZeros::NAME {
                p.instance("bits64", Scalar::U64, Scalar::U64)?;
                return Ok(atom(format!("trailing64({})", texts[0])));
            }
            let row = WIDE.iter().find(|(op, ..)| *op == name);
            let (_, function, snippet) = row.ok_or_else(|| p.refuse(format!("`{name}` of 64 bits")))?;
            p.instance(snippet, Scalar::U64, Scalar::U64)?;
            let shift = matches!(*function, "shl64" | "sar64" | "shr64");
            let second = texts.get(1).map(|b| if shift { format!(", ({b}).x") } else { format!(", {b}") });
            Ok(atom(format!("{function}({}{})", texts[0], second.unwrap_or_default())))
        };
        self.lifted_call(&format!("{}_each", name.replace('.', "_")), &given, ty, &mut one)
    }

    /// `old` and `value` of two words each, combined.
    pub(super) fn emulated_combined(&mut self, kind: &str) -> Text {
        let op = match kind {
            "add" => arith::AddI::NAME,
            "mul" => arith::MulI::NAME,
            "minsi" => arith::MinSI::NAME,
            "maxsi" => arith::MaxSI::NAME,
            "minui" => arith::MinUI::NAME,
            "maxui" => arith::MaxUI::NAME,
            other => return Err(self.refuse(format!("an update by `{other}`"))),
        };
        let row = WIDE.iter().find(|(name, ..)| *name == op);
        let (_, function, snippet) = row.ok_or_else(|| self.internal("no function of two words"))?;
        self.instance(snippet, Scalar::U64, Scalar::U64)?;
        Ok(format!("{function}(old, value)"))
    }

    /// A conversion from or to two words.
    pub(super) fn emulated_convert(&mut self, text: &str, from: Scalar, to: Scalar) -> Text {
        let snippet = |p: &mut Self, id| p.instance(id, Scalar::U64, Scalar::U64);
        Ok(match (is_wide(from), to) {
            (true, to) if is_wide(to) => text.to_string(),
            (true, Scalar::Bool) => format!("(({text}).x & 1u) != 0u"),
            (true, to) if to.is_float() => {
                snippet(self, "float64")?;
                let function = if from == Scalar::I64 { "float_of_int64" } else { "float_of_uint64" };
                self.cut(&format!("{function}({text})"), to)?
            }
            (true, to) => {
                let low = format!("({text}).x");
                self.cut(&if to.is_signed() { format!("i32({low})") } else { low }, to)?
            }
            _ if from.is_float() => return Err(self.refuse("bits of a double")),
            _ if from.is_signed() && is_integer(from) => {
                snippet(self, "widened")?;
                format!("widened({text})")
            }
            _ => format!("vec2u(u32({text}), 0u)"),
        })
    }

    /// A comparison of two words.
    pub(super) fn emulated_compare(&mut self, how: Compare, (a, b): (&str, &str), signed: bool) -> Text {
        let less = if signed { "less_int64" } else { "less_uint64" };
        if !matches!(how, Compare::Equal | Compare::NotEqual) {
            self.instance("less64", Scalar::U64, Scalar::U64)?;
        }
        Ok(match how {
            Compare::Equal => format!("all({a} == {b})"),
            Compare::NotEqual => format!("any({a} != {b})"),
            Compare::Less => format!("{less}({a}, {b})"),
            Compare::LessEqual => format!("!{less}({b}, {a})"),
            Compare::Greater => format!("{less}({b}, {a})"),
            Compare::GreaterEqual => format!("!{less}({a}, {b})"),
        })
    }
}
