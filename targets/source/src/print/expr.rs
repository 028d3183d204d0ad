//! Expressions.

use super::{Frame, Printer, Text, widens};
use crate::lang::Threads;
use crate::ops::{Column, Guard, Row, Spelling, prec};
use crate::tree::{Arg, Compare, Expr, Id, Kind, Literal};
use crate::types::{Ty, is_integer};
use caustic_dialects::arith;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;

/// Text, and how strongly it binds.
pub(super) struct Bound(pub String, pub u8);

impl Bound {
    /// The text where an operator of this strength is around.
    pub(super) fn within(self, strength: u8) -> String {
        if self.1 < strength { format!("({})", self.0) } else { self.0 }
    }
}

pub(super) fn atom(text: impl Into<String>) -> Bound {
    Bound(text.into(), prec::POSTFIX)
}

impl Printer<'_> {
    pub(super) fn expr(&mut self, f: &Frame<'_>, e: &Expr) -> Text {
        Ok(self.bound(f, e)?.0)
    }

    /// An expression where a value of its type is wanted anyway: integer literals stand alone.
    pub(super) fn plain(&mut self, f: &Frame<'_>, e: &Expr) -> Result<Bound, Diagnostic> {
        let wide = matches!(e.ty, Ty::Scalar(Scalar::I64 | Scalar::U64)) && !self.in_words();
        match e.kind {
            _ if self.is_wide(&e.ty) => self.bound(f, e),
            Kind::Literal(Literal::Int(v)) if wide && i32::try_from(v).is_ok_and(|v| v >= 0) => {
                Ok(atom(if e.ty.is_unsigned() { format!("{v}u") } else { v.to_string() }))
            }
            Kind::Literal(Literal::Int(v)) if wide && e.ty == Ty::Scalar(Scalar::I64) && i32::try_from(v).is_ok() => {
                Ok(Bound(v.to_string(), prec::UNARY))
            }
            _ => self.bound(f, e),
        }
    }

    pub(super) fn bound(&mut self, f: &Frame<'_>, e: &Expr) -> Result<Bound, Diagnostic> {
        if self.language.threads == Threads::Shader {
            return self.shader_bound(f, e);
        }
        Ok(match &e.kind {
            Kind::Literal(literal) => self.literal(*literal, &e.ty)?,
            Kind::Zero => self.zero(&e.ty)?,
            Kind::Read(place) => {
                let text = self.place(f, place, false)?;
                atom(self.read_truths(place, text, &e.ty)?)
            }
            Kind::Op { row, args } => self.row(f, row, args, &e.ty)?,
            Kind::Compare(how, a, b) => self.compare(f, *how, a, b)?,
            Kind::Not(inner) => self.not(f, inner)?,
            Kind::And(a, b) => self.infix(f, "&&", prec::AND, a, b)?,
            Kind::Or(a, b) => self.infix(f, "||", prec::OR, a, b)?,
            Kind::Choose(c, a, b) => {
                if c.ty.is_vector() {
                    self.need("select");
                    let parts = [self.expr(f, c)?, self.expr(f, a)?, self.expr(f, b)?];
                    return Ok(atom(format!("select({})", parts.join(", "))));
                }
                let condition = self.bound(f, c)?.within(prec::CHOOSE + 1);
                let (yes, no) = (self.bound(f, a)?.within(prec::CHOOSE + 1), self.bound(f, b)?.within(prec::CHOOSE));
                Bound(format!("{condition} ? {yes} : {no}"), prec::CHOOSE)
            }
            Kind::Convert(inner) => self.convert(f, inner, &e.ty)?,
            Kind::Make(parts) => self.make(f, parts, &e.ty)?,
            Kind::Splat(inner) => {
                self.need("splat");
                let (ty, inner) = (self.ty(&e.ty)?, self.expr(f, inner)?);
                atom(format!("splat<{ty}>({inner})"))
            }
            Kind::Part(inner, steps) => {
                let text = self.bound(f, inner)?.within(prec::POSTFIX);
                atom(self.steps(f, text, &inner.ty, steps, false)?)
            }
            Kind::Swizzle(..) => return Err(self.internal("a swizzle in a language that has none")),
            Kind::Call(callee, args) => {
                let callee = self.known(*callee)?;
                let mut parts = Vec::new();
                for arg in args {
                    parts.push(match arg {
                        Arg::Value(value) => self.expr(f, value)?,
                        Arg::Place(place) => self.handed(f, place)?,
                    });
                }
                atom(format!("{callee}({})", parts.join(", ")))
            }
            Kind::Id(id, dimension) => self.id(*id, *dimension)?,
            Kind::Length(buffer) => self.length(f, buffer)?,
            Kind::Address(number) => atom(format!("int64_t({}) << {}", number + 1, caustic_dialects::agg::OFFSET_BITS)),
            Kind::TapeLength(place) => atom(format!("{}.size()", self.place(f, place, false)?)),
            Kind::Handle(buffer) => atom(self.handle_value(f, buffer, &e.ty)?),
            Kind::Atomic { kind, place, args } => self.atomic(f, kind, place, args, &e.ty)?,
            Kind::Count(buffer, delta) => {
                self.note_counter(buffer);
                if self.language.threads == Threads::Device {
                    self.need("atomic_add");
                    let buffer = self.buffer(f, buffer)?;
                    return Ok(atom(format!("atomic_add<uint32_t>(*{buffer}.counter, uint32_t({delta}))")));
                }
                self.need("atomic");
                let buffer = self.buffer(f, buffer)?;
                let change = format!("[](uint32_t n) {{ return n + uint32_t({delta}); }}");
                atom(format!("atomic_update(*{buffer}.counter, {change})"))
            }
            Kind::Wave { op, word, instance, args, masked, result, .. } => match self.language.threads {
                Threads::Host => self.wave(f, (op, word, *instance, *result), args, &e.ty)?,
                Threads::Device | Threads::Shader => self.lanes(f, (op, word, *result), args, *masked)?,
            },
            Kind::TexelUpdate { kind, texture, args } => self.texel_update(f, kind, texture, args, &e.ty)?,
            Kind::Texture { op, texture, args } => self.texture(f, op, texture, args, &e.ty)?,
        })
    }

    pub(super) fn literal(&mut self, literal: Literal, ty: &Ty) -> Result<Bound, Diagnostic> {
        let scalar = ty.scalar().ok_or_else(|| self.internal("a literal of no scalar"))?;
        self.need_scalar(scalar);
        let word = (self.language.scalar)(scalar);
        Ok(match literal {
            Literal::Bool(value) => atom(value.to_string()),
            Literal::Int(value) if scalar == Scalar::Bool => atom((value != 0).to_string()),
            Literal::Int(value) => integer(value, scalar, word),
            Literal::Float(value) => self.float(value, scalar),
        })
    }

    fn float(&mut self, value: f64, scalar: Scalar) -> Bound {
        let suffix = (self.language.suffix)(scalar);
        let word = (self.language.scalar)(scalar);
        if !value.is_finite() {
            self.need("bits_as");
            return atom(match scalar {
                Scalar::F64 => format!("bits_as<double>(uint64_t(0x{:016x}))", value.to_bits()),
                Scalar::F32 => {
                    self.need("uint");
                    format!(
                        "bits_as<float>(uint(0x{:08x}))",
                        caustic_ir::real::bits_of(value, caustic_ir::FloatKind::F32)
                    )
                }
                _ => format!(
                    "bits_as<half>(uint16_t(0x{:04x}))",
                    caustic_ir::real::bits_of(value, caustic_ir::FloatKind::F16)
                ),
            });
        }
        let digits = match scalar {
            Scalar::F64 => format!("{value:?}"),
            _ => format!("{:?}", value as f32),
        };
        if scalar == Scalar::F16 {
            return atom(format!("{word}({digits}{suffix})"));
        }
        let strength = if digits.starts_with('-') { prec::UNARY } else { prec::POSTFIX };
        Bound(format!("{digits}{suffix}"), strength)
    }

    fn zero(&mut self, ty: &Ty) -> Result<Bound, Diagnostic> {
        Ok(match ty {
            Ty::Scalar(Scalar::Bool) => atom("false"),
            Ty::Scalar(s) if s.is_float() => self.float(0.0, *s),
            Ty::Scalar(_) => self.literal(Literal::Int(0), ty)?,
            _ => atom(format!("{}{{}}", self.ty(ty)?)),
        })
    }

    fn make(&mut self, f: &Frame<'_>, parts: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        let mut texts = Vec::new();
        for part in parts.iter().filter(|p| !p.ty.is_empty()) {
            texts.push(self.expr(f, part)?);
        }
        let inner = texts.join(", ");
        let name = self.ty(ty)?;
        // The elements of an array, and of a vector of no usual size, are a member of it.
        let nested = match ty {
            Ty::Array(..) => true,
            Ty::Vector { shape, .. } => shape.first().is_some_and(|n| !(2..=4).contains(n)),
            _ => false,
        };
        Ok(atom(if nested { format!("{name}{{{{{inner}}}}}") } else { format!("{name}{{{inner}}}") }))
    }

    fn convert(&mut self, f: &Frame<'_>, inner: &Expr, ty: &Ty) -> Result<Bound, Diagnostic> {
        let word = self.ty(ty)?;
        if inner.ty.is_vector() {
            let scalar = ty.scalar().ok_or_else(|| self.internal("a conversion to no scalar"))?;
            self.need("convert");
            let to = self.ty(&Ty::Scalar(scalar))?;
            return Ok(atom(format!("convert<{to}>({})", self.expr(f, inner)?)));
        }
        if ty.scalar() == Some(Scalar::Bool) && inner.ty.scalar().is_some_and(is_integer) {
            // The last bit, not whether there is any.
            return Ok(atom(format!("bool({} & 1)", self.bound(f, inner)?.within(prec::BIT_AND))));
        }
        if ty.scalar() == Some(Scalar::F16) && inner.ty.scalar().is_some_and(is_integer) {
            return Ok(atom(format!("half(double({}))", self.expr(f, inner)?)));
        }
        if ty.scalar() == Some(Scalar::F64) && inner.ty.scalar() == Some(Scalar::F16) {
            return Ok(atom(format!("double(float({}))", self.expr(f, inner)?)));
        }
        Ok(atom(format!("{word}({})", self.expr(f, inner)?)))
    }

    fn compare(&mut self, f: &Frame<'_>, how: Compare, a: &Expr, b: &Expr) -> Result<Bound, Diagnostic> {
        let strength = if matches!(how, Compare::Equal | Compare::NotEqual) { prec::EQUAL } else { prec::COMPARE };
        let mut text = self.infix(f, how.symbol(), strength, a, b)?;
        // A comparison in another is warned of.
        text.1 = prec::EQUAL.min(text.1);
        Ok(text)
    }

    pub(super) fn not(&mut self, f: &Frame<'_>, inner: &Expr) -> Result<Bound, Diagnostic> {
        if let Kind::Compare(how, a, b) = &inner.kind
            && !a.ty.is_vector()
        {
            let opposite = match how {
                _ if a.ty.is_float() && self.statements().unequal_is_ordered => None,
                Compare::Equal => Some(Compare::NotEqual),
                Compare::NotEqual => Some(Compare::Equal),
                // What is no number is neither less nor not less.
                _ if a.ty.is_float() => None,
                Compare::Less => Some(Compare::GreaterEqual),
                Compare::LessEqual => Some(Compare::Greater),
                Compare::Greater => Some(Compare::LessEqual),
                Compare::GreaterEqual => Some(Compare::Less),
            };
            if let Some(opposite) = opposite {
                return self.compare(f, opposite, a, b);
            }
        }
        if inner.ty.is_vector() {
            self.lift_operator("!", 1, [true, false]);
        }
        Ok(Bound(format!("!{}", self.bound(f, inner)?.within(prec::UNARY)), prec::UNARY))
    }

    pub(super) fn infix(
        &mut self,
        f: &Frame<'_>,
        sign: &'static str,
        strength: u8,
        a: &Expr,
        b: &Expr,
    ) -> Result<Bound, Diagnostic> {
        let scalar = |e: &Expr| matches!(&e.kind, Kind::Splat(inner) if inner.ty.is_scalar()) && e.ty.is_vector();
        let (mut x, mut y) = (a, b);
        if a.ty.is_vector() {
            // Not all languages compare a vector with a scalar.
            let mixes = !self.statements().strict || strength >= prec::ADD;
            let (left, right) = (mixes && scalar(a) && !scalar(b), mixes && scalar(b));
            if let (true, Kind::Splat(inner)) = (left, &a.kind) {
                x = inner;
            }
            if let (true, Kind::Splat(inner)) = (right, &b.kind) {
                y = inner;
            }
            if self.language.threads != Threads::Shader {
                self.lift_operator(sign, 2, [!left, !right]);
            }
        }
        // What binds alike goes from the left; compilers want `&&` in `||`, and bits, told apart.
        let strict = self.statements().strict;
        let mixed = |inner: u8| {
            if strict && inner < prec::UNARY && (prec::BIT_OR..=prec::SHIFT).contains(&strength) {
                let bits = (prec::BIT_OR..=prec::BIT_AND).contains(&strength);
                // What is shifted to the right in a comparison by `<` would end a list of types.
                let shifts = strength == prec::SHIFT || strength == prec::COMPARE && inner == prec::SHIFT;
                return if bits { inner != strength } else { inner <= prec::COMPARE || shifts };
            }
            (strength == prec::OR && inner == prec::AND)
                || ((prec::BIT_OR..=prec::BIT_AND).contains(&strength) && inner < prec::MUL && inner != strength)
                || (strength == prec::SHIFT && (inner == prec::ADD || inner == prec::SHIFT))
                || (strength == prec::EQUAL && inner <= prec::COMPARE)
                || (strength == prec::COMPARE && inner <= prec::COMPARE)
        };
        let side = |text: Bound, least: u8| if mixed(text.1) { format!("({})", text.0) } else { text.within(least) };
        // What is taken from zero, where integers wrap.
        let negates = sign == "-" && x.ty == Ty::Scalar(Scalar::I32) && self.language.threads == Threads::Shader;
        if negates && !strict && !self.hands_over() && x.literal() == Some(Literal::Int(0)) {
            let text = self.bound(f, y)?.within(prec::UNARY + 1);
            return Ok(Bound(format!("-{text}"), prec::UNARY));
        }
        let literals = matches!((&x.kind, &y.kind), (Kind::Literal(_), Kind::Literal(_)));
        // Of a shift the left operand alone says the type.
        let (x, y) = match (literals, strength == prec::SHIFT) {
            (true, _) => (self.bound(f, x)?, self.bound(f, y)?),
            (false, true) => (self.bound(f, x)?, self.plain(f, y)?),
            (false, false) => (self.plain(f, x)?, self.plain(f, y)?),
        };
        let (left, right) = (side(x, strength), side(y, strength + 1));
        // Where types may be given in `<` and `>`, a comparison is no argument as it is.
        if strict && sign == "<" {
            return Ok(atom(format!("({left} {sign} {right})")));
        }
        Ok(Bound(format!("{left} {sign} {right}"), strength))
    }

    fn row(&mut self, f: &Frame<'_>, row: &'static Row, args: &[Expr], ty: &Ty) -> Result<Bound, Diagnostic> {
        if let Column::Within(single, double) = (self.language.column)(row) {
            self.inexact.insert(row.op.name, [single, double]);
        }
        if let Some(a) = turned_over(row, args) {
            if a.ty.is_vector() {
                self.lift_operator("~", 1, [true, false]);
            }
            return Ok(Bound(format!("~{}", self.bound(f, a)?.within(prec::UNARY)), prec::UNARY));
        }
        let spelled = match (self.language.spelled)(row) {
            // What stays within the type is computed by the operator.
            Spelling::Snippet(..) if f.ranges.fits(row, args, ty) => plain_operator(row.op),
            spelled => spelled,
        };
        match (spelled, args) {
            (Spelling::Infix(sign, strength), [a, b]) => self.infix(f, sign, strength, a, b),
            (Spelling::Prefix(sign), [a]) => {
                if a.ty.is_vector() {
                    self.lift_operator(sign, 1, [true, false]);
                }
                let inner = self.bound(f, a)?;
                // Two signs in a row are another operator.
                let inner = if inner.0.starts_with('-') { format!("({})", inner.0) } else { inner.within(prec::UNARY) };
                Ok(Bound(format!("{sign}{inner}"), prec::UNARY))
            }
            // What is smaller than `int` becomes one in an operator.
            (Spelling::Guarded(sign, strength, guard, ..), [a, b])
                if is_safe(guard, b) && a.ty.scalar().is_some_and(|s| s.size() >= 4) =>
            {
                self.infix(f, sign, strength, a, b)
            }
            (Spelling::Snippet(name, id) | Spelling::Guarded(_, _, _, name, id), _) => self.call(f, name, id, args),
            (Spelling::Template(template, id), _) => self.template(f, template, id, args, ty),
            (Spelling::Convert, [a]) => self.convert(f, a, ty),
            (Spelling::Call(name), _) => {
                let texts = args.iter().map(|a| self.expr(f, a)).collect::<Result<Vec<_>, _>>()?;
                Ok(atom(format!("{name}({})", texts.join(", "))))
            }
            (Spelling::Refuse(why), _) => Err(self.refuse(why)),
            _ => Err(self.internal(format!("{row:?} has other operands"))),
        }
    }

    fn call(
        &mut self,
        f: &Frame<'_>,
        name: &'static str,
        id: &'static str,
        args: &[Expr],
    ) -> Result<Bound, Diagnostic> {
        self.need(id);
        if args.first().is_some_and(|a| a.ty.is_vector()) {
            self.lift_function(name, args.len());
        }
        let texts = args.iter().map(|a| self.expr(f, a)).collect::<Result<Vec<_>, _>>()?;
        Ok(atom(format!("{name}({})", texts.join(", "))))
    }

    fn template(
        &mut self,
        f: &Frame<'_>,
        template: &str,
        id: &'static str,
        args: &[Expr],
        ty: &Ty,
    ) -> Result<Bound, Diagnostic> {
        self.need(id);
        let scalar = ty.scalar().ok_or_else(|| self.internal("a template of no scalar"))?;
        let word = self.ty(&Ty::Scalar(scalar))?;
        let [arg] = args else { return Err(self.internal("a template of several operands")) };
        let text = self.expr(f, arg)?;
        let Ty::Vector { shape, .. } = ty else {
            return Ok(atom(template.replace("{t}", &word).replace("{0}", &text)));
        };
        self.need("map");
        let from = arg.ty.scalar().ok_or_else(|| self.internal("a template of no scalar"))?;
        let from_word = self.ty(&Ty::Scalar(from))?;
        let inner = template.replace("{t}", &word).replace("{0}", "x");
        let mut function = format!("[]({from_word} x) {{ return {inner}; }}");
        for outer in (1..shape.len()).rev() {
            let row = self.ty(&Ty::Vector { shape: shape[outer..].to_vec(), elem: from })?;
            function = format!("[](const {row}& row) {{ return map({function}, row); }}");
        }
        Ok(atom(format!("map({function}, {text})")))
    }

    fn id(&mut self, id: Id, dimension: usize) -> Result<Bound, Diagnostic> {
        let axis = ["x", "y", "z"].get(dimension).copied().unwrap_or("x");
        if let Some(variable) = (self.language.id)(id) {
            if self.language.threads == Threads::Host {
                self.need("thread");
            }
            return Ok(atom(format!("{variable}.{axis}")));
        }
        Ok(match id {
            Id::Number => atom(self.thread_index().to_string()),
            Id::Lane => Bound(format!("{} % 32", self.thread_index()), prec::MUL),
            Id::Wave => Bound(format!("{} / 32", self.thread_index()), prec::MUL),
            Id::Waves if self.language.threads == Threads::Host => {
                self.need("thread");
                Bound("(thread.size.x * thread.size.y * thread.size.z + 31) / 32".to_string(), prec::MUL)
            }
            Id::Waves => {
                let threads: u32 = self.module.interface.numthreads.iter().product();
                atom(format!("{}u", threads.div_ceil(32)))
            }
            _ => Bound(format!("blockIdx.{axis} * blockDim.{axis} + threadIdx.{axis}"), prec::ADD),
        })
    }

    /// The number of the thread in its group.
    pub(super) fn thread_index(&mut self) -> &'static str {
        let flat = self.module.interface.numthreads[1..] == [1, 1];
        match self.language.threads {
            Threads::Device if flat => return "threadIdx.x",
            Threads::Device | Threads::Shader => {}
            Threads::Host => {
                self.need("thread");
                return "thread.index";
            }
        }
        self.need("thread");
        "thread_index()"
    }

    // ----- what vectors are given component by component

    /// Arithmetic of vectors and of vectors with scalars: who includes a library computes, too.
    pub(super) fn offer_arithmetic(&mut self) {
        if self.snippets.contains("vec") {
            for sign in ["+", "-", "*", "/"] {
                for vectors in [[true, true], [true, false], [false, true]] {
                    self.lift_operator(sign, 2, vectors);
                }
            }
        }
    }

    /// An operator that changes a vector.
    pub(super) fn lift_update(&mut self, sign: &str, by_vector: bool) {
        let text = format!(
            "template <class T, int N, class S> $fn vec<T, N>& operator{sign}=(vec<T, N>& a, const S& b) {{\n    return a = a {sign} b;\n}}\n"
        );
        self.lifted.insert(format!("operator {sign}="), text);
        // A product may have been written the other way around.
        self.lift_operator(sign, 2, [true, by_vector]);
    }

    fn lift_operator(&mut self, sign: &str, count: usize, vectors: [bool; 2]) {
        self.need("map");
        let text = match (count, vectors) {
            (1, _) => format!(
                "template <class T, int N> $fn auto operator{sign}(const vec<T, N>& a) {{\n    return map([](const T& x) {{ return {sign}x; }}, a);\n}}\n"
            ),
            (_, [true, true]) => format!(
                "template <class T, int N> $fn auto operator{sign}(const vec<T, N>& a, const vec<T, N>& b) {{\n    return map([](const T& x, const T& y) {{ return x {sign} y; }}, a, b);\n}}\n"
            ),
            (_, [true, false]) => format!(
                "template <class T, int N, class S> $fn auto operator{sign}(const vec<T, N>& a, const S& b) {{\n    return map([&b](const T& x) {{ return x {sign} b; }}, a);\n}}\n"
            ),
            (_, _) => format!(
                "template <class T, int N, class S> $fn auto operator{sign}(const S& a, const vec<T, N>& b) {{\n    return map([&a](const T& x) {{ return a {sign} x; }}, b);\n}}\n"
            ),
        };
        self.lifted.insert(format!("{sign}{count}{vectors:?}"), text);
    }

    pub(super) fn lift_function(&mut self, name: &str, count: usize) {
        self.need("vec");
        let list = |f: &dyn Fn(char) -> String| {
            ["a", "b", "c"][..count.min(3)]
                .iter()
                .map(|v| f(v.chars().next().unwrap_or('a')))
                .collect::<Vec<_>>()
                .join(", ")
        };
        let (params, args) = (list(&|v| format!("const vec<T, N>& {v}")), list(&|v| format!("{v}[i]")));
        let text = format!(
            "template <class T, int N> $fn vec<T, N> {name}({params}) {{\n    vec<T, N> r;\n    for (int i = 0; i < N; i++) r[i] = {name}({args});\n    return r;\n}}\n"
        );
        self.lifted.insert(format!("{name}{count}"), text);
    }
}

