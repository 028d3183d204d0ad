//! The entry points of a drawn program: its function, the forward and the reverse derivative.
//!
//! Inputs of a thread are read from buffers at the thread's index, and their derivatives written at
//! the same index; what all threads share goes through as it is.

use super::plan::{Own, Param, Plan};
use super::program::{Argument, Contents, Count, Entry, Parts, Place, Slot};
use super::write::{Writer, type_of};

/// Where the inputs of threads lie.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    /// A buffer for each input, at `[i]`.
    Each,
    /// One buffer of floats: first of all threads the first float, then the second.
    Planes,
    /// One buffer of floats: all of a thread's floats side by side.
    Rows,
}

struct Entries {
    writer: Writer,
    plan: Plan,
    form: Form,
    pointers: bool,
    arguments: Vec<Argument>,
    flat: bool,
    group: [u32; 3],
    /// Whether the result's cotangent is read from a buffer.
    cotangents: Option<String>,
    /// What comes last among the uniforms: the number of threads, or two sizes.
    sizes: [String; 2],
    names: OwnNames,
    result: String,
}

struct OwnNames {
    all: String,
    gradients: String,
    of: Box<dyn Fn(&str) -> (String, String)>,
}

pub fn finish(mut writer: Writer, plan: Plan) -> Parts {
    let flat = plan.is_flat();
    let group = if flat {
        [writer.random.pick(&[32, 64, 128, 256, 128, 64]), 1, 1]
    } else {
        writer.random.pick(&[[8, 8, 1], [16, 16, 1], [32, 4, 1], [16, 8, 1]])
    };
    let form = writer.random.pick(&[Form::Each, Form::Each, Form::Planes, Form::Rows]);
    let pointers = writer.random.chance(50);
    let cotangents = (!plan.reduced && writer.random.chance(40))
        .then(|| writer.name(&["cotangents", "gradOutput", "dOut", "upstream", "outGrad"]));
    let sizes = match flat {
        true => [writer.name(&["n", "total", "numThreads", "numElements"]), String::new()],
        false => [writer.name(&["width", "imageWidth", "resX"]), writer.name(&["height", "imageHeight", "resY"])],
    };
    let names = OwnNames {
        all: writer.name(&["inputs", "samples", "features", "attributes"]),
        gradients: writer.name(&["inputGrads", "gradInputs", "dInputs", "grads"]),
        of: match writer.random.below(3) {
            0 => Box::new(|n| (format!("{n}s"), format!("{n}Grads"))),
            1 => Box::new(|n| (format!("{n}Buffer"), format!("d_{n}"))),
            _ => Box::new(|n| (format!("in_{n}"), format!("grad_{n}"))),
        },
    };
    let result = match plan.reduced {
        true => writer.name(&["loss", "totalLoss", "energy", "objective"]),
        false => writer.name(&["result", "output", "image", "outBuffer", "pixels"]),
    };
    let work = plan.work;
    let mut all =
        Entries { writer, plan, form, pointers, arguments: Vec::new(), flat, group, cotangents, sizes, names, result };
    let entries = ["value", "forward", "backward"].map(|name| all.entry(name)).to_vec();
    Parts {
        text: all.writer.head,
        arguments: all.arguments,
        entries,
        numthreads: group,
        work,
        cotangents: all.cotangents,
    }
}

/// A parameter of an entry point as text, and its slot.
struct Passed {
    text: Vec<String>,
    slots: Vec<Slot>,
}

impl Entries {
    fn argument(&mut self, argument: Argument) -> usize {
        match self.arguments.iter().position(|a| a.path == argument.path) {
            Some(at) => at,
            None => {
                self.arguments.push(argument);
                self.arguments.len() - 1
            }
        }
    }

    /// A buffer of floats as a parameter of an entry point.
    fn buffer(&mut self, passed: &mut Passed, name: &str, width: usize, contents: Contents) -> usize {
        let written = matches!(contents, Contents::Zeros(_));
        let ty = type_of(width);
        let added = contents == Contents::Zeros(Count::Fixed(1));
        passed.text.push(match (self.pointers, written) {
            (false, true) if added => format!("uniform {} {name}", self.writer.sums()),
            (true, _) => format!("uniform {ty}* {name}"),
            (false, true) => format!("uniform RWStructuredBuffer<{ty}> {name}"),
            (false, false) => format!("uniform StructuredBuffer<{ty}> {name}"),
        });
        let place = if self.pointers { Place::Pointer } else { Place::Structured };
        let at = self.argument(Argument::new(name, place, 4 * width, contents));
        passed.slots.push(Slot::One(at));
        at
    }

