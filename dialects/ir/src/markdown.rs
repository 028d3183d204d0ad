//! The documentation page of a dialect, in Markdown, from its rows alone.
//!
//! Deterministic: the same rows give the same text, so that pages kept in the book can be compared
//! with what is generated.

use crate::eval::Eval;
use crate::op::{AdRule, Asm, AsmShape, Dialect, Effects, Fold, Mirror, OpDef, TypeRule, ValueSpec};
use std::fmt::Write;

/// The page.
pub fn dialect_markdown(dialect: &Dialect) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<!-- Generated from the op rows; see docs/testing.md for how. -->\n\n# Dialect `{}`\n",
        dialect.name
    );
    let _ = writeln!(out, "{}\n", dialect.doc.trim());
    if !dialect.types.is_empty() {
        out.push_str("## Types\n\n");
        for (name, doc) in dialect.types {
            let _ = writeln!(out, "- `!{}.{name}`: {}", dialect.name, doc.trim());
        }
        out.push('\n');
    }
    out.push_str("## Ops\n\n| op | |\n| --- | --- |\n");
    for op in dialect.all_ops() {
        let _ = writeln!(out, "| [`{0}`](#{1}) | {2} |", op.name, anchor(op.name), cell(summary(op.doc)));
    }
    for op in dialect.all_ops() {
        write_op(&mut out, op);
    }
    out
}

/// The anchor that Markdown renderers give to a heading: lower case, punctuation dropped.
fn anchor(heading: &str) -> String {
    heading.chars().filter(|c| c.is_alphanumeric() || *c == '_' || *c == '-').collect::<String>().to_lowercase()
}

/// The first sentence.
fn summary(doc: &str) -> String {
    let first = doc.trim().split("\n\n").next().unwrap_or("");
    let text = first.split_whitespace().collect::<Vec<_>>().join(" ");
    // Outside of code, a point and a space end a sentence.
    let mut code = false;
    for (i, c) in text.char_indices() {
        match c {
            '`' => code = !code,
            '.' if !code && text[i + 1..].starts_with(' ') => return text[..=i].to_string(),
            _ => {}
        }
    }
    text
}

/// Text in a cell of a table.
fn cell(text: String) -> String {
    text.replace('|', "\\|")
}

/// A row's text as paragraphs: the leading space of doc comments goes.
fn paragraphs(doc: &str) -> String {
    doc.lines().map(|l| l.strip_prefix(' ').unwrap_or(l)).collect::<Vec<_>>().join("\n").trim().to_string()
}

fn write_op(out: &mut String, op: &OpDef) {
    let _ = write!(out, "\n## `{}`\n\n{}\n\n", op.name, paragraphs(op.doc));
    let operands = values(op.operands, op);
    let results = values(op.results, op);
    let mut lines = Vec::new();
    if !operands.is_empty() {
        lines.push(format!("operands: {operands}"));
    }
    if !results.is_empty() {
        lines.push(format!("results: {results}"));
    }
    if !op.attrs.is_empty() {
        let attrs = op.attrs.iter().map(|a| {
            let optional = if a.required { "" } else { ", optional" };
            format!("`{}` ({:?}{optional})", a.name, a.class)
        });
        lines.push(format!("attributes: {}", attrs.collect::<Vec<_>>().join(", ")));
    }
    if !op.regions.is_empty() {
        let regions = op.regions.iter().map(|r| match r.strip_prefix("more_") {
            Some(name) => format!("`{name}` (any number)"),
            None => format!("`{r}`"),
        });
        lines.push(format!("regions: {}", regions.collect::<Vec<_>>().join(", ")));
    }
    lines.push(format!("syntax: {}", syntax(op.asm)));
    let commutative = if op.commutative { ", commutative" } else { "" };
    lines.push(format!("effects: {}{commutative}", effects(op.effects)));
    lines.push(format!("folding: {}", folding(op.fold)));
    if matches!(op.eval, Eval::None) {
        lines.push("not executable".to_string());
    }
    lines.push(format!("differentiation: {}", differentiation(op)));
    for line in lines {
        let _ = writeln!(out, "- {line}");
    }
}

