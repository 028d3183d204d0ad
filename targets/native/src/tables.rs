//! What compiled code refers to by address or by number, collected while the code is written.
//!
//! Entries are boxed: compiled code holds their addresses, which must not change when a table
//! grows. The tables live as long as the code.

use crate::flat::{self, Leaf};
use crate::heap::Desc;
use crate::helpers::{AtomicCall, ConvergeCall, PrintCall, Ranges, Run, ScalarCall, TextureCall};
use crate::wide_tapes::WideDesc;
use caustic_dialects::agg;
use caustic_dialects::reflect::{COUNT, Param, resource_type};
use caustic_ir::{Diagnostic, Loc, Module, Name, Type};
use rustc_hash::FxHashMap;

#[derive(Default)]
#[expect(clippy::vec_box, reason = "compiled code holds the addresses, which must not change when a table grows")]
pub struct Tables {
    scalar_calls: Vec<Box<ScalarCall>>,
    print_calls: Vec<Box<PrintCall>>,
    converge_calls: Vec<Box<ConvergeCall>>,
    atomic_calls: Vec<Box<AtomicCall>>,
    texture_calls: Vec<Box<TextureCall>>,
    descs: Vec<Box<Desc>>,
    wide_descs: Vec<Box<WideDesc>>,
    ranges: Vec<Box<Ranges>>,
    pub(crate) sites: Vec<Loc>,
    /// What messages call the resources, by number.
    pub(crate) globals: Vec<Name>,
    pub global_entries: Vec<GlobalEntry>,
    /// Bytes of zeros that compiled code reads from.
    zeros: u64,
    site_numbers: FxHashMap<Loc, u32>,
    global_numbers: FxHashMap<Name, usize>,
    desc_addresses: FxHashMap<Type, i64>,
    range_addresses: FxHashMap<Type, i64>,
    wide_addresses: FxHashMap<Type, i64>,
}

/// A resource that compiled code refers to by number.
#[derive(Clone, Copy)]
pub struct GlobalEntry {
    pub symbol: Name,
    /// Which one of an array of resources.
    pub element: usize,
    /// Bytes of an element of a buffer, or of a uniform's contents; a texture or sampler has none.
    pub size: Option<u64>,
    /// How many cells private memory has; 1 of everything else.
    pub cells: u64,
}

fn address<T>(table: &mut Vec<Box<T>>, item: T) -> i64 {
    let item = Box::new(item);
    let address = &*item as *const T as i64;
    table.push(item);
    address
}

impl Tables {
    /// The number of a location, for messages.
    pub fn site(&mut self, loc: Loc) -> u32 {
        let sites = &mut self.sites;
        *self.site_numbers.entry(loc).or_insert_with(|| {
            sites.push(loc);
            sites.len() as u32 - 1
        })
    }

    /// The code reads `size` bytes from [`crate::ThreadCtx::zeros`].
    pub fn need_zeros(&mut self, size: u64) {
        self.zeros = self.zeros.max(size);
    }
    /// How many zeros the code may read.
    pub fn zero_bytes(&self) -> u64 {
        self.zeros.max(32)
    }
    /// At a multiple of 16, as vectors of local storage are.
    pub(crate) fn zeros(&self) -> Box<[u128]> {
        vec![0u128; (self.zeros as usize).div_ceil(16).max(2)].into_boxed_slice()
    }

