//! Kinds of programs. Each draws its own structure; the expressions in it are drawn too.

mod elementwise;
mod list;
mod march;
mod mixture;
mod mlp;
mod montecarlo;
mod recurrence;
mod scatter;
mod shapes;
mod stencil;
mod texture;

use super::plan::Plan;
use super::write::Writer;

/// Writes a function and what it needs.
pub type Kind = fn(&mut Writer) -> Plan;

pub const KINDS: &[(&str, Kind)] = &[
    ("list", list::write),
    ("elementwise", elementwise::write),
    ("recurrence", recurrence::write),
    ("shapes", shapes::write),
    ("mlp", mlp::write),
    ("stencil", stencil::write),
    ("scatter", scatter::write),
    ("march", march::write),
    ("mixture", mixture::write),
    ("montecarlo", montecarlo::write),
    ("texture", texture::write),
];
