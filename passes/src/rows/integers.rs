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
        "sum-of-integers" Exact Both (addi (addi x y) z) = (addi x (addi y z));
        "difference-of-sum" Exact EGraph (subi (addi x y) z) = (addi (subi x z) y);
        "difference-of-same-integers" Exact EGraph (subi x x) = 0;
        "common-integer-factor" Exact EGraph (addi (muli x z) (muli y z)) = (muli (addi x y) z);
        "common-integer-factor-of-difference" Exact EGraph (subi (muli x z) (muli y z)) = (muli (subi x y) z);
        "distribute-constant" Exact EGraph (muli (addi x c) d) = (addi (muli x d) (muli c d)) if const(c), const(d);
        "shift-as-product" Exact EGraph (shli x c) = (muli x (shli 1 c)) if const(c);
        "integer-and-multiple" Exact EGraph (addi x (muli x y)) = (muli x (addi y 1));
        "divide-multiple" Exact EGraph (divui (muli x c) d) = (muli x (divui c d)) if const(c), const(d), multiplies_within(x, c), divides(d, c);
        "and-of-or" Exact EGraph (andi x (ori x y)) = x;
        "or-of-and" Exact EGraph (ori x (andi x y)) = x;
        "common-mask" Exact EGraph (ori (andi x z) (andi y z)) = (andi (ori x y) z);
        "or-of-not-and" Exact EGraph (ori (xori x (-1)) (andi x y)) = (ori (xori x (-1)) y);
        "or-of-inverse-and" Exact EGraph (ori (xori x true) (andi x y)) = (ori (xori x true) y) if boolean(x);
        "and-of-inverse-or" Exact EGraph (andi (xori x true) (ori x y)) = (andi (xori x true) y) if boolean(x);
    ]
}