    fn scalar(&mut self, passed: &mut Passed, name: &str, contents: Contents) {
        passed.text.push(format!("uniform uint {name}"));
        let at = self.argument(Argument::number(name, contents));
        passed.slots.push(Slot::One(at));
    }

    fn owns(&self) -> Vec<Own> {
        let of = |param: &Param| match param {
            Param::Own(own) => vec![own.clone()],
            Param::Struct { members, .. } => members.clone(),
            _ => Vec::new(),
        };
        self.plan.params.iter().flat_map(of).collect()
    }

    /// The buffers of inputs, and for a reverse derivative those of their derivatives.
    fn inputs(&mut self, passed: &mut Passed, reverse: bool) {
        let owns = self.owns();
        if owns.is_empty() {
            return;
        }
        let range = |own: &Own| vec![(own.low, own.high); own.width];
        match self.form {
            Form::Each => {
                for own in &owns {
                    let name = (self.names.of)(&own.name);
                    self.buffer(
                        passed,
                        &name.0,
                        own.width,
                        Contents::Items { ranges: range(own), items: Count::Each(1) },
                    );
                }
                for own in owns.iter().filter(|o| o.active && reverse) {
                    let name = (self.names.of)(&own.name);
                    let at = self.buffer(passed, &name.1, own.width, Contents::Zeros(Count::Each(own.width)));
                    self.arguments[at].derivatives_of = Some(name.0);
                }
            }
            Form::Planes | Form::Rows => {
                let ranges: Vec<(f64, f64)> = owns.iter().flat_map(range).collect();
                let floats = ranges.len();
                let contents = match self.form {
                    Form::Planes => Contents::Planes(ranges),
                    _ => Contents::Items { ranges, items: Count::Each(1) },
                };
                let (all, gradients) = (self.names.all.clone(), self.names.gradients.clone());
                self.buffer(passed, &all, 1, contents);
                if reverse {
                    let at = self.buffer(passed, &gradients, 1, Contents::Zeros(Count::Each(floats)));
                    self.arguments[at].derivatives_of = Some(all);
                }
            }
        }
    }

    /// Where float `k` of a thread is in a buffer in which a thread has `of`.
    fn place(&self, k: usize, of: usize) -> String {
        let threads = if self.flat { self.sizes[0].clone() } else { format!("{} * {}", self.sizes[0], self.sizes[1]) };
        match (self.form, k) {
            (Form::Planes, 0) => "i".into(),
            (Form::Planes, 1) => format!("i + {threads}"),
            (Form::Planes, _) => format!("i + {k} * {threads}"),
            _ => format!("i * {of} + {k}"),
        }
    }

    /// The text that reads an input.
    fn read(&self, own: &Own) -> String {
        if self.form == Form::Each {
            return format!("{}[i]", (self.names.of)(&own.name).0);
        }
        let owns = self.owns();
        let before: usize = owns.iter().take_while(|o| o.name != own.name).map(|o| o.width).sum();
        let of: usize = owns.iter().map(|o| o.width).sum();
        let parts: Vec<String> =
            (0..own.width).map(|k| format!("{}[{}]", self.names.all, self.place(before + k, of))).collect();
        if own.width == 1 { parts[0].clone() } else { format!("float{}({})", own.width, parts.join(", ")) }
    }

    /// The lines that write the derivative of an input.
    fn write_gradient(&mut self, own: &Own) {
        let found = match &own.of {
            Some((_, var)) => format!("{var}Pair.d.{}", own.name),
            None => format!("{}Pair.d", own.name),
        };
        if self.form == Form::Each {
            let to = (self.names.of)(&own.name).1;
            self.writer.line(format!("{to}[i] = {found};"));
            return;
        }
        let owns = self.owns();
        let before: usize = owns.iter().take_while(|o| o.name != own.name).map(|o| o.width).sum();
        let of: usize = owns.iter().map(|o| o.width).sum();
        for k in 0..own.width {
            let component = if own.width == 1 { "" } else { [".x", ".y", ".z", ".w"][k] };
            let to = format!("{}[{}]", self.names.gradients, self.place(before + k, of));
            self.writer.line(format!("{to} = {found}{component};"));
        }
    }

    fn guard(&mut self) {
        let [x, y] = self.sizes.clone();
        if self.flat {
            self.writer.line("uint i = id.x;");
            self.writer.line(format!("if (i >= {x})"));
            self.writer.line("    return;");
        } else {
            self.writer.line(format!("if (id.x >= {x} || id.y >= {y})"));
            self.writer.line("    return;");
            self.writer.line(format!("uint i = id.y * {x} + id.x;"));
        }
    }

