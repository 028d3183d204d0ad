//! The memory that checked functions read: contents of buffers and uniforms as scalars, drawn at
//! random where the host gives none, and small textures. Bytes are words of which some are floats
//! and the others small numbers, so that reading either finds some.
//!
//! A *pair* is a buffer with the one that derivatives with respect to its elements are added to
//! (and that tangents are read from). Its elements take part in a check like the arguments do.
//! Every call gets memory of its own, so that what one writes no other sees.

use super::resources::Buffers;
use super::values::{Domain, Random, differentiable_scalars};
use caustic_dialects::reflect::{DataType, ParamKind, Scalar, resource_type};
use caustic_dialects::tex::{self, TextureType};
use caustic_dialects::{ad, agg};
use caustic_interp::Interp;
use caustic_ir::eval::{Trap, Val};
use caustic_ir::{CancelToken, Diagnostic, Loc, Module, Name, Type, TypeKind};
use caustic_runtime::layout::struct_layout;
use caustic_runtime::{Bindings, Grid, KernelInterface, Launch, PrintLog, Slot, TextureContents, Traps, layout_of};
use std::collections::HashSet;
use std::sync::Arc;

/// Elements of a buffer that the host does not bind.
const ELEMENTS: usize = 64;

/// What one function sees of the program's resources.
#[derive(Clone)]
pub struct Memory {
    interface: Arc<KernelInterface>,
    /// By parameter of the interface; textures and samplers have none.
    contents: Vec<Contents>,
    pairs: Arc<[Pair]>,
    /// By parameter of the interface, the number that what is drawn for it depends on.
    places: Arc<[usize]>,
    /// By name.
    textures: Vec<(Name, TextureContents)>,
}

/// A buffer, and that of its derivatives, as numbers of parameters.
#[derive(Clone)]
struct Pair {
    primal: usize,
    derivative: usize,
    /// A buffer that always holds the direction, which a function with a derivative of its own
    /// inside may read.
    tangent: Option<usize>,
    /// For each float of an element's derivative, which float of the element it is of.
    of: Vec<Option<usize>>,
    /// Floats of an element.
    floats: usize,
}

impl Pair {
    fn of(module: &Module, interface: &KernelInterface, buffers: Buffers) -> Option<Pair> {
        let Buffers { primal, derivative, tangent } = buffers;
        let elem = |name: Name| Some(agg::as_buffer(resource_type(module.get(name)?)?)?.0);
        let (ty, d) = (elem(primal)?, elem(derivative)?);
        let mut next = 0;
        let numbered = numbered(ty, &mut next);
        let of = if ad::differential_type(ty) == Some(d) {
            let mut numbers = Vec::new();
            differentiable_scalars(ty, &numbered, &mut numbers);
            numbers.into_iter().map(|n| (n as usize).checked_sub(1)).collect()
        } else {
            (0..next).map(Some).collect()
        };
        let place = |symbol| interface.param_of_symbol(symbol);
        Some(Pair {
            primal: place(primal)?,
            derivative: place(derivative)?,
            tangent: tangent.and_then(place),
            of,
            floats: next,
        })
    }

    /// The floats of the buffer that have derivatives, in the order of these.
    fn of_elements(&self, floats: &[f64]) -> Vec<f64> {
        let (from, all) = (self.of.len().max(1), self.floats.max(1));
        let one = |element: usize, k: usize| {
            let at = self.of.get(k).copied().flatten().map(|f| element * all + f);
            at.and_then(|at| floats.get(at)).copied().unwrap_or(0.0)
        };
        (0..floats.len() / all).flat_map(|element| (0..from).map(move |k| one(element, k))).collect()
    }

    /// How far each float of the buffer moves along a direction, which is one of derivatives.
    fn moves(&self, floats: usize, direction: &[f64]) -> Vec<f64> {
        let mut moves = vec![0.0; floats];
        let from = self.of.len().max(1);
        let to = floats / (direction.len() / from).max(1);
        for (k, &v) in direction.iter().enumerate() {
            let at = self.of.get(k % from).copied().flatten().map(|f| k / from * to + f);
            if let Some(place) = at.and_then(|at| moves.get_mut(at)) {
                *place = v;
            }
        }
        moves
    }
}

