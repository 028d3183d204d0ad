//! The tables of rewrites, one file a subject. A new rewrite is a row in one of them.

mod arith;
mod branch;
mod loops;
mod parts;
mod tangent;

use super::rewrite::Rewrite;

/// Every rewrite of the canonicalizer. Where several match, the first one is applied.
pub fn all() -> impl Iterator<Item = &'static Rewrite> {
    [parts::REWRITES, arith::REWRITES, tangent::REWRITES, branch::REWRITES, loops::REWRITES].into_iter().flatten()
}
