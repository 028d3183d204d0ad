//! Lists of items that all threads share and whose derivatives are added up: flat floats, a buffer
//! for each field, or structs; behind pointers or in buffers; with the function that loads them and
//! its custom derivatives.

use super::plan::Param;
use super::program::{Argument, Contents, Count, Place};
use super::write::{Value, Writer, type_of};

#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub width: usize,
    pub low: f64,
    pub high: f64,
}

pub fn field(name: impl Into<String>, width: usize, low: f64, high: f64) -> Field {
    Field { name: name.into(), width, low, high }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layout {
    Flat,
    Arrays,
    Structs,
}

/// How code knows the number of items.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Counted {
    Uniform,
    Length,
    Constant,
}

/// What is asked for.
pub struct Wanted<'a> {
    /// Names for the struct, and for the buffer.
    pub item: &'a [&'a str],
    pub items: &'a [&'a str],
    pub fields: Vec<Field>,
    pub count: usize,
    /// Buffers of numbers beside the list, whose derivatives nobody wants: a name and a bound.
    pub indices: Vec<(String, usize)>,
}

/// A buffer of the list: its name, and that of its sums.
#[derive(Clone, Debug)]
struct Buffer {
    values: String,
    sums: String,
    load: String,
    /// Floats of an element.
    width: usize,
}

#[derive(Clone, Debug)]
pub struct Store {
    fields: Vec<Field>,
    /// The name of the field that was asked for first.
    first: String,
    layout: Layout,
    item: String,
    count: usize,
    pub params: Vec<Param>,
    pointers: bool,
    buffers: Vec<Buffer>,
    /// `scene.` or nothing.
    prefix: String,
    /// Floats of a whole item.
    stride: usize,
    counted: Counted,
    count_text: String,
}

impl Store {
    /// Writes the types and functions, and gives how to use them.
    pub fn write(w: &mut Writer, wanted: Wanted<'_>) -> Store {
        w.names.keep_all(&["values", "sums", "at", "d", "id", "length", "stride"]);
        let mut fields = wanted.fields;
        let first = fields[0].name.clone();
        let mut layout = w.random.pick(&[Layout::Flat, Layout::Arrays, Layout::Structs, Layout::Structs]);
        if fields.len() == 1 && layout == Layout::Structs {
            layout = Layout::Arrays;
        }
        if layout == Layout::Structs {
            pad(&mut fields);
        }
        let stride = fields.iter().map(|f| f.width).sum();
        let pointers = w.random.chance(45);
        let counted = match w.random.below(4) {
            0 if !pointers => Counted::Length,
            0 | 1 => Counted::Constant,
            _ => Counted::Uniform,
        };
        let item = w.name(wanted.item);
        let items = w.name(wanted.items);
        let together = w.random.chance(if layout == Layout::Arrays && fields.len() > 2 { 100 } else { 40 });
        let name = if together { w.name(&["scene", "data", "world", "buffers", "ctx"]) } else { String::new() };
        let mut store = Store {
            fields,
            first,
            layout,
            item,
            count: wanted.count,
            params: Vec::new(),
            pointers,
            buffers: Vec::new(),
            prefix: if together { format!("{name}.") } else { String::new() },
            stride,
            counted,
            count_text: String::new(),
        };
        if layout == Layout::Structs {
            let lines: String =
                store.fields.iter().map(|f| format!("    {} {};\n", type_of(f.width), f.name)).collect();
            w.top(format!("struct {} : IDifferentiable\n{{\n{lines}}}\n", store.item));
        }
        store.name_buffers(w, &items);
        store.loads(w);
        store.gather(w, &name, wanted.indices);
        store
    }

