//! A loop over a list that all threads share: splats, lights, components of a mixture. What an item
//! contributes is summed, blended, averaged or multiplied.

use super::elementwise::{inputs, of_inputs, values};
use crate::drawn::plan::{Param, Plan};
use crate::drawn::store::{Field, Store, Wanted, field};
use crate::drawn::write::{Value, Writer, type_of};

/// The fields that an item may have beside its place.
const FIELDS: &[(&str, usize, f64, f64)] = &[
    ("color", 3, 0.05, 1.0),
    ("size", 2, 0.15, 0.8),
    ("opacity", 1, 0.1, 0.9),
    ("radius", 1, 0.1, 0.7),
    ("intensity", 1, 0.2, 1.5),
    ("axis", 3, -1.0, 1.0),
    ("sharpness", 1, 0.5, 4.0),
    ("rotation", 1, -1.5, 1.5),
    ("tint", 4, 0.05, 1.0),
    ("invCov", 3, 0.3, 2.0),
    ("cutoff", 1, 0.2, 0.8),
];

pub fn fields(w: &mut Writer, place: Field, low: usize, high: usize) -> Vec<Field> {
    let mut all = FIELDS.to_vec();
    w.random.shuffle(&mut all);
    all.truncate(w.random.between(low, high));
    let mut out = vec![place];
    out.extend(all.iter().map(|&(name, width, low, high)| field(name, width, low, high)));
    out
}

/// How contributions come together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Gather {
    Sum,
    Blend,
    Average,
    Product,
}

pub fn write(w: &mut Writer) -> Plan {
    let flat = w.random.chance(45);
    let place = if flat { field("position", 3, -2.0, 2.0) } else { field("center", 2, 0.0, 1.0) };
    let fields = fields(w, place, 1, 4);
    let count = w.random.pick(&[4, 6, 8, 16, 24, 32, 48, 64, 100]);
    let store = Store::write(
        w,
        Wanted {
            item: if flat { &["Light", "Lobe", "Probe", "Source"] } else { &["Splat", "Gaussian", "Blob", "Sprite"] },
            items: if flat { &["lights", "probes", "sources"] } else { &["splats", "gaussians", "blobs"] },
            fields,
            count,
            indices: Vec::new(),
        },
    );
    let function = w.name(&["render", "shadePixel", "accumulate", "evalAll", "composite", "radiance"]);
    let width = w.random.pick(&[1, 3, 3, 4]);
    let (mut params, mut point) = (Vec::new(), Vec::new());
    if flat {
        let own = inputs(w, 1, 3);
        point = values(&own);
        params.extend(of_inputs(&own));
    } else {
        let name = w.name(&["p", "pixel", "pos", "xy"]);
        point.push(Value::variable(name.clone(), 2, 0.0, 1.0).plain());
        params.push(Param::Pixel(name));
    }
    params.extend(store.params.iter().cloned());
    let plan = Plan { function, params, width, work: count * 60, reduced: false };
    w.function(&plan.signature(), |w| body(w, &store, &point, width));
    plan
}

/// What an item gives at a point.
fn contribution(w: &mut Writer, item: &[Value], point: &[Value], width: usize) -> Value {
    let mut values = item.to_vec();
    let at = w.random.pick(point);
    let mut rest: Vec<Value> = point.iter().filter(|p| p.text != at.text).cloned().collect();
    // How far away it is comes first where that makes sense.
    if at.width == item[0].width {
        let place = values.remove(0);
        let (low, high) = (at.low - place.high, at.high - place.low);
        let text = format!("{} - {}", at.text, place.operand());
        let away = Value { text, width: at.width, low, high, atom: false, plain: true, flat: false };
        let away = w.named(away);
        // Items that are too far away to matter are passed over.
        if w.random.chance(25) {
            let component = if away.width == 1 { "" } else { ".x" };
            let (bound, _) = w.literal(away.high * 0.5, away.high * 0.8);
            w.line(format!("if (abs({}{component}) > {bound})", away.text));
            w.line("    continue;");
        }
        values.push(away);
    } else {
        rest.push(at);
    }
    values.extend(rest);
    w.mix(values, width)
}