/// A value whose floats are numbered from one on.
fn numbered(ty: Type, next: &mut usize) -> Val {
    match ty.kind() {
        TypeKind::Float(_) => {
            *next += 1;
            Val::Float(*next as f64)
        }
        TypeKind::Vector { elem, .. } => Val::agg((0..ty.num_elements()).map(|_| numbered(*elem, next)).collect()),
        _ => match agg::part_types(ty) {
            Some(parts) => Val::agg(parts.into_iter().map(|t| numbered(t, next)).collect()),
            None => Val::Int(0),
        },
    }
}

#[derive(Clone, Default)]
struct Contents {
    /// Where in an element its scalars lie.
    places: Vec<(usize, Scalar)>,
    stride: usize,
    is_buffer: bool,
    is_bytes: bool,
    /// By the host.
    given: bool,
    /// Element after element.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
enum Cell {
    Float(f64),
    Bits(u64),
}

/// What a call finds in the second buffers of pairs.
#[derive(Clone, Copy)]
pub enum Derivatives<'a> {
    Zero,
    Tangents,
    /// Cotangents of what the function leaves in the first ones.
    Cotangents(&'a [Vec<f64>]),
}

/// A call of a function.
pub struct Call<'a> {
    pub name: &'a str,
    pub args: Vec<Val>,
    /// What is called before, in the same memory.
    pub before: Option<(&'a str, Vec<Val>)>,
    /// By pair: how its elements move, and how far.
    pub along: (&'a [Vec<f64>], f64),
    pub derivatives: Derivatives<'a>,
}

/// What a call gives.
pub struct Called {
    pub results: Vec<Val>,
    /// By pair: what its second buffer holds then.
    pub derivatives: Vec<Vec<f64>>,
    /// By pair: whether its first one holds anything else than before, and what.
    pub left: Vec<(bool, Vec<f64>)>,
}

fn places(ty: &DataType, base: usize, out: &mut Vec<(usize, Scalar)>) {
    let row = |count: usize, elem: Scalar, out: &mut Vec<(usize, Scalar)>| {
        out.extend((0..count).map(|k| (base + k * elem.size(), elem)));
    };
    match ty {
        DataType::Scalar(s) => out.push((base, *s)),
        DataType::Vector { len, elem } => row(*len as usize, *elem, out),
        DataType::Matrix { rows, cols, elem, .. } => row((rows * cols) as usize, *elem, out),
        DataType::Array { len, elem } => {
            let size = layout_of(&**elem).map_or(0, |l| l.size as usize);
            (0..*len as usize).for_each(|k| places(elem, base + k * size, out));
        }
        DataType::Struct { fields, .. } => {
            let types: Vec<DataType> = fields.iter().map(|(_, ty)| ty.clone()).collect();
            let offsets = struct_layout(&types).map(|(_, offsets)| offsets).unwrap_or_default();
            types.iter().zip(offsets).for_each(|(ty, at)| places(ty, base + at as usize, out));
        }
        DataType::Resource(_) => {}
    }
}

fn read_cell(scalar: Scalar, bytes: &[u8]) -> Cell {
    let mut word = [0u8; 8];
    let count = bytes.len().min(scalar.size());
    word[..count].copy_from_slice(&bytes[..count]);
    let bits = u64::from_le_bytes(word);
    match scalar {
        Scalar::F16 => Cell::Float(half::f16::from_bits(bits as u16).to_f64()),
        Scalar::F32 => Cell::Float(f64::from(f32::from_bits(bits as u32))),
        Scalar::F64 => Cell::Float(f64::from_bits(bits)),
        _ => Cell::Bits(bits),
    }
}

impl Contents {
    fn of(ty: &DataType, is_buffer: bool) -> Contents {
        let mut found = Vec::new();
        places(ty, 0, &mut found);
        let stride = layout_of(ty).map_or(0, |l| l.size as usize);
        Contents { places: found, stride, is_buffer, ..Contents::default() }
    }

    fn read(&self, bytes: &[u8]) -> Vec<Cell> {
        let elements = bytes.chunks_exact(self.stride.max(1));
        let cells =
            |e: &[u8]| self.places.iter().map(|&(at, s)| read_cell(s, e.get(at..).unwrap_or_default())).collect();
        elements.flat_map(|e| -> Vec<Cell> { cells(e) }).collect()
    }

    fn write(&self, cells: &[Cell]) -> Vec<u8> {
        let mut bytes = vec![0; cells.len() / self.places.len().max(1) * self.stride];
        for (element, cells) in cells.chunks_exact(self.places.len().max(1)).enumerate() {
            for (&(at, scalar), cell) in self.places.iter().zip(cells) {
                let bits = match cell {
                    Cell::Float(v) => v.to_bits(),
                    Cell::Bits(bits) => *bits,
                };
                let at = element * self.stride + at;
                if let Some(place) = bytes.get_mut(at..at + scalar.size()) {
                    place.copy_from_slice(&bits.to_le_bytes()[..scalar.size()]);
                }
            }
        }
        bytes
    }

    fn floats(&self) -> usize {
        self.cells.iter().filter(|c| matches!(c, Cell::Float(_))).count()
    }

    fn draw(&mut self, domain: Domain<'_>, r: &mut Random) {
        let domain = if self.is_buffer { domain.of_places() } else { domain };
        let elements = if self.is_buffer { ELEMENTS } else { 1 };
        let is_bytes = self.is_bytes;
        let mut cell = |scalar: Scalar| match scalar {
            _ if is_bytes && r.next() >> 63 == 1 => Cell::Bits(u64::from((domain.float(r) as f32).to_bits())),
            _ if scalar.is_float() => Cell::Float(domain.float(r)),
            Scalar::Bool => Cell::Bits(r.next() >> 63),
            _ => Cell::Bits(domain.integer(r) as u64),
        };
        self.cells =
            (0..elements).flat_map(|_| self.places.iter().map(|p| p.1).collect::<Vec<_>>()).map(&mut cell).collect();
    }
}

fn is_bytes(kind: ParamKind) -> bool {
    matches!(kind, ParamKind::ByteAddressBuffer | ParamKind::RwByteAddressBuffer)
}

/// Texels along each side of a texture, its layers and the samples of a texel.
const SIDE: usize = 2;

/// A texture with a few texels.
fn drawn(ty: TextureType, domain: Domain<'_>, r: &mut Random) -> Option<TextureContents> {
    let components = match ty.elem.num_elements() {
        1 => ("r", 1),
        2 => ("rg", 2),
        _ => ("rgba", 4),
    };
    let (sides, option, copies) = match ty.shape {
        tex::Shape::Cube => (2, ":cube".to_string(), 6),
        tex::Shape::Samples => (2, format!(":samples={SIDE}"), SIDE),
        _ => (ty.shape.dims(), String::new(), 1),
    };
    let (layers, copies) = match ty.array {
        true => (format!(":array={SIDE}"), copies * SIDE),
        false => (String::new(), copies),
    };
    let dims = vec![SIDE.to_string(); sides].join("x");
    let count = SIDE.pow(sides as u32) * copies * components.1;
    let shape = |kind: &str| format!("{}32{kind}:{dims}{option}{layers}", components.0);
    if ty.elem.elem().is_float() {
        let values: Vec<f64> = (0..count).map(|_| domain.float(r)).collect();
        return TextureContents::of_floats(&shape("f"), &values).ok();
    }
    let values: Vec<i64> = (0..count).map(|_| (r.next() >> 33) as i64 % 6).collect();
    TextureContents::of_ints(&shape("i"), &values).ok()
}

/// What the host binds: the program's parameters as written, and whether one is given.
pub struct Given<'a> {
    pub interface: &'a KernelInterface,
    pub bindings: &'a Bindings,
    pub is_given: &'a (dyn Fn(&str) -> bool + Sync),
}

impl Memory {
    /// Of a widened module; `pairs` are symbols.
    pub fn new(module: &Module, given: Option<&Given<'_>>, pairs: &[Buffers]) -> Result<Memory, Diagnostic> {
        let interface = KernelInterface::of_resources(module)
            .map_err(|e| Diagnostic::internal(Loc::unknown(), format!("the resources of a widened module: {e}")))?;
        let mut memory = Memory {
            contents: interface
                .params
                .iter()
                .map(|p| Contents { is_bytes: is_bytes(p.kind), ..Contents::of(&p.ty, p.is_buffer()) })
                .collect(),
            pairs: pairs.iter().filter_map(|&b| Pair::of(module, &interface, b)).collect(),
            places: (0..interface.params.len()).collect(),
            textures: Vec::new(),
            interface: Arc::new(interface),
        };
        for (param, contents) in memory.interface.params.iter().zip(&mut memory.contents) {
            let Some(given) = given else { continue };
            // The same parameter before it was widened; of an array of resources the same one of
            // them.
            let written = given.interface.params.iter().position(|p| p.symbol == param.symbol && p.name == param.name);
            let Some(at) = written.filter(|_| (given.is_given)(&param.name)) else { continue };
            let narrow = Contents::of(&given.interface.params[at].ty, contents.is_buffer);
            let bytes = match given.bindings.slot(at) {
                Some(Slot::Buffer(buffer)) => buffer.to_bytes(),
                Some(Slot::Uniform(bytes)) => bytes.clone(),
                _ => continue,
            };
            contents.given = true;
            contents.cells = narrow.read(&bytes);
        }
        Ok(memory)
    }