    fn name_buffers(&mut self, w: &mut Writer, items: &str) {
        let named = |w: &mut Writer, base: &str, width| {
            let sums = match w.random.below(3) {
                0 => format!("{base}Grad"),
                1 => format!("grad_{base}"),
                _ => format!("d_{base}"),
            };
            Buffer { values: w.names.keep(base), sums: w.names.keep(&sums), load: String::new(), width }
        };
        self.buffers = match self.layout {
            Layout::Arrays => {
                let fields = self.fields.clone();
                fields.iter().map(|f| named(w, &format!("{}s", f.name), f.width)).collect()
            }
            Layout::Flat => vec![named(w, items, 1)],
            Layout::Structs => vec![named(w, items, self.stride)],
        };
    }

    fn element(&self, buffer: &Buffer) -> String {
        if self.layout == Layout::Structs { self.item.clone() } else { type_of(buffer.width) }
    }
    fn values_type(&self, buffer: &Buffer) -> String {
        let element = self.element(buffer);
        if self.pointers { format!("{element}*") } else { format!("StructuredBuffer<{element}>") }
    }
    /// Sums behind pointers are of the element's type where that is a vector, else floats.
    fn sums_type(&self, w: &Writer, buffer: &Buffer) -> String {
        match (self.pointers, self.layout) {
            (true, Layout::Structs) => "float*".into(),
            (true, _) => format!("{}*", type_of(buffer.width)),
            _ => w.sums().into(),
        }
    }

    /// The functions that load an element, one for each type of buffers.
    fn loads(&mut self, w: &mut Writer) {
        for at in 0..self.buffers.len() {
            let buffer = self.buffers[at].clone();
            let known = self.buffers[..at].iter().find(|b| b.width == buffer.width).map(|b| b.load.clone());
            self.buffers[at].load = match known {
                Some(known) => known,
                None => self.load(w, &buffer),
            };
        }
    }

    fn load(&self, w: &mut Writer, buffer: &Buffer) -> String {
        let base = match self.layout {
            Layout::Structs => format!("load{}", self.item),
            Layout::Flat => w.name(&["loadParam", "fetch", "param", "getParam", "readValue"]),
            Layout::Arrays => match buffer.width {
                1 => w.name(&["loadScalar", "fetchFloat", "load1"]),
                n => w.name(&[&format!("loadVec{n}"), &format!("fetch{n}"), &format!("loadFloat{n}")]),
            },
        };
        let ty = self.element(buffer);
        let params = format!("{} values, {} sums, int at", self.values_type(buffer), self.sums_type(w, buffer));
        w.top(format!(
            "[BackwardDerivative({base}Backward)]\n[ForwardDerivative({base}Forward)]\n\
             {ty} {base}({params})\n{{\n    return values[at];\n}}\n"
        ));
        let differential = if self.layout == Layout::Structs { format!("{ty}.Differential") } else { ty.clone() };
        w.function(&format!("void {base}Backward({params}, {differential} d)"), |w| self.adds(w, buffer));
        w.function(&format!("DifferentialPair<{ty}> {base}Forward({params})"), |w| {
            if self.layout != Layout::Structs {
                let one = w.all(buffer.width, 1.0);
                w.line(format!("return diffPair(values[at], {one});"));
                return;
            }
            w.line(format!("{differential} d;"));
            for f in &self.fields {
                let text = w.all(f.width, 1.0);
                w.line(format!("d.{} = {text};", f.name));
            }
            w.line("return diffPair(values[at], d);");
        });
        base
    }

    fn adds(&self, w: &mut Writer, buffer: &Buffer) {
        let components =
            |width: usize| if width == 1 { vec![""] } else { vec![".x", ".y", ".z", ".w"][..width].to_vec() };
        if self.layout == Layout::Structs {
            let mut k = 0;
            for f in &self.fields {
                for c in components(f.width) {
                    w.add(&format!("sums[at * {} + {k}]", self.stride), &format!("d.{}{c}", f.name), !self.pointers);
                    k += 1;
                }
            }
            return;
        }
        for (k, c) in components(buffer.width).into_iter().enumerate() {
            let to = match (self.pointers, buffer.width) {
                (true, _) => format!("sums[at]{c}"),
                (false, 1) => "sums[at]".into(),
                (false, n) => format!("sums[at * {n} + {k}]"),
            };
            w.add(&to, &format!("d{c}"), !self.pointers);
        }
    }

