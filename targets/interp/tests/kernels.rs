//! Kernels over a grid: thread ids, buffers, uniforms, printing, traps.

mod common;

use caustic_dialects::agg::{self, StructType, buffer_type};
use caustic_dialects::arith::{self, IntPredicate, cmpi};
use caustic_dialects::gpu;
use caustic_dialects::reflect::{self, DataType, Entry, Param, ParamKind, Scalar};
use caustic_interp::{Interp, Kernel, Limits};
use caustic_ir::{Attr, Builder, Loc, Module, Name, OpDef, SymbolOp, Type, ValueId};
use caustic_runtime::{Bindings, Executor, Grid, KernelInterface, Launch, PrintLog, Trap};
use common::*;

fn resource(m: &mut Module, name: &str, kind: ParamKind, data: DataType, ty: Type) {
    let mut symbol = SymbolOp::new(agg::Resource::DEF, Name::new(name), Loc::unknown());
    symbol.set_attr("type", Attr::ty(ty));
    symbol.set_attr(reflect::PARAM, Param { name: Name::new(name), kind, ty: data, entry: None }.to_attr());
    assert!(m.add(symbol).is_ok());
}

fn global(b: &mut Builder<'_>, name: &str, ty: Type) -> ValueId {
    agg::Global::build(b, ty, &[("name", Attr::symbol(Name::new(name)))])
}

fn id(b: &mut Builder<'_>, def: &'static OpDef) -> ValueId {
    gpu::build_id(b, def, 0)
}