    /// Draws what the host does not give.
    pub fn draw(&mut self, domain: Domain<'_>, r: &dyn Fn(usize) -> Random) {
        for (place, contents) in self.contents.iter_mut().enumerate().filter(|(_, c)| !c.given) {
            contents.draw(domain, &mut r(self.places[place]));
        }
        let textures = self.interface.params.iter().zip(self.places.iter());
        let drawn = textures.filter_map(|(p, &place)| Some((p.name, drawn(p.texture?, domain, &mut r(place))?)));
        self.textures = drawn.collect();
        // A buffer of derivatives is as long as what it is for.
        for pair in self.pairs.iter() {
            let elements = self.elements(pair.primal);
            for buffer in std::iter::once(pair.derivative).chain(pair.tangent) {
                let contents = &mut self.contents[buffer];
                if contents.given {
                    continue;
                }
                let zero = |s: Scalar| if s.is_float() { Cell::Float(0.0) } else { Cell::Bits(0) };
                let element: Vec<Cell> = contents.places.iter().map(|p| zero(p.1)).collect();
                contents.cells = element.repeat(elements);
            }
        }
    }

    /// Draws floats anew that the host does not give.
    pub fn draw_floats(&mut self, domain: Domain<'_>, r: &dyn Fn(usize) -> Random) {
        for (place, contents) in self.contents.iter_mut().enumerate().filter(|(_, c)| !c.given) {
            let mut r = r(self.places[place]);
            contents.cells.iter_mut().for_each(|cell| {
                if let Cell::Float(x) = cell {
                    *x = domain.float(&mut r);
                }
            });
        }
    }

