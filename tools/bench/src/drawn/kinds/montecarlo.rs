//! An estimate from samples of each thread: numbers from a hash of the thread and the sample, which
//! nothing is differentiated by, and what the inputs make of them.

use super::elementwise::{inputs, of_inputs, values};
use crate::drawn::plan::{Param, Plan};
use crate::drawn::write::{Value, Writer, type_of};

/// Writes a hash of an integer to a number from 0 to 1.
fn random(w: &mut Writer) -> String {
    let name = w.name(&["rand01", "nextFloat", "hashToFloat", "rng"]);
    let way = w.random.below(2);
    let scale = "1.0f / 16777216.0f";
    w.function(&format!("float {name}(inout uint state)"), |w| {
        if way == 0 {
            w.line("state = state * 747796405u + 2891336453u;");
            w.line("uint word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;");
            w.line("word = (word >> 22u) ^ word;");
            w.line(format!("return float(word >> 8u) * ({scale});"));
        } else {
            w.line("state ^= state << 13u;");
            w.line("state ^= state >> 17u;");
            w.line("state ^= state << 5u;");
            w.line(format!("return float(state >> 8u) * ({scale});"));
        }
    });
    name
}

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["state", "word", "seed"]);
    let samples = w.random.pick(&[4, 8, 16, 32, 64]);
    let own = inputs(w, 2, 4);
    let rng = random(w);
    let function = w.name(&["estimate", "integrateLight", "monteCarlo", "sampleRadiance"]);
    let index = w.name(&["pixelIndex", "tid", "lane"]);
    let mut params = of_inputs(&own);
    params.push(Param::Index(index.clone()));
    let width = w.random.pick(&[1, 3, 3]);
    let plan = Plan { function, params, width, work: samples * 70, reduced: false };
    let all = values(&own);
    let drawn = w.random.between(1, 3);
    w.function(&plan.signature(), |w| {
        w.line(format!("uint seed = {index} * 9781u + 1u;"));
        let sum = w.name(&["acc", "radiance", "sum"]);
        let zero = w.all(width, 0.0);
        w.line(format!("{} {sum} = {zero};", type_of(width)));
        let i = w.name(&["s", "k", "n"]);
        w.line(format!("[MaxIters({samples})]"));
        w.open(format!("for (int {i} = 0; {i} < {samples}; {i}++)"));
        let mut some = all.clone();
        for _ in 0..drawn {
            let name = w.name(&["u", "xi", "eta", "r1"]);
            w.line(format!("float {name} = no_diff {rng}(seed);"));
            some.push(Value::variable(name, 1, 0.0, 1.0));
        }
        let made = w.mix(some, width);
        w.line(format!("{sum} += {};", made.text));
        w.close();
        let scale = w.number(1.0 / samples as f64);
        w.line(format!("return {sum} * {scale};"));
    });
    plan
}
