//! Builds expressions: turns the flat chains of the grammar into trees by operator precedence,
//! without recursion on the chain.

use super::{Ctx, P, Rule, marks};
use crate::ast::{BinOp, Expr, ExprKind, Ident, Lambda, LambdaBody, Modifiers, Param, Real, UnOp};
use crate::mutants::{Site, mutant};
use crate::sema::types::builtin_type_name;
use crate::source::Span;
use caustic_ir::codes;
use caustic_ir::{FloatKind, Name, attr, real};

/// The most links of a chain such as `a.b.c…` or `- - - a`. Each link is a level of the tree.
const MAX_LINKS: usize = 1024;

/// The precedence of an infix operator (a higher one binds tighter), and whether it groups to the
/// right as assignments and `?:` do.
fn precedence(text: &str) -> (u8, bool) {
    match text {
        "=" | "+=" | "-=" | "*=" | "/=" | "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => (1, true),
        "?" => (2, true),
        "||" => (3, false),
        "&&" => (4, false),
        "|" => (5, false),
        "^" => (6, false),
        "&" => (7, false),
        "==" | "!=" => (8, false),
        "<" | ">" | "<=" | ">=" => (9, false),
        "<<" | ">>" => (10, false),
        "+" | "-" => (11, false),
        _ => (12, false),
    }
}

/// The precedence of `is` and `as`.
const TYPE_TEST: u8 = 9;

fn bin_op(text: &str) -> Option<BinOp> {
    Some(match text {
        "+" => BinOp::Add,
        "-" => BinOp::Sub,
        "*" => BinOp::Mul,
        "/" => BinOp::Div,
        "%" => BinOp::Rem,
        "&" => BinOp::And,
        "|" => BinOp::Or,
        "^" => BinOp::Xor,
        "<<" => BinOp::Shl,
        ">>" => BinOp::Shr,
        "<" => BinOp::Lt,
        "<=" => BinOp::Le,
        ">" => BinOp::Gt,
        ">=" => BinOp::Ge,
        "==" => BinOp::Eq,
        "!=" => BinOp::Ne,
        "&&" => BinOp::LogAnd,
        "||" => BinOp::LogOr,
        _ => return None,
    })
}

/// An infix operator that waits for its right operand; of a `?`, with the expression between `?`
/// and `:`.
pub(super) struct Infix<'i> {
    pub(super) text: &'i str,
    pub(super) at: u32,
    pub(super) then: Option<Expr>,
}

pub(super) enum Prefix {
    Op(UnOp),
    Step(bool),
    Cast(Expr),
    NoDiff,
    Each,
    Try,
}

pub(super) fn apply_prefix(prefix: Prefix, span: Span, arg: Expr) -> Expr {
    let span = span.to(arg.span);
    let arg = Box::new(arg);
    let kind = match prefix {
        Prefix::Op(op) => ExprKind::Unary { op, arg },
        Prefix::Step(inc) => ExprKind::IncDec { inc, prefix: true, arg },
        Prefix::Cast(ty) => ExprKind::Cast { ty: Box::new(ty), arg },
        Prefix::NoDiff => ExprKind::NoDiff(arg),
        Prefix::Each => ExprKind::Each(arg),
        Prefix::Try => ExprKind::Try(arg),
    };
    Expr { span, kind }
}

pub(super) fn reduce(values: &mut Vec<Expr>, infix: Infix) {
    let (Some(rhs), Some(lhs)) = (values.pop(), values.pop()) else { return };
    let span = lhs.span.to(rhs.span);
    let (lhs, rhs) = (Box::new(lhs), Box::new(rhs));
    let kind = match infix.then {
        Some(then) => ExprKind::Ternary { cond: lhs, then: Box::new(then), other: rhs },
        None if precedence(infix.text).0 == 1 => {
            ExprKind::Assign { op: bin_op(infix.text.strip_suffix('=').unwrap_or("")), lhs, rhs }
        }
        None => match bin_op(infix.text) {
            Some(op) => ExprKind::Binary { op, at: infix.at, lhs, rhs },
            None => ExprKind::Unsupported("this operator"),
        },
    };
    values.push(Expr { span, kind });
}

