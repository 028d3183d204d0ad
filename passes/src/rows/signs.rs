//! Signs of floats.

use super::rows;

rows! {
    pub static ROWS: [
        "double-negative" Exact Shrinks (negf (negf x)) = x;
        "product-of-negatives" Exact Shrinks (mulf (negf x) (negf y)) = (mulf x y);
        "quotient-of-negatives" Exact Shrinks (divf (negf x) (negf y)) = (divf x y);
        "sign-out-of-product" Exact Both (mulf (negf x) y) = (negf (mulf x y));
        "sign-out-of-dividend" Exact Both (divf (negf x) y) = (negf (divf x y));
        "sign-out-of-divisor" Exact Both (divf x (negf y)) = (negf (divf x y));
        "subtract-negative" Exact Shrinks (subf x (negf y)) = (addf x y);
        "add-of-negative" Exact Shrinks (addf x (negf y)) = (subf x y);
    ]
}
