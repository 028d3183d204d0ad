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
        "is-true" Exact Shrinks (cmpi eq c true) = c;
        "is-not-false" Exact Shrinks (cmpi ne c false) = c;
        "is-false" Exact Shrinks (cmpi eq c false) = (xori c true);
        "is-not-true" Exact Shrinks (cmpi ne c true) = (xori c true);
    ]
}