impl Ctx<'_> {
    pub(crate) fn expr(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let mut parts: Vec<Expr> = pair.into_inner().map(|p| self.assign(p)).collect();
        match parts.len() {
            1 => parts.remove(0),
            _ => Expr { span, kind: ExprKind::Comma(parts) },
        }
    }

    pub(crate) fn assign(&mut self, pair: P) -> Expr {
        let mut values: Vec<Expr> = Vec::new();
        let mut pending: Vec<Infix> = Vec::new();
        // Prefixes that come from reading `(T) - x`, `(T) & x` and the like as casts.
        let mut carried: Vec<(Prefix, Span)> = Vec::new();
        let mut inner = pair.into_inner().peekable();
        while let Some(p) = inner.next() {
            match p.as_rule() {
                Rule::operand => {
                    let sign = inner.peek().and_then(|n| match (n.as_rule(), n.as_str()) {
                        (Rule::infix, "-") => Some(UnOp::Neg),
                        (Rule::infix, "+") => Some(UnOp::Plus),
                        (Rule::infix, "*") => Some(UnOp::Deref),
                        (Rule::infix, "&") => Some(UnOp::AddrOf),
                        _ => None,
                    });
                    if let Some(op) = sign
                        && let Some(prefixes) = self.as_cast_prefix(&p)
                    {
                        carried.extend(prefixes);
                        if let Some(n) = inner.next() {
                            carried.push((Prefix::Op(op), self.span(&n)));
                        }
                        continue;
                    }
                    let mut value = self.operand(p);
                    while let Some((prefix, span)) = carried.pop() {
                        value = apply_prefix(prefix, span, value);
                    }
                    values.push(value);
                }
                Rule::infix => {
                    let text = if [marks::MARK, marks::LESS].contains(&p.as_str()) { "<" } else { p.as_str() };
                    push_infix(&mut values, &mut pending, Infix { text, at: self.span(&p).lo, then: None });
                }
                Rule::ternary => {
                    let at = self.span(&p).lo;
                    let then = p.into_inner().next().map(|e| self.expr(e));
                    push_infix(&mut values, &mut pending, Infix { text: "?", at, then });
                }
                Rule::type_test => {
                    // `is` and `as` bind like comparisons: what binds at least as tightly is
                    // reduced first.
                    while let Some(top) = pending.pop_if(|top| precedence(top.text).0 >= TYPE_TEST) {
                        reduce(&mut values, top);
                    }
                    let (mut is, mut ty) = (false, None);
                    for q in p.into_inner() {
                        match q.as_rule() {
                            Rule::is_as => is = q.as_str() == "is",
                            _ => ty = Some(Box::new(self.ty(q))),
                        }
                    }
                    if let (Some(value), Some(ty)) = (values.pop(), ty) {
                        let span = value.span.to(ty.span);
                        let value = Box::new(value);
                        let kind = if is { ExprKind::Is { value, ty } } else { ExprKind::As { value, ty } };
                        values.push(Expr { span, kind });
                    }
                }
                _ => {}
            }
        }
        while let Some(infix) = pending.pop() {
            reduce(&mut values, infix);
        }
        values.pop().unwrap_or(Expr { span: Span::default(), kind: ExprKind::Unsupported("this expression") })
    }

    /// Returns the prefixes that `operand` stands for if it is `(T)` with a type `T` and nothing
    /// after it. The operator that follows is then a prefix of the cast's operand.
    fn as_cast_prefix(&mut self, operand: &P) -> Option<Vec<(Prefix, Span)>> {
        let mut prefixes = Vec::new();
        let mut ty = None;
        for p in operand.clone().into_inner() {
            match p.as_rule() {
                Rule::prefix => prefixes.push(p),
                Rule::primary => {
                    let paren = p.into_inner().next().filter(|q| q.as_rule() == Rule::paren)?;
                    let text = paren.as_str().trim_start_matches('(').trim_end_matches(')').trim();
                    let head = text.split(['<', '[', '.', ' ']).next()?;
                    if !(builtin_type_name(head) || self.types.contains(Name::new(head))) {
                        return None;
                    }
                    let span = self.span(&paren);
                    ty = Some((self.expr(paren.into_inner().next()?), span));
                }
                _ => return None,
            }
        }
        let (ty, span) = ty?;
        // A type has no operators in it.
        if !matches!(ty.kind, ExprKind::Name { .. } | ExprKind::Member { .. } | ExprKind::Index { .. }) {
            return None;
        }
        let mut out: Vec<(Prefix, Span)> = prefixes.into_iter().map(|p| self.prefix(p)).collect();
        out.push((Prefix::Cast(ty), span));
        Some(out)
    }

    fn prefix(&mut self, pair: P) -> (Prefix, Span) {
        let span = self.span(&pair);
        let text = pair.as_str().trim();
        let prefix = match pair.into_inner().next() {
            Some(p) if p.as_rule() == Rule::incdec => Prefix::Step(p.as_str() == "++"),
            Some(p) if p.as_rule() == Rule::kw_no_diff => Prefix::NoDiff,
            Some(p) if p.as_rule() == Rule::kw_each => Prefix::Each,
            Some(p) if p.as_rule() == Rule::kw_try => Prefix::Try,
            Some(p) if p.as_rule() == Rule::cast => match p.into_inner().next() {
                Some(t) => Prefix::Cast(self.ty(t)),
                None => Prefix::NoDiff,
            },
            _ => Prefix::Op(match text {
                "-" => UnOp::Neg,
                "!" => UnOp::Not,
                "~" => UnOp::BitNot,
                "*" => UnOp::Deref,
                "&" => UnOp::AddrOf,
                _ => UnOp::Plus,
            }),
        };
        (prefix, span)
    }

    fn operand(&mut self, pair: P) -> Expr {
        let mut prefixes = Vec::new();
        let mut value = Expr { span: self.span(&pair), kind: ExprKind::Unsupported("this expression") };
        for (links, p) in pair.into_inner().enumerate() {
            if links > MAX_LINKS {
                let text = format!("this is nested too deeply: more than {MAX_LINKS} operators and members in a row");
                let span = self.span(&p);
                self.error(codes::E0102, span, text);
                break;
            }
            match p.as_rule() {
                Rule::prefix => prefixes.push(self.prefix(p)),
                Rule::primary => value = self.primary(p),
                Rule::postfix => value = self.postfix(value, p),
                _ => {}
            }
        }
        while let Some((prefix, span)) = prefixes.pop() {
            value = apply_prefix(prefix, span, value);
        }
        value
    }

    fn postfix(&mut self, base: Expr, pair: P) -> Expr {
        let span = base.span.to(self.span(&pair));
        let Some(p) = pair.into_inner().next() else { return base };
        // `p->x` means `(*p).x`.
        let base = match p.as_rule() == Rule::member && p.as_str().starts_with('-') {
            true => Expr { span: base.span, kind: ExprKind::Unary { op: UnOp::Deref, arg: Box::new(base) } },
            false => base,
        };
        let base = Box::new(base);
        let kind = match p.as_rule() {
            Rule::call => ExprKind::Call { callee: base, args: self.arguments(p) },
            Rule::index => ExprKind::Index { base, args: p.into_inner().map(|a| self.assign(a)).collect() },
            Rule::member | Rule::scope => {
                let mut inner = p.into_inner();
                let named = |n: P| match n.as_rule() {
                    Rule::operator_name => self.operator_name(&n),
                    _ => self.ident(&n),
                };
                let Some(name) = inner.next().map(named) else { return *base };
                let args = inner.next().map(|g| self.expr_generic_args(g));
                ExprKind::Member { base, name, args }
            }
            _ => ExprKind::IncDec { inc: p.as_str() == "++", prefix: false, arg: base },
        };
        Expr { span, kind }
    }

    /// The arguments of a call.
    pub(crate) fn arguments(&mut self, pair: P) -> Vec<Expr> {
        pair.into_inner().filter_map(|a| a.into_inner().next()).map(|a| self.assign(a)).collect()
    }

    fn expr_generic_args(&mut self, pair: P) -> Vec<Expr> {
        pair.into_inner().next().map(|g| self.generic_args(g)).unwrap_or_default()
    }

    fn primary(&mut self, pair: P) -> Expr {
        let span = self.span(&pair);
        let mut inner = pair.into_inner();
        let Some(p) = inner.next() else {
            return Expr { span, kind: ExprKind::Unsupported("this expression") };
        };
        let kind = match p.as_rule() {
            Rule::string_lit => self.string_literal(&p, inner),
            Rule::int_lit | Rule::float_lit | Rule::char_lit => self.literal(&p),
            Rule::expand => match p.into_inner().nth(1) {
                Some(e) => ExprKind::Expand(Box::new(self.assign(e))),
                None => ExprKind::Unsupported("this expression"),
            },
            Rule::size_of => self.size_of(p),
            Rule::spirv_asm => self.assembly(&p),
            Rule::paren => {
                let mut inner = p.into_inner();
                let listed = inner.next().map(|e| self.expr(e));
                ExprKind::Paren(Box::new(match (listed, inner.next()) {
                    (Some(e), None) => e,
                    (Some(Expr { kind: ExprKind::Comma(parts), span }), Some(_)) => {
                        Expr { span, kind: ExprKind::Tuple(parts) }
                    }
                    (Some(e), Some(_)) => Expr { span: e.span, kind: ExprKind::Tuple(vec![e]) },
                    (None, _) => Expr { span, kind: ExprKind::Tuple(Vec::new()) },
                }))
            }
            Rule::init_list => {
                ExprKind::Init(p.into_inner().filter_map(|i| i.into_inner().next()).map(|e| self.assign(e)).collect())
            }
            Rule::lambda => self.lambda(p),
            _ => {
                let (mut name, mut args, mut rooted) = (None, None, false);
                for q in p.into_inner() {
                    match q.as_rule() {
                        Rule::global_scope => rooted = true,
                        Rule::ident | Rule::last_word | Rule::unsigned => name = Some(self.ident(&q)),
                        Rule::operator_name => name = Some(self.operator_name(&q)),
                        Rule::expr_generic_args => args = Some(self.expr_generic_args(q)),
                        _ => {}
                    }
                }
                match name {
                    Some(n) if n.name == *"true" || n.name == *"false" => ExprKind::Bool(n.name == *"true"),
                    Some(name) if rooted => {
                        ExprKind::Rooted(Box::new(Expr { span, kind: ExprKind::Name { name, args } }))
                    }
                    Some(name) => ExprKind::Name { name, args },
                    None => ExprKind::Unsupported("this expression"),
                }
            }
        };
        Expr { span, kind }
    }

    /// `sizeof(T)` is a call whose argument is a type.
    fn size_of(&mut self, pair: P) -> ExprKind {
        let (mut name, mut args) = (None, Vec::new());
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::size_word => name = Some(self.ident(&p)),
                _ => args.push(self.ty(p)),
            }
        }
        let Some(name) = name else { return ExprKind::Unsupported("this expression") };
        let callee = Box::new(Expr { span: name.span, kind: ExprKind::Name { name, args: None } });
        ExprKind::Call { callee, args }
    }

    fn lambda(&mut self, pair: P) -> ExprKind {
        let mut params = Vec::new();
        let mut body = None;
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::lambda_param => params.extend(self.short_param(p)),
                Rule::block => {
                    let end = self.end_of(&p);
                    body = Some(LambdaBody::Block { stmts: self.block(p), end });
                }
                _ => body = Some(LambdaBody::Expr(self.assign(p))),
            }
        }
        match body {
            Some(body) => ExprKind::Lambda(Lambda { params, body }.into()),
            None => ExprKind::Unsupported("this expression"),
        }
    }

    /// A parameter of a lambda or of a function type: modifiers, a type, and an optional name.
    pub(super) fn short_param(&mut self, pair: P) -> Option<Param> {
        let span = self.span(&pair);
        let (mut mods, mut name, mut ty) = (Modifiers::default(), None, None);
        for p in pair.into_inner() {
            match p.as_rule() {
                Rule::modifier => mods.words.push(self.ident(&p)),
                Rule::ident => name = Some(self.ident(&p)),
                _ => ty = Some(self.ty(p)),
            }
        }
        let ty = no_diff_to_word(ty?, &mut mods);
        Some(Param { span, mods, name, ty, semantic: None, default: None })
    }

    /// The name of an operator function: `operator` and its symbol, without blanks between them.
    pub(super) fn operator_name(&self, pair: &P) -> Ident {
        let symbol = pair.as_str().trim().trim_start_matches("operator").trim();
        Ident { name: Name::new(&format!("operator{symbol}")), span: self.span(pair) }
    }

    pub(crate) fn literal(&mut self, p: &P) -> ExprKind {
        let text: String = p.as_str().trim().chars().filter(|c| *c != '_').collect();
        match p.as_rule() {
            Rule::int_lit => {
                let lower = text.to_ascii_lowercase();
                let (radix, body) = match lower.get(..2) {
                    Some("0x") => (16, &lower[2..]),
                    Some("0b") => (2, &lower[2..]),
                    // A leading zero followed by digits marks an octal number. Digits above 7
                    // become a part of the suffix.
                    Some(two) if two.starts_with('0') && two.ends_with(|c: char| c.is_ascii_digit()) => {
                        (8, &lower[1..])
                    }
                    _ => (10, &lower[..]),
                };
                let end = body.find(|c: char| !c.is_digit(radix)).unwrap_or(body.len());
                self.check_digits(p, radix, &body[end..], end);
                let value = match end {
                    0 => 0,
                    _ => u128::from_str_radix(&body[..end], radix).unwrap_or(u128::MAX),
                };
                ExprKind::Int { value, suffix: Name::new(&body[end..]), radix }
            }
            Rule::float_lit => {
                let lower = text.to_ascii_lowercase();
                let (value, suffix) = match lower.strip_prefix("0x") {
                    Some(digits) => hexadecimal(digits),
                    None => match lower.split_once("#inf") {
                        Some((_, suffix)) => (infinite(), suffix),
                        None => {
                            let (digits, exponent, suffix) = parts_of_decimal(&lower);
                            if exponent.is_some_and(|e| !e.ends_with(|c: char| c.is_ascii_digit())) {
                                let span = self.span(p);
                                self.error(codes::E0210, span, "the exponent of this number has no digits")
                                    .notes
                                    .push("it is an integer, as in `1.5e3` or `1.5e-3`".to_string());
                                (decimal(digits), "")
                            } else {
                                (decimal(&lower[..lower.len() - suffix.len()]), suffix)
                            }
                        }
                    },
                };
                ExprKind::Float { value, suffix: Name::new(suffix) }
            }
            _ => {
                let text = &p.as_str()[1..p.as_str().len() - 1];
                if self.check_escapes(p) {
                    return ExprKind::Int { value: 0, suffix: Name::new("u"), radix: 10 };
                }
                let body = unescape(text);
                let value = body.chars().next().map_or(0, |c| c as u128);
                // A character is a `uint`.
                let suffix = if body.chars().nth(1).is_some() { "'" } else { "u" };
                ExprKind::Int { value, suffix: Name::new(suffix), radix: 10 }
            }
        }
    }
}