    pub fn desc(&mut self, ty: Type) -> Option<i64> {
        if let Some(&known) = self.desc_addresses.get(&ty) {
            return Some(known);
        }
        let address = address(&mut self.descs, Desc::of(ty)?);
        self.desc_addresses.insert(ty, address);
        Some(address)
    }
    /// The same of storage that lies side by side for several threads.
    pub fn wide_desc(&mut self, ty: Type) -> Option<i64> {
        if let Some(&known) = self.wide_addresses.get(&ty) {
            return Some(known);
        }
        let address = address(&mut self.wide_descs, WideDesc::of(ty)?);
        self.wide_addresses.insert(ty, address);
        Some(address)
    }
    pub fn ranges(&mut self, ty: Type) -> Option<i64> {
        if let Some(&known) = self.range_addresses.get(&ty) {
            return Some(known);
        }
        let mut runs = Vec::new();
        push_runs(ty, 0, &mut runs)?;
        let address = address(&mut self.ranges, Ranges { runs });
        self.range_addresses.insert(ty, address);
        Some(address)
    }
    pub fn scalar_call(&mut self, call: ScalarCall) -> i64 {
        address(&mut self.scalar_calls, call)
    }
    pub fn print_call(&mut self, call: PrintCall) -> i64 {
        address(&mut self.print_calls, call)
    }
    pub fn converge_call(&mut self, call: ConvergeCall) -> i64 {
        address(&mut self.converge_calls, call)
    }
    /// Whether threads meet at barriers and at nothing else.
    pub fn only_barriers(&self) -> bool {
        self.converge_calls.iter().all(|call| call.wave.is_none())
    }
    pub fn texture_call(&mut self, call: TextureCall) -> i64 {
        address(&mut self.texture_calls, call)
    }
    pub fn atomic_call(&mut self, call: AtomicCall) -> i64 {
        address(&mut self.atomic_calls, call)
    }

    /// Number of a resource, the first one of an array.
    pub fn global(&mut self, module: &Module, name: Name, loc: Loc) -> Result<usize, Diagnostic> {
        if let Some(&known) = self.global_numbers.get(&name) {
            return Ok(known);
        }
        let resource = module.get(name).filter(|s| agg::Resource::of_symbol(s).is_some());
        let ty = resource.and_then(resource_type);
        let ty = ty.ok_or_else(|| Diagnostic::invalid_ir(loc, format!("there is no resource @{name}")))?;
        let contents = agg::as_buffer(ty).map_or(ty, |(elem, _)| elem);
        let size = flat::layout(contents).filter(|_| !flat::is_object(ty)).map(|layout| layout.size);
        if size.is_none() && !flat::is_object(ty) {
            return Err(Diagnostic::internal(loc, format!("{ty} has no place in memory")));
        }
        let shown = resource.and_then(Param::of).map_or(name, |p| p.name);
        let count = resource.and_then(|s| s.attr(COUNT)).and_then(|a| a.as_int());
        let cells = resource.and_then(agg::private_cells).unwrap_or(1);
        let number = self.globals.len();
        for element in 0..count.map_or(1, |n| usize::try_from(n).unwrap_or(1)) {
            let shown = if count.is_some() { Name::new(&format!("{shown}[{element}]")) } else { shown };
            self.globals.push(shown);
            self.global_entries.push(GlobalEntry { symbol: name, element, size, cells });
        }
        self.global_numbers.insert(name, number);
        Ok(number)
    }
}

/// The bytes of a type that are not padding, neighbouring scalars as one run.
fn push_runs(ty: Type, at: u64, runs: &mut Vec<Run>) -> Option<()> {
    let plain = |offset, len| Run { offset, count: 1, stride: 0, len, inner: None };
    if ty.is_scalar() || ty.is_vector() {
        let len = Leaf::of(ty.elem())?.size() * ty.num_elements() as u64;
        match runs.last_mut() {
            Some(last) if last.inner.is_none() && last.count == 1 && last.offset + last.len == at => last.len += len,
            _ => runs.push(plain(at, len)),
        }
        return Some(());
    }
    if let Some((count, elem)) = agg::as_array(ty) {
        let stride = flat::layout(elem)?.size;
        let mut inner = Vec::new();
        push_runs(elem, 0, &mut inner)?;
        match inner.as_slice() {
            [] => {}
            // Elements without padding are one run.
            [one] if one.inner.is_none() && one.count == 1 && one.offset == 0 && one.len == stride => {
                runs.push(plain(at, stride * count));
            }
            _ => runs.push(Run { offset: at, count, stride, len: 0, inner: Some(Ranges { runs: inner }) }),
        }
        return Some(());
    }
    let s = agg::StructType::of(ty)?;
    for i in 0..s.num_fields() {
        let (offset, field) = flat::part_offset(ty, i as i64)?;
        push_runs(field, at + offset, runs)?;
    }
    Some(())
}
