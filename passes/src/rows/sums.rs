//! Sums and products of floats: reordering, common factors, and products and sums with a single
//! rounding.

use super::rows;

rows! {
    pub static ROWS: [
        "twice" Exact EGraph (addf x x) = (mulf x 2);
        "fused" Contract EGraph (addf p@(mulf x y) z) = (fma x y z) if apart(p, z) within 1 ulp;
        "fused-minus" Contract EGraph (subf p@(mulf x y) z) = (fma x y (negf z)) if apart(p, z) within 1 ulp;
        "fused-from" Contract EGraph (subf z p@(mulf x y)) = (fma (negf x) y z) if apart(p, z) within 1 ulp;
        "sign-into-fused" Contract EGraph (fma (negf x) (negf y) z) = (fma x y z) within 1 ulp;
        "sum-of-sum" Reassociate Both (addf (addf x y) z) = (addf x (addf y z)) within 4 ulp;
        "sum-of-difference" Reassociate Both (addf (subf x y) z) = (subf (addf x z) y) within 4 ulp;
        "difference-of-difference" Reassociate Both (subf (subf x y) z) = (subf x (addf y z)) within 4 ulp;
        "product-of-product" Reassociate Both (mulf (mulf x y) z) = (mulf x (mulf y z)) within 2 ulp;
        "common-factor" Reassociate EGraph (addf (mulf x z) (mulf y z)) = (mulf (addf x y) z) within 4 ulp;
        "common-factor-of-difference" Reassociate EGraph (subf (mulf x z) (mulf y z)) = (mulf (subf x y) z) within 4 ulp;
        "shared-factor" Reassociate EGraph (addf (mulf (mulf x z) w) (mulf (mulf y z) v)) = (mulf (addf (mulf x w) (mulf y v)) z) within 6 ulp;
        "shared-factor-of-one" Reassociate EGraph (addf (mulf x z) (mulf (mulf y z) w)) = (mulf (addf x (mulf y w)) z) within 6 ulp;
        "shared-factor-of-difference" Reassociate EGraph (subf (mulf (mulf x z) w) (mulf (mulf y z) v)) = (mulf (subf (mulf x w) (mulf y v)) z) within 6 ulp;
        "shared-factor-of-minuend" Reassociate EGraph (subf (mulf x z) (mulf (mulf y z) w)) = (mulf (subf x (mulf y w)) z) within 6 ulp;
        "shared-factor-of-subtrahend" Reassociate EGraph (subf (mulf (mulf y z) w) (mulf x z)) = (mulf (subf (mulf y w) x) z) within 6 ulp;
        "one-and-factor" Reassociate EGraph (addf x (mulf x y)) = (mulf x (addf y 1)) within 4 ulp;
        "one-less-factor" Reassociate EGraph (subf x (mulf x y)) = (mulf x (subf 1 y)) within 4 ulp;
        "factor-less-one" Reassociate EGraph (subf (mulf x y) x) = (mulf x (subf y 1)) within 4 ulp;
    ]
}