impl Ctx<'_> {
    /// Reports a number whose radix has no such digits.
    fn check_digits(&mut self, p: &P, radix: u32, rest: &str, digits: usize) {
        let (what, all) = match radix {
            2 => ("binary", "01"),
            8 => ("octal", "01234567"),
            16 => ("hexadecimal", "0123456789abcdef"),
            _ => return,
        };
        let span = self.span(p);
        let wrong = rest.chars().next().filter(char::is_ascii_digit);
        let text = match wrong {
            Some(c) => format!("`{c}` is no digit of {} number", if radix == 8 { "an octal" } else { "a binary" }),
            None if digits == 0 => format!("this {what} number has no digits"),
            None => return,
        };
        let last = all.chars().last().unwrap_or('0');
        self.error(codes::E0210, span, text).notes.push(format!("the digits of {what} numbers are 0 to {last}"));
    }

    /// Reports the first escape sequence of a literal that means nothing.
    fn check_escapes(&mut self, p: &P) -> bool {
        let Some((at, sequence)) = wrong_escape(p.as_str()) else { return false };
        let start = self.span(p).lo + at as u32;
        let span = Span::new(start, start + sequence.len() as u32);
        self.error(codes::E0210, span, format!("`{sequence}` is no escape sequence"))
            .notes
            .push("a backslash is written `\\\\`".to_string());
        true
    }

    /// Adjacent string literals, joined to one.
    pub(super) fn string_literal<'i>(&mut self, first: &P<'i>, rest: impl Iterator<Item = P<'i>>) -> ExprKind {
        let mut out = String::new();
        for p in std::iter::once(first.clone()).chain(rest) {
            self.check_escapes(&p);
            out.push_str(&unescape(p.as_str().trim().trim_start_matches('"').strip_suffix('"').unwrap_or_default()));
        }
        ExprKind::Str(out.into())
    }
}

