//! Expressions.

use super::super::expr::{Bound, atom, is_safe, turned_over};
use super::super::{Frame, Printer, Text};
use super::emulated::is_wide;
use super::instance::AXES;
use crate::lang::syntax::Small;
use crate::ops::{Accuracy, Row, Spelling, prec};
use crate::tree::{Arg, Compare, Expr, Id, Kind, Literal, Step};
use crate::types::{BOOL, Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

impl Printer<'_> {
    pub(in super::super) fn shader_bound(&mut self, f: &Frame<'_>, e: &Expr) -> Result<Bound, Diagnostic> {
        Ok(match &e.kind {
            Kind::Literal(literal) => self.shader_literal(*literal, &e.ty)?,
            Kind::Zero => cast(self.shader_zero(&e.ty, false)?),
            Kind::Read(place) => self.read(f, place, &e.ty)?,
            Kind::Op { row, args } => self.shader_row(f, row, args, &e.ty)?,
            Kind::Compare(how, a, b) => self.shader_compare(f, *how, a, b)?,
            Kind::Not(inner) if inner.ty.is_vector() => {
                if self.is_native(&inner.ty) {
                    let Some(not) = self.shader()?.syntax.not else {
                        let text = self.bound(f, inner)?.within(prec::UNARY);
                        return Ok(Bound(format!("!{text}"), prec::UNARY));
                    };
                    return Ok(atom(format!("{not}({})", self.expr(f, inner)?)));
                }
                let text = self.expr(f, inner)?;
                let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(format!("!{}", texts[0])));
                self.lifted_call("not_all", &[(text, inner.ty.clone())], &e.ty, &mut one)?
            }
            Kind::Not(inner) if matches!(&inner.kind, Kind::Compare(_, a, _) if self.is_wide(&a.ty)) => {
                let text = self.bound(f, inner)?.within(prec::UNARY);
                Bound(format!("!{text}"), prec::UNARY)
            }
            Kind::Not(inner) => self.not(f, inner)?,
            Kind::And(a, b) => self.shader_infix(f, ("&&", prec::AND), (a, b), &e.ty)?,
            Kind::Or(a, b) => self.shader_infix(f, ("||", prec::OR), (a, b), &e.ty)?,
            Kind::Choose(c, a, b) => self.choose(f, c, a, b)?,
            Kind::Convert(inner) => self.shader_convert(f, inner, &e.ty)?,
            Kind::Make(parts) => self.shader_make(f, parts, &e.ty)?,
            Kind::Splat(inner) => self.shader_splat(f, inner, &e.ty)?,
            Kind::Part(inner, steps) => self.part_of_value(f, inner, steps, &e.ty)?,
            Kind::Swizzle(inner, numbers) => {
                let text = self.bound(f, inner)?.within(prec::POSTFIX);
                atom(format!("{text}.{}", numbers.iter().filter_map(|&k| AXES.get(k)).copied().collect::<String>()))
            }
            Kind::Call(callee, args) => {
                let callee = self.known(*callee)?;
                let mut parts = Vec::new();
                for arg in args {
                    parts.push(match arg {
                        Arg::Value(value) => self.expr(f, value)?,
                        Arg::Place(place) => self.place_for_callee(f, place)?,
                    });
                }
                atom(format!("{callee}({})", parts.join(", ")))
            }
            Kind::Id(id, dimension) => self.shader_id(*id, *dimension)?,
            Kind::Length(buffer) => self.shader_length(buffer, &e.ty)?,
            Kind::Atomic { kind, place, args } => self.shader_atomic(f, kind, place, args, &e.ty)?,
            Kind::Count(buffer, delta) => self.shader_count(buffer, *delta)?,
            Kind::Address(number) => self.shader_address(*number)?,
            Kind::TapeLength(_) => return Err(self.refuse("an array that grows")),
            Kind::Handle(_) => return Err(self.refuse("a resource as a value")),
            Kind::TexelUpdate { .. } | Kind::Texture { .. } if self.lacks_texels()? => {
                return Err(self.refuse("an access to a texture"));
            }
            Kind::Wave { op, word, args, masked, result, .. } => {
                self.shader_wave(f, (op, word, *result), (args, &e.ty), *masked)?
            }
            Kind::TexelUpdate { kind, texture, args } => self.shader_texel_update(f, kind, (texture, args), &e.ty)?,
            Kind::Texture { op, texture, args } => self.shader_texture(f, (op, texture, args), &e.ty)?,
        })
    }

    pub(in super::super) fn shader_literal(&mut self, literal: Literal, ty: &Ty) -> Result<Bound, Diagnostic> {
        let scalar = ty.scalar().ok_or_else(|| self.internal("a literal of no scalar"))?;
        self.note_scalar(scalar, false)?;
        Ok(match literal {
            Literal::Bool(value) => atom(value.to_string()),
            Literal::Int(value) if scalar == Scalar::Bool => atom((value != 0).to_string()),
            Literal::Int(value) => self.integer_literal(value, scalar),
            // A half is the float that it is.
            Literal::Float(value) if self.in_words() => self.float_literal(value, Scalar::F32)?,
            Literal::Float(value) => self.float_literal(value, scalar)?,
        })
    }

    pub(in super::super) fn integer_literal(&self, value: i64, scalar: Scalar) -> Bound {
        let word = (self.language.scalar)(scalar);
        let suffix = self.language.shader.map_or("", |s| (s.literal)(scalar));
        if self.is_words(scalar) {
            return atom(self.pair(&format!("{}u", value as u32), &format!("{}u", (value >> 32) as u32)));
        }
        let bits = 8 * scalar.size() as u32;
        let wide = bits >= 32;
        if scalar.is_signed() {
            let least = i64::MIN >> (64 - bits);
            return match value {
                v if v == least && wide && self.in_words() => atom(format!("({}i - 1i)", v + 1)),
                v if v == least && wide => atom(format!("({}{suffix} - 1{suffix})", v + 1)),
                // What is computed of literals alone may have no type yet.
                v if wide && v < 0 && self.in_words() => Bound(format!("{v}i"), prec::UNARY),
                v if wide => Bound(format!("{v}{suffix}"), if v < 0 { prec::UNARY } else { prec::POSTFIX }),
                v => atom(format!("{word}({v})")),
            };
        }
        let masked = value as u64 & (u64::MAX >> (64 - bits));
        atom(if wide { format!("{masked}{suffix}") } else { format!("{word}({masked})") })
    }

    pub(super) fn float_literal(&mut self, value: f64, scalar: Scalar) -> Result<Bound, Diagnostic> {
        let scalar = if self.is_held(scalar) { Scalar::F32 } else { scalar };
        let kind = match scalar {
            Scalar::F64 => caustic_ir::FloatKind::F64,
            Scalar::F32 => caustic_ir::FloatKind::F32,
            _ => caustic_ir::FloatKind::F16,
        };
        if !value.is_finite() && scalar == Scalar::F64 && self.is_words(Scalar::U64) {
            self.instance("double_of_words", scalar, scalar)?;
            let bits = value.to_bits();
            let pair = self.pair(&format!("{}u", bits as u32), &format!("{}u", bits >> 32));
            return Ok(atom(format!("double_of_words({pair})")));
        }
        if !value.is_finite() {
            let words = (self.shader()?.words)(scalar).ok_or_else(|| self.internal("no float"))?;
            self.note_scalar(words.unsigned, false)?;
            let bits = caustic_ir::real::bits_of(value, kind);
            if let Some(snippet) = self.language.snippets.iter().find(|s| s.id == words.from_bits) {
                self.instance(snippet.id, scalar, scalar)?;
            }
            let suffix = (self.shader()?.literal)(words.unsigned);
            let number = format!("0x{bits:x}{suffix}");
            let number = match scalar {
                Scalar::F16 => format!("{}({number})", self.word(words.unsigned)),
                _ => number,
            };
            return Ok(atom(format!("{}({number})", words.from_bits)));
        }
        // The shortest digits may be of a number beyond all floats.
        let extreme = self.in_words() && !(1e-37..=3.4e38).contains(&value.abs()) && value != 0.0;
        let exact = scalar == Scalar::F64 || extreme;
        let digits = if exact { format!("{value:?}") } else { format!("{:?}", value as f32) };
        let suffix = (self.language.suffix)(scalar);
        if scalar == Scalar::F16 {
            return Ok(atom(format!("{}({digits}{suffix})", (self.language.scalar)(scalar))));
        }
        let strength = if digits.starts_with('-') { prec::UNARY } else { prec::POSTFIX };
        Ok(Bound(format!("{digits}{suffix}"), strength))
    }

    fn shader_row(&mut self, f: &Frame<'_>, row: &'static Row, args: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        if self.is_wide_row(args, ty) {
            return self.emulated_row(f, row, args, ty);
        }
        if let Some(a) = turned_over(row, args).filter(|a| a.ty.is_scalar() || self.is_native(&a.ty)) {
            return Ok(Bound(format!("~{}", self.bound(f, a)?.within(prec::UNARY)), prec::UNARY));
        }
        let text = self.spelled_row(f, row, args, ty)?;
        let text = self.counted_bits(row, text, args, ty)?;
        if Self::keeps(row) { Ok(text) } else { self.cut_to(text, ty) }
    }

    /// Notes how exact an op is on floats that are no doubles.
    pub(super) fn note_accuracy(&mut self, op: &'static str, accuracy: Accuracy) {
        if accuracy != Accuracy::Exact {
            self.shading.accuracy.insert(op, accuracy);
        }
    }

    fn spelled_row(&mut self, f: &Frame<'_>, row: &'static Row, args: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        let shading = (self.shader()?.shading)(row);
        if shading.accuracy != Accuracy::Exact {
            match ty.scalar() {
                Some(Scalar::F64) => {
                    self.shading.accuracy.entry(row.op.name).or_insert(shading.accuracy.of_doubles());
                }
                _ => self.note_accuracy(row.op.name, shading.accuracy),
            }
        }
        if self.is_wide(ty) && !matches!(shading.spelling, Spelling::Convert | Spelling::Bits | Spelling::Refuse(_)) {
            return self.wide_row(f, shading.spelling, args, ty);
        }
        match (shading.spelling, args) {
            (Spelling::Infix(sign, strength), [a, b]) => self.shader_infix(f, (sign, strength), (a, b), ty),
            (Spelling::Guarded(sign, strength, guard, ..), [a, b]) if is_safe(guard, b) => {
                self.shader_infix(f, (sign, strength), (a, b), ty)
            }
            (Spelling::Prefix(sign), [a]) => {
                let inner = self.bound(f, a)?;
                let signed = |inner: Bound| {
                    let text =
                        if inner.0.starts_with('-') { format!("({})", inner.0) } else { inner.within(prec::UNARY) };
                    Bound(format!("{sign}{text}"), prec::UNARY)
                };
                if self.is_native(&a.ty) {
                    return Ok(signed(inner));
                }
                let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(signed(atom(texts[0].clone())));
                self.lifted_call("negative", &[(inner.0, a.ty.clone())], ty, &mut one)
            }
            (Spelling::Call(name), _) => {
                let literal = args.iter().all(|a| a.literal().is_some());
                let mut args = self.typed(f, args)?;
                if literal
                    && self.in_words()
                    && let Some((text, ty)) = args.first_mut()
                    && ty.is_float()
                {
                    // What is no number, or infinite, may be no constant.
                    self.instance("at_run_time", Scalar::F32, Scalar::F32)?;
                    let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                        Ok(atom(format!("at_run_time({})", texts[0])))
                    };
                    *text = self.lifted_call("at_run_time", &[(text.clone(), ty.clone())], &ty.clone(), &mut one)?.0;
                }
                self.native_call(name, shading.accuracy, &args, ty)
            }
            (Spelling::Snippet(name, id) | Spelling::Guarded(_, _, _, name, id), _) => {
                let args = self.typed(f, args)?;
                let exact = shading.accuracy == Accuracy::Exact;
                let mut one = |p: &mut Self, texts: &[String], types: &[Ty], result: &Ty| {
                    let scalar = types.first().and_then(Ty::scalar).unwrap_or(Scalar::F32);
                    p.snippet_call(name, id, (texts, scalar), result, exact)
                };
                self.lifted_call(name, &args, ty, &mut one)
            }
            (Spelling::Template(template, "saturate"), [_]) => {
                let _ = template;
                let args = self.typed(f, args)?;
                let to = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
                let small = self.in_words() && to.size() < 4;
                let name = format!("saturate_to_{}", if small { to.name() } else { self.word(to) });
                let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
                    let from = types.first().and_then(Ty::scalar).unwrap_or(Scalar::F32);
                    if p.in_words() && to.size() < 4 {
                        return p.saturated_small(&texts[0], to);
                    }
                    p.instance("saturate", from, to)?;
                    Ok(atom(format!("{name}({})", texts[0])))
                };
                self.lifted_call(&name, &args, ty, &mut one)
            }
            (Spelling::Bits, [a]) => self.shader_bits(f, a, ty),
            (Spelling::Template(..), [a]) => {
                // A truth value is -1 as a signed number.
                let args = self.typed(f, std::slice::from_ref(a))?;
                let mut one = |p: &mut Self, texts: &[String], _: &[Ty], to: &Ty| {
                    let word = p.shader_ty(to, false)?;
                    Ok(atom(format!("{word}(-{}({}))", p.word(Scalar::I32), texts[0])))
                };
                let to = ty.scalar().map_or("", |s| self.word(s));
                self.lifted_call(&format!("from_truth_to_{to}"), &args, ty, &mut one)
            }
            (Spelling::Convert, [a]) => self.shader_convert(f, a, ty),
            (Spelling::Refuse(why), _) => Err(self.refuse(why)),
            _ => Err(self.internal(format!("{row:?} has other operands"))),
        }
    }

    pub(super) fn typed(&mut self, f: &Frame<'_>, args: &[Expr]) -> Result<Vec<(String, Ty)>, Diagnostic> {
        args.iter().map(|a| Ok((self.expr(f, a)?, a.ty.clone()))).collect()
    }

    /// A function of the language. It has functions of `float` for all; halves go through it.
    fn native_call(
        &mut self,
        name: &'static str,
        accuracy: Accuracy,
        args: &[(String, Ty)],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let scalar = ty.scalar().ok_or_else(|| self.internal("no scalar"))?;
        let exact = accuracy == Accuracy::Exact || ["sqrt", "inversesqrt", "rsqrt"].contains(&name);
        let own = format!("{name}_double");
        if scalar == Scalar::F64 && (!exact || self.language.snippets.iter().any(|s| s.id == own)) {
            return self.double_call(name, args, ty);
        }
        // Two roundings would not be one.
        let syntax = self.shader()?.syntax;
        let native = syntax.halves_called || name == "fma" && syntax.small == Small::Native;
        let by_float = scalar == Scalar::F16 && !self.in_words() && !native;
        if self.is_native(ty) && !by_float {
            let texts: Vec<&str> = args.iter().map(|(text, _)| text.as_str()).collect();
            return Ok(atom(format!("{name}({})", texts.join(", "))));
        }
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], result: &Ty| {
            if !by_float {
                return Ok(atom(format!("{name}({})", texts.join(", "))));
            }
            let word = p.shader_ty(result, false)?;
            let float = p.word(Scalar::F32);
            let texts: Vec<String> = texts.iter().map(|t| format!("{float}({t})")).collect();
            Ok(atom(format!("{word}({name}({}))", texts.join(", "))))
        };
        let lifted = format!("{name}_each");
        self.lifted_call(&lifted, args, ty, &mut one)
    }

    /// A function of doubles of ours: the language has none.
    fn double_call(&mut self, name: &str, args: &[(String, Ty)], ty: &Ty) -> Result<Bound, Diagnostic> {
        let function = format!("{name}_double");
        let row = self.language.snippets.iter().find(|s| s.id == function);
        let id = row.ok_or_else(|| self.refuse(format!("`{name}` of a double")))?.id;
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
            p.instance(id, Scalar::F64, Scalar::F64)?;
            Ok(atom(format!("{id}({})", texts.join(", "))))
        };
        self.lifted_call(id, args, ty, &mut one)
    }

    /// A snippet's function of scalars.
    fn snippet_call(
        &mut self,
        name: &str,
        id: &'static str,
        (texts, scalar): (&[String], Scalar),
        result: &Ty,
        exact: bool,
    ) -> Result<Bound, Diagnostic> {
        if exact || scalar == Scalar::F32 {
            self.instance(id, scalar, scalar)?;
            let text = self.language.snippets.iter().find(|s| s.id == id).map_or("", |s| s.text);
            let typed = format!("{name}_$T");
            let name = if text.contains(&typed) { typed.replace("$T", self.word(scalar)) } else { name.to_string() };
            return Ok(atom(format!("{name}({})", texts.join(", "))));
        }
        if scalar == Scalar::F64 {
            let args: Vec<(String, Ty)> = texts.iter().map(|t| (t.clone(), result.clone())).collect();
            return self.double_call(name, &args, result);
        }
        self.instance(id, Scalar::F32, Scalar::F32)?;
        let word = self.shader_ty(result, false)?;
        let texts: Vec<String> = texts.iter().map(|t| format!("float({t})")).collect();
        Ok(atom(format!("{word}({name}({}))", texts.join(", "))))
    }

    /// Bits of one type as another.
    fn shader_bits(&mut self, f: &Frame<'_>, a: &Expr, ty: &Ty) -> Result<Bound, Diagnostic> {
        let args = self.typed(f, std::slice::from_ref(a))?;
        let scalars = a.ty.scalar().zip(ty.scalar());
        let (from, to) = scalars.ok_or_else(|| self.internal("bits of no scalar"))?;
        self.note_scalar(from, false)?;
        self.note_scalar(to, false)?;
        if self.in_words() && (from == Scalar::F16 || to == Scalar::F16) && from != to {
            let mut one =
                |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(p.half_bits(&texts[0], from, to)?));
            let name = if to == Scalar::F16 { "half_of_bits" } else { "bits_of_half" };
            return self.lifted_call(name, &args, ty, &mut one);
        }
        if !self.in_words() && (self.is_held(from) || self.is_held(to)) {
            let mut one =
                |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(p.held_bits(&texts[0], from, to)?));
            let name = format!("bits_of_{}_as_{}", from.name(), to.name());
            return self.lifted_call(&name, &args, ty, &mut one);
        }
        let function = (self.shader()?.bits_as)(from, to);
        if let Some(own) = self.language.snippets.iter().find(|s| Some(s.id) == function) {
            self.instance(own.id, from, to)?;
        }
        if from != to && function.is_none() && (from.is_float() || to.is_float()) {
            return Err(self.refuse("bits of such a type"));
        }
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], result: &Ty| {
            let word = p.shader_ty(result, false)?;
            Ok(atom(format!("{}({})", function.unwrap_or(&word), texts[0])))
        };
        let name = format!("bits_as_{}", (self.language.scalar)(to));
        self.lifted_call(&name, &args, ty, &mut one)
    }

    /// A scalar as another.
    pub(super) fn converted(&mut self, text: &str, from: Scalar, to: Scalar) -> Text {
        if self.is_words(from) || self.is_words(to) {
            return Ok(self.wide_convert(text, from, to)?.0);
        }
        if self.is_held(to) && from != to {
            return if from == Scalar::F64 { self.half_of_double(text) } else { self.cut(text, to) };
        }
        Ok(format!("{}({text})", (self.language.scalar)(to)))
    }

    pub(super) fn shader_convert(&mut self, f: &Frame<'_>, inner: &Expr, ty: &Ty) -> Result<Bound, Diagnostic> {
        let args = self.typed(f, std::slice::from_ref(inner))?;
        let scalars = inner.ty.scalar().zip(ty.scalar());
        let (from, to) = scalars.ok_or_else(|| self.internal("a conversion of no scalar"))?;
        let word = self.shader_ty(ty, false)?;
        if self.in_words() && (is_wide(from) || is_wide(to)) {
            let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                Ok(Bound(p.emulated_convert(&texts[0], from, to)?, 0))
            };
            let name = format!("convert_{}_{}", from.name(), to.name());
            let text = self.lifted_call(&name, &args, ty, &mut one)?;
            // What is no atom is told by its strength.
            return Ok(if text.0.contains(' ') { Bound(format!("({})", text.0), prec::POSTFIX) } else { atom(text.0) });
        }
        if self.is_words(from) || self.is_words(to) {
            let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| p.wide_convert(&texts[0], from, to);
            let name = format!("wide_{}_to_{}", from.name(), to.name());
            return self.lifted_call(&name, &args, ty, &mut one);
        }
        if !self.in_words() && self.is_held(to) && from != to {
            let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                Ok(atom(if from == Scalar::F64 { p.half_of_double(&texts[0])? } else { p.cut(&texts[0], to)? }))
            };
            return self.lifted_call(&format!("to_{}", to.name()), &args, ty, &mut one);
        }
        // The last bit, not whether there is any.
        let by_bit = to == Scalar::Bool && is_integer(from);
        if self.in_words() && self.is_native(ty) && !by_bit {
            let same = self.word(from) == self.word(to);
            let text = if same { args[0].0.clone() } else { format!("{word}({})", args[0].0) };
            let fits = is_integer(from) && from.size() < to.size() && (!from.is_signed() || to.is_signed());
            let text = if same && !self.is_cut(ty) { self.bound(f, inner)? } else { atom(text) };
            return if fits || (same && from == to) { Ok(text) } else { self.cut_to(text, ty) };
        }
        if self.is_native(ty) && self.is_native(&inner.ty) && !by_bit {
            return Ok(atom(format!("{word}({})", args[0].0)));
        }
        let mut one = |p: &mut Self, texts: &[String], _: &[Ty], result: &Ty| {
            let word = p.shader_ty(result, false)?;
            if by_bit {
                let (one, zero) = (p.integer_literal(1, from).0, p.integer_literal(0, from).0);
                return Ok(Bound(format!("(({}) & {one}) != {zero}", texts[0]), prec::EQUAL));
            }
            Ok(atom(format!("{word}({})", texts[0])))
        };
        let name = format!("to_{}", (self.language.scalar)(to));
        let text = self.lifted_call(&name, &args, ty, &mut one)?;
        self.cut_to(text, ty)
    }

    fn shader_compare(&mut self, f: &Frame<'_>, how: Compare, a: &Expr, b: &Expr) -> Result<Bound, Diagnostic> {
        let (sign, strength, each) = match how {
            Compare::Equal => ("==", prec::EQUAL, "equal_each"),
            Compare::NotEqual => ("!=", prec::EQUAL, "notEqual_each"),
            Compare::Less => ("<", prec::COMPARE, "lessThan_each"),
            Compare::LessEqual => ("<=", prec::COMPARE, "lessThanEqual_each"),
            Compare::Greater => (">", prec::COMPARE, "greaterThan_each"),
            Compare::GreaterEqual => (">=", prec::COMPARE, "greaterThanEqual_each"),
        };
        let emulated = a.ty.scalar().filter(|s| is_wide(*s) && self.in_words());
        let args = match emulated {
            // Two words are compared by operators.
            Some(_) => [a, b].map(|e| Ok((self.bound(f, e)?.within(prec::UNARY), e.ty.clone()))),
            None => [a, b].map(|e| Ok((self.expr(f, e)?, e.ty.clone()))),
        };
        let [left, right]: [Result<(String, Ty), Diagnostic>; 2] = args;
        let args = [left?, right?];
        let truth = a.ty.with_scalar(Scalar::Bool);
        if let Some(scalar) = emulated {
            let mut one = |p: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                let text = p.emulated_compare(how, (&texts[0], &texts[1]), scalar.is_signed())?;
                let strength = if text.starts_with('!') { prec::UNARY } else { prec::POSTFIX };
                Ok(Bound(text, strength))
            };
            return self.lifted_call(&format!("{each}_{}", scalar.name()), &args, &truth, &mut one);
        }
        if self.is_wide(&a.ty) {
            return self.wide_compare(how, &args, &truth);
        }
        // Whether a number is none is asked of its bits, which no compiler takes to be any number.
        if args[0].0 == args[1].0 && a.ty.is_float() && matches!(how, Compare::Equal | Compare::NotEqual) {
            let mut one = |p: &mut Self, texts: &[String], types: &[Ty], _: &Ty| {
                let scalar = types.first().and_then(Ty::scalar).unwrap_or(Scalar::F32);
                p.instance("is_nan", scalar, scalar)?;
                let not = if how == Compare::Equal { "!" } else { "" };
                Ok(Bound(format!("{not}is_nan({})", texts[0]), prec::UNARY))
            };
            let name = if how == Compare::Equal { "is_number" } else { "is_nan" };
            return self.lifted_call(name, &args[..1], &truth, &mut one);
        }
        let by_equal = how == Compare::NotEqual && a.ty.is_float() && self.statements().unequal_is_ordered;
        if by_equal && (!a.ty.is_vector() || self.is_native(&a.ty)) {
            let equal = self.shader_compare(f, Compare::Equal, a, b)?;
            return Ok(Bound(format!("!{}", equal.within(prec::UNARY)), prec::UNARY));
        }
        if !a.ty.is_vector() || (self.shader()?.syntax.compare.is_none() && self.is_native(&a.ty)) {
            return self.infix(f, sign, strength, a, b);
        }
        if self.is_native(&a.ty) {
            let Some(compare) = self.shader()?.syntax.compare else { return self.infix(f, sign, strength, a, b) };
            return Ok(atom(format!("{}({}, {})", compare(how), args[0].0, args[1].0)));
        }
        let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
            if by_equal {
                return Ok(Bound(format!("!({} == {})", texts[0], texts[1]), prec::UNARY));
            }
            Ok(Bound(format!("{} {sign} {}", texts[0], texts[1]), strength))
        };
        self.lifted_call(each, &args, &truth, &mut one)
    }

    /// An operator: on the language's vectors its own, else one for each part.
    fn shader_infix(
        &mut self,
        f: &Frame<'_>,
        (sign, strength): (&'static str, u8),
        (a, b): (&Expr, &Expr),
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        let of_truth = a.ty.scalar() == Some(Scalar::Bool);
        if strength == prec::SHIFT && self.statements().strict {
            return self.shader_shift(f, sign, (a, b), ty);
        }
        // Functions for several types would not know which an `int` is for.
        let is_small = |s: Scalar| is_integer(s) && s.size() < 4;
        if self.statements().promotes && !ty.is_vector() && ty.scalar().is_some_and(is_small) {
            let text = self.infix(f, sign, strength, a, b)?;
            return Ok(atom(format!("{}({})", self.shader_ty(ty, false)?, text.0)));
        }
        if !ty.is_vector() || (self.is_native(ty) && !of_truth) {
            return self.infix(f, sign, strength, a, b);
        }
        if self.is_native(ty)
            && let Some((sign, strength)) = (self.statements().on_truths)(sign)
        {
            return self.infix(f, sign, strength, a, b);
        }
        let args = [(self.expr(f, a)?, a.ty.clone()), (self.expr(f, b)?, b.ty.clone())];
        let name = match sign {
            "+" => "add",
            "-" => "subtract",
            "*" => "multiply",
            "/" => "divide",
            "%" => "remainder",
            "&" | "&&" => "both",
            "|" | "||" => "either",
            "^" | "!=" => "differ",
            "<<" => "shift_left",
            _ => "shift_right",
        };
        let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
            Ok(Bound(format!("{} {sign} {}", texts[0], texts[1]), strength))
        };
        // Rows are added as the language adds vectors.
        let rows = self.module.signs.part(ty, -1).filter(|row| row.is_vector() && self.is_native(row) && !of_truth);
        if rows.is_some() {
            let name = self.lift(name, (&[args[0].1.clone(), args[1].1.clone()], ty), true, &mut one)?;
            return Ok(atom(format!("{name}({}, {})", args[0].0, args[1].0)));
        }
        self.lifted_call(name, &args, ty, &mut one)
    }

    fn saturated_small(&mut self, text: &str, to: Scalar) -> Result<Bound, Diagnostic> {
        let wide = if to.is_signed() { Scalar::I32 } else { Scalar::U32 };
        self.instance("saturate", Scalar::F32, wide)?;
        let bits = 8 * to.size() as u32;
        let whole = format!("saturate_to_{}({text})", self.word(wide));
        Ok(atom(match to.is_signed() {
            true => format!("clamp({whole}, {}i, {}i)", -(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
            false => format!("min({whole}, {}u)", (1u64 << bits) - 1),
        }))
    }

    fn choose(&mut self, f: &Frame<'_>, c: &Expr, a: &Expr, b: &Expr) -> Result<Bound, Diagnostic> {
        let (by_call, choose) = (self.statements().chooses_by_call, self.statements().choose);
        if by_call && self.is_native(&a.ty) {
            let args = self.typed(f, &[c.clone(), a.clone(), b.clone()])?;
            return Ok(atom(choose(&args[0].0, &args[1].0, &args[2].0)));
        }
        if c.ty.is_vector() {
            let args = self.typed(f, &[c.clone(), a.clone(), b.clone()])?;
            let native = matches!(a.ty.scalar(), Some(Scalar::F32 | Scalar::I32 | Scalar::U32 | Scalar::F64));
            if native
                && self.is_native(&a.ty)
                && let Some(choose) = self.shader()?.syntax.mix
            {
                return Ok(atom(choose(&args[2].0, &args[1].0, &args[0].0)));
            }
            let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| {
                Ok(Bound((choose)(&texts[0], &texts[1], &texts[2]), prec::CHOOSE))
            };
            return self.lifted_call("select", &args, &a.ty, &mut one);
        }
        if !self.is_native(&a.ty) {
            let args = self.typed(f, &[c.clone(), a.clone(), b.clone()])?;
            let name = self.pick(&a.ty)?;
            return Ok(atom(format!("{name}({}, {}, {})", args[0].0, args[1].0, args[2].0)));
        }
        let condition = self.bound(f, c)?.within(prec::CHOOSE + 1);
        let (yes, no) = (self.bound(f, a)?.within(prec::CHOOSE + 1), self.bound(f, b)?.within(prec::CHOOSE));
        Ok(Bound(format!("{condition} ? {yes} : {no}"), prec::CHOOSE))
    }

    fn shader_make(&mut self, f: &Frame<'_>, parts: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        let inside = self.stores(ty, false);
        let mut texts = Vec::new();
        for part in parts.iter().filter(|p| !p.ty.is_empty()) {
            texts.push(self.stored_value(f, part, inside)?);
        }
        if self.is_native(ty) {
            let texts = ids_together(parts, texts);
            return match &texts[..] {
                [(one, count)] if ty.len() == Some(*count) && *count > 1 => Ok(atom(one.clone())),
                _ => {
                    let texts: Vec<String> = texts.into_iter().map(|(text, _)| text).collect();
                    Ok(atom(self.construct(ty, false, &texts)?))
                }
            };
        }
        if let Ty::Struct(of) = ty
            && let Some(padding) = self.padding_field(*of)?
        {
            texts.push(self.shader_zero(&padding, true)?);
        }
        if texts.is_empty() && !self.shader()?.syntax.empty_structs {
            texts.push(self.integer_literal(0, Scalar::U32).0);
        }
        Ok(atom(self.construct(ty, false, &texts)?))
    }

    /// A value as memory holds it.
    pub(super) fn stored_value(&mut self, f: &Frame<'_>, value: &Expr, stored: bool) -> Text {
        if self.is_packed(&value.ty, stored) {
            let text = self.expr(f, value)?;
            return self.repacked(&text, &value.ty, true);
        }
        if stored && value.ty.scalar() == Some(Scalar::Bool) && self.truth_scalar() != Scalar::Bool {
            return Ok(self.shader_convert(f, value, &value.ty.with_scalar(self.truth_scalar()))?.0);
        }
        self.expr(f, value)
    }

    /// A value that memory holds, as it is in registers.
    pub(super) fn in_registers(&mut self, text: Bound, ty: &Ty, stored: bool) -> Result<Bound, Diagnostic> {
        if self.is_packed(ty, stored) {
            return Ok(atom(self.repacked(&text.0, ty, false)?));
        }
        if !stored || ty.scalar() != Some(Scalar::Bool) || self.in_words() {
            return Ok(text);
        }
        if self.is_native(ty) {
            return Ok(atom(format!("{}({})", self.shader_ty(ty, false)?, text.0)));
        }
        let mut one = |_: &mut Self, texts: &[String], _: &[Ty], _: &Ty| Ok(atom(format!("bool({})", texts[0])));
        self.lifted_call("to_bool", &[(text.0, ty.with_scalar(self.truth_scalar()))], ty, &mut one)
    }

    fn shader_splat(&mut self, f: &Frame<'_>, inner: &Expr, ty: &Ty) -> Result<Bound, Diagnostic> {
        let (text, word) = (self.expr(f, inner)?, self.shader_ty(ty, false)?);
        if self.is_native(ty) {
            return Ok(cast(self.splat_of(&word, &text)?));
        }
        let Ty::Vector { shape, .. } = ty else { return Err(self.internal("a splat of no vector")) };
        let row = self.module.signs.part(ty, -1).ok_or_else(|| self.internal("no parts"))?;
        let name = format!("all_{}", self.word_of_ty(ty, false)?);
        let name = self.function_name(&name);
        if self.shading.seen.insert(format!("splat {word}")) {
            let from = self.shader_ty(&Ty::Scalar(ty.scalar().unwrap_or(Scalar::F32)), false)?;
            let part = match row.is_vector() {
                true if self.is_native(&row) => {
                    let row = self.shader_ty(&row, false)?;
                    self.splat_of(&row, "a")?
                }
                true => self.construct(&row, false, &vec!["a".to_string(); row.len().unwrap_or(1) as usize])?,
                false => "a".to_string(),
            };
            let value = self.construct(ty, false, &vec![part; shape[0] as usize])?;
            let text = self.made_function(Some(&word), &name, &[(&from, "a")], &format!(" return {value}; "));
            self.shading.made.push(text);
        }
        Ok(atom(format!("{name}({text})")))
    }

    fn part_of_value(&mut self, f: &Frame<'_>, inner: &Expr, steps: &[Step], ty: &Ty) -> Result<Bound, Diagnostic> {
        let text = self.bound(f, inner)?.within(prec::POSTFIX);
        let (text, _, stored) = self.parts_of(f, text, inner.ty.clone(), steps)?;
        self.in_registers(atom(text), ty, stored)
    }

    /// The part of a value that steps lead to: its text, its type, and whether it has the type that
    /// memory has for it.
    pub(super) fn parts_of(
        &mut self,
        f: &Frame<'_>,
        mut text: String,
        mut of: Ty,
        steps: &[Step],
    ) -> Result<(String, Ty, bool), Diagnostic> {
        let mut stored = false;
        for step in steps {
            let number = if let Step::Part(k) = step { *k as i64 } else { -1 };
            let part = self.module.signs.part(&of, number).ok_or_else(|| self.internal("no such part"))?;
            text = match (step, &of) {
                (Step::Part(k), Ty::Struct(of)) => format!("{text}.{}", self.field_name(*of, *k)?),
                (Step::Part(k), _) => self.part_text(&text, &of, *k),
                (Step::Index(index), _) => {
                    let index = self.unsigned_index(f, index)?.0;
                    self.part_at(&text, &of, stored, &index)?
                }
            };
            stored = self.stores(&of, stored);
            of = part;
        }
        Ok((text, of, stored))
    }

    fn shader_id(&mut self, id: Id, dimension: usize) -> Result<Bound, Diagnostic> {
        let axis = ["x", "y", "z"].get(dimension).copied().unwrap_or("x");
        let threads: u32 = self.module.interface.numthreads.iter().product();
        let index = self.shader()?.thread_number;
        if self.in_a_row() {
            // Threads are numbered by the text.
            let [x, y, z] = self.module.interface.numthreads;
            let (size, before) = [(x, 1), (y, x), (z, x * y)].get(dimension).copied().unwrap_or((1, 1));
            let number = match before {
                1 => format!("{index} % {size}u"),
                _ => format!("{index} / {before}u % {size}u"),
            };
            match id {
                Id::Thread => return Ok(Bound(number, prec::MUL)),
                Id::GroupSize => return Ok(atom(format!("{size}u"))),
                Id::Global => {
                    let group = self.shader_id(Id::Group, dimension)?.0;
                    return Ok(Bound(format!("{group} * {size}u + {number}"), prec::ADD));
                }
                _ => {}
            }
        }
        if id == Id::GroupSize && self.in_words() {
            let size = self.module.interface.numthreads.get(dimension).copied().unwrap_or(1);
            return Ok(atom(format!("{size}u")));
        }
        if let Some(variable) = (self.language.id)(id) {
            return Ok(atom(format!("{variable}.{axis}")));
        }
        Ok(match id {
            Id::Number => atom(index.to_string()),
            Id::Lane => Bound(format!("{index} % 32u"), prec::MUL),
            Id::Wave => Bound(format!("{index} / 32u"), prec::MUL),
            Id::Waves => atom(format!("{}u", threads.div_ceil(32))),
            Id::GroupSize => {
                atom(format!("{}u", self.module.interface.numthreads.get(dimension).copied().unwrap_or(1)))
            }
            _ => return Err(self.refuse("the number of groups")),
        })
    }

    /// Whether the threads of a group are in a row for the machine, so that those of a wave are
    /// lanes of a subgroup.
    pub(super) fn in_a_row(&self) -> bool {
        self.shading.waves && !self.hands_over() && self.module.interface.numthreads[1..] != [1, 1]
    }

    /// Whether an expression is short enough to be written twice.
    pub(super) fn is_simple(e: &Expr) -> bool {
        match &e.kind {
            Kind::Literal(_) | Kind::Id(..) => true,
            Kind::Read(place) => {
                matches!(place.root, crate::tree::Root::Var(_))
                    && place.steps.iter().all(|s| matches!(s, Step::Part(_)))
            }
            Kind::Convert(inner) => Self::is_simple(inner) && e.ty != BOOL,
            _ => false,
        }
    }
}

/// A text that may be a cast.
fn cast(text: String) -> Bound {
    let strength = if text.starts_with('(') { prec::UNARY } else { prec::POSTFIX };
    Bound(text, strength)
}

/// The texts of parts, each with how many of them it is: parts of an id that is a vector are taken
/// together.
fn ids_together(parts: &[Expr], texts: Vec<String>) -> Vec<(String, u64)> {
    let id = |e: &Expr| if let Kind::Id(id, _) = e.kind { Some(id) } else { None };
    let axis = |text: &str| text.rsplit_once('.').map(|(whole, axis)| (whole.to_string(), axis.to_string()));
    let mut out: Vec<(String, u64)> = Vec::new();
    for (at, text) in texts.into_iter().enumerate() {
        let before = at.checked_sub(1).and_then(|k| parts.get(k)).and_then(id);
        if let (Some((last, count)), Some((whole, axis)), Some(own)) =
            (out.last_mut(), axis(&text), parts.get(at).and_then(id))
            && before == Some(own)
            && AXES.contains(&&axis[..])
            && last.rsplit_once('.').is_some_and(|(of, _)| of == whole)
        {
            last.push_str(&axis);
            *count += 1;
            continue;
        }
        out.push((text, 1));
    }
    out
}
