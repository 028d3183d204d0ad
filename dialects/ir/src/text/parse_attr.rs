//! Parsing types and attributes: the inverse of `write`.

use super::lexer::{Kind, unquoted};
use super::parse::{Aliased, P, Parser};
use crate::attr::Attr;
use crate::intern::Name;
use crate::nearest::nearest;
use crate::real;
use crate::types::Type;

/// A number or truth value before its type is known.
#[derive(Clone, Copy)]
struct Literal<'s> {
    negative: bool,
    text: &'s str,
    kind: Kind,
    start: usize,
}

/// Sizes of vectors that are parsed; far above any real one, small enough to be allocated.
const MAX_ELEMENTS: u64 = 1 << 20;

impl<'s> Parser<'s> {
    // ----- types

    pub fn at_type(&self) -> bool {
        match self.tok.kind {
            Kind::Type => true,
            Kind::Ident => {
                matches!(self.tok.text, "index" | "vector" | "f16" | "f32" | "f64") || int_type(self.tok.text).is_some()
            }
            _ => self.tok.text == "(",
        }
    }

    pub fn ty(&mut self) -> P<Type> {
        self.nested(|p| match p.tok.kind {
            Kind::Type => p.dialect_type(),
            _ if p.at("(") => p.function_type(),
            Kind::Ident => match p.tok.text {
                "vector" => p.vector_type(),
                text => {
                    let ty = match text {
                        "index" => Type::index(),
                        "f16" => Type::f16(),
                        "f32" => Type::f32(),
                        "f64" => Type::f64(),
                        _ => match int_type(text) {
                            Some((false, bits @ (1 | 8 | 16 | 32 | 64))) => Type::int(bits),
                            Some((true, bits @ (8 | 16 | 32 | 64))) => Type::uint(bits),
                            _ => return p.fail_here(format!("there is no type `{text}`")),
                        },
                    };
                    p.advance();
                    Ok(ty)
                }
            },
            _ => p.expected("a type"),
        })
    }

