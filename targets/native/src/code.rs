//! Compiled code that the host can call, and what a call needs.

use crate::context::{Global, Host, ThreadCtx};
use crate::flat::{self, Leaf, Leaves};
use crate::heap::{Desc, Heap};
use crate::marshal;
use crate::tables::Tables;
use caustic_dialects::agg::{self, StorageParams};
use caustic_ir::eval::{Trap, Val};
use caustic_ir::{Loc, Module, Name, Type};
use caustic_runtime::group::Instance;
use rustc_hash::FxHashMap;
use std::sync::atomic::AtomicU32;

/// A function that the host calls: `(context, argument words, result words) -> status`.
pub type EntryFn = unsafe extern "C" fn(*mut ThreadCtx, *const u64, *mut u64) -> u32;

/// A compiled function that the host can call.
pub struct Entry {
    pub(crate) code: EntryFn,
    pub(crate) inputs: Vec<Type>,
    outputs: Vec<Type>,
    storage: StorageParams,
    /// Native stack that a call takes; `None` if it is recursive.
    pub(crate) stack: Option<u64>,
}

impl Entry {
    /// `code` takes a word for each scalar of the parameters of the module's function `name` and
    /// writes one for each of its results.
    pub fn new(module: &Module, name: Name, code: EntryFn, stack: Option<u64>) -> Option<Entry> {
        let symbol = module.get(name)?;
        let (inputs, outputs) = symbol.function_type()?;
        let storage = StorageParams::of(symbol).unwrap_or_else(|| StorageParams::of_types(inputs, &[]));
        Some(Entry { code, inputs: inputs.to_vec(), outputs: outputs.to_vec(), storage, stack })
    }
}

/// A module compiled for this machine.
pub struct Code {
    pub(crate) tables: Tables,
    zeros: Box<[u128]>,
    pub(crate) entries: FxHashMap<Name, Entry>,
    /// Bytes that a thread may have for large arrays and tapes.
    storage_bytes: usize,
    /// Stack to leave below the limit that recursive functions check.
    reserve: u64,
    /// What owns the instructions; dropped last.
    _memory: Box<dyn Send + Sync>,
}

// SAFETY: after compilation the code and the tables are only read; what runs has its own context.
unsafe impl Send for Code {}
// SAFETY: as above.
unsafe impl Sync for Code {}

/// Stack for the helpers, and for what a call may take without a look at how much there is.
pub const SPARE_STACK: u64 = 128 << 10;
/// What threads that run together may have of storage, at most, as multiples of what a single one
/// may: a program that stores without end must not take all of the machine's memory.
const SHARES: u32 = 4;
/// Stack of a thread that runs recursive functions.
const DEEP_STACK: u64 = 256 << 20;

impl Code {
    /// `memory` keeps the instructions that `entries` lead to; `frames` is the native stack of all
    /// functions together.
    pub fn new(
        tables: Tables,
        entries: FxHashMap<Name, Entry>,
        frames: u64,
        storage_bytes: usize,
        memory: Box<dyn Send + Sync>,
    ) -> Code {
        let zeros = tables.zeros();
        Code { tables, zeros, entries, storage_bytes, reserve: frames + SPARE_STACK, _memory: memory }
    }

    /// What stands for a resource without contents.
    pub(crate) fn empty_global(&self, counter: &AtomicU32) -> Global {
        Global { data: self.zeros.as_ptr().cast_mut().cast(), len: 0, step: 0, counter: counter.as_ptr() }
    }

    /// For threads of which so many run together, as much storage as this many may have.
    pub(crate) fn wide_host(&self, together: u32) -> Host {
        let heap = Heap::new(self.storage_bytes.saturating_mul(together.min(SHARES) as usize));
        Host { heap, together, ..self.host() }
    }

    pub(crate) fn host(&self) -> Host {
        Host {
            heap: Heap::new(self.storage_bytes),
            trap: None,
            trap_of: 0,
            together: 1,
            prints: std::ptr::null(),
            order: 0,
            rendezvous: std::ptr::null(),
            wide_rendezvous: std::ptr::null(),
            instance: Instance::default(),
            globals: self.tables.globals.as_slice(),
            sites: self.tables.sites.as_slice(),
        }
    }

