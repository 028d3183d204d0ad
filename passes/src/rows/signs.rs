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
        "sign-out-of-product" Exact Both (mulf (negf x) y) = (negf (mulf x y));
        "sign-out-of-dividend" Exact Both (divf (negf x) y) = (negf (divf x y));
        "sign-out-of-divisor" Exact Both (divf x (negf y)) = (negf (divf x y));
        "magnitude-of-negative" Exact EGraph (absf (negf x)) = (absf x);
        "magnitude-of-magnitude" Exact EGraph (absf (absf x)) = (absf x);
        "magnitude-of-square" Exact EGraph (absf (mulf x x)) = (mulf x x);
        "product-of-magnitudes" Exact EGraph (mulf (absf x) (absf y)) = (absf (mulf x y));
        "quotient-of-magnitudes" Exact EGraph (divf (absf x) (absf y)) = (absf (divf x y));
        "magnitude-of-positive" Exact EGraph (absf x) = x if never_negative(x), never_negative_zero(x);
        "magnitude-of-difference" Exact EGraph (absf (subf x y)) = (absf (subf y x));
        "negated-difference" Fast Both (negf (subf x y)) = (subf y x) within 1 ulp;
        "negative-minus" Fast Both (subf (negf x) y) = (negf (addf x y)) within 1 ulp;
        "plus-zero" Exact EGraph (addf x 0) = x if never_negative_zero(x);
        "plus-zero-of-any-sign" Fast EGraph (addf x 0) = x within 1 ulp;
        "zero-minus" Exact EGraph (subf 0 x) = (negf x) if never_positive_zero(x);
        "zero-minus-of-any-sign" Fast EGraph (subf 0 x) = (negf x) within 1 ulp;
        "difference-of-same" Exact EGraph (subf x x) = 0 if finite(x);
        "zero-times-positive" Exact EGraph (mulf x 0) = 0 if finite(x), never_negative(x), never_negative_zero(x);
        "zero-times" Fast EGraph (mulf x 0) = 0 if finite(x) within 1 ulp;
        "nonzero-or-zero" Exact EGraph (select (cmpf une x 0) x 0) = (addf x 0);
        "zero-or-nonzero" Exact EGraph (select (cmpf oeq x 0) 0 x) = (addf x 0);
    ]
}