/// Sums, differences and products that do not wrap.
fn plain_operator(op: &'static caustic_ir::OpDef) -> Spelling {
    match () {
        () if std::ptr::eq(op, arith::AddI::DEF) => Spelling::Infix("+", prec::ADD),
        () if std::ptr::eq(op, arith::SubI::DEF) => Spelling::Infix("-", prec::ADD),
        () => Spelling::Infix("*", prec::MUL),
    }
}

/// What an op turns all bits of over, if it does and the operator for that gives what the op does.
pub(super) fn turned_over<'e>(row: &Row, args: &'e [Expr]) -> Option<&'e Expr> {
    let [a, b] = args else { return None };
    let bits = 8 * a.ty.scalar().filter(|&s| is_integer(s) && s.size() >= 4)?.size() as u32;
    let Literal::Int(mask) = b.literal()? else { return None };
    let all = (mask as u64) << (64 - bits) == u64::MAX << (64 - bits);
    (std::ptr::eq(row.op, arith::XOrI::DEF) && all).then_some(a)
}

/// Whether an operator is defined for this second operand.
pub(super) fn is_safe(guard: Guard, operand: &Expr) -> bool {
    let Some(Literal::Int(value)) = operand.literal() else { return false };
    let bits = operand.ty.scalar().map_or(0, |s| 8 * s.size() as i64);
    match guard {
        Guard::Divisor => value != 0 && value != -1,
        Guard::Shift => (0..bits).contains(&value),
    }
}

/// An integer literal of a type.
fn integer(value: i64, scalar: Scalar, word: &str) -> Bound {
    let bits = 8 * scalar.size() as u32;
    if scalar.is_signed() {
        return match (bits, value) {
            (32, v) if v == i64::from(i32::MIN) => atom("int(-2147483647 - 1)"),
            (32, v) if v < 0 => Bound(v.to_string(), prec::UNARY),
            (32, v) => atom(v.to_string()),
            (64, i64::MIN) => atom(format!("{word}(-9223372036854775807 - 1)")),
            (_, v) => atom(format!("{word}({v})")),
        };
    }
    let masked = if bits == 64 { value as u64 } else { value as u64 & ((1 << bits) - 1) };
    match bits {
        32 => atom(format!("{masked}u")),
        64 => atom(format!("{word}({masked}u)")),
        _ => atom(format!("{word}({masked})")),
    }
}

/// Whether an integer may stand for an index as it is.
pub(super) fn is_index(from: &Ty) -> bool {
    from.scalar().is_some_and(|s| widens(s, Scalar::I64) || s == Scalar::I64)
}
