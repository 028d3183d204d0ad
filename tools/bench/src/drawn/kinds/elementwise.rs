//! Math on the inputs of each thread, as in shading models, and losses that are summed over all
//! threads.

use crate::drawn::plan::{Own, Param, Plan};
use crate::drawn::write::{Value, Writer, type_of};

const INPUTS: &[(&str, usize, f64, f64)] = &[
    ("normal", 3, -0.9, 0.9),
    ("albedo", 3, 0.05, 0.95),
    ("lightDir", 3, 0.1, 1.0),
    ("viewDir", 3, 0.1, 1.0),
    ("roughness", 1, 0.1, 0.9),
    ("metallic", 1, 0.05, 0.95),
    ("position", 3, -2.0, 2.0),
    ("velocity", 3, -1.0, 1.0),
    ("uv", 2, 0.0, 1.0),
    ("color", 3, 0.02, 1.0),
    ("pred", 3, 0.02, 1.0),
    ("target", 3, 0.02, 1.0),
    ("alpha", 1, 0.1, 0.9),
    ("depth", 1, 0.5, 4.0),
    ("exposure", 1, 0.4, 1.6),
    ("quat", 4, -1.0, 1.0),
    ("logit", 1, -2.0, 2.0),
    ("temperature", 1, 0.3, 2.0),
    ("offsetVec", 2, -1.0, 1.0),
    ("rgba", 4, 0.02, 1.0),
];

/// Some inputs of threads, the first always with a derivative.
pub fn inputs(w: &mut Writer, low: usize, high: usize) -> Vec<Own> {
    let count = w.random.between(low, high);
    let mut all: Vec<_> = INPUTS.iter().copied().filter(|input| !w.names.has(input.0)).collect();
    w.random.shuffle(&mut all);
    all.truncate(count);
    let first = all[0].0;
    let together = count > 1 && w.random.chance(22);
    let of = together.then(|| {
        let ty = w.name(&["Surface", "MaterialParams", "Sample", "State", "Vertex"]);
        (ty, w.name(&["surf", "mat", "smp", "st", "vert"]))
    });
    let made: Vec<Own> = all
        .iter()
        .map(|&(name, width, low, high)| {
            let active = name == first || w.random.chance(75) || together;
            Own { name: w.names.keep(name), width, low, high, active, of: of.clone() }
        })
        .collect();
    if let Some((ty, _)) = of {
        let lines: String = made.iter().map(|own| format!("    {} {};\n", type_of(own.width), own.name)).collect();
        w.top(format!("struct {ty} : IDifferentiable\n{{\n{lines}}}\n"));
    }
    made
}

/// The parameters by which the function gets them.
pub fn of_inputs(inputs: &[Own]) -> Vec<Param> {
    let mut out = Vec::new();
    let members: Vec<Own> = inputs.iter().filter(|own| own.of.is_some()).cloned().collect();
    if let Some((ty, name)) = members.first().and_then(|own| own.of.clone()) {
        out.push(Param::Struct { ty, name, members });
    }
    out.extend(inputs.iter().filter(|own| own.of.is_none()).cloned().map(Param::Own));
    out
}

pub fn values(inputs: &[Own]) -> Vec<Value> {
    inputs.iter().map(|own| Value::variable(own.text(), own.width, own.low, own.high).plain()).collect()
}

pub fn write(w: &mut Writer) -> Plan {
    let reduced = w.random.chance(35);
    let function = w.name(match reduced {
        true => &["pixelLoss", "lossTerm", "residual", "energyOf", "penaltyOf"],
        false => &["shade", "brdf", "evaluate", "transform", "project", "evalMaterial"],
    });
    let own = inputs(w, 2, 6);
    let width = if reduced { 1 } else { w.random.pick(&[1, 2, 3, 3, 4]) };
    let params = of_inputs(&own);
    let mut plan = Plan { function, params, width, work: 0, reduced };
    let all = values(&own);
    let parts = w.random.between(1, 4);
    w.function(&plan.signature(), |w| {
        let mut terms = Vec::new();
        for _ in 0..parts {
            let mut some = all.clone();
            w.random.shuffle(&mut some);
            some.truncate(w.random.between(2, 5));
            let term = match w.random.chance(25) {
                true => {
                    let on = w.random.pick(&all);
                    w.branch(&on, &some, width)
                }
                false => w.mix(some, width),
            };
            terms.push(w.named(term));
        }
        // What no term has used yet is used once.
        terms.extend(all.iter().filter(|_| w.random.chance(40)).cloned().collect::<Vec<_>>());
        let result = w.mix(terms, width);
        if reduced {
            let result = w.short(result);
            w.line(format!("return {0} * {0};", result.operand()));
        } else {
            w.line(format!("return {};", result.text));
        }
    });
    plan.work = 60 * parts * own.len();
    plan
}