    /// Moves floats toward those of the same memory with others.
    pub fn toward(&mut self, other: &Memory, part: f64) {
        for (contents, other) in self.contents.iter_mut().zip(&other.contents) {
            for (a, b) in contents.cells.iter_mut().zip(&other.cells) {
                if let (Cell::Float(a), Cell::Float(b)) = (a, b) {
                    *a += part * (*b - *a);
                }
            }
        }
    }

    fn elements(&self, buffer: usize) -> usize {
        self.contents[buffer].cells.len() / self.contents[buffer].places.len().max(1)
    }

    /// About how many bytes it takes.
    pub fn size(&self) -> usize {
        self.contents.iter().map(|c| c.cells.len() * size_of::<Cell>()).sum()
    }

    /// For each pair a direction in which its elements move, or weights of what is left in them.
    pub fn directions(&self, r: &dyn Fn(usize) -> Random) -> Vec<Vec<f64>> {
        let one = |p: &Pair| {
            let mut r = r(self.places[p.primal]);
            (0..self.elements(p.primal) * p.of.len()).map(|_| r.float(-1.0, 1.0)).collect()
        };
        self.pairs.iter().map(one).collect()
    }

    /// With the pairs of which a function reaches something, and what it reaches first.
    pub fn of_what(&self, reached: &HashSet<Name>) -> Memory {
        let is_reached = |buffer: usize| reached.contains(&self.interface.params[buffer].symbol);
        let pairs = self.pairs.iter().filter(|p| is_reached(p.primal) || is_reached(p.derivative));
        let all = 0..self.contents.len();
        let others = all.clone().filter(|&buffer| !is_reached(buffer));
        let mut places = vec![0; self.contents.len()];
        for (place, buffer) in all.filter(|&buffer| is_reached(buffer)).chain(others).enumerate() {
            places[buffer] = place;
        }
        Memory { pairs: pairs.cloned().collect(), places: places.into(), ..self.clone() }
    }