    /// The parameters by which functions get the list.
    fn gather(&mut self, w: &mut Writer, name: &str, indices: Vec<(String, usize)>) {
        let place = if self.pointers { Place::Pointer } else { Place::Structured };
        let mut given: Vec<(String, String, Argument)> = Vec::new();
        for (b, buffer) in self.buffers.iter().enumerate() {
            let fields = if self.layout == Layout::Arrays { &self.fields[b..=b] } else { &self.fields[..] };
            let ranges = fields.iter().flat_map(|f| vec![(f.low, f.high); f.width]).collect();
            let contents = Contents::Items { ranges, items: Count::Fixed(self.count) };
            let argument =
                |path: &str, stride, contents| Argument::new(format!("{}{path}", self.prefix), place, stride, contents);
            given.push((
                self.values_type(buffer),
                buffer.values.clone(),
                argument(&buffer.values, 4 * buffer.width, contents),
            ));
            let floats = fields.iter().map(|f| f.width).sum::<usize>() * self.count;
            let stride = if self.pointers && self.layout != Layout::Structs { 4 * buffer.width } else { 4 };
            given.push((
                self.sums_type(w, buffer),
                buffer.sums.clone(),
                argument(&buffer.sums, stride, Contents::Zeros(Count::Fixed(floats)))
                    .derivatives(format!("{}{}", self.prefix, buffer.values)),
            ));
        }
        for (index, below) in indices {
            let ty = if self.pointers { "int*" } else { "StructuredBuffer<int>" };
            let contents = Contents::Indices { below: Count::Fixed(below), count: Count::Fixed(self.count) };
            let argument = Argument::new(format!("{}{index}", self.prefix), place, 4, contents);
            given.push((ty.into(), index, argument));
        }
        self.count_by(w, &mut given);
        if name.is_empty() {
            self.params = given
                .into_iter()
                .map(|(ty, name, a)| Param::Shared { ty, name, arguments: vec![a], is_struct: false })
                .collect();
            return;
        }
        let ty = w.name(&["Scene", "Data", "World", "Buffers", "Context"]);
        let lines: String = given.iter().map(|(ty, name, _)| format!("    {ty} {name};\n")).collect();
        w.top(format!("struct {ty}\n{{\n{lines}}}\n"));
        let arguments = given.into_iter().map(|(_, _, a)| a).collect();
        self.params = vec![Param::Shared { ty, name: name.into(), arguments, is_struct: true }];
    }

    fn count_by(&mut self, w: &mut Writer, given: &mut Vec<(String, String, Argument)>) {
        match self.counted {
            Counted::Constant => {
                let name = w.name(&["COUNT", "NUM_ITEMS", "MAX_ITEMS", "N_ITEMS", "K"]);
                w.top(format!("static const int {name} = {};\n", self.count));
                self.count_text = name;
            }
            Counted::Uniform => {
                let name = w.name(&["count", "itemCount", "numItems", "num"]);
                let contents = Contents::Number(self.count as u32);
                let path = format!("{}{name}", self.prefix);
                given.push(("int".into(), name.clone(), Argument::number(path, contents)));
                self.count_text = format!("{}{name}", self.prefix);
            }
            Counted::Length => {
                let name = w.name(&["lengthOf", "countOf", "numElementsOf"]);
                let buffer = self.buffers[0].clone();
                let ty = self.values_type(&buffer);
                w.function(&format!("int {name}({ty} values)"), |w| {
                    w.line("uint length, stride;");
                    w.line("values.GetDimensions(length, stride);");
                    w.line("return int(length);");
                });
                let per = if self.layout == Layout::Flat { format!(" / {}", self.stride) } else { String::new() };
                self.count_text = format!("(no_diff {name}({}{})){per}", self.prefix, buffer.values);
            }
        }
    }

