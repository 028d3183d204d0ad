//! Conversions. Bit casts stay, either way round: bits that make a signaling NaN need not survive
//! being a float, and the bits of a float carry no derivative, which it would if it came back as
//! itself.

use super::rows;

rows! {
    pub static ROWS: [
        "truncate-sign-extended" Exact Shrinks (trunci m@(extsi x)) = x if narrower(x, m);
        "truncate-zero-extended" Exact Shrinks (trunci m@(extui x)) = x if narrower(x, m);
        "narrow-widened" Exact Shrinks (truncf m@(extf x)) = x if narrower(x, m);
        // A detour through a type that is at least as wide; which bits fill the rest does not
        // matter.
        "index-and-back" Exact Shrinks (index_cast m@(index_cast x)) = x if as_wide(m, x);
        "index-and-back-of-unsigned" Exact Shrinks (index_cast m@(index_castui x)) = x if as_wide(m, x);
        "unsigned-index-and-back" Exact Shrinks (index_castui m@(index_castui x)) = x if as_wide(m, x);
        "unsigned-index-and-back-of-signed" Exact Shrinks (index_castui m@(index_cast x)) = x if as_wide(m, x);
        "index-and-back-by-range" Exact EGraph (index_cast m@(index_cast x)) = x if same_number(m, x);
    ]
}
