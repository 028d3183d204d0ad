//! Quotients, reciprocals and common divisors.

use super::rows;

rows! {
    pub static ROWS: [
        "divide-by-power-of-two" Exact Shrinks (divf x c) = (mulf x (divf 1 c)) if const(c), power_of_two(c);
        "quotient-of-same" Exact EGraph (divf x x) = 1 if finite(x), never_zero(x);
        "quotient-as-product" Fast EGraph (divf x y) = (mulf x (divf 1 y)) within 2 ulp;
        "quotient-of-quotient" Fast EGraph (divf (divf x y) z) = (divf x (mulf y z)) within 2 ulp;
        "divide-by-quotient" Fast EGraph (divf x (divf y z)) = (divf (mulf x z) y) within 2 ulp;
        "product-of-quotients" Fast EGraph (mulf (divf x y) (divf z w)) = (divf (mulf x z) (mulf y w)) within 3 ulp;
        "quotient-times" Fast Both (mulf (divf x y) z) = (divf (mulf x z) y) within 2 ulp;
        "quotient-times-divisor" Fast EGraph (mulf (divf x y) y) = x if finite(y), never_zero(y) within 2 ulp;
        "product-over-factor" Fast EGraph (divf (mulf x y) y) = x if finite(y), never_zero(y) within 2 ulp;
        "quotients-of-one-divisor" Fast EGraph (addf (divf x z) (divf y z)) = (divf (addf x y) z) within 4 ulp;
        "difference-of-quotients" Fast EGraph (subf (divf x z) (divf y z)) = (divf (subf x y) z) within 4 ulp;
        "reciprocal-root" Fast EGraph (divf 1 (sqrt x)) = (rsqrt x) within 2 ulp;
        "quotient-by-root" Fast EGraph (divf x (sqrt y)) = (mulf x (rsqrt y)) within 3 ulp;
        "root-squared" Fast EGraph (mulf (sqrt x) (sqrt x)) = x if never_negative(x) within 2 ulp;
        "reciprocal-root-squared" Fast EGraph (mulf (rsqrt x) (rsqrt x)) = (divf 1 x) if never_negative(x) within 4 ulp;
        "root-is-positive" Exact EGraph (cmpf ogt (sqrt x) 0) = (cmpf ogt x 0);
        "square-of-sine-and-cosine" Fast EGraph (addf (mulf (sin x) (sin x)) (mulf (cos x) (cos x))) = 1 if finite(x) within 4 ulp;
        "power-of-two" Exact EGraph (powf x 2) = (mulf x x) if narrow_float(x);
        // Rounding the sum of the exponents changes the result: by up to 512 units in f64, where
        // the sum is at most 710.
        "product-of-exponentials" Fast EGraph (mulf (exp x) (exp y)) = (exp (addf x y)) within 520 ulp;
    ]
}