    /// The number of items, before a loop over them.
    pub fn count(&self, w: &mut Writer) -> String {
        if self.counted != Counted::Length {
            return self.count_text.clone();
        }
        let name = w.name(&["len", "m", "howMany"]);
        w.line(format!("int {name} = {};", self.count_text));
        name
    }

    /// The attribute of a loop over the items.
    pub fn attribute(&self, w: &mut Writer) -> String {
        match self.counted {
            Counted::Constant if self.count <= 8 && w.random.chance(40) => "[ForceUnroll]".into(),
            Counted::Constant => format!("[MaxIters({})]", self.count),
            _ => format!("[MaxIters({})]", self.count.next_power_of_two()),
        }
    }

    /// A number of an item in a buffer beside the list.
    pub fn index(&self, name: &str, at: &str) -> String {
        format!("{}{name}[{at}]", self.prefix)
    }

    /// Loads an item; the field that was asked for first comes first.
    pub fn item(&self, w: &mut Writer, at: &str) -> Vec<Value> {
        let mut values = self.loaded(w, at);
        let first = self.visible().position(|f| f.name == self.first).unwrap_or(0);
        values.swap(0, first);
        values
    }

    /// The fields that code uses, as [`Store::item`] orders them.
    pub fn names(&self) -> Vec<Field> {
        let mut fields: Vec<Field> = self.visible().cloned().collect();
        let first = fields.iter().position(|f| f.name == self.first).unwrap_or(0);
        fields.swap(0, first);
        fields
    }

    fn visible(&self) -> impl Iterator<Item = &Field> {
        self.fields.iter().filter(|f| !f.name.starts_with('_'))
    }

    fn loaded(&self, w: &mut Writer, at: &str) -> Vec<Value> {
        let load = |b: &Buffer, at: &str| format!("{}({p}{}, {p}{}, {at})", b.load, b.values, b.sums, p = self.prefix);
        if self.layout == Layout::Structs {
            let name = w.local();
            w.line(format!("{} {name} = {};", self.item, load(&self.buffers[0], at)));
            let member = |f: &Field| Value::variable(format!("{name}.{}", f.name), f.width, f.low, f.high);
            return self.visible().map(|f| member(f).plain()).collect();
        }
        let mut values = Vec::new();
        let mut before = 0;
        let base = if self.layout == Layout::Flat && self.stride > 1 && w.random.chance(50) {
            let name = w.name(&["at0", "o", "start"]);
            w.line(format!("int {name} = {at} * {};", self.stride));
            name
        } else if self.stride > 1 {
            format!("{at} * {}", self.stride)
        } else {
            at.to_string()
        };
        for (k, f) in self.fields.iter().enumerate() {
            let text = match self.layout {
                Layout::Arrays => load(&self.buffers[k], at),
                _ => {
                    let place = |c: usize| if c == 0 { base.clone() } else { format!("{base} + {c}") };
                    let parts: Vec<String> = (0..f.width).map(|c| load(&self.buffers[0], &place(before + c))).collect();
                    if f.width == 1 { parts[0].clone() } else { format!("float{}({})", f.width, parts.join(", ")) }
                }
            };
            before += f.width;
            let name = w.names.one_of(&mut w.random, &[&f.name]);
            w.line(format!("{} {name} = {text};", type_of(f.width)));
            values.push(Value::variable(name, f.width, f.low, f.high).plain());
        }
        values
    }
}

/// Orders fields and adds some, so that hosts need not know by what vectors are aligned.
fn pad(fields: &mut Vec<Field>) {
    fields.sort_by_key(|f| match f.width {
        4 => 0,
        2 => 1,
        _ => 2,
    });
    let align = match fields[0].width {
        4 => 4,
        2 => 2,
        _ => 1,
    };
    let floats: usize = fields.iter().map(|f| f.width).sum();
    for k in 0..(align - floats % align) % align {
        fields.push(field(format!("_pad{k}"), 1, 0.0, 0.0));
    }
}