    /// Makes a struct of inputs, with its derivative if that is asked for.
    fn gather(&mut self, entry: &str, ty: &str, var: &str, members: &[Own]) -> String {
        self.writer.line(format!("{ty} {var};"));
        for own in members {
            let read = self.read(own);
            self.writer.line(format!("{var}.{} = {read};", own.name));
        }
        match entry {
            "value" => var.to_string(),
            "forward" => {
                self.writer.line(format!("{ty}.Differential {var}Tangent;"));
                for own in members {
                    let one = self.writer.all(own.width, 1.0);
                    self.writer.line(format!("{var}Tangent.{} = {one};", own.name));
                }
                format!("diffPair({var}, {var}Tangent)")
            }
            _ => {
                self.writer.line(format!("var {var}Pair = diffPair({var});"));
                format!("{var}Pair")
            }
        }
    }

    /// What the function is called with.
    fn call(&mut self, name: &str) -> Vec<String> {
        let mut out = Vec::new();
        for param in self.plan.params.clone() {
            match param {
                Param::Own(own) => {
                    let read = self.read(&own);
                    if !own.active || name == "value" {
                        out.push(read);
                    } else if name == "forward" {
                        out.push(format!("diffPair({read}, {})", self.writer.all(own.width, 1.0)));
                    } else {
                        self.writer.line(format!("var {}Pair = diffPair({read});", own.name));
                        out.push(format!("{}Pair", own.name));
                    }
                }
                Param::Struct { ty, name: var, members } => out.push(self.gather(name, &ty, &var, &members)),
                Param::Shared { name, .. } => out.push(name),
                Param::Pixel(_) => out.push(format!("(float2(id.xy) + 0.5f) / float({})", self.sizes[0])),
                Param::Coordinates(..) => out.extend(["int(id.x)".into(), "int(id.y)".into()]),
                Param::Index(_) => out.push("i".into()),
            }
        }
        out
    }

    fn entry(&mut self, name: &'static str) -> Entry {
        let mut passed = Passed { text: vec!["uint3 id : SV_DispatchThreadID".into()], slots: Vec::new() };
        self.inputs(&mut passed, name == "backward");
        for param in self.plan.params.clone() {
            let Param::Shared { ty, name, arguments, is_struct } = param else { continue };
            passed.text.push(format!("uniform {ty} {name}"));
            let fields: Vec<usize> = arguments.into_iter().map(|a| self.argument(a)).collect();
            match is_struct {
                true => passed.slots.push(Slot::Struct(fields)),
                false => passed.slots.extend(fields.into_iter().map(Slot::One)),
            }
        }
        let (result, width) = (self.result.clone(), self.plan.width);
        if name == "backward" {
            if let Some(cotangents) = self.cotangents.clone() {
                let ranges = vec![(0.2, 1.0); width];
                self.buffer(&mut passed, &cotangents, width, Contents::Items { ranges, items: Count::Each(1) });
            }
        } else {
            let count = if self.plan.reduced { Count::Fixed(1) } else { Count::Each(width) };
            self.buffer(&mut passed, &result, width, Contents::Zeros(count));
        }
        let [x, y] = self.sizes.clone();
        if self.flat {
            self.scalar(&mut passed, &x, Contents::Threads);
        } else {
            self.scalar(&mut passed, &x, Contents::Width);
            self.scalar(&mut passed, &y, Contents::Height);
        }
        let list = if passed.text.join(", ").len() < 90 { passed.text.join(", ") } else { passed.text.join(",\n    ") };
        let [gx, gy, gz] = self.group;
        let signature = format!("[shader(\"compute\")]\n[numthreads({gx}, {gy}, {gz})]\nvoid {name}({list})");
        self.body(name, &signature);
        Entry { name, slots: passed.slots }
    }

    fn body(&mut self, name: &str, signature: &str) {
        let kept = self.writer.begin();
        self.guard();
        let list = self.call(name).join(", ");
        let function = self.plan.function.clone();
        let result = self.result.clone();
        match name {
            "backward" => {
                let cotangent = match &self.cotangents {
                    Some(buffer) => format!("{buffer}[i]"),
                    None => self.writer.all(self.plan.width, 1.0),
                };
                let comma = if list.is_empty() { "" } else { ", " };
                self.writer.line(format!("bwd_diff({function})({list}{comma}{cotangent});"));
                for own in self.owns().into_iter().filter(|o| o.active) {
                    self.write_gradient(&own);
                }
            }
            _ => {
                let made = match name {
                    "forward" => format!("fwd_diff({function})({list}).d"),
                    _ => format!("{function}({list})"),
                };
                if self.plan.reduced {
                    self.writer.line(format!("float one = {made};"));
                    self.writer.add(&format!("{result}[0]"), "one", !self.pointers);
                } else {
                    self.writer.line(format!("{result}[i] = {made};"));
                }
            }
        }
        self.writer.end(signature, kept);
    }
}
