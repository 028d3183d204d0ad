//! `printf`, as the runtime formats it: a value is converted to what its directive wants, a
//! directive without a value is printed as written.

use super::{Frame, Printer, Text};
use crate::tree::Expr;
use caustic_dialects::reflect::Scalar;
use caustic_ir::Diagnostic;
use caustic_runtime::directives::{self, Directive, Piece};

/// What a directive becomes, and the value in the type that it wants.
type Convert<'c> = dyn Fn(&Directive<'_>, &str, Scalar) -> Result<(String, String), String> + 'c;

impl Printer<'_> {
    pub(super) fn printed(&mut self, f: &Frame<'_>, format: &str, args: &[Expr]) -> Text {
        let convert = |d: &Directive<'_>, text: &str, scalar| Ok(directive(d, text, scalar));
        let (out, given) = self.formatted(f, format, args, &convert)?;
        let quoted: String = out.chars().map(quoted).collect();
        let print = self.language.printf;
        if given.is_empty() {
            return Ok(format!("{print}(\"{quoted}\");"));
        }
        Ok(format!("{print}(\"{quoted}\", {});", given.join(", ")))
    }

    /// The format with other directives, and the values that it takes.
    pub(super) fn formatted(
        &mut self,
        f: &Frame<'_>,
        format: &str,
        args: &[Expr],
        convert: &Convert<'_>,
    ) -> Result<(String, Vec<String>), Diagnostic> {
        let mut values = Vec::new();
        for arg in args {
            values.extend(self.printed_scalars(f, arg)?);
        }
        let mut values = values.into_iter();
        let (mut out, mut given) = (String::new(), Vec::new());
        let pieces = directives::pieces(format);
        for piece in pieces.ok_or_else(|| self.internal("a width that is computed was refused before"))? {
            match piece {
                Piece::Text(text) => out.push_str(text),
                Piece::Percent => out.push_str("%%"),
                Piece::Directive(directive) => match values.next() {
                    Some((text, scalar)) => {
                        let found = convert(&directive, &text, scalar);
                        let (directive, value) = found.map_err(|what| self.refuse(what))?;
                        out.push_str(&directive);
                        given.push(value);
                    }
                    None => {
                        out.push_str("%%");
                        out.push_str(directive.written);
                    }
                },
            }
        }
        Ok((out, given))
    }

    /// The scalars of an argument as text.
    fn printed_scalars(&mut self, f: &Frame<'_>, arg: &Expr) -> Result<Vec<(String, Scalar)>, Diagnostic> {
        let scalar = arg.ty.scalar().ok_or_else(|| self.refuse("`printf` of what is no number"))?;
        let text = self.expr(f, arg)?;
        if !arg.ty.is_vector() {
            return Ok(vec![(text, scalar)]);
        }
        let count = arg.ty.len().unwrap_or(0);
        Ok((0..count).map(|k| (format!("({text})[{k}]"), scalar)).collect())
    }
}

/// A directive of C, and the value in the type that it wants.
fn directive(directive: &Directive<'_>, text: &str, scalar: Scalar) -> (String, String) {
    let Directive { flags, sizes, letter, .. } = directive;
    let float = scalar.is_float();
    let number = match scalar {
        Scalar::F16 => format!("double(float({text}))"),
        _ => format!("double({text})"),
    };
    let letter = *letter;
    let word = match letter {
        'd' | 'i' if float => ("lld", format!("static_cast<long long>({number})")),
        'd' | 'i' => ("lld", format!("static_cast<long long>({})", signed(text, scalar))),
        'u' | 'x' | 'X' | 'o' => {
            let value = if float { number } else { unsigned(text, scalar) };
            let kind = match letter {
                'u' => "llu",
                'x' => "llx",
                'X' => "llX",
                _ => "llo",
            };
            (kind, format!("static_cast<unsigned long long>({value})"))
        }
        'c' => ("c", format!("int({text})")),
        's' if float => ("g", number),
        's' => ("lld", format!("static_cast<long long>({})", signed(text, scalar))),
        'f' | 'F' => ("f", number),
        'e' => ("e", number),
        'E' => ("E", number),
        'g' => ("g", number),
        _ => ("G", number),
    };
    (format!("%{flags}{sizes}{}", word.0), word.1)
}

fn signed(text: &str, scalar: Scalar) -> String {
    match scalar {
        Scalar::U8 => format!("int8_t({text})"),
        Scalar::U16 => format!("int16_t({text})"),
        Scalar::U32 => format!("int({text})"),
        _ => text.to_string(),
    }
}

fn unsigned(text: &str, scalar: Scalar) -> String {
    match scalar {
        Scalar::I8 => format!("uint8_t({text})"),
        Scalar::I16 => format!("uint16_t({text})"),
        Scalar::I32 => format!("uint32_t({text})"),
        _ => text.to_string(),
    }
}

/// A character in a string of C.
pub(super) fn quoted(c: char) -> String {
    match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        c if c.is_ascii_graphic() || c == ' ' => c.to_string(),
        c => c.to_string().bytes().map(|b| format!("\\{b:03o}")).collect(),
    }
}