/// The digits of a decimal number, its exponent without the `e`, and its suffix.
fn parts_of_decimal(text: &str) -> (&str, Option<&str>, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    let Some(power) = rest.strip_prefix('e') else { return (digits, None, rest) };
    let sign = usize::from(power.starts_with(['+', '-']));
    let end = power[sign..].find(|c: char| !c.is_ascii_digit()).map_or(power.len(), |n| sign + n);
    (digits, Some(&power[..end]), &power[end..])
}

pub(super) fn push_infix<'i>(values: &mut Vec<Expr>, pending: &mut Vec<Infix<'i>>, infix: Infix<'i>) {
    let (level, right) = precedence(infix.text);
    while let Some(top) = pending.last() {
        let (above, _) = precedence(top.text);
        if above > level || (above == level && !right) {
            if let Some(top) = pending.pop() {
                reduce(values, top);
            }
        } else {
            break;
        }
    }
    pending.push(infix);
}

/// The value of `1.#INF`.
fn infinite() -> Real {
    let inf = f64::INFINITY;
    Real { half: inf, float: inf, double: inf, is_zero: false, is_infinite: true }
}

/// The value of decimal digits with an optional exponent.
fn decimal(text: &str) -> Real {
    let mantissa = text.split('e').next().unwrap_or_default();
    let is_zero = !mantissa.bytes().any(|b| (b'1'..=b'9').contains(&b));
    let rounded = |kind| rounded_decimal(text, kind);
    let (half, float) = (rounded(FloatKind::F16), rounded(FloatKind::F32));
    Real { half, float, double: rounded(FloatKind::F64), is_zero, is_infinite: false }
}

