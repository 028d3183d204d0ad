//! Views of the table with derivatives, which turn a program's reads of the table into inputs with
//! derivatives of their own: tangents are read from a second buffer, to which cotangents of the
//! reads are added.

/// A way to read the table.
#[derive(Debug)]
pub struct View {
    pub name: &'static str,
    /// The expression that makes the view `b` from the buffers `table` and `derivatives`, and the
    /// one that reads its element `i`.
    make: &'static str,
    read: &'static str,
    /// Types that the view needs.
    types: &'static str,
    /// The number of sums for each element; `derivatives` is that many times as long.
    pub copies: usize,
    /// Whether its threads wait for each other.
    pub waits: bool,
}

/// A view that a program might declare itself, as in the paper's Listing 7.
const OWN: &str = "struct Own { RWStructuredBuffer<real> values; RWStructuredBuffer<real> changes;
    [ForwardDerivative(at_fwd)] [BackwardDerivative(at_bwd)] real at(int i) { return values[i]; }
    DifferentialPair<real> at_fwd(int i) { return diffPair(values[i], changes[i]); }
    void at_bwd(int i, real d) { InterlockedAdd(changes[i], d); } }\n";

const fn row(name: &'static str, make: &'static str, read: &'static str) -> View {
    View { name, make, read, types: "", copies: 1, waits: false }
}

pub const VIEWS: [View; 7] = [
    row("automatic", "DiffBuffer<real> b = { table, derivatives };", "b[i & 7]"),
    row("atomic", "DiffBuffer<real, AtomicAggregation> b = { table, derivatives };", "b.load(i & 7)"),
    View {
        waits: true,
        ..row("by waves", "DiffBuffer<real, WaveAggregation> b = { table, derivatives };", "b.load(i & 7)")
    },
    row("tensor", "DiffTensor<real, 2> b = { { table, derivatives }, { 2, 4 } };", "b.load({ (i >> 2) & 1, i & 3 })"),
    row(
        "of second order",
        "SecondOrderDiffBuffer<real> b = { table, derivatives, derivatives, unused };",
        "b.load(i & 7)",
    ),
    View {
        copies: 3,
        ..row("hashed", "DiffBuffer<real, HashedAggregation<3>> b = { table, derivatives };", "b.load(i & 7)")
    },
    View { types: OWN, ..row("own", "Own b = { table, derivatives };", "b.at(i & 7)") },
];

/// A wrong view, which adds the cotangent of a read twice. The checks of derivatives must notice
/// it.
pub const WRONG: View = View {
    types: "struct Twice { RWStructuredBuffer<real> values; RWStructuredBuffer<real> changes;
    [ForwardDerivative(at_fwd)] [BackwardDerivative(at_bwd)] real at(int i) { return values[i]; }
    DifferentialPair<real> at_fwd(int i) { return diffPair(values[i], changes[i]); }
    void at_bwd(int i, real d) { InterlockedAdd(changes[i], real(2) * d); } }\n",
    ..row("wrong", "Twice b = { table, derivatives };", "b.at(i & 7)")
};

impl View {
    pub fn declarations(&self) -> String {
        let View { make, read, types, .. } = self;
        format!(
            "RWStructuredBuffer<real> table;\nRWStructuredBuffer<real> derivatives;\nRWStructuredBuffer<real> unused;\n{types}\
             [Differentiable] real read(int i) {{ {make} return {read}; }}"
        )
    }
}
