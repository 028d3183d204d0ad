//! Rows of one's own in a program that embeds the compiler.

use caustic_driver::{EmitOptions, Floats, Options, Session};
use caustic_passes::rows::rows;

rows! {
    /// The sine of twice a number.
    static ROWS: [
        "sine-of-twice" Fast EGraph (mulf (sin x) (cos x)) = (divf (sin (addf x x)) 2) within 8 ulp;
    ]
}
caustic_passes::egraph_with! { static EGRAPH: "egraph" = [ROWS] }

const TURN: &str = "RWStructuredBuffer<float> turns;
[numthreads(1, 1, 1)]
void computeMain(uint3 id : SV_DispatchThreadID)
{
    float x = turns[id.x];
    turns[id.x] = cos(x) * sin(x);
}";

/// What was done to the program by a class of floats.
fn report(session: &Session<'_>, floats: Floats) -> String {
    let mut options = EmitOptions::default();
    options.code.floats = floats;
    let program = session.compile("turn.slang").unwrap();
    program.optimizations(None, None, &options).unwrap().to_text()
}

#[test]
fn a_session_has_rows_of_its_own() {
    let mut own = Session::new(Options::default()).with_egraph(&EGRAPH);
    own.add_source("turn.slang", TURN);
    assert!(report(&own, Floats::Fast).contains("sine-of-twice"));
    assert!(!report(&own, Floats::Exact).contains("sine-of-twice"));
    let mut plain = Session::new(Options::default());
    plain.add_source("turn.slang", TURN);
    assert!(!report(&plain, Floats::Fast).contains("sine-of-twice"));
}