#[mutant(Site::LiteralTwice => attr::round_to(text.parse().unwrap_or(f64::NAN), kind))]
fn rounded_decimal(text: &str, kind: FloatKind) -> f64 {
    real::from_decimal(text, kind).unwrap_or(f64::NAN)
}

/// The value of hexadecimal digits with a power of two, as in `1.8p1`, and the suffix that follows.
/// Without a power all letters up to `f` are digits.
fn hexadecimal(text: &str) -> (Real, &str) {
    let end = text.find(|c: char| c != '.' && !c.is_ascii_hexdigit()).unwrap_or(text.len());
    let (mantissa, tail) = text.split_at(end);
    let rest = tail.strip_prefix('p').unwrap_or(tail);
    let digits = |c: char| c.is_ascii_digit() || c == '-' || c == '+';
    let end = rest.find(|c| !digits(c)).unwrap_or(rest.len());
    // An exponent that `i64` cannot hold is replaced by the largest or the smallest one.
    let most = if rest.starts_with('-') { i64::from(i32::MIN) } else { i64::from(i32::MAX) };
    let power = if end == 0 { 0 } else { rest[..end].parse().unwrap_or(most) };
    let power = power.clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    let rounded = |kind| real::from_hexadecimal(mantissa, power, kind);
    let (half, float) = (rounded(FloatKind::F16), rounded(FloatKind::F32));
    let is_zero = mantissa.bytes().all(|b| matches!(b, b'0' | b'.'));
    (Real { half, float, double: rounded(FloatKind::F64), is_zero, is_infinite: false }, &rest[end..])
}