    pub(crate) fn context(&self, host: &mut Host, globals: &[Global]) -> ThreadCtx {
        ThreadCtx {
            block_id: [0; 3],
            thread_id: [0; 3],
            global_id: [0; 3],
            block_dim: [1; 3],
            grid_dim: [1; 3],
            lane_id: 0,
            subgroup_id: 0,
            num_subgroups: 1,
            globals: globals.as_ptr(),
            num_globals: globals.len() as u64,
            zeros: self.zeros.as_ptr().cast(),
            stack_limit: 0,
            stop: self.zeros.as_ptr().cast(),
            host,
            answer: 0,
            caller: 0,
            trapped: 0,
        }
    }

    /// Runs `job` where there is enough native stack for `stack` bytes of compiled frames (`None`:
    /// as deep as it goes); the job gets the limit for the context.
    pub(crate) fn with_stack<T: Send>(
        &self,
        stack: Option<u64>,
        job: impl FnOnce(usize) -> T + Send,
    ) -> Result<T, Trap> {
        if stack.is_some_and(|s| s <= SPARE_STACK) {
            return Ok(job(0));
        }
        let size = stack.map_or(DEEP_STACK, |s| s + 2 * SPARE_STACK) + self.reserve;
        let run = || {
            let here = 0u8;
            // The bottom of this thread's stack, but for what stands above this frame.
            let limit = (&raw const here as usize).saturating_sub((size - self.reserve) as usize) + (64 << 10);
            job(limit)
        };
        std::thread::scope(|scope| {
            let builder = std::thread::Builder::new().name("kernel".into()).stack_size(size as usize);
            let thread = builder.spawn_scoped(scope, run);
            let thread = thread.map_err(|e| {
                Trap::new(
                    Loc::unknown(),
                    format!("a thread with {} MiB of stack could not be started: {e}", size >> 20),
                )
            })?;
            // A panic is a defect of this compiler: it goes on to whoever guards against those.
            Ok(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
        })
    }

    /// Calls a compiled function with values and gives its results, as the interpreter would.
    /// Resources are empty.
    pub fn call(&self, name: &str, args: &[Val]) -> Result<Vec<Val>, Trap> {
        self.call_until(name, args, None)
    }

    /// [`Code::call`], which ends in a trap once `stop` is not zero, if the code was compiled so
    /// that its loops look at it.
    pub fn call_until(&self, name: &str, args: &[Val], stop: Option<&AtomicU32>) -> Result<Vec<Val>, Trap> {
        let entry = self
            .entries
            .get(&Name::new(name))
            .ok_or_else(|| Trap::new(Loc::unknown(), format!("the function @{name} was not compiled to be called")))?;
        self.with_stack(entry.stack, |limit| self.call_here(name, entry, args, limit, stop))?
    }

    fn call_here(
        &self,
        name: &str,
        entry: &Entry,
        args: &[Val],
        limit: usize,
        stop: Option<&AtomicU32>,
    ) -> Result<Vec<Val>, Trap> {
        let wrong = |what: &str| Trap::new(Loc::unknown(), format!("@{name} cannot be called: {what}"));
        if args.len() != entry.storage.inputs {
            return Err(wrong(&format!("it takes {} arguments, not {}", entry.storage.inputs, args.len())));
        }
        let counter = AtomicU32::new(0);
        let empty = self.empty_global(&counter);
        let object = Global { data: std::ptr::null_mut(), ..empty };
        let entries = self.tables.global_entries.iter();
        let mut globals: Vec<Global> = entries.map(|e| if e.size.is_some() { empty } else { object }).collect();
        if globals.is_empty() {
            globals.push(empty);
        }
        let mut host = self.host();
        let mut words: Vec<u64> = Vec::new();
        let mut slots: Vec<(usize, *mut u8, Type)> = Vec::new();
        for (i, &ty) in entry.inputs.iter().enumerate() {
            let fits = match agg::as_slot(ty) {
                Some(ty) => slot_argument(&mut host.heap, ty, args.get(i)).map(|at| {
                    words.push(at as u64);
                    slots.extend(entry.storage.results.get(i).copied().flatten().map(|k| (k, at, ty)));
                }),
                None => args.get(i).and_then(|arg| push_words(ty, arg, &mut words)),
            };
            fits.ok_or_else(|| wrong(&format!("argument {i} is not a {ty}")))?;
        }
        let leaves: Option<Vec<Leaves>> = entry.outputs.iter().map(|&t| flat::leaves(t)).collect();
        let leaves = leaves.ok_or_else(|| wrong("a result has no value"))?;
        let mut out = vec![0u64; leaves.iter().map(|l| l.len()).sum::<usize>().max(1)];
        let mut cx = self.context(&mut host, &globals);
        cx.stack_limit = limit;
        if let Some(stop) = stop {
            cx.stop = stop.as_ptr();
        }
        // SAFETY: the wrapper reads as many words as the parameters have scalars and writes as many
        // as the results have.
        let status = unsafe { (entry.code)(&mut cx, words.as_ptr(), out.as_mut_ptr()) };
        if status != 0 {
            return Err(host.trap.take().unwrap_or_else(|| wrong("it stopped without a reason")));
        }
        let mut out = out.into_iter();
        let mut plain = entry.outputs.iter().zip(leaves);
        let mut results = Vec::new();
        for k in 0..entry.outputs.len() + slots.len() {
            let value = match slots.iter().find(|(result, ..)| *result == k) {
                // SAFETY: the function has left a value of the type there.
                Some(&(_, at, ty)) => unsafe { marshal::read(at, ty) },
                None => plain.next().and_then(|(&ty, leaves)| {
                    let words: Vec<u64> = out.by_ref().take(leaves.len()).collect();
                    pop_words(ty, &mut leaves.iter().copied().zip(words))
                }),
            };
            results.push(value.ok_or_else(|| wrong(&format!("result {k} has no value")))?);
        }
        Ok(results)
    }
}

/// Memory for a slot parameter, with its value; without one it is zero.
fn slot_argument(heap: &mut Heap, ty: Type, value: Option<&Val>) -> Option<*mut u8> {
    let size = flat::layout(ty)?.size;
    let at = heap.alloc(size)?;
    Desc::of(ty)?;
    // SAFETY: the block has the size of the type, and zeros are a value of every type.
    unsafe {
        at.write_bytes(0, size as usize);
        if let Some(value) = value {
            marshal::write(heap, at, ty, value)?
        }
    }
    Some(at)
}

/// The scalars of a value as words of machine values.
fn push_words(ty: Type, value: &Val, out: &mut Vec<u64>) -> Option<()> {
    if let Some(leaf) = Leaf::of(ty) {
        out.push(match (leaf, value) {
            (Leaf::F64, Val::Float(v)) => v.to_bits(),
            (Leaf::F16 | Leaf::F32, Val::Float(v)) => (*v as f32).to_bits() as u64,
            (Leaf::F16 | Leaf::F32 | Leaf::F64, _) => return None,
            (Leaf::I1, Val::Int(v)) => *v as u64 & 1,
            (_, Val::Int(v)) => *v as u64,
            _ => return None,
        });
        return Some(());
    }
    let parts = value.parts();
    let types: Vec<Type> = if ty.is_vector() {
        vec![ty.elem(); ty.num_elements()]
    } else {
        agg::StructType::of(ty)?.fields().map(|f| f.ty).collect()
    };
    if types.len() != parts.len() {
        return None;
    }
    types.iter().zip(parts).try_for_each(|(&ty, part)| push_words(ty, part, out))
}

fn pop_words(ty: Type, words: &mut impl Iterator<Item = (Leaf, u64)>) -> Option<Val> {
    if Leaf::of(ty).is_some() {
        let (leaf, word) = words.next()?;
        return Some(match leaf {
            Leaf::F64 => Val::Float(f64::from_bits(word)),
            Leaf::F16 | Leaf::F32 => Val::Float(f32::from_bits(word as u32) as f64),
            leaf => Val::Int(caustic_ir::attr::sign_extend(word as i64, leaf.bits())),
        });
    }
    let types: Vec<Type> = if ty.is_vector() {
        vec![ty.elem(); ty.num_elements()]
    } else {
        agg::StructType::of(ty)?.fields().map(|f| f.ty).collect()
    };
    types.into_iter().map(|ty| pop_words(ty, &mut *words)).collect::<Option<Vec<_>>>().map(Val::agg)
}