fn values(specs: &[ValueSpec], op: &OpDef) -> String {
    let one = |v: &ValueSpec| {
        let many = if v.variadic { ", any number" } else { "" };
        format!("`{}` ({}{many})", v.name, rule(v.rule, op))
    };
    specs.iter().map(one).collect::<Vec<_>>().join(", ")
}

fn rule(rule: TypeRule, op: &OpDef) -> String {
    let name = |n: usize| op.operands.get(n).map_or("?", |o| o.name);
    match rule {
        TypeRule::Class(class) => class.desc.to_string(),
        TypeRule::SameAs(n) => format!("the type of `{}`", name(n)),
        TypeRule::BoolLike(n) => format!("i1 in the shape of `{}`", name(n)),
        TypeRule::ElemOf(n) => format!("the scalar type of `{}`", name(n)),
        TypeRule::Exactly(ty) => ty().to_string(),
    }
}

fn syntax(asm: Asm) -> String {
    match asm {
        Asm::Generic => "generic form only".to_string(),
        // A format has backquotes of its own; a longer fence keeps them.
        Asm::Format(format) => format!("``` {format} ```"),
        Asm::Shape(shape) => match shape {
            AsmShape::Module => "`builtin.module`'s own",
            AsmShape::Symbol => "`@name`, attributes, regions",
            AsmShape::Function => "`func.func`'s own",
            AsmShape::Call => "`callee(operands) : function type`",
            AsmShape::If => "`scf.if`'s own",
            AsmShape::For => "`scf.for`'s own",
            AsmShape::While => "`scf.while`'s own",
            AsmShape::IndexSwitch => "`scf.index_switch`'s own",
            AsmShape::Terminator => "operands, then their types",
            AsmShape::Constant => "the value with its type",
            AsmShape::Compare => "predicate, operands, type",
            AsmShape::Select => "operands, then the type (before it the condition's, unless it is i1)",
        }
        .to_string(),
    }
}

fn effects(effects: Effects) -> &'static str {
    match effects {
        Effects::Pure => "none",
        Effects::Reads => "reads memory",
        Effects::Writes => "writes memory, prints or traps",
        Effects::Regions => "those of its regions",
        Effects::Call => "those of the callee",
        Effects::Terminator => "ends a block",
        Effects::Symbol => "defines a symbol",
    }
}

fn folding(fold: Fold) -> &'static str {
    match fold {
        Fold::None => "none",
        Fold::Eval => "constants",
        Fold::With(_) => "constants, and algebraic facts",
    }
}

fn differentiation(op: &OpDef) -> String {
    match op.ad {
        AdRule::Inactive => "the result carries no derivative".to_string(),
        AdRule::Orders => "stands in reverse code too, between what custom derivatives do to memory".to_string(),
        AdRule::Partials(partials) => {
            let terms = partials.iter().zip(op.operands).map(|(p, o)| format!("∂/∂{} = `{p}`", o.name));
            terms.collect::<Vec<_>>().join("; ")
        }
        AdRule::Mirror(mirror) => {
            let how = match mirror {
                Mirror::Extract => "reads the part; its transpose adds to it",
                Mirror::Insert => "replaces the part; its transpose reads and then clears it",
                Mirror::Make => "puts parts together; its transpose takes them apart",
                Mirror::Splat => "copies a scalar; its transpose sums",
                Mirror::Sum => "sums; its transpose copies",
                Mirror::Reshape => "rearranges; its transpose rearranges back",
                Mirror::Cast => "converts; its transpose converts back",
                Mirror::Select => {
                    "selects; its transpose gives the cotangent to what was selected and a strong zero to the other"
                }
                Mirror::Detach => "cuts the derivative",
            };
            format!("linear: {how}")
        }
        AdRule::Linear(_) => "linear in its tangents; its transpose is the differentiator's".to_string(),
        AdRule::Custom => "by the differentiator itself".to_string(),
        AdRule::Refuse(why) => format!("refused: {why}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_are_first_sentences() {
        assert_eq!(summary(" The sum. `%c = t.add %a, %b : f32`\n"), "The sum.");
        assert_eq!(summary(" Reads `a.b c`,\n twice (e.g.) here\n\n More."), "Reads `a.b c`, twice (e.g.) here");
        assert_eq!(anchor("arith.addf"), "arithaddf");
    }
}
