//! The tables of rewrites, one file a subject. A new rewrite is a row in one of them.

mod arith;
mod branch;
mod loops;
mod parts;
mod tangent;

use super::rewrite::Rewrite;
use std::fmt::Write;

/// The tables in the order in which they are tried, with what each is about.
static TABLES: &[(&str, &[Rewrite])] = &[
    ("Parts of structs, arrays, vectors and matrices", parts::REWRITES),
    ("Arithmetic", arith::REWRITES),
    ("Linear code and pairs", tangent::REWRITES),
    ("Branches", branch::REWRITES),
    ("Loops", loops::REWRITES),
];

/// Every rewrite of the canonicalizer. Where several match, the first one is applied.
pub fn all() -> impl Iterator<Item = &'static Rewrite> {
    TABLES.iter().flat_map(|(_, table)| *table)
}

/// The page of the book that lists them.
pub fn book_page() -> String {
    let mut out = String::from(
        "# Rewrites\n\nGenerated from the tables in `passes/src/optimize/rules`. `canonicalize` applies them, besides folding ops as their rows \
         say and removing what nothing reads.\n\nWhat a rewrite needs of floats: *exact* ones give the same bits for every input, infinities, NaNs and \
         the sign of zero included; *linear* ones are for tangents, where a zero that is known to be one stays zero next to an infinity.\n",
    );
    for (title, table) in TABLES {
        let _ = write!(out, "\n## {title}\n\n| name | rewrite | floats |\n| --- | --- | --- |\n");
        for r in *table {
            let doc = r.doc.replace('|', "\\|");
            let _ = writeln!(out, "| `{}` | `{doc}` | {} |", r.name, r.class.keyword());
        }
    }
    out
}
