//! The rows of this crate, by values: both sides, evaluated through the semantics of their ops.

#[path = "../src/op.rs"]
#[allow(dead_code)]
mod op;
#[path = "../src/rows.rs"]
#[allow(dead_code)]
mod rows;

use caustic_ir::Type;
use caustic_ir::eval::{Val, normalize};
use caustic_passes::rows::{Values, bound};

#[test]
fn rows_hold() {
    for row in rows::ROWS {
        let parsed = row.parsed().unwrap_or_else(|| panic!("{}: {:?}", row.name, row.checked().as_ref().err()));
        for ty in [Type::f16(), Type::f32(), Type::f64()] {
            for step in -4000..4000 {
                let x = normalize(Val::Float(f64::from(step) * 0.021), ty);
                let vars = vec![x; parsed.variables.len()];
                let values = Values { vars, types: vec![ty; parsed.variables.len()], predicates: Vec::new() };
                let error = bound::error(row, parsed, &values, ty).unwrap_or(0.0);
                assert!(error <= f64::from(row.ulps), "{}: {error} ulp at {:?}", row.name, values.vars);
            }
        }
    }
}
