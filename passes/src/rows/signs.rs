//! Signs of floats.

use super::rows;

rows! {
    pub static ROWS: [
        "add-of-negative" Exact Shrinks (addf x (negf y)) = (subf x y);
        "subtract-negative" Exact Shrinks (subf x (negf y)) = (addf x y);
        "double-negative" Exact Shrinks (negf (negf x)) = x;
        "product-of-negatives" Exact Shrinks (mulf (negf x) (negf y)) = (mulf x y);
        "quotient-of-negatives" Exact Shrinks (divf (negf x) (negf y)) = (divf x y);
        "times-minus-one" Exact Shrinks (mulf x (-1)) = (negf x);
        "divide-by-minus-one" Exact Shrinks (divf x (-1)) = (negf x);
    ]
}
