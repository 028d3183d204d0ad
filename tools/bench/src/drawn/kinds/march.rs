//! Rays that march through a field of shared shapes until they are close enough: a loop whose
//! number of steps differs by thread, around a loop over shapes.

use super::list::fields;
use crate::drawn::plan::{Param, Plan};
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::{Value, Writer};

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["origin", "dir", "step"]);
    let count = w.random.pick(&[2, 3, 4, 6, 8]);
    let steps = w.random.pick(&[16, 24, 32, 48, 64]);
    let fields = fields(w, field("center", 3, -1.0, 1.0), 1, 2);
    let store = Store::write(
        w,
        Wanted {
            item: &["Sphere", "Ball", "Primitive"],
            items: &["spheres", "balls", "prims"],
            fields,
            count,
            indices: Vec::new(),
        },
    );
    let sdf = field_function(w, &store);
    let function = w.name(&["trace", "march", "castRay", "sphereTrace"]);
    let p = w.name(&["uvPos", "screen", "ndc"]);
    let mut params = vec![Param::Pixel(p.clone())];
    params.extend(store.params.iter().cloned());
    let width = w.random.pick(&[1, 1, 3]);
    let plan = Plan { function, params, width, work: count * steps * 20, reduced: false };
    let passed: Vec<String> = store
        .params
        .iter()
        .filter_map(|p| if let Param::Shared { name, .. } = p { Some(name.clone()) } else { None })
        .collect();
    let passed = passed.join(", ");
    let early = w.random.chance(65);
    w.function(&plan.signature(), |w| {
        let far = w.number(-2.5);
        let (half, two) = (w.number(0.5), w.number(2.0));
        w.line(format!("float3 origin = float3(({p} - {half}) * {two}, {far});"));
        let (dx, dy) = (w.number(0.3), w.number(0.2));
        w.line(format!(
            "float3 dir = normalize(float3(({p}.x - {half}) * {dx}, ({p}.y - {half}) * {dy}, {}));",
            w.number(1.0)
        ));
        let t = w.name(&["t", "depth", "travel"]);
        let zero = w.number(0.0);
        w.line(format!("float {t} = {zero};"));
        let glow = w.name(&["glow", "closest", "density"]);
        w.line(format!("float {glow} = {zero};"));
        let d = w.name(&["d", "dist", "h"]);
        if w.random.chance(50) {
            w.line("int step = 0;");
            w.line(format!("[MaxIters({steps})]"));
            w.open(format!("while (step < {steps})"));
            w.line("step++;");
        } else {
            w.line(format!("[MaxIters({steps})]"));
            w.open(format!("for (int step = 0; step < {steps}; step++)"));
        }
        w.line(format!("float {d} = {sdf}(origin + dir * {t}, {passed});"));
        if early {
            let (near, beyond) = (w.number(0.01), w.number(4.5));
            w.line(format!("if ({d} < {near} || {t} > {beyond})"));
            w.line("    break;");
        }
        let sharp = w.number(4.0);
        w.line(format!("{glow} += exp(-{sharp} * {d} * {d});"));
        let scale = w.number(0.8);
        w.line(format!("{t} += clamp({d}, {}, {}) * {scale};", w.number(0.003), w.number(0.9)));
        w.close();
        let values = vec![Value::variable(t, 1, 0.0, 6.0), Value::variable(glow, 1, 0.0, 12.0)];
        let made = w.mix(values, width);
        w.line(format!("return {};", made.text));
    });
    plan
}

/// The distance to all shapes, merged smoothly or by the least.
fn field_function(w: &mut Writer, store: &Store) -> String {
    let name = w.name(&["sdf", "scene", "mapScene", "fieldAt"]);
    let p = w.name(&["p", "q", "x"]);
    let params: Vec<String> = store
        .params
        .iter()
        .filter_map(|param| match param {
            Param::Shared { ty, name, .. } if ty == "int" => Some(format!("{ty} {name}")),
            Param::Shared { ty, name, .. } => Some(format!("no_diff {ty} {name}")),
            _ => None,
        })
        .collect();
    let soft = w.random.chance(60);
    w.function(&format!("[Differentiable]\nfloat {name}(float3 {p}, {})", params.join(", ")), |w| {
        let total = store.count(w);
        let best = w.name(&["best", "res", "result"]);
        let start = w.number(if soft { 0.0001 } else { 10.0 });
        w.line(format!("float {best} = {start};"));
        let i = w.name(&["i", "k", "idx"]);
        let attribute = store.attribute(w);
        w.line(attribute);
        w.open(format!("for (int {i} = 0; {i} < {total}; {i}++)"));
        let mut items = store.item(w, &i);
        let center = items.remove(0);
        let away = w.local();
        w.line(format!("float3 {away} = {p} - {};", center.text));
        let radius = w.mix(items, 1);
        let radius = w.short(radius);
        let (base, more) = (w.number(0.3), w.number(0.15));
        let length = w.local();
        w.line(format!("float {length} = sqrt(dot({away}, {away}) + {});", w.number(0.001)));
        let d = w.local();
        w.line(format!("float {d} = {length} - ({base} + {more} * sin({}));", radius.text));
        if soft {
            let sharp = w.number(6.0);
            w.line(format!("{best} += exp(-{sharp} * {d});"));
        } else {
            w.line(format!("{best} = min({best}, {d});"));
        }
        w.close();
        if soft {
            let sharp = w.number(6.0);
            w.line(format!("return -log({best}) / {sharp};"));
        } else {
            w.line(format!("return {best};"));
        }
    });
    name
}
