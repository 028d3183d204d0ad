//! Threads that read items of a list by a buffer of indices, and add derivatives to them: springs,
//! edges of meshes, tables of features.

use super::elementwise::{inputs, of_inputs, values};
use super::list::fields;
use crate::drawn::plan::{Param, Plan};
use crate::drawn::program::{Argument, Contents, Count, Place};
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::Writer;

pub fn write(w: &mut Writer) -> Plan {
    let corners = w.random.between(1, 4);
    let count = w.random.pick(&[64, 256, 1000, 4096, 20_000]);
    let fields = fields(w, field("position", 3, -2.0, 2.0), 0, 2);
    let store = Store::write(
        w,
        Wanted {
            item: &["Vertex", "Particle", "Node", "Entry"],
            items: &["vertices", "particles", "nodes", "table"],
            fields,
            count,
            indices: Vec::new(),
        },
    );
    let list = w.name(&["indices", "edges", "faces", "neighbors", "lookup"]);
    let pointers = w.random.chance(50);
    let ty = if pointers { "int*" } else { "StructuredBuffer<int>" };
    let place = if pointers { Place::Pointer } else { Place::Structured };
    let indices = Contents::Indices { below: Count::Fixed(count), count: Count::Each(corners) };
    let argument = Argument::new(list.clone(), place, 4, indices);
    let own = if w.random.chance(60) { inputs(w, 1, 2) } else { Vec::new() };
    let reduced = w.random.chance(40);
    let width = if reduced { 1 } else { w.random.pick(&[1, 3]) };
    let function = w.name(&["springEnergy", "edgeTerm", "gather", "faceTerm", "interaction", "lookupFeature"]);
    let index = w.name(&["element", "edge", "tid", "which"]);
    let mut params = vec![Param::Index(index.clone())];
    params.extend(of_inputs(&own));
    params.push(Param::Shared { ty: ty.into(), name: list.clone(), arguments: vec![argument], is_struct: false });
    params.extend(store.params.iter().cloned());
    let plan = Plan { function, params, width, work: corners * 60, reduced };
    w.function(&plan.signature(), |w| {
        let mut all = values(&own);
        for corner in 0..corners {
            let at = w.name(&["i0", "i1", "a0", "b0", "v0"]);
            let text = if corners == 1 {
                format!("{list}[{index}]")
            } else {
                format!("{list}[{index} * {corners} + {corner}]")
            };
            w.line(format!("int {at} = {text};"));
            let item = store.item(w, &at);
            all.extend(item);
        }
        let made = w.mix(all, width);
        w.line(format!("return {};", made.text));
    });
    plan
}
