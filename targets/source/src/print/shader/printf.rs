//! `printf` of shaders: a debug layer formats it. A value is converted to what its directive wants,
//! of 32 bits but for large integers. What a language has no word for is left out, with a warning.

use super::super::printf::quoted;
use super::super::{Frame, Printer};
use crate::layer::{self, Wanted};
use crate::tree::Expr;
use caustic_dialects::reflect::Scalar;
use caustic_ir::{Diagnostic, Loc, codes};
use caustic_runtime::directives::Directive;

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
            let text = format!("nothing is printed: {} has no `printf`", self.language.title());
            let warning = Diagnostic::warning(codes::W0853, loc, text);
            self.warnings.push(warning.with_note("write what you look for to a buffer"));
            return Ok(Vec::new());
        }
        let shader = self.shader()?;
        self.shading.extensions.extend(shader.printing);
        let wide = shader.syntax.wide_words;
        let convert = |d: &Directive<'_>, text: &str, scalar| convert(d, text, scalar, wide);
        let (format, values) = self.formatted(f, format, args, &convert)?;
        let quoted: String = format.chars().map(quoted).collect();
        // What is computed for an argument alone might be contracted.
        let precise = self.statements().precise;
        let base = std::iter::repeat_n('_', values.iter().filter(|v| v.contains("printed")).count());
        let base: String = "printed".chars().chain(base).collect();
        let (mut lines, mut given) = (vec!["{".to_string()], String::new());
        for (i, value) in values.iter().enumerate() {
            // Each is a conversion: its type stands before the parenthesis.
            let (ty, name) = (value.split('(').next().unwrap_or_default(), format!("{base}_{i}"));
            lines.push(format!("    {precise}{ty} {name} = {value};"));
            given += &format!(", {name}");
        }
        lines.push(format!("    {print}(\"{quoted}\"{given});"));
        lines.push("}".to_string());
        Ok(lines)
    }
}

/// A directive of a debug layer, and the value in the type that it wants; what is wrong with it if
/// there is none. `wide`: large integers are pairs of words.
fn convert(directive: &Directive<'_>, text: &str, scalar: Scalar, wide: bool) -> Result<(String, String), String> {
    let large = matches!(scalar, Scalar::I64 | Scalar::U64);
    if large && wide {
        return Err("a number of 64 bits in `printf`".to_string());
    }
    let of_layer = layer::directive(directive, scalar.is_float(), large);
    let (word, wanted) = of_layer.ok_or_else(|| "a character in `printf`".to_string())?;
    let ty = match wanted {
        Wanted::Int => "int",
        Wanted::Uint => "uint",
        Wanted::Long => "int64_t",
        Wanted::Ulong => "uint64_t",
        Wanted::Float => "float",
    };
    Ok((word, format!("{ty}({text})")))
}
