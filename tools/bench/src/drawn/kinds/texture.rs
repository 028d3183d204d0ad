//! Lookups between the texels of a table that all threads share, at places of their own, in one or
//! several resolutions.

use super::elementwise::{inputs, of_inputs, values};
use crate::drawn::plan::{Own, Plan};
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::{Value, Writer, type_of};

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["uv", "cell", "frac", "x0", "y0", "x1", "y1", "level", "res"]);
    let channels = w.random.pick(&[1, 2, 3, 4]);
    let size = w.random.pick(&[16, 32, 64, 256]);
    let levels = w.random.pick(&[1, 1, 2, 4]);
    let name = w.name(&["texel", "feature", "entry"]);
    let store = Store::write(
        w,
        Wanted {
            item: &["Texel"],
            items: &["texture", "featureGrid", "albedoMap", "table"],
            fields: vec![field(name, channels, 0.05, 1.0)],
            count: size * size * levels,
            indices: Vec::new(),
        },
    );
    let mut own =
        vec![Own { name: "uv".into(), width: 2, low: 0.02, high: 0.97, active: w.random.chance(50), of: None }];
    own.extend(inputs(w, 1, 2).into_iter().filter(|o| o.name != "uv"));
    let function = w.name(&["sampleMap", "lookup", "encodeFeature", "shadeTextured"]);
    let mut params = of_inputs(&own);
    params.extend(store.params.iter().cloned());
    let width = w.random.pick(&[1, 3, channels]);
    let plan = Plan { function, params, width, work: levels * 60, reduced: false };
    let others = values(&own[1..]);
    let ty = type_of(channels);
    w.function(&plan.signature(), |w| {
        let sum = w.name(&["feat", "filtered", "acc"]);
        let zero = w.all(channels, 0.0);
        w.line(format!("{ty} {sum} = {zero};"));
        if levels > 1 {
            w.line(format!("[MaxIters({levels})]"));
            w.open(format!("for (int level = 0; level < {levels}; level++)"));
            w.line(format!("int res = {size} >> level;"));
        } else {
            w.line(format!("int res = {size};"));
        }
        w.line("float2 cell = uv * float(res - 1);");
        w.line("int x0 = int(no_diff floor(cell.x));");
        w.line("int y0 = int(no_diff floor(cell.y));");
        w.line("int x1 = min(x0 + 1, res - 1);");
        w.line("int y1 = min(y0 + 1, res - 1);");
        w.line("float2 frac = cell - float2(float(x0), float(y0));");
        let first = if levels > 1 { format!("level * {} + ", size * size) } else { String::new() };
        let corners: Vec<Value> = [("x0", "y0"), ("x1", "y0"), ("x0", "y1"), ("x1", "y1")]
            .iter()
            .map(|(x, y)| store.item(w, &format!("{first}{y} * res + {x}")).remove(0))
            .collect();
        let along = if channels == 1 {
            ("frac.x".to_string(), "frac.y".to_string())
        } else {
            (format!("{ty}(frac.x)"), format!("{ty}(frac.y)"))
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(|k| corners[k].text.clone());
        w.line(format!("{sum} += lerp(lerp({a}, {b}, {0}), lerp({c}, {d}, {0}), {1});", along.0, along.1));
        if levels > 1 {
            w.close();
        }
        let mut some = others;
        some.push(Value::variable(sum, channels, 0.05, levels as f64));
        let made = w.mix(some, width);
        w.line(format!("return {};", made.text));
    });
    plan
}
