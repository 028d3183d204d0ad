//! Random programs mean the same after normalization.

use crate::emit;
use crate::program::{ELEMENTS, Flow, Generator, Run, SCALARS, State};
use crate::{normalized, normalized_by_passes, parse, print};
use caustic_interp::Interp;
use caustic_ir::eval::Val;

fn flat(v: &Val, out: &mut Vec<i64>) {
    match v {
        Val::Agg(parts) => parts.iter().for_each(|p| flat(p, out)),
        other => out.push(other.as_int()),
    }
}

#[test]
fn random_programs_keep_their_meaning() {
    let (mut compared, mut exits) = (0, 0);
    for seed in 0..600 {
        let mut generator = Generator::new(seed);
        let program = generator.program();
        let mut module = parse(emit::BUMP);
        emit::add_function(&mut module, &program);
        let source = print(&module);
        // Not every program ends; not every loop that is to be unrolled can be.
        if let Err(found) = caustic_passes::normalize::run(&mut module.clone()) {
            assert!(found.iter().all(|d| d.code == "E0402"), "seed {seed}: {found:?}\n{source}");
            continue;
        }
        let modules = [normalized(module.clone()), normalized_by_passes(module)];
        for (a, b) in [(0, 1), (3, -2), (-1, 7)] {
            let mut scalars = [0; SCALARS];
            (scalars[0], scalars[1]) = (a, b);
            let state = State { scalars, array: [5, -1, 2, 8], count: 1, v: [3, -4] };
            let mut run = Run::new(state.clone());
            let Flow::Return(result) = run.stmts(&program) else { continue };
            let mut expected = vec![result as i64];
            expected.extend(run.state.array.iter().map(|&v| v as i64));
            expected.push(run.state.count as i64);
            expected.extend(run.state.v.iter().map(|&v| v as i64));

            let int = |v: i32| Val::Int(v as i64);
            let array = Val::agg(state.array.iter().map(|&v| int(v)).collect());
            let pair = Val::agg(vec![int(1), Val::agg(vec![int(3), int(-4)])]);
            for module in &modules {
                let args = vec![int(a), int(b), array.clone(), pair.clone()];
                let results = Interp::new(module).call("f", args);
                let results = results.unwrap_or_else(|t| panic!("seed {seed}: {}\n{source}", t.message));
                let mut found = Vec::new();
                results.iter().for_each(|v| flat(v, &mut found));
                assert_eq!(found.len(), 1 + ELEMENTS + 3);
                assert_eq!(found, expected, "seed {seed}, a = {a}, b = {b}\n{program:#?}\n{source}\n{}", print(module));
                compared += 1;
            }
        }
        exits += source.matches("hl.break").count() + source.matches("hl.continue").count();
    }
    assert!(compared > 1600 && exits > 200, "{compared} comparisons, {exits} exits: the generator makes too little");
}
