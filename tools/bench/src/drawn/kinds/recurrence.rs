//! A long loop of steps in time: what a thread carries follows from what it was, by drawn rules.

use super::elementwise::{inputs, of_inputs, values};
use crate::drawn::plan::{Param, Plan};
use crate::drawn::program::{Argument, Contents};
use crate::drawn::write::{Value, Writer, type_of};

pub fn write(w: &mut Writer) -> Plan {
    let steps = w.random.pick(&[16, 32, 50, 64, 100, 128, 200]);
    let own = inputs(w, 2, 4);
    let function = w.name(&["simulate", "integrate", "rollout", "evolve", "iterate"]);
    let width = w.random.pick(&[1, 1, 2, 3]);
    let mut params = of_inputs(&own);
    let count = if w.random.chance(55) {
        let name = w.name(&["steps", "numSteps", "iterations", "T"]);
        let contents = Contents::Number(steps as u32);
        let argument = Argument::number(name.clone(), contents);
        params.push(Param::Shared {
            ty: "int".into(),
            name: name.clone(),
            arguments: vec![argument],
            is_struct: false,
        });
        name
    } else if w.random.chance(50) {
        let name = w.name(&["STEPS", "NUM_STEPS", "N_STEPS"]);
        w.top(format!("static const int {name} = {steps};\n"));
        name
    } else {
        steps.to_string()
    };
    let plan = Plan { function, params, width, work: steps * 50, reduced: false };
    let all = values(&own);
    w.function(&plan.signature(), |w| {
        let states = w.random.between(1, 3);
        let mut carried: Vec<Value> = Vec::new();
        for _ in 0..states {
            let some = vec![w.random.pick(&all)];
            let ty = w.random.pick(&[1, width]);
            let start = w.mix(some, ty);
            let name = w.name(&["x", "v", "state", "y", "z", "q"]);
            w.line(format!("{} {name} = {};", type_of(ty), start.text));
            let most = start.most() + 2.0;
            carried.push(Value::variable(name, ty, -most, most));
        }
        let dt = w.name(&["dt", "eps", "stepSize"]);
        let step = w.random.pick(&[0.01, 0.02, 0.05, 0.005]);
        let step = w.number(step);
        w.line(format!("const float {dt} = {step};"));
        let i = w.name(&["i", "it", "iter"]);
        w.line(format!("[MaxIters({})]", steps.next_power_of_two()));
        w.open(format!("for (int {i} = 0; {i} < {count}; {i}++)"));
        for at in 0..carried.len() {
            let mut some = carried.clone();
            some.push(w.random.pick(&all));
            let now = carried[at].clone();
            let rate = w.mix(some, now.width);
            let rate = if rate.most() > 4.0 { format!("tanh({})", rate.text) } else { rate.operand() };
            // It is drawn back to where it was, so that it stays bounded.
            if w.random.chance(50) {
                let scale = w.number(0.97);
                w.line(format!("{0} = {0} * {scale} + {dt} * {rate};", now.text));
            } else {
                w.line(format!("{} += {dt} * ({rate} - {});", now.text, now.text));
            }
        }
        if w.random.chance(25) {
            let first = carried[0].clone();
            let component = if first.width == 1 { "" } else { ".x" };
            let (bound, _) = w.literal(first.high * 0.4, first.high * 0.7);
            w.line(format!("if ({}{component} > {bound})", first.text));
            w.line("    break;");
        }
        w.close();
        let result = w.mix(carried, width);
        w.line(format!("return {};", result.text));
    });
    plan
}
