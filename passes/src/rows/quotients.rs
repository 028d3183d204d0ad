//! Quotients, reciprocals and common divisors.

use super::rows;

rows! {
    pub static ROWS: [
        "divide-by-power-of-two" Exact Shrinks (divf x c) = (mulf x (divf 1 c)) if const(c), power_of_two(c);
    ]
}
