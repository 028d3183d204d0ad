//! Exchanges between the lanes of a wave: the lanes that take part are those of a mask, a value of
//! the program, and all of them come to the exchange together.
//!
//! A lane is a thread of the group by its number, modulo 32; floats are combined in the order of
//! the lanes, as the reference does. Everything is made of the value of another lane and of a
//! ballot (`exchange.rs`).

use super::super::expr::{Bound, atom};
use super::super::{Frame, Printer, Text};
use super::exchange::operand;
use crate::ops::prec;
use crate::tree::{Expr, Literal};
use crate::types::{BOOL, Ty, UINT};
use caustic_dialects::combine;
use caustic_dialects::gpu;
use caustic_dialects::reflect::Scalar;
use caustic_dialects::simt;
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, Type};

impl Printer<'_> {
    pub(super) fn shader_wave(
        &mut self,
        f: &Frame<'_>,
        (op, word, result): (&str, &str, usize),
        (args, of): (&[Expr], &Ty),
        masked: bool,
    ) -> Result<Bound, Diagnostic> {
        let first_bit = self.exchanging()?;
        let (mask, args) = match args.split_last().filter(|_| masked) {
            Some((mask, rest)) => (self.expr(f, mask)?, rest),
            None => ("0xffffffffu".to_string(), args),
        };
        let lane = format!("{} % 32u", self.shader()?.thread_number);
        let (unsigned, signed) = (self.word(Scalar::U32), self.word(Scalar::I32));
        let first_lane = |mask: &str| format!("{unsigned}({first_bit}({mask}))");
        // As an operand of any operator.
        let among = operand(&mask);
        let Some(first) = args.first() else {
            return match op == simt::WaveElect::NAME {
                true => Ok(Bound(format!("{lane} == {}", first_lane(&mask)), prec::EQUAL)),
                false => Err(self.internal("an exchange of nothing")),
            };
        };
        let (value, ty) = (self.expr(f, first)?, first.ty.clone());
        let given = [(mask.clone(), UINT), (value.clone(), ty.clone())];
        // Bits of lanes are a number with a sign where the program has one.
        let bits = |text: Bound| if *of == UINT { text } else { atom(format!("{signed}({})", text.0)) };
        let with = |index: String| [given[0].clone(), given[1].clone(), (index, UINT)];
        Ok(match op {
            _ if op == gpu::SubgroupReduce::NAME => self.folded(word, &given, &ty)?,
            _ if op == simt::WaveScan::NAME => {
                let (kind, shift) = match word.strip_prefix("inclusive ") {
                    Some(kind) => (kind, "2u"),
                    None => (word, "1u"),
                };
                self.folded(kind, &with(format!("{among} & (({shift} << ({lane})) - 1u)")), &ty)?
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
            _ if op == simt::WaveBallot::NAME => bits(Bound(self.ballot(&mask, &value)?, prec::BIT_AND)),
            _ if op == simt::WaveVote::NAME => {
                let inner = if word == "all" { format!("!({value})") } else { value };
                let sign = if word == "all" { "==" } else { "!=" };
                Bound(format!("({}) {sign} 0u", self.ballot(&mask, &inner)?), prec::EQUAL)
            }
            _ if op == simt::WaveMatch::NAME => bits(atom(format!("{}({mask}, {value})", self.matching(&ty)?))),
            _ if op == simt::WaveAllEqual::NAME => {
                let truth = ty.with_scalar(Scalar::Bool);
                let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
                    let name = p.matching(&types[1])?;
                    Ok(Bound(format!("{name}({}, {}) == {}", texts[0], texts[1], operand(&texts[0])), prec::EQUAL))
                };
                self.lifted_call("wave_all_equal", &given, &truth, &mut one)?
            }
            _ if op == simt::WaveSums::NAME => self.sums(f, &mask, args, of)?,
            _ if op == simt::WaveSumsByKey::NAME => self.sums_by_key(f, &mask, args, (result, of))?,
            _ => return Err(self.refuse(format!("`{op}`"))),
        })
    }

    /// The name of a function that exchanges values of a type; numbers that are words have others
    /// than vectors.
    pub(super) fn wave_name(&mut self, what: &str, ty: &Ty) -> Text {
        let (name, word) = (self.wave_word(what, ty), self.shader_ty(ty, false)?);
        Ok(self.typed_name(&name, &[word]))
    }

    fn wave_word(&self, what: &str, ty: &Ty) -> String {
        format!("{}wave_{what}", if self.is_wide(ty) { "wide_" } else { "" })
    }

    /// What tells a function of small numbers, which are held by wider ones, from those of others.
    fn small_word(&self, ty: &Ty) -> String {
        let small = ty.scalar().filter(|s| self.is_held(*s));
        small.map_or_else(String::new, |s| format!("_{}", s.name()))
    }

    /// The lanes that take part, combined; some of them, if the third argument says which.
    fn folded(&mut self, kind: &str, given: &[(String, Ty)], ty: &Ty) -> Result<Bound, Diagnostic> {
        let name = self.wave_word(&format!("{}{}", combined_word(kind), self.small_word(ty)), ty);
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| {
            let [all, some] = p.fold(kind, ty)?;
            let name = if texts.len() > 2 { some } else { all };
            Ok(atom(format!("{name}({})", texts.join(", "))))
        };
        self.lifted_call(&name, given, ty, &mut one)
    }

    /// The functions that combine numbers: of all lanes that take part, and of some of them.
    fn fold(&mut self, kind: &str, ty: &Ty) -> Result<[String; 2], Diagnostic> {
        self.exchanged(ty)?;
        let scalar = ty.scalar().ok_or_else(|| self.internal("no number"))?;
        let (word, small) = (self.shader_ty(ty, false)?, self.small_word(ty));
        // Words do not say whether they have a sign.
        let what = format!("{}{small}", if self.is_wide(ty) { kind } else { combined_word(kind) });
        let name = self.wave_name(&what, ty)?;
        let some =
            if self.statements().overloads { name.clone() } else { self.wave_name(&format!("{what}_some"), ty)? };
        if self.shading.seen.insert(format!("fold {kind} {word}{small}")) {
            let (none, [begin, end]) = (self.nothing_combined(kind, scalar)?, self.published(ty)?);
            let value = self.lane_value(ty, "own", "source")?;
            let new = match (kind, scalar) {
                ("and", Scalar::Bool) => "old && value".to_string(),
                ("or", Scalar::Bool) => "old || value".to_string(),
                ("xor", Scalar::Bool) => "old != value".to_string(),
                ("add" | "mul", _) => {
                    let new = self.combined_values(kind, scalar)?;
                    self.cut(&new, scalar)?
                }
                // Of small numbers these give small ones.
                _ => self.combined_values(kind, scalar)?,
            };
            let (syntax, unsigned, truth) = (self.statements(), self.word(Scalar::U32), self.word(Scalar::Bool));
            let exact = format!("{}{word}", if scalar.is_float() { syntax.precise } else { "" });
            let inner = (syntax.choose)("first", "value", "both");
            let body = [
                format!("\n{begin}    {}\n", (syntax.variable)(&exact, "old", &none)),
                format!("    {}\n", (syntax.variable)(truth, "first", "true")),
                self.each_lane()?,
                format!("        {}\n", (syntax.unassigned)(&word, "value", &value)),
                format!("        {}\n", (syntax.unassigned)(truth, "takes", "((some >> source) & 1u) != 0u")),
                format!("        {}\n", (syntax.unassigned)(&exact, "both", &new)),
                format!("        old = {};\n", (syntax.choose)("takes", &inner, "old")),
                format!("        first = first && !takes;\n    }}\n{end}    return old;\n"),
            ];
            let params = [(unsigned, "mask"), (&word[..], "own"), (unsigned, "some")];
            let of_some = self.made_function(Some(&exact), &some, &params, &body.concat());
            let body = format!(" return {some}(mask, own, mask); ");
            let of_all = self.made_function(Some(&exact), &name, &params[..2], &body);
            self.shading.made.push(format!(
                "// Of the lanes in `mask`, which are here, those in `some` are combined, in their order.\n{of_some}{of_all}"
            ));
        }
        Ok([name, some])
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
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("read", ty)?);
        if self.shading.seen.insert(format!("wave_read {word}")) {
            let (zero, syntax, unsigned) = (self.shader_zero(ty, false)?, self.statements(), self.word(Scalar::U32));
            let [begin, end] = self.published(ty)?;
            let there = "source < 32u && ((mask >> source) & 1u) != 0u";
            let value = (syntax.unassigned)(&word, "value", &self.any_lane(ty, ("own", "source"), there)?);
            let found = (syntax.choose)(there, "value", &zero);
            let params = [(unsigned, "mask"), (&word[..], "own"), (unsigned, "source")];
            let body = format!("\n{begin}    {value}\n{end}    return {found};\n");
            let text = self.made_function(Some(&word), &name, &params, &body);
            self.shading.made.push(text);
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
        let (unsigned, int) = (self.word(Scalar::U32), self.word(Scalar::I32));
        let lane = format!("{int}({} % 32u)", self.shader()?.thread_number);
        let signed = |p: &mut Self, e: &Expr| Ok::<_, Diagnostic>(format!("{int}({})", p.expr(f, e)?));
        let (offset, width) = (signed(self, offset)?, signed(self, width)?);
        let from = match word {
            "xor" => format!("{lane} ^ {offset}"),
            "up" => format!("{lane} - {offset}"),
            "down" => format!("{lane} + {offset}"),
            _ => offset,
        };
        let name = self.function_name("wave_source");
        if self.shading.seen.insert("wave_source".to_string()) {
            let syntax = self.statements();
            let found = format!("((mask >> {unsigned}(source)) & 1u) != 0u");
            let body = [
                (syntax.unassigned)(int, "lane", &lane),
                (syntax.when)("width <= 0", "return 32u;"),
                (syntax.unassigned)(int, "start", "lane / width * width"),
                (syntax.when)("source < start || source > 31 || source - start >= width", "return 32u;"),
                format!("return {};", (syntax.choose)(&found, &format!("{unsigned}(source)"), "32u")),
            ];
            let body: String = body.iter().map(|line| format!("\n    {line}")).collect();
            let params = [(unsigned, "mask"), (int, "source"), (int, "width")];
            let text = self.made_function(Some(unsigned), &name, &params, &(body + "\n"));
            self.shading.made.push(format!(
                "// The lane that a value comes from: one that takes part, in the same row of so many; else 32.\n{text}"
            ));
        }
        let source = format!("{name}({mask}, {from}, {width})");
        if result != 0 {
            return Ok(Bound(format!("{source} < 32u"), prec::COMPARE));
        }
        let (ty, value) = (value.ty.clone(), self.expr(f, value)?);
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], ty: &Ty| {
            let name = p.shuffle(ty)?;
            Ok(atom(format!("{name}({})", texts.join(", "))))
        };
        self.lifted_call(&self.wave_word("shuffle", &ty), &[(value, ty.clone()), (source, UINT)], &ty, &mut one)
    }

    /// The function that gives a bit for each lane that has the same value as this one.
    fn matching(&mut self, ty: &Ty) -> Text {
        self.exchanged(ty)?;
        let (word, name) = (self.shader_ty(ty, false)?, self.wave_name("match", ty)?);
        if self.shading.seen.insert(format!("wave_match {word}")) {
            // Vectors of the language are compared as wholes.
            let same = match self.is_native(ty) {
                true if self.shader()?.syntax.compare.is_none() && (ty.is_vector() || self.is_wide(ty)) => {
                    "all(value == own)"
                }
                true => "value == own",
                false => return Err(self.refuse("a comparison of matrices between lanes")),
            };
            let (value, [begin, end]) = (self.lane_value(ty, "own", "source")?, self.published(ty)?);
            let (syntax, unsigned) = (self.statements(), self.word(Scalar::U32));
            let body = [
                format!("\n{begin}    {}\n", (syntax.variable)(unsigned, "same", "0u")),
                self.each_lane()?,
                format!("        {}\n", (syntax.unassigned)(&word, "value", &value)),
                format!("        {}\n    }}\n{end}    return same;\n", (syntax.when)(same, "same |= 1u << source;")),
            ];
            let params = [(unsigned, "mask"), (&word[..], "own")];
            let text = self.made_function(Some(unsigned), &name, &params, &body.concat());
            self.shading.made.push(text);
        }
        Ok(name)
    }

    /// Several sums, of which each lane is given one.
    fn sums(&mut self, f: &Frame<'_>, mask: &str, args: &[Expr], of: &Ty) -> Result<Bound, Diagnostic> {
        let ty = of.clone();
        let (word, [add, _]) = (self.shader_ty(&ty, false)?, self.fold("add", &ty)?);
        let (count, zero) = (args.len(), self.shader_zero(&ty, false)?);
        // Numbers of one width are added alike, with a sign or without one.
        let value = |p: &mut Self, a: &Expr| {
            let text = p.expr(f, a)?;
            Ok(if a.ty == ty { text } else { format!("{word}({text})") })
        };
        let values = args.iter().map(|a| value(self, a)).collect::<Result<Vec<_>, Diagnostic>>()?;
        let small = self.small_word(&ty);
        let name = self.wave_name(&format!("sums_{count}{small}"), &ty)?;
        if self.shading.seen.insert(format!("wave_sums {word}{small} {count}")) {
            let (syntax, unsigned) = (self.statements(), self.word(Scalar::U32));
            let names: Vec<String> = (0..count).map(|k| format!("value_{k}")).collect();
            let mut params = vec![(unsigned, "mask"), (unsigned, "number")];
            params.extend(names.iter().map(|name| (&word[..], &name[..])));
            let mut body = format!("\n    {}\n", (syntax.variable)(&word, "own", &zero));
            for (k, value) in names.iter().enumerate() {
                body += &format!(
                    "    {}\n",
                    (syntax.unassigned)(&word, &format!("sum_{k}"), &format!("{add}(mask, {value})"))
                );
                body += &format!("    {}\n", (syntax.when)(&format!("number == {k}u"), &format!("own = sum_{k};")));
            }
            let text = self.made_function(Some(&word), &name, &params, &(body + "    return own;\n"));
            self.shading.made.push(text);
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
        let (takes, matching) = (self.expr(f, takes)?, self.matching(&key.ty)?);
        let key = self.expr(f, key)?;
        let (peers, leads) = (self.function_name("wave_peers"), self.function_name("wave_leads"));
        if self.shading.seen.insert("wave_peers".to_string()) {
            self.exchanged(&BOOL)?;
            let (ballot, bit) = (self.ballot("same", "takes")?, self.shader()?.lanes.first_bit);
            let (syntax, unsigned, truth) = (self.statements(), self.word(Scalar::U32), self.word(Scalar::Bool));
            let all = (syntax.unassigned)(unsigned, "all", &ballot);
            let body = format!("\n    {all}\n    return {};\n", (syntax.choose)("takes", "all", "0u"));
            let params = [(unsigned, "same"), (truth, "takes")];
            let of_peers = self.made_function(Some(unsigned), &peers, &params, &body);
            let lane = self.shader()?.thread_number;
            let body = format!(" return peers != 0u && {unsigned}({bit}(peers)) == {lane} % 32u; ");
            let of_leads = self.made_function(Some(truth), &leads, &[(unsigned, "peers")], &body);
            self.shading.made.push(of_peers + &of_leads);
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
        let [_, add] = self.fold("add", &ty)?;
        let (word, zero) = (self.shader_ty(&ty, false)?, self.shader_zero(&ty, false)?);
        let small = self.small_word(&ty);
        let name = self.wave_name(&format!("lead{small}"), &ty)?;
        if self.shading.seen.insert(format!("wave_lead {word}{small}")) {
            let (syntax, unsigned) = (self.statements(), self.word(Scalar::U32));
            let sum = (syntax.unassigned)(&word, "sum", &format!("{add}(mask, own, peers)"));
            let own = (syntax.choose)(&format!("{leads}(peers)"), "sum", &zero);
            let params = [(unsigned, "mask"), (&word[..], "own"), (unsigned, "peers")];
            let text = self.made_function(Some(&word), &name, &params, &format!("\n    {sum}\n    return {own};\n"));
            self.shading.made.push(text);
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