/// Removes `no_diff` from the type `no_diff T` and adds the word to the modifiers of the parameter,
/// variable or property: both spellings mean the same.
pub(super) fn no_diff_to_word(ty: Expr, mods: &mut Modifiers) -> Expr {
    match ty.kind {
        ExprKind::Modified { no_diff: true, ty: inner } => {
            mods.words.push(Ident { name: Name::new("no_diff"), span: ty.span });
            *inner
        }
        _ => ty,
    }
}

/// The characters that a backslash may stand before, with what both mean together.
const ESCAPES: [(char, char); 11] = [
    ('n', '\n'),
    ('t', '\t'),
    ('r', '\r'),
    ('a', '\x07'),
    ('b', '\x08'),
    ('f', '\x0c'),
    ('v', '\x0b'),
    ('\\', '\\'),
    ('\'', '\''),
    ('"', '"'),
    ('?', '?'),
];

/// The largest character that an escape sequence with digits of these radixes gives.
const MOST_NUMBERED: u32 = 255;

/// How many digits follow `\u` and `\U`.
fn digits_of_unicode(c: char) -> Option<usize> {
    match c {
        'u' => Some(4),
        'U' => Some(8),
        _ => None,
    }
}

/// The first escape sequence of a literal that means nothing, with its offset.
fn wrong_escape(text: &str) -> Option<(usize, &str)> {
    let mut chars = text.char_indices();
    while let Some((at, c)) = chars.next() {
        if c != '\\' {
            continue;
        }
        let (_, kind) = chars.next()?;
        let head = at + 1 + kind.len_utf8();
        let digits = |radix: u32| text[head..].chars().take_while(|c| c.is_digit(radix)).count();
        let fits = |from: usize, n: usize, radix: u32| {
            u32::from_str_radix(&text[from..from + n], radix).is_ok_and(|v| v <= MOST_NUMBERED)
        };
        let (wrong, length) = match kind {
            'x' => (digits(16) == 0 || !fits(head, digits(16), 16), digits(16)),
            '0'..='7' => (!fits(at + 1, 1 + digits(8).min(2), 8), digits(8).min(2)),
            c if let Some(n) = digits_of_unicode(c) => (digits(16) < n, digits(16).min(n)),
            c => (!ESCAPES.iter().any(|(k, _)| *k == c), 0),
        };
        if wrong {
            return Some((at, &text[at..head + length]));
        }
    }
    None
}

