//! Selects, comparisons and booleans.

use super::rows;

rows! {
    pub static ROWS: [
        "compare-int-constant-right" Exact Shrinks (cmpi p c x) = (cmpi (swapped p) x c) if const(c);
        "compare-float-constant-right" Exact Shrinks (cmpf p c x) = (cmpf (swapped p) x c) if const(c);
        "select-true-or-false" Exact Shrinks (select c true false) = c;
        "select-false-or-true" Exact Shrinks (select c false true) = (xori c true);
        "select-of-not" Exact Shrinks (select (xori c true) x y) = (select c y x);
        "select-in-true" Exact Shrinks (select c (select c x y) z) = (select c x z);
        "select-in-false" Exact Shrinks (select c x (select c y z)) = (select c x z);
        "double-xor" Exact Shrinks (xori (xori x y) y) = x;
        "not-of-int-comparison" Exact Shrinks (xori (cmpi p x y) true) = (cmpi (inverse p) x y) if alone();
        "not-of-float-comparison" Exact Shrinks (xori (cmpf p x y) true) = (cmpf (inverse p) x y) if alone();
        "float-comparison-as-not" Exact EGraph (cmpf p x y) = (xori (cmpf (inverse p) x y) true);
        "int-comparison-as-not" Exact EGraph (cmpi p x y) = (xori (cmpi (inverse p) x y) true);
        "is-true" Exact Shrinks (cmpi eq c true) = c;
        "is-not-false" Exact Shrinks (cmpi ne c false) = c;
        "is-false" Exact Shrinks (cmpi eq c false) = (xori c true);
        "is-not-true" Exact Shrinks (cmpi ne c true) = (xori c true);
        "never-below-zero" Exact Shrinks (cmpi ult x 0) = false;
        "at-least-zero" Exact Shrinks (cmpi uge x 0) = true;
        "never-above-greatest" Exact Shrinks (cmpi ugt x (-1)) = false;
        "at-most-greatest" Exact Shrinks (cmpi ule x (-1)) = true;
        "choice-of-true" Exact EGraph (select true x y) = x;
        "choice-of-false" Exact EGraph (select false x y) = y;
        "choice-of-same" Exact EGraph (select c x x) = x;
        "masked-never-equal" Exact Shrinks (cmpi eq (andi x c) d) = false if const(c), const(d), outside_bits(d, c);
        "masked-always-unequal" Exact Shrinks (cmpi ne (andi x c) d) = true if const(c), const(d), outside_bits(d, c);
        "with-bits-never-equal" Exact Shrinks (cmpi eq (ori x c) d) = false if const(c), const(d), outside_bits(c, d);
        "with-bits-always-unequal" Exact Shrinks (cmpi ne (ori x c) d) = true if const(c), const(d), outside_bits(c, d);
        "choose-true" Exact EGraph (select c true x) = (ori c x);
        "choose-false-else" Exact EGraph (select c x false) = (andi c x);
        "choose-false" Exact EGraph (select c false x) = (andi (xori c true) x);
        "choose-true-else" Exact EGraph (select c x true) = (ori (xori c true) x);
        "factor-of-choice" Exact EGraph (select c (mulf x z) (mulf y z)) = (mulf (select c x y) z);
        "term-of-choice" Exact EGraph (select c (addf x z) (addf y z)) = (addf (select c x y) z);
        "dividend-of-choice" Exact EGraph (select c (divf x z) (divf y z)) = (divf (select c x y) z);
        "divisor-of-choice" Exact EGraph (select c (divf z x) (divf z y)) = (divf z (select c x y));
        "minuend-of-choice" Exact EGraph (select c (subf x z) (subf y z)) = (subf (select c x y) z);
        "subtrahend-of-choice" Exact EGraph (select c (subf z x) (subf z y)) = (subf z (select c x y));
        "sign-of-choice" Exact Both (select c (negf x) (negf y)) = (negf (select c x y));
        "integer-factor-of-choice" Exact EGraph (select c (muli x z) (muli y z)) = (muli (select c x y) z);
        "integer-term-of-choice" Exact EGraph (select c (addi x z) (addi y z)) = (addi (select c x y) z);
        "sum-of-choices" Exact EGraph (addf (select c x y) (select c z w)) = (select c (addf x z) (addf y w));
        "gate-over-product" Exact EGraph (mulf (select c x 0) y) = (select c (mulf x y) 0) if finite(y), never_negative(y), never_negative_zero(y);
        "gate-over-product-of-any-sign" Fast EGraph (mulf (select c x 0) y) = (select c (mulf x y) 0) if finite(y) within 1 ulp;
        "gate-else-over-product" Fast EGraph (mulf (select c 0 x) y) = (select c 0 (mulf x y)) if finite(y) within 1 ulp;
        "compare-choice" Exact EGraph (cmpf p (select c x y) z) = (select c (cmpf p x z) (cmpf p y z));
        "equal-or-greater" Exact EGraph (andi (xori (cmpf oeq x y) true) (cmpf ogt x y)) = (cmpf ogt x y);
        "unequal-and-greater" Exact EGraph (andi (cmpf une x y) (cmpf ogt x y)) = (cmpf ogt x y);
        "greater-than-zero" Exact EGraph (select (cmpf ogt x 0) x 0) = (maxnumf x 0);
        "less-than-zero" Exact EGraph (select (cmpf olt x 0) x 0) = (minnumf x 0) if never_negative_zero(x);
        "greatest-is-first" Exact EGraph (maxnumf x y) = x if below(y, x), never_nan(x);
        "least-is-first" Exact EGraph (minnumf x y) = x if below(x, y), never_nan(x);
        "greatest-is-first-or-equal" Exact EGraph (maxnumf x y) = x if at_most(y, x), never_nan(x), never_zero(x);
        "least-is-first-or-equal" Exact EGraph (minnumf x y) = x if at_most(x, y), never_nan(x), never_zero(x);
        "maximum-is-first" Exact EGraph (maximumf x y) = x if below(y, x), never_nan(y);
        "minimum-is-first" Exact EGraph (minimumf x y) = x if below(x, y), never_nan(y);
    ]
}
