//! Conversions. Bit casts are not cancelled in either direction: the bits of a signaling NaN need
//! not survive as a float, and the bits of a float carry no derivative, which the float itself
//! does.

use super::rows;

rows! {
    pub static ROWS: [
        "truncate-sign-extended" Exact Shrinks (trunci m@(extsi x)) = x if narrower(x, m);
        "truncate-zero-extended" Exact Shrinks (trunci m@(extui x)) = x if narrower(x, m);
        "narrow-widened" Exact Shrinks (truncf m@(extf x)) = x if narrower(x, m);
        // A conversion to a type that is at least as wide and back. The fill bits do not matter.
        "index-and-back" Exact Shrinks (index_cast m@(index_cast x)) = x if as_wide(m, x);
        "index-and-back-of-unsigned" Exact Shrinks (index_cast m@(index_castui x)) = x if as_wide(m, x);
        "unsigned-index-and-back" Exact Shrinks (index_castui m@(index_castui x)) = x if as_wide(m, x);
        "unsigned-index-and-back-of-signed" Exact Shrinks (index_castui m@(index_cast x)) = x if as_wide(m, x);
        "index-and-back-by-range" Exact EGraph (index_cast m@(index_cast x)) = x if same_number(m, x);
    ]
}
