//! Exchanges between the lanes of a wave: the lanes that take part are those of a mask, a value of
//! the program, and all of them come to the exchange together.
//!
//! A lane is a thread of the group by its number, modulo 32; floats are combined in the order of
//! the lanes, as the reference does. What the language has is the value of another lane and a
//! ballot, of which everything else is made.

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use crate::ops::prec;
use crate::tree::{Expr, Literal};
use crate::types::{BOOL, Ty, UINT};
use caustic_dialects::combine;
use caustic_dialects::gpu;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt;
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, Type};

/// The lanes that take part.
const MASK: &str = "for (uint left = mask; left != 0u; left &= left - 1u) {\n        ";

impl Printer<'_> {
    pub(super) fn shader_wave(
        &mut self,
        f: &Frame<'_>,
        (op, word, result): (&str, &str, usize),
        (args, of): (&[Expr], &Ty),
        masked: bool,
    ) -> Result<Bound, Diagnostic> {
        self.shading.waves = true;
        let words = self.shader()?.lanes;
        self.shading.extensions.extend(words.extensions);
        let (mask, args) = match args.split_last().filter(|_| masked) {
            Some((mask, rest)) => (self.expr(f, mask)?, rest),
            None => ("0xffffffffu".to_string(), args),
        };
        let lane = format!("{} % 32u", self.shader()?.thread_number);
        let first_lane = |mask: &str| format!("uint({}({mask}))", words.first_bit);
        let Some(first) = args.first() else {
            return match op == simt::WaveElect::NAME {
                true => Ok(Bound(format!("{lane} == {}", first_lane(&mask)), prec::EQUAL)),
                false => Err(self.internal("an exchange of nothing")),
            };
        };
        let (value, ty) = (self.expr(f, first)?, first.ty.clone());
        let given = [(mask.clone(), UINT), (value.clone(), ty.clone())];
        // Bits of lanes are a number with a sign where the program has one.
        let bits = |text: Bound| if *of == UINT { text } else { atom(format!("int({})", text.0)) };
        let with = |index: String| [given[0].clone(), given[1].clone(), (index, UINT)];
        Ok(match op {
            _ if op == gpu::SubgroupReduce::NAME => self.folded(word, &given, &ty)?,
            _ if op == simt::WaveScan::NAME => {
                let (kind, shift) = match word.strip_prefix("inclusive ") {
                    Some(kind) => (kind, "2u"),
                    None => (word, "1u"),
                };
                self.folded(kind, &with(format!("{mask} & ({shift} << ({lane})) - 1u")), &ty)?
            }
            _ if op == simt::WaveReadFirst::NAME => {
                self.exchanged(&ty)?;
                self.of_lane(&value, &ty, &first_lane(&mask))?
            }
            _ if op == simt::WaveReadLane::NAME => {
                let lane = args.get(1).ok_or_else(|| self.internal("no lane"))?;
                let lane = self.unsigned_index(f, lane)?.0;
                let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| p.read_lane(texts, ty);
                self.lifted_call(&self.wave_word("read", &ty), &with(lane), &ty, &mut one)?
            }
            _ if op == gpu::Shuffle::NAME => self.shuffled(f, (word, result), &mask, args)?,
            _ if op == simt::WaveBallot::NAME => {
                bits(Bound(format!("{} & {mask}", (words.ballot)(&value)), prec::BIT_AND))
            }
            _ if op == simt::WaveVote::NAME => {
                let inner = if word == "all" { format!("!({value})") } else { value };
                let sign = if word == "all" { "==" } else { "!=" };
                Bound(format!("({} & {mask}) {sign} 0u", (words.ballot)(&inner)), prec::EQUAL)
            }
            _ if op == simt::WaveMatch::NAME => bits(atom(format!("{}({mask}, {value})", self.matching(&ty)?))),
            _ if op == simt::WaveAllEqual::NAME => {
                let truth = ty.with_scalar(Scalar::Bool);
                let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
                    let name = p.matching(&types[1])?;
                    Ok(Bound(format!("{name}({}, {}) == {0}", texts[0], texts[1]), prec::EQUAL))
                };
                self.lifted_call("wave_all_equal", &given, &truth, &mut one)?
            }
            _ if op == simt::WaveSums::NAME => self.sums(f, &mask, args)?,
            _ if op == simt::WaveSumsByKey::NAME => self.sums_by_key(f, &mask, args, (result, of))?,
            _ => return Err(self.refuse(format!("`{op}`"))),
        })
    }

    /// The name of a function that exchanges values of a type; numbers that are words have others
    /// than vectors.
    fn wave_name(&mut self, what: &str, ty: &Ty) -> String {
        let word = self.wave_word(what, ty);
        self.function_name(&word)
    }

    fn wave_word(&self, what: &str, ty: &Ty) -> String {
        format!("{}wave_{what}", if self.is_wide(ty) { "wide_" } else { "" })
    }

    /// Notes that values of a type are exchanged.
    fn exchanged(&mut self, ty: &Ty) -> Result<(), Diagnostic> {
        let scalar = ty.scalar().ok_or_else(|| self.refuse("an exchange of such values"))?;
        self.note_scalar(scalar, false)?;
        let extension = (self.shader()?.lanes.extended)(scalar);
        self.shading.extensions.extend(extension);
        Ok(())
    }

    /// The value of a lane that takes part.
    fn of_lane(&mut self, value: &str, ty: &Ty, lane: &str) -> Result<Bound, Diagnostic> {
        self.exchanged(ty)?;
        let read = self.shader()?.lanes.read;
        let mut one =
            |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(format!("{read}({}, {})", texts[0], texts[1])));
        if self.is_native(ty) {
            return Ok(atom(format!("{read}({value}, {lane})")));
        }
        self.lifted_call("wave_row", &[(value.to_string(), ty.clone()), (lane.to_string(), UINT)], ty, &mut one)
    }

    /// The lanes that take part, combined; some of them, if the third argument says which.
    fn folded(&mut self, kind: &str, given: &[(String, Ty)], ty: &Ty) -> Result<Bound, Diagnostic> {
        let name = self.wave_word(combined_word(kind), ty);
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| {
            let name = p.fold(kind, ty)?;
            Ok(atom(format!("{name}({})", texts.join(", "))))
        };
        self.lifted_call(&name, given, ty, &mut one)
    }

    /// The functions that combine numbers.
    fn fold(&mut self, kind: &str, ty: &Ty) -> Text {
        self.exchanged(ty)?;
        let scalar = ty.scalar().ok_or_else(|| self.internal("no number"))?;
        if self.is_held(scalar) {
            return Err(self.refuse("a sum of small numbers of lanes"));
        }
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name(combined_word(kind), ty));
        if self.shading.seen.insert(format!("fold {kind} {word}")) {
            let (none, read) = (self.nothing_combined(kind, scalar)?, self.shader()?.lanes.read);
            let new = match (kind, scalar) {
                ("and", Scalar::Bool) => "old && value".to_string(),
                ("or", Scalar::Bool) => "old || value".to_string(),
                ("xor", Scalar::Bool) => "old != value".to_string(),
                _ => self.combined_values(kind, scalar)?,
            };
            let bit = self.shader()?.lanes.first_bit;
            let precise = if scalar.is_float() { "precise " } else { "" };
            self.shading.made.push(format!(
                "// Of the lanes in `mask`, which are here, those in `some` are combined, in their order.\n\
                 {precise}{word} {name}(uint mask, {word} own, uint some) {{\n    {precise}{word} old = {none};\n    bool first = true;\n    \
                 {MASK}uint from = uint({bit}(left));\n        {word} value = {read}(own, from);\n        \
                 bool takes = (some >> from & 1u) != 0u;\n        {precise}{word} both = {new};\n        \
                 old = takes ? first ? value : both : old;\n        first = first && !takes;\n    }}\n    return old;\n}}\n\
                 {precise}{word} {name}(uint mask, {word} own) {{ return {name}(mask, own, mask); }}\n"
            ));
        }
        Ok(name)
    }

    /// What combining no numbers gives.
    fn nothing_combined(&mut self, kind: &str, scalar: Scalar) -> Text {
        let of = match scalar {
            Scalar::F16 => Type::f16(),
            Scalar::F32 => Type::f32(),
            Scalar::F64 => Type::f64(),
            Scalar::Bool => Type::i1(),
            other => Type::int(8 * other.size() as u32),
        };
        let value = combine::identity(kind, of).ok_or_else(|| self.refuse(format!("an exchange by `{kind}`")))?;
        let literal = match value {
            Val::Float(v) => Literal::Float(v),
            other => Literal::Int(other.as_int()),
        };
        Ok(self.shader_literal(literal, &Ty::Scalar(scalar))?.0)
    }

    /// The value of any lane; zero of one that does not take part.
    fn read_lane(&mut self, texts: &[String], ty: &Ty) -> Result<Bound, Diagnostic> {
        self.exchanged(ty)?;
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("read", ty));
        if self.shading.seen.insert(format!("wave_read {word}")) {
            let (zero, read) = (self.shader_zero(ty, false)?, self.shader()?.lanes.read);
            self.shading.made.push(format!(
                "{word} {name}(uint mask, {word} own, uint from) {{\n    {word} value = {read}(own, from & 31u);\n    \
                 return from < 32u && (mask >> from & 1u) != 0u ? value : {zero};\n}}\n"
            ));
        }
        Ok(atom(format!("{name}({})", texts.join(", "))))
    }

    /// A value from a lane within rows of lanes, and whether there is one.
    fn shuffled(
        &mut self,
        f: &Frame<'_>,
        (word, result): (&str, usize),
        mask: &str,
        args: &[Expr],
    ) -> Result<Bound, Diagnostic> {
        let [value, offset, width] = args else { return Err(self.internal("a shuffle without a width")) };
        let lane = format!("int({} % 32u)", self.shader()?.thread_number);
        let signed = |p: &mut Self, e: &Expr| Ok::<_, Diagnostic>(format!("int({})", p.expr(f, e)?));
        let (offset, width) = (signed(self, offset)?, signed(self, width)?);
        let from = match word {
            "xor" => format!("{lane} ^ {offset}"),
            "up" => format!("{lane} - {offset}"),
            "down" => format!("{lane} + {offset}"),
            _ => offset,
        };
        let name = self.function_name("wave_source");
        if self.shading.seen.insert("wave_source".to_string()) {
            self.shading.made.push(format!(
                "// The lane that a value comes from: one that takes part, in the same row of so many; else 32.\n\
                 uint {name}(uint mask, int from, int width) {{\n    int lane = {lane};\n    if (width <= 0) return 32u;\n    \
                 int start = lane / width * width;\n    if (from < start || from > 31 || from - start >= width) return 32u;\n    \
                 return (mask >> uint(from) & 1u) != 0u ? uint(from) : 32u;\n}}\n"
            ));
        }
        let source = format!("{name}({mask}, {from}, {width})");
        if result != 0 {
            return Ok(Bound(format!("{source} < 32u"), prec::COMPARE));
        }
        let (ty, value) = (value.ty.clone(), self.expr(f, value)?);
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| {
            p.exchanged(ty)?;
            let (word, name) = (p.shader_ty(ty, false)?, p.wave_name("shuffle", ty));
            let read = p.shader()?.lanes.read;
            if p.shading.seen.insert(format!("wave_shuffle {word}")) {
                p.shading.made.push(format!(
                    "{word} {name}({word} own, uint from) {{\n    {word} value = {read}(own, from & 31u);\n    \
                     return from < 32u ? value : own;\n}}\n"
                ));
            }
            Ok(atom(format!("{name}({})", texts.join(", "))))
        };
        self.lifted_call(&self.wave_word("shuffle", &ty), &[(value, ty.clone()), (source, UINT)], &ty, &mut one)
    }

    /// The function that gives a bit for each lane that has the same value as this one.
    fn matching(&mut self, ty: &Ty) -> Text {
        self.exchanged(ty)?;
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("match", ty));
        if self.shading.seen.insert(format!("wave_match {word}")) {
            let value = self.of_lane("own", ty, "from")?.0;
            // Vectors of the language are compared as wholes.
            let same = match self.is_native(ty) {
                true if self.shader()?.syntax.compare.is_none() && (ty.is_vector() || self.is_wide(ty)) => {
                    "all(value == own)".to_string()
                }
                true => "value == own".to_string(),
                false => return Err(self.refuse("a comparison of matrices between lanes")),
            };
            let bit = self.shader()?.lanes.first_bit;
            self.shading.made.push(format!(
                "uint {name}(uint mask, {word} own) {{\n    uint same = 0u;\n    {MASK}uint from = uint({bit}(left));\n        \
                 {word} value = {value};\n        if ({same}) same |= 1u << from;\n    }}\n    return same;\n}}\n"
            ));
        }
        Ok(name)
    }

    /// Several sums, of which each lane is given one.
    fn sums(&mut self, f: &Frame<'_>, mask: &str, args: &[Expr]) -> Result<Bound, Diagnostic> {
        let ty = args[0].ty.clone();
        let (word, add) = (self.shader_ty(&ty, false)?, self.fold("add", &ty)?);
        let (count, zero) = (args.len(), self.shader_zero(&ty, false)?);
        let values = args.iter().map(|a| self.expr(f, a)).collect::<Result<Vec<_>, _>>()?;
        let name = self.wave_name("sums", &ty);
        if self.shading.seen.insert(format!("wave_sums {word} {count}")) {
            let params: Vec<String> = (0..count).map(|k| format!("{word} value_{k}")).collect();
            let mut body = format!("    {word} sum, own = {zero};\n");
            for k in 0..count {
                body += &format!("    sum = {add}(mask, value_{k});\n    if (number == {k}u) own = sum;\n");
            }
            self.shading.made.push(format!(
                "{word} {name}(uint mask, uint number, {}) {{\n{body}    return own;\n}}\n",
                params.join(", ")
            ));
        }
        let lanes = simt::lanes_of_sum(count);
        Ok(atom(format!("{name}({mask}, {} % 32u / {lanes}u, {})", self.shader()?.thread_number, values.join(", "))))
    }

    /// Sums over the lanes that have the same key, for the first of them; and whether this is one.
    fn sums_by_key(
        &mut self,
        f: &Frame<'_>,
        mask: &str,
        args: &[Expr],
        (result, of): (usize, &Ty),
    ) -> Result<Bound, Diagnostic> {
        let [takes, key, values @ ..] = args else { return Err(self.internal("sums without a key")) };
        let words = self.shader()?.lanes;
        let (takes, matching) = (self.expr(f, takes)?, self.matching(&key.ty)?);
        let key = self.expr(f, key)?;
        let (peers, leads) = (self.function_name("wave_peers"), self.function_name("wave_leads"));
        if self.shading.seen.insert("wave_peers".to_string()) {
            self.exchanged(&BOOL)?;
            let (ballot, bit) = ((words.ballot)("takes"), words.first_bit);
            self.shading.made.push(format!(
                "uint {peers}(uint same, bool takes) {{\n    uint all = {ballot} & same;\n    return takes ? all : 0u;\n}}\n\
                 bool {leads}(uint peers) {{ return peers != 0u && uint({bit}(peers)) == {} % 32u; }}\n",
                self.shader()?.thread_number
            ));
        }
        let found = format!("{peers}({matching}({mask}, {key}), {takes})");
        let Some(summed) = result.checked_sub(1) else { return Ok(atom(format!("{leads}({found})"))) };
        let value = values.get(summed).ok_or_else(|| self.internal("no such sum"))?;
        let (ty, value) = (value.ty.clone(), self.expr(f, value)?);
        // Numbers of one width are added alike, with a sign or without one.
        let (ty, value) = match (ty == *of, self.shader_ty(of, false)?) {
            (true, _) => (ty, value),
            (false, word) => (of.clone(), format!("{word}({value})")),
        };
        let add = self.fold("add", &ty)?;
        let (word, zero) = (self.shader_ty(&ty, false)?, self.shader_zero(&ty, false)?);
        let name = self.wave_name("lead", &ty);
        if self.shading.seen.insert(format!("wave_lead {word}")) {
            self.shading.made.push(format!(
                "{word} {name}(uint mask, {word} own, uint peers) {{\n    {word} sum = {add}(mask, own, peers);\n    \
                 return {leads}(peers) ? sum : {zero};\n}}\n"
            ));
        }
        Ok(atom(format!("{name}({mask}, {value}, {found})")))
    }
}

/// A word for an operation.
fn combined_word(kind: &str) -> &str {
    match kind {
        "minsi" | "minui" | "minnumf" => "min",
        "maxsi" | "maxui" | "maxnumf" => "max",
        "minimumf" => "minimum",
        "maximumf" => "maximum",
        other => other,
    }
}