    /// Calls a function with the elements of pairs moved by a step along directions.
    pub fn call(&self, interp: &Interp<'_>, call: Call<'_>, cancel: &CancelToken) -> Result<Called, Trap> {
        let Call { name, args, before, along: (directions, step), derivatives } = call;
        let mut bindings = Bindings::new(&self.interface);
        for (index, contents) in self.contents.iter().enumerate() {
            bindings.set_contents(&self.interface, index, contents.write(&contents.cells));
        }
        for (name, texture) in &self.textures {
            // What does not fit is as one that nothing is bound to.
            let _ = bindings.bind_texture(&self.interface, name, texture);
        }
        let with_floats = |contents: &Contents, change: &mut dyn FnMut(usize, f64) -> f64| {
            let mut cells = contents.cells.clone();
            let mut next = 0;
            for cell in &mut cells {
                if let Cell::Float(v) = cell {
                    *v = change(next, *v);
                    next += 1;
                }
            }
            contents.write(&cells)
        };
        let mut began: Vec<Vec<u8>> = Vec::new();
        for (k, pair) in self.pairs.iter().enumerate() {
            let &Pair { primal, derivative, tangent, .. } = pair;
            let direction = &directions[k];
            let moves = pair.moves(self.contents[primal].floats(), direction);
            let bytes = with_floats(&self.contents[primal], &mut |i, v| v + step * moves[i]);
            began.push(bytes.clone());
            bindings.set_contents(&self.interface, primal, bytes);
            // Several copies of the elements all have the same tangents.
            let nth = |all: &[f64], i: usize| all.get(i % all.len().max(1)).copied().unwrap_or(0.0);
            let found = |i: usize| match derivatives {
                Derivatives::Cotangents(all) => nth(&all[k], i),
                Derivatives::Tangents => nth(direction, i),
                Derivatives::Zero => 0.0,
            };
            if let Some(tangent) = tangent {
                let bytes = with_floats(&self.contents[tangent], &mut |i, _| match derivatives {
                    Derivatives::Cotangents(all) if all[k].iter().any(|c| *c != 0.0) => nth(&all[k], i),
                    _ => nth(direction, i),
                });
                bindings.set_contents(&self.interface, tangent, bytes);
            }
            let bytes = with_floats(&self.contents[derivative], &mut |i, _| match tangent {
                None => found(i),
                Some(_) => 0.0,
            });
            bindings.set_contents(&self.interface, derivative, bytes);
        }
        let prints = PrintLog::default();
        let grid = Grid { groups: [1; 3], numthreads: [1; 3] };
        let launch = Launch {
            grid,
            bindings: &bindings,
            prints: &prints,
            traps: Traps { stop: Some(cancel.word()), ..Traps::default() },
        };
        if let Some((name, args)) = before {
            interp.call_bound(name, args, &self.interface, &launch)?;
        }
        let results = interp.call_bound(name, args, &self.interface, &launch)?;
        let (mut derivatives, mut left) = (Vec::new(), Vec::new());
        let bytes_of = |buffer: usize| match bindings.slot(buffer) {
            Some(Slot::Buffer(buffer)) => buffer.to_bytes(),
            _ => Vec::new(),
        };
        let floats_of = |buffer: usize, bytes: &[u8]| -> Vec<f64> {
            let cells = self.contents[buffer].read(bytes).into_iter();
            cells.filter_map(|c| if let Cell::Float(v) = c { Some(v) } else { None }).collect()
        };
        for (k, pair) in self.pairs.iter().enumerate() {
            let &Pair { primal, derivative, .. } = pair;
            // Copies that threads add to in turn are summed.
            let mut sums = vec![0.0; self.elements(primal) * pair.of.len()];
            let count = sums.len().max(1);
            for (i, v) in floats_of(derivative, &bytes_of(derivative)).into_iter().enumerate() {
                if let Some(sum) = sums.get_mut(i % count) {
                    *sum += v;
                }
            }
            derivatives.push(sums);
            let now = bytes_of(primal);
            let floats = floats_of(primal, &now);
            left.push((now != began[k], pair.of_elements(&floats)));
        }
        Ok(Called { results, derivatives, left })
    }
}