fn body(w: &mut Writer, store: &Store, point: &[Value], width: usize) {
    let gather = w.random.pick(&[Gather::Sum, Gather::Sum, Gather::Blend, Gather::Average, Gather::Product]);
    let count = store.count(w);
    let ty = type_of(width);
    let sum = w.name(&["acc", "sum", "c", "total", "col"]);
    let zero = w.all(width, if gather == Gather::Product { 1.0 } else { 0.0 });
    w.line(format!("{ty} {sum} = {zero};"));
    let other = w.name(&["trans", "wsum", "remaining", "norm"]);
    if matches!(gather, Gather::Blend | Gather::Average) {
        let start = w.number(if gather == Gather::Blend { 1.0 } else { 0.0001 });
        w.line(format!("float {other} = {start};"));
    }
    let i = w.name(&["i", "j", "idx"]);
    let attribute = store.attribute(w);
    w.line(attribute);
    w.open(format!("for (int {i} = 0; {i} < {count}; {i}++)"));
    let item = store.item(w, &i);
    if gather != Gather::Sum && w.random.chance(50) || matches!(gather, Gather::Blend | Gather::Average) {
        let weight = contribution(w, &item, point, 1);
        let weight = w.short(weight);
        let one = w.number(1.0);
        let alpha = w.local();
        w.line(format!("float {alpha} = {one} / ({one} + exp(-{}));", weight.operand()));
        let mut shown = item[1..].to_vec();
        shown.truncate(2);
        shown.push(Value::variable(alpha.clone(), 1, 0.0, 1.0));
        let made = w.mix(shown, width);
        match gather {
            Gather::Blend => {
                w.line(format!("{sum} += {} * ({alpha} * {other});", made.operand()));
                w.line(format!("{other} *= {one} - {alpha} * {};", w.number(0.9)));
                if w.random.chance(50) {
                    let bound = w.number(0.02);
                    w.line(format!("if ({other} < {bound})"));
                    w.line("    break;");
                }
            }
            Gather::Product => {
                let scale = w.number(0.05);
                w.line(format!("{sum} *= {} + {scale} * tanh({});", w.all(width, 1.0), made.text));
            }
            _ => {
                w.line(format!("{sum} += {alpha} * {};", made.operand()));
                w.line(format!("{other} += {alpha};"));
            }
        }
    } else {
        let made = contribution(w, &item, point, width);
        match gather {
            Gather::Product => {
                let scale = w.number(0.05);
                w.line(format!("{sum} *= {} + {scale} * tanh({});", w.all(width, 1.0), made.text));
            }
            _ if w.random.chance(25) => {
                let name = w.name(&["addTo_", "accum", "mergeInto", "deposit"]);
                let one = w.literal(0.5, 1.5).0;
                w.function(&format!("[Differentiable]\nvoid {name}(inout {ty} into, {ty} what)"), |w| {
                    w.line(format!("into += what * {one};"));
                });
                w.line(format!("{name}({sum}, {});", made.text));
            }
            _ => w.line(format!("{sum} += {};", made.text)),
        }
    }
    w.close();
    let one = w.number(1.0);
    let square = if width == 1 { format!("{sum} * {sum}") } else { format!("dot({sum}, {sum})") };
    match gather {
        Gather::Average => w.line(format!("return {sum} / {other};")),
        Gather::Sum if w.random.chance(40) => {
            w.line(format!("return {} - exp(-{sum} * {sum} * {});", w.all(width, 1.0), w.number(0.02)));
        }
        Gather::Sum if w.random.chance(40) => w.line(format!("return {sum} / sqrt({one} + {square});")),
        _ => w.line(format!("return {sum};")),
    }
}