    fn vector_type(&mut self) -> P<Type> {
        let start = self.tok.start;
        self.advance();
        if !self.at("<") {
            return self.expected("`<`");
        }
        // `3x4xf32` is no sequence of tokens; it is read by characters.
        let mut at = self.tok.end();
        let mut shape: Vec<u32> = Vec::new();
        loop {
            let rest = &self.source[at..];
            let skipped = rest.len() - rest.trim_start_matches([' ', '\t']).len();
            let digits = rest[skipped..].bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                at += skipped;
                break;
            }
            let text = &rest[skipped..skipped + digits];
            let Some(n) = text.parse::<u32>().ok().filter(|&n| n > 0) else {
                return self.fail(at + skipped, digits, "a vector's dimensions are positive");
            };
            if !rest[skipped + digits..].starts_with('x') {
                return self.fail(at + skipped, digits, "expected `x` after a dimension");
            }
            shape.push(n);
            at += skipped + digits + 1;
        }
        if shape.is_empty()
            || shape
                .iter()
                .map(|&n| n as u64)
                .try_fold(1u64, |a, n| a.checked_mul(n).filter(|&n| n <= MAX_ELEMENTS))
                .is_none()
        {
            return self.fail(
                start,
                at - start,
                "a vector has at least one dimension and a reasonable number of elements",
            );
        }
        self.jump(at);
        let elem_start = self.tok.start;
        let elem = self.ty()?;
        if !elem.is_scalar() && !elem.is_unsigned() {
            return self.fail(elem_start, 1, "the elements of a vector are scalars");
        }
        self.expect(">")?;
        Ok(Type::vector(&shape, elem))
    }

    /// `(a, b) -> c`
    pub fn function_type(&mut self) -> P<Type> {
        let inputs = self.parenthesized_types()?;
        self.expect("->")?;
        let results = self.result_types()?;
        Ok(Type::function(&inputs, &results))
    }

    pub fn parenthesized_types(&mut self) -> P<Vec<Type>> {
        self.expect("(")?;
        self.list(")", Self::ty)
    }

    /// One type, or any number in parentheses.
    pub fn result_types(&mut self) -> P<Vec<Type>> {
        if self.at("(") { self.parenthesized_types() } else { Ok(vec![self.ty()?]) }
    }

    fn dialect_type(&mut self) -> P<Type> {
        let token = self.tok;
        let name = &token.text[1..];
        let Some((dialect, ty)) = name.split_once('.') else {
            return match self.alias(token)? {
                Aliased::Type(ty) => Ok(ty),
                Aliased::Attr(_) | Aliased::Loc(_) => self.fail_at(token, format!("`{}` is no type", token.text)),
            };
        };
        let Some(known) = self.registry.dialects().iter().find(|d| d.name == dialect) else {
            let near = nearest(dialect, self.registry.dialects().iter().map(|d| d.name));
            return self.fail_near(token, format!("there is no dialect `{dialect}`"), near);
        };
        if !known.types.iter().any(|(n, _)| *n == ty) {
            let near = nearest(ty, known.types.iter().map(|(n, _)| *n));
            return self.fail_near(token, format!("dialect `{dialect}` has no type `{ty}`"), near);
        }
        self.advance();
        let params = if self.eat("<") { self.list(">", Self::attr)? } else { Vec::new() };
        Ok(Type::dialect(name, params))
    }

    // ----- attributes

    pub fn attr(&mut self) -> P<Attr> {
        self.nested(Self::attr_inside)
    }

    fn attr_inside(&mut self) -> P<Attr> {
        let token = self.tok;
        match token.kind {
            Kind::String => Ok(Attr::string(&self.string()?)),
            Kind::Symbol => Ok(Attr::symbol(self.symbol_name()?)),
            Kind::Attr => {
                if !token.text.contains('.') && self.source.as_bytes().get(token.end()) != Some(&b'<') {
                    return match self.alias(token)? {
                        Aliased::Attr(attr) => Ok(attr),
                        _ => self.fail_at(token, format!("`{}` is no attribute", token.text)),
                    };
                }
                self.opaque()
            }
            Kind::Int | Kind::Float => self.number(),
            Kind::Ident => match token.text {
                "unit" => {
                    self.advance();
                    Ok(Attr::unit())
                }
                "true" | "false" => {
                    self.advance();
                    Ok(Attr::bool(token.text == "true"))
                }
                "dense" => self.dense(),
                "array" => self.typed_array(),
                _ => Ok(Attr::ty(self.ty()?)),
            },
            _ => match token.text {
                "-" => self.number(),
                "[" => {
                    self.advance();
                    Ok(Attr::array(self.list("]", Self::attr)?))
                }
                "{" => Ok(Attr::dict(self.dict()?)),
                "(" | "!" => Ok(Attr::ty(self.ty()?)),
                _ if token.kind == Kind::Type => Ok(Attr::ty(self.ty()?)),
                _ => self.expected("an attribute"),
            },
        }
    }

    /// `{a, b = 1}`
    pub fn dict(&mut self) -> P<Vec<(Name, Attr)>> {
        self.expect("{")?;
        let mut keys = rustc_hash::FxHashSet::default();
        self.list("}", |p| {
            let token = p.tok;
            let key = match token.kind {
                Kind::Ident => {
                    p.advance();
                    Name::new(token.text)
                }
                Kind::String => Name::new(&p.string()?),
                _ => return p.expected("the name of an attribute"),
            };
            if !keys.insert(key) {
                return p.fail_at(token, format!("attribute `{key}` is given twice"));
            }
            let value = if p.eat("=") { p.attr()? } else { Attr::unit() };
            Ok((key, value))
        })
    }

    pub fn string(&mut self) -> P<String> {
        let token = self.tok;
        if token.kind != Kind::String {
            return self.expected("a string");
        }
        self.advance();
        match unquoted(token.text) {
            Some(text) => Ok(text),
            None => self.fail_at(token, "a wrong escape, or bytes that are no UTF-8, in a string"),
        }
    }

    pub fn symbol_name(&mut self) -> P<Name> {
        let token = self.tok;
        if token.kind != Kind::Symbol {
            return self.expected("a symbol (`@name`)");
        }
        self.advance();
        let text = &token.text[1..];
        if !text.starts_with('"') {
            return Ok(Name::new(text));
        }
        match unquoted(text) {
            Some(text) if !text.is_empty() => Ok(Name::new(&text)),
            _ => self.fail_at(token, "no proper name of a symbol"),
        }
    }

    /// `#dialect.kind<text>`, kept as text.
    fn opaque(&mut self) -> P<Attr> {
        let start = self.tok.start;
        let mut end = self.tok.end();
        if self.source.as_bytes().get(end) == Some(&b'<') {
            self.advance();
            let mut open = 0usize;
            loop {
                let token = self.tok;
                match token.text {
                    "<" => open += 1,
                    ">" => open -= 1,
                    _ if matches!(token.kind, Kind::Eof | Kind::Bad) => return self.expected("`>`"),
                    _ => {}
                }
                end = token.end();
                self.advance();
                if open == 0 {
                    break;
                }
            }
        } else {
            self.advance();
        }
        Ok(Attr::opaque(&self.source[start + 1..end]))
    }

    fn literal(&mut self) -> P<Literal<'s>> {
        let start = self.tok.start;
        let negative = self.eat("-");
        let token = self.tok;
        match token.kind {
            Kind::Int | Kind::Float => {}
            Kind::Ident if !negative && matches!(token.text, "true" | "false") => {}
            _ => return self.expected("a number"),
        }
        self.advance();
        Ok(Literal { negative, text: token.text, kind: token.kind, start })
    }

    fn number(&mut self) -> P<Attr> {
        let literal = self.literal()?;
        let ty = if self.eat(":") {
            self.ty()?
        } else if literal.kind == Kind::Float {
            Type::f64()
        } else {
            Type::i64()
        };
        self.typed(literal, ty)
    }

    pub fn i64_literal(&mut self) -> P<i64> {
        let literal = self.literal()?;
        Ok(self.typed(literal, Type::i64())?.as_int().unwrap_or(0))
    }

    fn typed(&mut self, literal: Literal<'s>, ty: Type) -> P<Attr> {
        let text = literal.text;
        let len = text.len();
        let hex = text.strip_prefix("0x").map(|digits| u64::from_str_radix(digits, 16));
        if let Some(bits) = ty.scalar_bits().filter(|_| ty.is_int_or_index()) {
            if literal.kind == Kind::Ident {
                return match bits {
                    1 => Ok(Attr::bool(text == "true")),
                    _ => self.fail(literal.start, len, format!("`{text}` is an i1, not {ty}")),
                };
            }
            let magnitude = match (literal.kind, hex) {
                (Kind::Int, Some(value)) => value.ok(),
                (Kind::Int, None) => text.parse::<u64>().ok(),
                _ => return self.fail(literal.start, len, format!("a float is no value of type {ty}")),
            };
            let value = magnitude.map(|m| if literal.negative { -(m as i128) } else { m as i128 });
            let (low, high) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
            return match value.filter(|v| (low..=high).contains(v)) {
                Some(v) => Ok(Attr::int(v as i64, ty)),
                None => self.fail(literal.start, len, format!("this number does not fit in {ty}")),
            };
        }
        let Some(kind) = ty.float_kind() else {
            return self.fail(literal.start, len, format!("a number is no value of type {ty}"));
        };
        if let Some(bits) = hex {
            let fits = |bits: &u64| kind.bits() == 64 || bits >> kind.bits() == 0;
            let value = bits.ok().filter(fits).map(|bits| crate::real::of_bits(bits, kind));
            return match value.filter(|_| !literal.negative) {
                Some(value) => Ok(Attr::float(value, ty)),
                None => self.fail(literal.start, len, format!("these bits do not fit in {ty}")),
            };
        }
        // Rounded once, from the text to the type.
        let value = real::from_decimal(text, kind);
        match value.filter(|v| v.is_finite()) {
            Some(value) => Ok(Attr::float(if literal.negative { -value } else { value }, ty)),
            None => self.fail(literal.start, len, format!("this number does not fit in {ty}")),
        }
    }

    /// `array<i64: 1, 2>`
    fn typed_array(&mut self) -> P<Attr> {
        self.advance();
        self.expect("<")?;
        let elem = self.ty()?;
        if !elem.is_scalar() {
            return self.fail_here("the elements of an `array<…>` are numbers");
        }
        let items = if self.eat(":") {
            self.list(">", |p| {
                let literal = p.literal()?;
                p.typed(literal, elem)
            })?
        } else {
            self.expect(">")?;
            Vec::new()
        };
        if elem == Type::i64() {
            return Ok(Attr::i64_array(&items.iter().filter_map(|a| a.as_int()).collect::<Vec<_>>()));
        }
        Ok(Attr::array(items))
    }

    /// `dense<[[1, 2], [3, 4]]> : vector<2x2xi32>`, or one number for all elements.
    fn dense(&mut self) -> P<Attr> {
        let start = self.tok.start;
        self.advance();
        self.expect("<")?;
        let mut items = Vec::new();
        let mut shape = Vec::new();
        let splat = !self.at("[");
        if splat {
            items.push(self.literal()?);
        } else {
            self.dense_rows(0, &mut shape, &mut items)?;
        }
        self.expect(">")?;
        let len = self.last_end - start;
        self.expect(":")?;
        let ty = self.ty()?;
        if !ty.is_vector() {
            return self.fail(start, len, format!("a dense constant is a vector or matrix, not {ty}"));
        }
        if splat {
            let one = self.typed(items[0], ty.elem())?;
            return Ok(Attr::dense(vec![one; ty.num_elements()], ty));
        }
        if shape != ty.shape() {
            return self.fail(start, len, format!("these elements are not in the shape of {ty}"));
        }
        let items = items.into_iter().map(|item| self.typed(item, ty.elem())).collect::<P<Vec<_>>>()?;
        Ok(Attr::dense(items, ty))
    }

    fn dense_rows(&mut self, level: usize, shape: &mut Vec<u32>, items: &mut Vec<Literal<'s>>) -> P<()> {
        self.nested(|p| {
            let start = p.tok.start;
            p.expect("[")?;
            if level == shape.len() {
                shape.push(u32::MAX);
            }
            let mut count = 0u32;
            let mut numbers = 0u32;
            p.list("]", |p| {
                count += 1;
                if p.at("[") {
                    return p.dense_rows(level + 1, shape, items);
                }
                numbers += 1;
                items.push(p.literal()?);
                Ok(())
            })?;
            let mixed = numbers > 0 && (numbers < count || shape.len() > level + 1);
            if mixed || !matches!(shape[level], n if n == count || n == u32::MAX) {
                return p.fail(start, 1, "the rows of a dense constant differ in shape");
            }
            shape[level] = count;
            Ok(())
        })
    }
}

/// Whether `i32`, `ui8` and so on is unsigned, and its width.
fn int_type(text: &str) -> Option<(bool, u32)> {
    let (unsigned, digits) = match text.strip_prefix('u') {
        Some(rest) => (true, rest.strip_prefix('i')?),
        None => (false, text.strip_prefix('i')?),
    };
    Some((unsigned, Some(digits).filter(|n| n.starts_with(|c: char| c.is_ascii_digit()))?.parse().ok()?))
}
