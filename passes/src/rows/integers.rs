//! Integers: they wrap, so that sums and products may be taken in any order.

use super::rows;

rows! {
    pub static ROWS: [
        "add-constants" Exact Shrinks (addi (addi x c) d) = (addi x (addi c d)) if const(c), const(d);
        "mul-constants" Exact Shrinks (muli (muli x c) d) = (muli x (muli c d)) if const(c), const(d);
        "subtract-constant" Exact Shrinks (subi x c) = (addi x (subi 0 c)) if const(c);
        "subtract-term" Exact Shrinks (subi (addi x y) y) = x;
        "subtract-difference" Exact Shrinks (subi x (subi x y)) = y;
        "add-to-difference" Exact Shrinks (addi (subi x y) y) = x;
    ]
}
