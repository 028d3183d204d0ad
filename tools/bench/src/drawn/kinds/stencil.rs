//! An image that all threads read around their pixel: filters, differences, warps; its derivatives
//! are added up.

use crate::drawn::plan::{Param, Plan};
use crate::drawn::program::{Argument, Contents, Count, Place};
use crate::drawn::write::{Value, Writer, type_of};

struct Image {
    load: String,
    values: String,
    sums: String,
    width: String,
    height: String,
    channels: usize,
}

pub fn write(w: &mut Writer) -> Plan {
    w.names.keep_all(&["near", "sx", "sy", "dx", "dy", "d", "image", "sums", "where"]);
    let channels = w.random.pick(&[1, 1, 2, 3, 4]);
    let pointers = w.random.chance(50);
    let values = w.name(&["img", "field", "heights", "src", "grid"]);
    let sums = w.name(&["imgGrad", "gradField", "dSrc", "gridGrad"]);
    let (width, height) = (w.name(&["gridW", "cols", "imgW"]), w.name(&["gridH", "rows", "imgH"]));
    let ty = type_of(channels);
    let values_type = if pointers { format!("{ty}*") } else { format!("StructuredBuffer<{ty}>") };
    let sums_type = if pointers { format!("{ty}*") } else { w.sums().to_string() };
    let load = w.name(&["texel", "fetchPixel", "at", "sampleAt", "loadCell"]);
    let params = format!("{values_type} image, {sums_type} sums, int where");
    w.top(format!(
        "[BackwardDerivative({load}Backward)]\n[ForwardDerivative({load}Forward)]\n\
         {ty} {load}({params})\n{{\n    return image[where];\n}}\n"
    ));
    w.function(&format!("void {load}Backward({params}, {ty} d)"), |w| {
        for k in 0..channels {
            let c = if channels == 1 { "" } else { [".x", ".y", ".z", ".w"][k] };
            let to = match (pointers, channels) {
                (true, _) => format!("sums[where]{c}"),
                (_, 1) => "sums[where]".into(),
                _ => format!("sums[where * {channels} + {k}]"),
            };
            w.add(&to, &format!("d{c}"), !pointers);
        }
    });
    w.function(&format!("DifferentialPair<{ty}> {load}Forward({params})"), |w| {
        let one = w.all(channels, 1.0);
        w.line(format!("return diffPair(image[where], {one});"));
    });
    let image = Image { load, values, sums, width, height, channels };
    let (x, y) = (w.name(&["x", "px", "col"]), w.name(&["y", "py", "row"]));
    let place = if pointers { Place::Pointer } else { Place::Structured };
    let ranges = vec![(0.05, 1.0); channels];
    let contents = Contents::Items { ranges, items: Count::Each(1) };
    let sums_stride = if pointers { 4 * channels } else { 4 };
    let shared = |ty: String, argument: Argument| Param::Shared {
        ty,
        name: argument.path.clone(),
        arguments: vec![argument],
        is_struct: false,
    };
    let sums = Argument::new(&image.sums, place, sums_stride, Contents::Zeros(Count::Each(channels)));
    let sums = sums.derivatives(&image.values);
    let params = vec![
        Param::Coordinates(x.clone(), y.clone()),
        shared(values_type, Argument::new(&image.values, place, 4 * channels, contents)),
        shared(sums_type, sums),
        shared("int".into(), Argument::number(&image.width, Contents::Width)),
        shared("int".into(), Argument::number(&image.height, Contents::Height)),
    ];
    let width = w.random.pick(&[1, channels]);
    let function = w.name(&["filterPixel", "laplacian", "smoothness", "gradientEnergy", "denoise", "convolve"]);
    let reduced = width == 1 && w.random.chance(30);
    let radius = w.random.between(1, 2);
    let plan = Plan { function, params, width, work: 40 * (2 * radius + 1), reduced };
    let looped = w.random.chance(50);
    w.function(&plan.signature(), |w| {
        if looped { window(w, &image, (&x, &y), radius, width) } else { neighbours(w, &image, (&x, &y), width) }
    });
    plan
}

