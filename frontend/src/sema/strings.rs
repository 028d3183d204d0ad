//! Strings: the texts that `printf` prints, and constants with a string as their value. Programs
//! compute no strings. At run time a string, which can then only be a parameter or a result, is its
//! hash; only this module knows its text.

use super::types::TyKind;
use super::*;
use caustic_ir::codes;

impl Checker<'_> {
    /// The text of an expression of string type, if it is known.
    pub(crate) fn text_of(&self, e: &Expr) -> Option<Rc<str>> {
        match &e.kind {
            ExprKind::Str(s) => Some(s.clone()),
            ExprKind::Shared(inner, _) => self.text_of(inner),
            ExprKind::Ternary { cond, then, other } => match self.fold(cond)? {
                Const::Bool(true) => self.text_of(then),
                Const::Bool(false) => self.text_of(other),
                _ => None,
            },
            _ => None,
        }
    }

    /// `getStringHash("text")`: a number that is the same in every program and on the host.
    pub(crate) fn check_string_hash(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let [arg] = args else {
            self.error(codes::E0204, span, "`getStringHash` takes one string");
            return Expr::error(span);
        };
        let value = self.check_value(arg);
        match self.text_of(&value) {
            Some(text) => Expr::int(stable_hash(&text) as i64, Ty::int(), span),
            None if matches!(value.ty.kind(), TyKind::Str) => {
                Expr { ty: Ty::int(), span, kind: ExprKind::Retype(value.into()) }
            }
            None => {
                if !value.ty.is_error() {
                    let shown = self.show(value.ty);
                    self.error(codes::E0203, arg.span, format!("expected a string, found `{shown}`"));
                }
                Expr::error(span)
            }
        }
    }

    /// A `printf` of an unknown text: the function can be checked but not run.
    fn text_unknown(&mut self, span: Span) -> Expr {
        self.cannot_run("`printf` needs a text that is known at compile time".to_string(), span);
        Expr::error(span)
    }

    pub(crate) fn check_printf(&mut self, args: &[ast::Expr], span: Span) -> Expr {
        let Some((first, rest)) = args.split_first() else {
            self.error(codes::E0204, span, "`printf` needs a format");
            return Expr::error(span);
        };
        let format = self.check_value(first);
        let Some(format) = self.text_of(&format) else {
            if matches!(format.ty.kind(), TyKind::Str) {
                return self.text_unknown(first.span);
            }
            if !format.ty.is_error() {
                self.error(codes::E0203, first.span, "the format of `printf` must be a string literal");
            }
            return Expr::error(span);
        };
        let (mut values, mut texts) = (Vec::new(), Vec::new());
        for a in rest {
            let v = self.check_value(a);
            let v = self.read_uniform(v);
            if v.ty.is_error() {
                return Expr::error(span);
            }
            if let TyKind::Str = v.ty.kind() {
                let Some(text) = self.text_of(&v) else { return self.text_unknown(a.span) };
                texts.push(Some(text));
                continue;
            }
            if !matches!(v.ty.kind(), TyKind::Scalar(_) | TyKind::Vector(..)) && !v.ty.is_abstract() {
                let shown = self.show(v.ty);
                self.error(codes::E0203, a.span, format!("`printf` cannot print `{shown}`"))
                    .notes
                    .push("print its scalars one by one".to_string());
                return Expr::error(span);
            }
            texts.push(None);
            values.push(v);
        }
        let format = if texts.iter().all(Option::is_none) { format } else { spliced(&format, &texts).into() };
        Expr { ty: Ty::void(), span, kind: ExprKind::Printf { format, args: values } }
    }
}

/// A format in which the conversions of known texts are replaced by the texts.
fn spliced(format: &str, texts: &[Option<Rc<str>>]) -> String {
    let mut out = String::new();
    let mut texts = texts.iter();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let spec = &rest[at..];
        if let Some(after) = spec.strip_prefix("%%") {
            out.push_str("%%");
            rest = after;
            continue;
        }
        let end = spec.find(|c: char| c.is_ascii_alphabetic() && !"lhzjt".contains(c)).map_or(spec.len(), |e| e + 1);
        let (this, after) = spec.split_at(end);
        match texts.next() {
            Some(Some(text)) => out.push_str(&padded(this, text).replace('%', "%%")),
            _ => out.push_str(this),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// The `sdbm` hash: each step multiplies by 65599 and adds a byte.
pub(crate) fn stable_hash(text: &str) -> i32 {
    text.bytes().fold(0u32, |hash, byte| hash.wrapping_mul(65599).wrapping_add(byte as u32)) as i32
}

/// A text as `%10s`, `%-10s` or `%.3s` prints it.
fn padded(spec: &str, text: &str) -> String {
    let inner = spec.trim_start_matches('%').trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let (left, inner) = match inner.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, inner),
    };
    let (width, precision) = inner.split_once('.').unwrap_or((inner, ""));
    let text: String = match precision.parse::<usize>() {
        Ok(n) => text.chars().take(n).collect(),
        Err(_) => text.to_string(),
    };
    // A larger width is a mistake.
    let width = width.parse::<usize>().unwrap_or(0).min(4096);
    if left { format!("{text:<width$}") } else { format!("{text:>width$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_take_their_place() {
        let (a, b) = (Some(Rc::from("a%b")), Some(Rc::from("xyz")));
        assert_eq!(spliced("%d %s|%5s|%-4.2s|%%", &[None, a, b.clone(), b]), "%d a%%b|  xyz|xy  |%%");
    }
}
