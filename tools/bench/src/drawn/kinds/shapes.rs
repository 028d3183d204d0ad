//! Values of an interface, made in a branch on the kind of an item, in a loop over a list: each
//! implementation has fields and a body of its own.

use super::list::fields;
use crate::drawn::plan::{Param, Plan};
use crate::drawn::store::{Store, Wanted, field};
use crate::drawn::write::{Value, Writer, type_of};

const KINDS: &[&[&str]] = &[
    &["Circle", "Sphere", "Disc"],
    &["Box", "Rect", "Slab"],
    &["Ring", "Torus", "Capsule"],
    &["Wave", "Line", "Star"],
];

struct Implementation {
    name: String,
    /// Which fields of an item it takes.
    takes: Vec<usize>,
}

struct Interface {
    name: String,
    method: String,
    width: usize,
    implementations: Vec<Implementation>,
}

/// Writes the interface and its implementations, whose methods take a point.
fn interface(w: &mut Writer, store: &Store, point: &Value) -> Interface {
    let name = w.name(&["IShape", "IPrimitive", "IBrush", "IElement", "ILayer"]);
    let method = w.name(&["coverage", "evalAt", "influence", "field", "distanceTo"]);
    let width = w.random.pick(&[1, 1, 1, 3]);
    let signature = format!("{} {method}(no_diff {} {})", type_of(width), type_of(point.width), point.text);
    let fields = store.names();
    let count = w.random.between(2, 4);
    let mut chosen = Vec::new();
    let mut largest = 0;
    for words in &KINDS[..count] {
        let mut takes: Vec<usize> = vec![0];
        takes.extend((1..fields.len()).filter(|_| w.random.chance(60)));
        largest = largest.max(takes.iter().map(|&k| fields[k].width).sum());
        chosen.push(Implementation { name: w.name(words), takes });
    }
    let size = if largest > 4 { format!("[anyValueSize({})]\n", 4 * largest) } else { String::new() };
    w.top(format!("{size}interface {name} : IDifferentiable\n{{\n    [Differentiable]\n    {signature};\n}}\n"));
    for one in &chosen {
        let mut text = format!("struct {} : {name}\n{{\n", one.name);
        let mut values = vec![point.clone()];
        for &k in &one.takes {
            let f = &fields[k];
            text += &format!("    {} {};\n", type_of(f.width), f.name);
            values.push(Value::variable(f.name.clone(), f.width, f.low, f.high).plain());
        }
        text += &w.method(&format!("[Differentiable]\n    {signature}"), |w| {
            let made = w.mix(values, width);
            if w.random.chance(50) {
                let made = w.short(made);
                w.line(format!("return exp(-{0} * {0});", made.operand()));
            } else {
                w.line(format!("return {};", made.text));
            }
        });
        w.top(text + "}\n");
    }
    Interface { name, method, width, implementations: chosen }
}

pub fn write(w: &mut Writer) -> Plan {
    let count = w.random.pick(&[4, 8, 12, 16, 32, 64]);
    let fields = fields(w, field("center", 2, 0.0, 1.0), 1, 3);
    let kinds = w.name(&["kinds", "types", "shapeTypes"]);
    let by_buffer = w.random.chance(65);
    let store = Store::write(
        w,
        Wanted {
            item: &["ShapeData", "PrimitiveParams", "Item"],
            items: &["shapes", "primitives", "items"],
            fields,
            count,
            indices: if by_buffer { vec![(kinds.clone(), 4)] } else { Vec::new() },
        },
    );
    let point = Value::variable(w.name(&["p", "pos", "uvPos"]), 2, 0.0, 1.0).plain();
    let interface = interface(w, &store, &point);
    let width = w.random.pick(&[1, 3, 3]);
    let function = w.name(&["renderShapes", "draw", "evalScene", "paint", "sceneColor"]);
    let mut params = vec![Param::Pixel(point.text.clone())];
    params.extend(store.params.iter().cloned());
    let plan = Plan { function, params, width, work: count * 50, reduced: false };
    let generic = w.random.chance(30).then(|| generic(w, &interface, &point));
    w.function(&plan.signature(), |w| {
        let total = store.count(w);
        let sum = w.name(&["acc", "sum", "color", "total"]);
        let zero = w.all(width, 0.0);
        w.line(format!("{} {sum} = {zero};", type_of(width)));
        let i = w.name(&["i", "k", "idx"]);
        let attribute = store.attribute(w);
        w.line(attribute);
        w.open(format!("for (int {i} = 0; {i} < {total}; {i}++)"));
        let items = store.item(w, &i);
        let kind = if by_buffer { store.index(&kinds, &i) } else { i.clone() };
        let made = make(w, &store, &interface, &items, (&kind, generic.as_deref()), &point);
        let mut values = vec![made];
        values.extend(items[1..].iter().filter(|_| w.random.chance(40)).cloned().collect::<Vec<_>>());
        let added = w.mix(values, width);
        w.line(format!("{sum} += {};", added.text));
        w.close();
        w.line(format!("return {sum};"));
    });
    plan
}

/// A generic function over implementations.
fn generic(w: &mut Writer, interface: &Interface, point: &Value) -> String {
    let name = w.name(&["evalShape", "smoothed", "apply"]);
    let ty = type_of(interface.width);
    let (x, point) = (point.text.clone(), type_of(point.width));
    let signature = format!("[Differentiable]\n{ty} {name}<T : {}>(T shape, no_diff {point} {x})", interface.name);
    w.function(&signature, |w| {
        let value = Value::variable(format!("shape.{}({x})", interface.method), interface.width, -12.0, 12.0);
        let value = w.named(value);
        let made = w.unary(value);
        let made = w.bounded(made);
        w.line(format!("return {};", made.text));
    });
    name
}

/// Makes the value of a kind's implementation and calls its method: through a variable of the
/// interface's type, or, if there is a generic function, by that in each branch.
fn make(
    w: &mut Writer,
    store: &Store,
    interface: &Interface,
    items: &[Value],
    (kind, generic): (&str, Option<&str>),
    point: &Value,
) -> Value {
    let result = w.local();
    let shape = w.name(&["shape", "prim", "element"]);
    let ty = type_of(interface.width);
    match generic {
        None => w.line(format!("{} {shape};", interface.name)),
        Some(_) => w.line(format!("{ty} {result};")),
    }
    let fields = store.names();
    let count = interface.implementations.len();
    let by_switch = w.random.chance(35);
    if by_switch {
        w.open(format!("switch ({kind} % {count})"));
    }
    for (k, one) in interface.implementations.iter().enumerate() {
        w.open(match k {
            _ if by_switch && k + 1 == count => "default:".into(),
            _ if by_switch => format!("case {k}:"),
            0 => format!("if ({kind} % {count} == 0)"),
            _ if k + 1 == count => "else".into(),
            _ => format!("else if ({kind} % {count} == {k})"),
        });
        let local = w.name(&["c", "s", "b", "q", "r"]);
        w.line(format!("{} {local};", one.name));
        for &at in &one.takes {
            w.line(format!("{local}.{} = {};", fields[at].name, items[at].text));
        }
        match generic {
            None => w.line(format!("{shape} = {local};")),
            Some(function) => w.line(format!("{result} = {function}({local}, {});", point.text)),
        }
        if by_switch {
            w.line("break;");
        }
        w.close();
    }
    if by_switch {
        w.close();
    }
    if generic.is_none() {
        w.line(format!("{ty} {result} = {shape}.{}({});", interface.method, point.text));
    }
    Value::variable(result, interface.width, -12.0, 12.0)
}
