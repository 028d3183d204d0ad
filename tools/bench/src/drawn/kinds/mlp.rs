//! Small dense networks whose weights all threads share: arrays of floats, or matrices of 4 by 4.

use super::elementwise::{inputs, of_inputs, values};
use crate::drawn::plan::Plan;
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::{Value, Writer, type_of};

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["x", "h", "s", "i", "j", "g1", "g2", "layer"]);
    if w.random.chance(40) { matrices(w) } else { arrays(w) }
}

fn weights(w: &mut Writer, width: usize, count: usize) -> Store {
    let name = w.name(&["weight", "param", "coef"]);
    Store::write(
        w,
        Wanted {
            item: &["Row"],
            items: &["weights", "theta", "network", "params"],
            fields: vec![field(name, width, -0.5, 0.5)],
            count,
            indices: Vec::new(),
        },
    )
}

fn activation(w: &mut Writer) -> String {
    let name = w.name(&["activate", "act", "nonlinear", "sigma"]);
    let kind = w.random.below(4);
    let (one, tenth) = (w.number(1.0), w.number(0.1));
    w.function(&format!("[Differentiable]\nfloat {name}(float x)"), |w| {
        w.line(match kind {
            0 => "return tanh(x);".into(),
            1 => format!("return x / ({one} + exp(-x));"),
            2 => format!("return max(x, {tenth} * x);"),
            _ => "return sin(x);".into(),
        });
    });
    name
}

/// Layers of `hidden` numbers, in loops over arrays.
fn arrays(w: &mut Writer) -> Plan {
    let hidden = w.random.pick(&[4, 8, 8, 16]);
    let layers = w.random.between(1, 3);
    let own = inputs(w, 2, 4);
    let (used, out) = (own.iter().map(|o| o.width).sum::<usize>(), w.random.pick(&[1, 3]));
    let entry = used * hidden + hidden;
    let middle = hidden * hidden + hidden;
    let count = entry + (layers - 1) * middle + out * hidden;
    let store = weights(w, 1, count);
    let act = activation(w);
    let size = w.name(&["HIDDEN", "WIDTH", "DIM"]);
    w.top(format!("static const int {size} = {hidden};\n"));
    let function = w.name(&["network", "mlp", "forwardPass", "predict", "infer"]);
    let mut params = of_inputs(&own);
    params.extend(store.params.iter().cloned());
    let plan = Plan { function, params, width: out, work: 2 * count, reduced: false };
    let unrolled = hidden <= 8 && w.random.chance(30);
    let (per_size, per_input) = if unrolled {
        ("[ForceUnroll]".to_string(), "[ForceUnroll]".to_string())
    } else {
        (format!("[MaxIters({hidden})]"), format!("[MaxIters({used})]"))
    };
    w.function(&plan.signature(), |w| {
        w.line(format!("float x[{used}];"));
        let mut at = 0;
        for value in values(&own) {
            for c in ["x", "y", "z", "w"][..value.width].iter().take(value.width) {
                let text = if value.width == 1 { value.text.clone() } else { format!("{}.{c}", value.text) };
                w.line(format!("x[{at}] = {text};"));
                at += 1;
            }
        }
        w.line(format!("float h[{size}];"));
        w.line(&per_size);
        w.open(format!("for (int i = 0; i < {size}; i++)"));
        let bias = store.item(w, &format!("{} + i", used * hidden)).remove(0);
        w.line(format!("float s = {};", bias.text));
        w.line(&per_input);
        w.open(format!("for (int j = 0; j < {used}; j++)"));
        let weight = store.item(w, &format!("i * {used} + j")).remove(0);
        w.line(format!("s += {} * x[j];", weight.text));
        w.close();
        w.line(format!("h[i] = {act}(s);"));
        w.close();
        for layer in 1..layers {
            hidden_layer(w, &store, entry + (layer - 1) * middle, (&size, &act, &per_size), layer);
        }
        let last = count - out * hidden;
        let components = ["x", "y", "z"];
        let result = w.name(&["result", "outVec", "y", "logits"]);
        let zero = w.all(out, 0.0);
        w.line(format!("{} {result} = {zero};", type_of(out)));
        w.line(&per_size);
        w.open(format!("for (int j = 0; j < {size}; j++)"));
        for (k, c) in components[..out].iter().enumerate() {
            let weight = store.item(w, &format!("{} + j", last + k * hidden)).remove(0);
            let to = if out == 1 { result.clone() } else { format!("{result}.{c}") };
            w.line(format!("{to} += {} * h[j];", weight.text));
        }
        w.close();
        w.line(format!("return {result};"));
    });
    plan
}

fn hidden_layer(w: &mut Writer, store: &Store, from: usize, (size, act, attribute): (&str, &str, &str), layer: usize) {
    let next = format!("g{layer}");
    w.line(format!("float {next}[{size}];"));
    w.line(attribute);
    w.open(format!("for (int i = 0; i < {size}; i++)"));
    let bias = store.item(w, &format!("{from} + {size} * {size} + i")).remove(0);
    w.line(format!("float s = {};", bias.text));
    w.line(attribute);
    w.open(format!("for (int j = 0; j < {size}; j++)"));
    let weight = store.item(w, &format!("{from} + i * {size} + j")).remove(0);
    w.line(format!("s += {} * h[j];", weight.text));
    w.close();
    w.line(format!("{next}[i] = {act}(s);"));
    w.close();
    w.line(format!("h = {next};"));
}

/// Layers of four numbers, as products with matrices that are read row by row.
fn matrices(w: &mut Writer) -> Plan {
    let layers = w.random.between(2, 6);
    let own = inputs(w, 1, 3);
    let store = weights(w, 4, layers * 5);
    let function = w.name(&["decode", "featureNet", "network", "predict"]);
    let mut params = of_inputs(&own);
    params.extend(store.params.iter().cloned());
    let width = w.random.pick(&[1, 3, 4]);
    let plan = Plan { function, params, width, work: layers * 50, reduced: false };
    let looped = w.random.chance(60);
    let all = values(&own);
    w.function(&plan.signature(), |w| {
        let start = w.mix(all, 4);
        w.line(format!("float4 h = {};", start.text));
        if looped {
            w.line(format!("[MaxIters({layers})]"));
            w.open(format!("for (int layer = 0; layer < {layers}; layer++)"));
            matrix_layer(w, &store, "layer * 5");
            w.close();
        } else {
            for layer in 0..layers {
                matrix_layer(w, &store, &(layer * 5).to_string());
            }
        }
        let made = w.widened(Value::variable("h", 4, -1.0, 1.0), width);
        w.line(format!("return {};", made.text));
    });
    plan
}

fn matrix_layer(w: &mut Writer, store: &Store, at: &str) {
    let rows: Vec<String> = (0..5).map(|k| store.item(w, &format!("{at} + {k}")).remove(0).text).collect();
    let m = w.name(&["m", "mat", "W"]);
    w.line(format!("float4x4 {m} = float4x4({});", rows[..4].join(", ")));
    match w.random.below(3) {
        0 => w.line(format!("h = tanh(mul({m}, h) + {});", rows[4])),
        1 => w.line(format!("h = tanh(mul(h, {m}) + {});", rows[4])),
        _ => w.line(format!("h = sin(mul({m}, h)) * {} + h * 0.5;", rows[4])),
    }
}