fn read(image: &Image, x: &str, y: &str) -> String {
    format!("{}({}, {}, {y} * {} + {x})", image.load, image.values, image.sums, image.width)
}

/// Some neighbours by name, mixed.
fn neighbours(w: &mut Writer, image: &Image, (x, y): (&str, &str), width: usize) {
    let (iw, ih) = (&image.width, &image.height);
    let all = [
        ("left", format!("max({x} - 1, 0)"), y.to_string()),
        ("right", format!("min({x} + 1, {iw} - 1)"), y.to_string()),
        ("up", x.to_string(), format!("max({y} - 1, 0)")),
        ("down", x.to_string(), format!("min({y} + 1, {ih} - 1)")),
        ("diagonal", format!("min({x} + 1, {iw} - 1)"), format!("min({y} + 1, {ih} - 1)")),
    ];
    let ty = type_of(image.channels);
    let mut values = Vec::new();
    let center = w.names.keep("center");
    w.line(format!("{ty} {center} = {};", read(image, x, y)));
    values.push(Value::variable(center, image.channels, 0.05, 1.0).plain());
    let some = w.random.between(2, 5);
    for (name, x, y) in &all[..some] {
        let name = w.names.keep(name);
        let (atx, aty) = (format!("{name}X"), format!("{name}Y"));
        w.line(format!("int {atx} = {x};"));
        w.line(format!("int {aty} = {y};"));
        w.line(format!("{ty} {name} = {};", read(image, &atx, &aty)));
        values.push(Value::variable(name, image.channels, 0.05, 1.0).plain());
    }
    if w.random.chance(50) {
        let more = w.random.pick(&values);
        values.push(more);
    }
    let made = w.mix(values, width);
    w.line(format!("return {};", made.text));
}

/// A loop over a window, weighted by distance or by likeness.
fn window(w: &mut Writer, image: &Image, (x, y): (&str, &str), radius: usize, width: usize) {
    let ty = type_of(image.channels);
    let most = 2 * radius + 1;
    let sum = w.name(&["acc", "sum", "filtered"]);
    let norm = w.name(&["norm", "wsum"]);
    let zero = w.all(image.channels, 0.0);
    let center = w.names.keep("center");
    w.line(format!("{ty} {center} = {};", read(image, x, y)));
    w.line(format!("{ty} {sum} = {zero};"));
    let tiny = w.number(0.001);
    w.line(format!("float {norm} = {tiny};"));
    let unrolled = w.random.chance(35);
    let attribute = if unrolled { "[ForceUnroll]".to_string() } else { format!("[MaxIters({most})]") };
    w.line(&attribute);
    w.open(format!("for (int dy = -{radius}; dy <= {radius}; dy++)"));
    w.line(&attribute);
    w.open(format!("for (int dx = -{radius}; dx <= {radius}; dx++)"));
    w.line(format!("int sx = clamp({x} + dx, 0, {} - 1);", image.width));
    w.line(format!("int sy = clamp({y} + dy, 0, {} - 1);", image.height));
    w.line(format!("{ty} near = {};", read(image, "sx", "sy")));
    let c = Value::variable(center.clone(), image.channels, 0.05, 1.0).plain();
    let n = Value::variable("near", image.channels, 0.05, 1.0).plain();
    let likeness = w.mix(vec![c, n.clone()], 1);
    let likeness = w.short(likeness);
    let falloff = w.number(0.3);
    let weight = w.local();
    w.line(format!("float {weight} = exp(-{0} * {0} - {falloff} * float(dx * dx + dy * dy));", likeness.operand()));
    let shown = if w.random.chance(50) { n } else { w.unary(n) };
    let shown = w.widened(shown, image.channels);
    w.line(format!("{sum} += {weight} * {};", shown.operand()));
    w.line(format!("{norm} += {weight};"));
    w.close();
    w.close();
    let value =
        Value { text: format!("{sum} / {norm}"), atom: false, ..Value::variable("", image.channels, -12.0, 12.0) };
    let value = w.named(value);
    let made = w.widened(value, width);
    w.line(format!("return {};", made.text));
}
