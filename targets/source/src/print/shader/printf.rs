//! `printf` of shaders: a debug layer formats it. A value is converted to what its directive wants,
//! of 32 bits but for large integers. What a language has no word for is left out, with a warning.

use super::super::printf::{Directive, quoted};
use super::super::{Frame, Printer};
use crate::tree::Expr;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Loc, codes};

impl Printer<'_> {
    /// The statement, if there is one.
    pub(in crate::print) fn shader_print(
        &mut self,
        f: &Frame<'_>,
        (format, loc): (&str, Loc),
        args: &[Expr],
    ) -> Result<Vec<String>, Diagnostic> {
        let print = self.language.printf;
        if print.is_empty() {
            let text = format!("nothing is printed: {} has no `printf`", self.language.name.to_uppercase());
            let warning = Diagnostic::warning(codes::W0853, loc, text);
            self.warnings.push(warning.with_note("write what you look for to a buffer"));
            return Ok(Vec::new());
        }
        let words = self.shader()?.printing;
        self.shading.extensions.extend(words);
        let (format, values) = self.formatted(f, format, args, &convert)?;
        let quoted: String = format.chars().map(quoted).collect();
        let given: String = values.iter().map(|value| format!(", {value}")).collect();
        Ok(vec![format!("{print}(\"{quoted}\"{given});")])
    }
}

/// A directive of a debug layer, and the value in the type that it wants; what is wrong with it if
/// there is none.
fn convert(directive: &Directive<'_>, text: &str, scalar: Scalar) -> Result<(String, String), String> {
    let Directive { flags, sizes, letter } = directive;
    let large = matches!(scalar, Scalar::I64 | Scalar::U64);
    let (word, value) = match letter {
        'd' | 'i' if large => ("ld".to_string(), format!("int64_t({text})")),
        'd' | 'i' => ("d".to_string(), format!("int({text})")),
        'u' | 'x' | 'X' | 'o' if large => (format!("l{letter}"), format!("uint64_t({text})")),
        'u' | 'x' | 'X' | 'o' => (letter.to_string(), format!("uint({text})")),
        'c' => return Err("a character in `printf`".to_string()),
        's' if scalar.is_float() => ("g".to_string(), format!("float({text})")),
        's' if large => ("ld".to_string(), format!("int64_t({text})")),
        's' => ("d".to_string(), format!("int({text})")),
        letter => (letter.to_ascii_lowercase().to_string(), format!("float({text})")),
    };
    Ok((format!("%{flags}{sizes}{word}"), value))
}