fn path(steps: &[i64]) -> [(&'static str, Attr); 1] {
    [("path", Attr::i64_array(steps))]
}

fn entry(m: &mut Module, numthreads: [u32; 3], body: impl FnOnce(&mut Builder<'_>)) {
    function(m, "main", &[], &[], |b, _| {
        body(b);
        vec![]
    });
    if let Some(symbol) = m.get_mut(Name::new("main")) {
        symbol
            .set_attr(reflect::ENTRY, Entry { stage: Name::new("compute"), numthreads, covers: numthreads }.to_attr());
    }
}

struct Run {
    interface: KernelInterface,
    bindings: Bindings,
    prints: PrintLog,
}

impl Run {
    fn new(m: &Module) -> Run {
        let interface = KernelInterface::of_module(m, None).expect("the module has an entry");
        let bindings = Bindings::new(&interface);
        Run { interface, bindings, prints: PrintLog::default() }
    }
    fn buffer(mut self, name: &str, contents: &[u8]) -> Run {
        self.bindings.bind_buffer(&self.interface, name, contents).expect("a buffer of that name");
        self
    }
    fn uniform(mut self, name: &str, contents: &[u8]) -> Run {
        self.bindings.bind_uniform(&self.interface, name, contents).expect("a uniform of that name");
        self
    }
    fn run(&self, m: &Module, groups: u32) -> Result<(), Trap> {
        let grid = Grid { groups: [groups, 1, 1], numthreads: self.interface.numthreads };
        let interp = Interp::with_limits(m, Limits { steps: 100_000, ..Limits::default() });
        let launch =
            Launch { grid, bindings: &self.bindings, prints: &self.prints, traps: caustic_runtime::Traps::default() };
        Kernel::new(&interp, &self.interface).run(&launch)
    }
    fn read(&self, name: &str) -> Vec<u8> {
        self.bindings.read_buffer(&self.interface, name).expect("a buffer of that name").0.to_bytes()
    }
}

fn bytes(values: &[f32]) -> Vec<u8> {
    values.iter().flat_map(|v| v.to_le_bytes()).collect()
}

/// out[global_id] = in[global_id] * scale + block_id
fn saxpy(checked: bool) -> Module {
    let mut m = Module::new();
    let (f, data) = (Type::f32(), DataType::Scalar(Scalar::F32));
    resource(&mut m, "input", ParamKind::Buffer, data.clone(), buffer_type(f, false));
    resource(&mut m, "output", ParamKind::RwBuffer, data.clone(), buffer_type(f, true));
    resource(&mut m, "scale", ParamKind::Uniform, data, f);
    entry(&mut m, [4, 1, 1], |b| {
        let i = id(b, gpu::GlobalId::DEF);
        let block = id(b, gpu::BlockId::DEF);
        let (input, output) = (global(b, "input", buffer_type(f, false)), global(b, "output", buffer_type(f, true)));
        let scale = global(b, "scale", f);
        if checked {
            agg::CheckBounds::build(b, input, i, &[], &path(&[]));
        }
        let x = agg::BufferLoad::build(b, input, i, &[], f, &path(&[]));
        let y = arith::MulF::build(b, x, scale, &[]);
        let n = arith::IndexCast::build(b, block, Type::i32(), &[]);
        let n = arith::SIToFP::build(b, n, f, &[]);
        let z = arith::AddF::build(b, y, n, &[]);
        agg::BufferStore::build(b, z, output, i, &[], &path(&[]));
    });
    m
}

#[test]
fn threads_read_and_write_their_elements() {
    let m = saxpy(false);
    let run = Run::new(&m)
        .buffer("input", &bytes(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]))
        .buffer("output", &bytes(&[9.0; 7]))
        .uniform("scale", &2.0f32.to_le_bytes());
    assert_eq!(run.run(&m, 2), Ok(()));
    // Reads beyond the input are zero; the write beyond the output is dropped.
    assert_eq!(run.read("output"), bytes(&[2.0, 4.0, 6.0, 8.0, 11.0, 13.0, 1.0]));
}

#[test]
fn out_of_range_can_trap() {
    let m = saxpy(true);
    let run = Run::new(&m).buffer("input", &bytes(&[1.0; 6])).buffer("output", &bytes(&[0.0; 8]));
    let trap = run.run(&m, 2).expect_err("thread 6 reads beyond the input");
    assert_eq!(trap.message, "index 6 is out of range: `input` has 6 elements");
    assert_eq!(trap.thread.map(|t| (t.group[0], t.local[0])), Some((1, 2)));
}

#[test]
fn parts_of_elements_are_read_and_written() {
    let mut m = Module::new();
    let v3 = Type::vector(&[3], Type::f32());
    let ty = StructType::get("P", false, &[("on", Type::i1(), false), ("pos", v3, false)]);
    let data = DataType::Struct {
        name: Name::new("P"),
        fields: vec![
            (Name::new("on"), DataType::Scalar(Scalar::Bool)),
            (Name::new("pos"), DataType::Vector { len: 3, elem: Scalar::F32 }),
        ],
    };
    resource(&mut m, "p", ParamKind::RwBuffer, data, buffer_type(ty, true));
    entry(&mut m, [2, 1, 1], |b| {
        let i = id(b, gpu::ThreadId::DEF);
        let p = global(b, "p", buffer_type(ty, true));
        let on = agg::BufferLoad::build(b, p, i, &[], Type::i1(), &path(&[0]));
        let one = arith::index(b, 1);
        let x = arith::float(b, 5.0, Type::f32());
        let _ = if_else(
            b,
            on,
            &[],
            |b| {
                // p[i].pos[1] = 5, and a component that does not exist.
                let nowhere = arith::index(b, 3);
                agg::BufferStore::build(b, x, p, i, &[one], &path(&[1, -1]));
                agg::BufferStore::build(b, x, p, i, &[nowhere], &path(&[1, -1]));
                vec![]
            },
            |_| vec![],
        );
        let whole = agg::BufferLoad::build(b, p, i, &[], ty, &path(&[]));
        let pos = agg::Extract::build(b, whole, &[], v3, &path(&[1]));
        let double = arith::AddF::build(b, pos, pos, &[]);
        let no = arith::bool(b, false);
        let element = agg::Make::build(b, &[no, double], ty, &[]);
        agg::BufferStore::build(b, element, p, i, &[], &path(&[]));
    });
    let element = |on: u8, pos: [f32; 3]| [vec![on, 7, 7, 7], bytes(&pos)].concat();
    let before = [element(1, [1.0, 2.0, 3.0]), element(0, [1.0, 2.0, 3.0])].concat();
    let run = Run::new(&m).buffer("p", &before);
    assert_eq!(run.run(&m, 1), Ok(()));
    assert_eq!(run.read("p"), [element(0, [2.0, 10.0, 6.0]), element(0, [2.0, 4.0, 6.0])].concat());
}

#[test]
fn printing_and_traps_name_their_thread() {
    let mut m = Module::new();
    entry(&mut m, [3, 1, 1], |b| {
        let i = id(b, gpu::ThreadId::DEF);
        let narrow = arith::IndexCast::build(b, i, Type::i32(), &[]);
        let v = arith::float(b, 1.5, Type::vector(&[2], Type::f32()));
        gpu::Printf::build(b, &[narrow, v], &[("format", Attr::string("thread %d: %g %g\n"))]);
        let two = arith::index(b, 2);
        let bad = cmpi(b, IntPredicate::Eq, i, two);
        let _ = if_else(
            b,
            bad,
            &[],
            |b| {
                global(b, "missing", Type::f32());
                vec![]
            },
            |_| vec![],
        );
    });
    let run = Run::new(&m);
    let trap = run.run(&m, 1).expect_err("thread 2 reads what does not exist");
    assert_eq!(trap.message, "nothing is bound to @missing");
    assert_eq!(trap.thread.map(|t| t.local), Some([2, 0, 0]));
    assert_eq!(run.prints.into_text(), "thread 0: 1.5 1.5\nthread 1: 1.5 1.5\nthread 2: 1.5 1.5\n");
}

#[test]
fn a_dispatch_that_never_ends_is_stopped() {
    let m = saxpy(false);
    let run = Run::new(&m);
    let trap = run.run(&m, u32::MAX).expect_err("too many threads for the limit");
    assert_eq!(trap.message, "stopped after 100000 operations");
}

#[test]
fn byte_addresses_count_bytes() {
    let mut m = Module::new();
    let (word, byte) = (Type::i32(), Type::int(8));
    resource(&mut m, "raw", ParamKind::RwByteAddressBuffer, DataType::Scalar(Scalar::U32), buffer_type(byte, true));
    entry(&mut m, [1, 1, 1], |b| {
        let raw = global(b, "raw", buffer_type(byte, true));
        let raw = agg::View::build(b, raw, agg::byte_view_type(word, true), &[]);
        let (four, eight) = (arith::index(b, 4), arith::index(b, 8));
        let x = agg::BufferLoad::build(b, raw, four, &[], word, &path(&[]));
        agg::BufferStore::build(b, x, raw, eight, &[], &path(&[]));
        let last = arith::index(b, 10);
        agg::BufferStore::build(b, x, raw, last, &[], &path(&[]));
    });
    let run = Run::new(&m).buffer("raw", &[0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0]);
    assert_eq!(run.run(&m, 1), Ok(()));
    assert_eq!(run.read("raw"), [0, 0, 0, 0, 1, 2, 3, 4, 1, 2, 3, 4]);
}
