//! The page of the book that lists the rewrites, printed from their tables.

use super::rules::{Table, is_canonical, tables};
use crate::rows::condition::PREDICATES;
use crate::rows::{About, Row, TABLES, Use};
use std::fmt::Write;

const HEAD: &str = "\
# Rewrites

Generated from the tables in `passes/src/rows` and `passes/src/optimize/rules`.

Arithmetic is rewritten by *rows*: equalities `left = right`, with the conditions and the error bound on which they hold. All that uses them (the
canonicalizer, the e-graph, their tests and mutants, this page) reads the same rows. What spans regions, loops, parts of aggregates or tangents is a function.

The *class* says under which reading of floats a rewrite is right. *Exact* ones give the same bits for every input, infinities, NaNs and the sign of
zero included; *linear* ones are for tangents, where a zero that is known to be one stays zero next to an infinity; with *contract* a product and a sum may round
once; with *reassociate* sums and products may be taken in another order; *fast* ones hold for real numbers, as long as no intermediate result leaves the
normal numbers. Comparisons with NaN and infinities stay what they are, and a NaN that goes into a rewrite comes out; where a quotient has the divisor zero
or a result leaves the range, an infinity may stand for a NaN. What LLVM reorders in class fast promises less: of `(x + y) - x` it makes `y`.

A difference can lose all digits of its operands, so a bound is not relative to the result. It counts units in the last place of the *magnitude*: the
greater side, computed with `|x| + |y|` in the place of `x + y` and `x - y`. It holds where every result on the way is a normal number, or a zero
that is exact, whatever signs and sizes the operands have; beyond that only NaN is promised.

The *use* says who applies a row. Rows that *shrink* go from left to right; `canonicalize` applies those that are exact, before, between and after the steps of
differentiation, so that the derivatives of both sides agree too, at corners as well. Rows for *both* directions and for the *egraph* wait for the e-graph, which works
after differentiation.

In a row, `m@(…)` names a part of the left side, `p` any predicate of a comparison, `(swapped p)` that of the operands in the other order and `(inverse p)` that
which holds where `p` does not. Operands of commutative ops match in both orders.
";

pub fn page() -> String {
    let mut out = String::from(HEAD);
    out.push_str("\n## Conditions\n\nThe predicates that a row may name. Those about values hold of all values that a variable can have.\n\n");
    out.push_str("| predicate | meaning | asks about |\n| --- | --- | --- |\n");
    for p in PREDICATES {
        let about = match p.about {
            About::Code => "code",
            About::Types => "types",
            About::Values => "values",
        };
        let args = ["", "x", "x, y"].get(p.arity).copied().unwrap_or("…");
        let meaning = match p.arity {
            0 => p.doc.to_string(),
            1 => format!("x {}", p.doc),
            _ if p.doc.ends_with(',') => format!("x {} y", p.doc),
            _ if p.doc.starts_with("are") => format!("x and y {}", p.doc),
            _ => format!("x {} y", p.doc),
        };
        let _ = writeln!(out, "| `{}({args})` | {meaning} | {about} |", p.name);
    }
    for (title, table) in TABLES {
        let _ = write!(out, "\n## {title}\n\n| name | row | class | use |\n| --- | --- | --- | --- |\n");
        table.iter().for_each(|row| line(&mut out, row));
    }
    out.push_str("\n# Rewrites that are functions\n");
    tables().for_each(|table| functions(&mut out, table));
    out
}

fn line(out: &mut String, row: &Row) {
    let used = match row.used {
        Use::Shrinks if is_canonical(row) => "shrinks, canonicalize",
        used => used.keyword(),
    };
    let _ = writeln!(out, "| `{}` | `{}` | {} | {used} |", row.name, row.text(), row.class.keyword());
}

fn functions(out: &mut String, table: &Table) {
    let _ = write!(out, "\n## {}\n\n{}\n\n", table.title, table.why);
    out.push_str("| name | rewrite | class |\n| --- | --- | --- |\n");
    for r in table.rewrites {
        let _ = writeln!(out, "| `{}` | `{}` | {} |", r.name, r.doc.replace('|', "\\|"), r.class.keyword());
    }
}