fn unescape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            match crate::scan::RAW.iter().find(|(b, _)| char::from(*b) == c) {
                Some((_, meaning)) => out.push_str(meaning),
                None => out.push(c),
            }
            continue;
        }
        match chars.next() {
            Some('x') => out.push(numbered(&mut chars, 0, 16, usize::MAX)),
            Some(c) if let Some(n) = digits_of_unicode(c) => out.push(numbered(&mut chars, 0, 16, n)),
            Some(c) if let Some(digit) = c.to_digit(8) => out.push(numbered(&mut chars, digit, 8, 2)),
            Some(c) => out.push(ESCAPES.iter().find(|(k, _)| *k == c).map_or(c, |(_, meaning)| *meaning)),
            None => {}
        }
    }
    out
}

/// The character whose number the digits of an escape sequence give.
fn numbered(chars: &mut std::str::Chars<'_>, first: u32, radix: u32, most: usize) -> char {
    let (mut n, mut left) = (first, most);
    while left > 0
        && let Some(digit) = chars.clone().next().and_then(|c| c.to_digit(radix))
    {
        n = n.wrapping_mul(radix).wrapping_add(digit);
        chars.next();
        left -= 1;
    }
    char::from_u32(n).unwrap_or(char::REPLACEMENT_CHARACTER)
}
