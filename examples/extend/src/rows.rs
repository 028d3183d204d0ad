//! An equality about the op, for the pass `egraph`.

use crate::op::DIALECT;
use caustic_passes::rows::rows;

rows! {
    /// Softplus of a number and of its negative differ by the number.
    pub static ROWS with [&DIALECT]: [
        "soft-both-ways" Fast EGraph (subf (plus x) (plus (negf x))) = x within 4 ulp;
    ]
}

caustic_passes::egraph_with! {
    /// The e-graph that knows it.
    pub static EGRAPH: "egraph" = [ROWS]
}
