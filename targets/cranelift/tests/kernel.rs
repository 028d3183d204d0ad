//! Kernels over buffers and uniforms: dispatched by the interpreter and by compiled code, with the
//! same contents, text and traps.

mod common;

use caustic_cranelift::{Options, compile_kernel};
use caustic_dialects::reflect::{DataType, ENTRY, Entry, PARAM, Param, ParamKind, Scalar};
use caustic_dialects::{agg, arith, func, gpu, scf};
use caustic_interp::Interp;
use caustic_ir::{Attr, Builder, Loc, Module, Name, Registry, SymbolOp, Type, ValueId};
use caustic_passes::manager::{PassRegistry, RunOptions, parse_pipeline, run_pipeline};
use caustic_runtime::dispatch::{Executor, Grid, Launch, Trap};
use caustic_runtime::{Bindings, KernelInterface, PrintLog, Slot};
use common::*;

fn resource(name: &str, kind: ParamKind, data: DataType, ty: Type) -> SymbolOp {
    let mut symbol = SymbolOp::new(agg::Resource::DEF, Name::new(name), Loc::unknown());
    symbol.set_attr("type", Attr::ty(ty));
    let param = Param { name: Name::new(name), kind, ty: data, entry: None };
    symbol.set_attr(PARAM, param.to_attr());
    symbol
}

fn entry(numthreads: [u32; 3], build: impl FnOnce(&mut Builder<'_>)) -> SymbolOp {
    let mut symbol = function("main", &[], |b, _| {
        build(b);
        vec![]
    });
    symbol.set_attr(ENTRY, Entry { stage: Name::new("compute"), numthreads, covers: numthreads }.to_attr());
    symbol
}

fn global(b: &mut Builder<'_>, name: &str, ty: Type) -> ValueId {
    agg::Global::build(b, ty, &[("name", Attr::symbol(Name::new(name)))])
}
fn load(b: &mut Builder<'_>, buffer: ValueId, index: ValueId, path: &[i64], indices: &[ValueId], ty: Type) -> ValueId {
    agg::BufferLoad::build(b, buffer, index, indices, ty, &[("path", Attr::i64_array(path))])
}
fn store(b: &mut Builder<'_>, value: ValueId, buffer: ValueId, index: ValueId, path: &[i64]) {
    agg::BufferStore::build(b, value, buffer, index, &[], &[("path", Attr::i64_array(path))]);
}

struct Run {
    buffers: Vec<Vec<u8>>,
    text: String,
    result: Result<(), Trap>,
}

fn run(module: &Module, compiled: bool, groups: [u32; 3], bind: &[(&str, Vec<u8>)]) -> Run {
    let interface = KernelInterface::of_module(module, None).unwrap();
    let mut bindings = Bindings::new(&interface);
    for (name, bytes) in bind {
        match interface.params.iter().find(|p| p.name == *name).unwrap().is_buffer() {
            true => bindings.bind_buffer(&interface, name, bytes).unwrap(),
            false => bindings.bind_uniform(&interface, name, bytes).unwrap(),
        }
    }
    let prints = PrintLog::default();
    let launch = Launch {
        grid: Grid { groups, numthreads: interface.numthreads },
        bindings: &bindings,
        prints: &prints,
        traps: caustic_runtime::Traps::default(),
    };
    let result = if compiled {
        let mut module = module.clone();
        for symbol in module.symbols_mut() {
            caustic_passes::lower::storage::lower(symbol).unwrap();
        }
        let kernel = compile_kernel(&module, &interface, Options { verify: true, ..Options::default() });
        kernel.unwrap_or_else(|d| panic!("{d}")).run(&launch)
    } else {
        let interp = Interp::new(module);
        caustic_interp::Kernel::new(&interp, &interface).run(&launch)
    };
    let buffers = (0..interface.params.len())
        .filter_map(|i| match bindings.slot(i) {
            Some(Slot::Buffer(buffer)) => Some(buffer.to_bytes()),
            _ => None,
        })
        .collect();
    Run { buffers, text: prints.into_text(), result }
}

/// Both ways; they must agree in everything.
fn both(module: &Module, groups: [u32; 3], bind: &[(&str, Vec<u8>)]) -> Run {
    let (expected, got) = (run(module, false, groups, bind), run(module, true, groups, bind));
    assert_eq!(expected.result, got.result);
    assert_eq!(expected.text, got.text);
    if expected.result.is_ok() {
        assert_eq!(expected.buffers, got.buffers);
    }
    got
}

/// The same, ended by what is out of range.
fn checked(mut module: Module) -> Module {
    let registry = PassRegistry::new(caustic_passes::all());
    let pipeline = parse_pipeline("any(check-bounds)", &registry).unwrap();
    // The module is not one that the verifier takes: it converts an index as other integers.
    let options = RunOptions { verify_each: false, ..RunOptions::default() };
    let outcome = run_pipeline(&mut module, &pipeline, &options, &mut ());
    assert!(outcome.ok, "{:?}", outcome.diagnostics);
    module
}

fn words(values: impl IntoIterator<Item = u32>) -> Vec<u8> {
    values.into_iter().flat_map(|v| v.to_le_bytes()).collect()
}

fn floats() -> DataType {
    DataType::Scalar(Scalar::F32)
}

/// out[i] = in[i] * scale + i, over many groups, with more threads than elements.
fn axpy() -> Module {
    let f32 = Type::f32();
    let (ro, rw) = (agg::buffer_type(f32, false), agg::buffer_type(f32, true));
    module(vec![
        resource("x", ParamKind::Buffer, floats(), ro),
        resource("y", ParamKind::RwBuffer, floats(), rw),
        resource("scale", ParamKind::Uniform, floats(), f32),
        entry([8, 2, 1], |b| {
            let (x, y, scale) = (global(b, "x", ro), global(b, "y", rw), global(b, "scale", f32));
            let (i, j) = (gpu::build_id(b, gpu::GlobalId::DEF, 0), gpu::build_id(b, gpu::ThreadId::DEF, 1));
            let two = arith::index(b, 2);
            let at = arith::MulI::build(b, i, two, &[]);
            let at = arith::AddI::build(b, at, j, &[]);
            let value = load(b, x, at, &[], &[], f32);
            let value = arith::MulF::build(b, value, scale, &[]);
            let number = arith::SIToFP::build(b, at, f32, &[]);
            let value = arith::AddF::build(b, value, number, &[]);
            store(b, value, y, at, &[]);
        }),
    ])
}

#[test]
fn buffers_and_uniforms() {
    let n = 1000u32;
    let x = words((0..n).map(|i| (i as f32 * 0.5).to_bits()));
    let bind = [("x", x), ("y", vec![0; n as usize * 4 - 40]), ("scale", words([3f32.to_bits()]))];
    let run = both(&axpy(), [70, 1, 1], &bind);
    assert_eq!(run.buffers[1][4 * 10..4 * 11], 25f32.to_le_bytes());
    let trapped = both(&checked(axpy()), [70, 1, 1], &bind).result.unwrap_err();
    assert!(trapped.message.contains("index 990 is out of range: `y` has 990 elements"), "{trapped}");
}

#[test]
fn printing_is_in_the_order_of_the_threads() {
    let module = module(vec![entry([3, 1, 1], |b| {
        let id = gpu::build_id(b, gpu::GlobalId::DEF, 0);
        let half = arith::float(b, -0.5, Type::f16());
        let pair = arith::int(b, -7, Type::vector(&[2], Type::int(16)));
        gpu::Printf::build(b, &[id, half, pair], &[("format", Attr::string("thread %d: %.2f %d %u\n"))]);
    })]);
    let run = both(&module, [40, 1, 1], &[]);
    assert!(run.text.starts_with("thread 0: -0.50 -7 65529\nthread 1"), "{}", run.text);
    assert_eq!(run.text.lines().count(), 120);
}

/// Elements with padding, bools, halves, arrays with computed indices; padding keeps what it held.
#[test]
fn structs_in_buffers() {
    let arr = agg::array_type(3, Type::int(16));
    let ty = agg::StructType::get(
        "P",
        false,
        &[
            ("on", Type::i1(), false),
            ("v", Type::vector(&[3], Type::f32()), false),
            ("a", arr, false),
            ("h", Type::f16(), false),
        ],
    );
    let data = DataType::Struct {
        name: Name::new("P"),
        fields: vec![
            (Name::new("on"), DataType::Scalar(Scalar::Bool)),
            (Name::new("v"), DataType::Vector { len: 3, elem: Scalar::F32 }),
            (Name::new("a"), DataType::Array { len: 3, elem: Box::new(DataType::Scalar(Scalar::I16)) }),
            (Name::new("h"), DataType::Scalar(Scalar::F16)),
        ],
    };
    let buffer = agg::buffer_type(ty, true);
    let module = module(vec![
        resource("p", ParamKind::RwBuffer, data, buffer),
        entry([4, 1, 1], |b| {
            let p = global(b, "p", buffer);
            let i = gpu::build_id(b, gpu::GlobalId::DEF, 0);
            let len = agg::BufferLen::build(b, p, Type::index(), &[]);
            let one = arith::index(b, 1);
            let last = arith::SubI::build(b, len, one, &[]);
            let from = arith::SubI::build(b, last, i, &[]);
            // The whole element of the other end, with one entry of its array changed, computed
            // indices in and out of range.
            let whole = load(b, p, from, &[], &[], ty);
            let entry = agg::Extract::build(b, whole, &[i], Type::int(16), &[("path", Attr::i64_array(&[2, -1]))]);
            let seven = arith::int(b, 7, Type::int(16));
            let entry = arith::AddI::build(b, entry, seven, &[]);
            let changed = agg::Insert::build(b, entry, whole, &[i], &[("path", Attr::i64_array(&[2, -1]))]);
            let four = arith::index(b, 4);
            let to = arith::AddI::build(b, i, four, &[]);
            store(b, changed, p, to, &[]);
            let on = load(b, p, i, &[0], &[], Type::i1());
            let y = load(b, p, i, &[1, -1], &[i], Type::f32());
            let half = load(b, p, i, &[3], &[], Type::f16());
            let half = arith::AddF::build(b, half, half, &[]);
            store(b, half, p, to, &[3]);
            let wide = arith::ExtUI::build(b, on, Type::i32(), &[]);
            gpu::Printf::build(b, &[wide, y], &[("format", Attr::string("%d %g"))]);
        }),
    ]);
    let size = 24;
    // A bool that is neither 0 nor 1 is true for both, but only the interpreter writes it back
    // as 1.
    let bytes: Vec<u8> =
        (0..size * 8).map(|i| if i % size == 0 { (i / size % 2) as u8 } else { ((i * 37) % 251) as u8 }).collect();
    both(&module, [2, 1, 1], &[("p", bytes)]);
}

#[test]
fn byte_address_buffers_count_bytes() {
    let ty = agg::buffer_type(Type::int(8), true);
    let module = module(vec![
        resource("bytes", ParamKind::RwByteAddressBuffer, DataType::Scalar(Scalar::U32), ty),
        entry([4, 1, 1], |b| {
            let bytes = global(b, "bytes", ty);
            let buffer = agg::View::build(b, bytes, agg::byte_view_type(Type::i32(), true), &[]);
            let i = gpu::build_id(b, gpu::GlobalId::DEF, 0);
            let three = arith::index(b, 3);
            let at = arith::MulI::build(b, i, three, &[]);
            let x = load(b, buffer, at, &[], &[], Type::i32());
            let len = agg::BufferLen::build(b, buffer, Type::index(), &[]);
            let len = arith::IndexCast::build(b, len, Type::i32(), &[]);
            let x = arith::AddI::build(b, x, len, &[]);
            store(b, x, buffer, at, &[]);
        }),
    ]);
    let bytes: Vec<u8> = (0..13).collect();
    let run = both(&module, [1, 1, 1], &[("bytes", bytes.clone())]);
    assert_ne!(run.buffers[0], bytes);
    assert!(both(&checked(module), [1, 1, 1], &[("bytes", vec![0; 12])]).result.is_err());
}

/// Each thread calls itself without end: a trap, not a crash, and the same thread is blamed
/// whatever ran first.
#[test]
fn endless_recursion_is_a_trap() {
    let deep = function("deep", &[Type::i32()], |b, args| {
        let one = arith::int(b, 1, Type::i32());
        let next = arith::AddI::build(b, args[0], one, &[]);
        let call = func::Call::build(b, &[next], &[Type::i32()], &[("callee", Attr::symbol(Name::new("deep")))]);
        let value = b.body.result(call, 0);
        vec![arith::AddI::build(b, value, next, &[])]
    });
    let main = entry([4, 1, 1], |b| {
        let zero = arith::int(b, 0, Type::i32());
        func::Call::build(b, &[zero], &[Type::i32()], &[("callee", Attr::symbol(Name::new("deep")))]);
    });
    let run = run(&module(vec![deep, main]), true, [64, 1, 1], &[]);
    let trap = run.result.unwrap_err();
    assert!(trap.message.contains("nested too deeply"), "{trap}");
    assert_eq!(trap.thread.map(|t| (t.group, t.local)), Some(([0; 3], [0; 3])));
}

/// A loop that stores without end into a tape, and one whose element number is absurd.
#[test]
fn storage_without_end_is_a_trap() {
    for huge in [false, true] {
        let tape = agg::tape_type(Type::f64());
        let main = entry([1, 1, 1], |b| {
            let zero = agg::Zero::build(b, tape, &[]);
            let start = arith::index(b, if huge { i64::MAX - 1 } else { 0 });
            let op = b.create(scf::While::DEF, &[start, zero], &[Type::index(), tape], &[], 2);
            let (before, after) =
                (b.add_block(op, 0, &[Type::index(), tape]), b.add_block(op, 1, &[Type::index(), tape]));
            let args = b.body.args(before).to_vec();
            let mut inner = b.at(before);
            let yes = arith::bool(&mut inner, true);
            scf::Condition::build(&mut inner, yes, &args, &[]);
            let args = b.body.args(after).to_vec();
            let mut inner = b.at(after);
            let value = arith::float(&mut inner, 1.0, Type::f64());
            let next = agg::Insert::build(&mut inner, value, args[1], &[args[0]], &[("path", Attr::i64_array(&[-1]))]);
            let step = arith::index(&mut inner, 1);
            let count = arith::AddI::build(&mut inner, args[0], step, &[]);
            scf::Yield::build(&mut inner, &[count, next], &[]);
        });
        let trap = run(&module(vec![main]), true, [1, 1, 1], &[]).result.unwrap_err();
        assert!(trap.message.contains("MiB of local storage"), "{trap}");
    }
}

#[test]
fn a_tape_that_a_loop_would_fill_beyond_the_limit_ends_in_an_error_before_it() {
    let tape = agg::tape_type(Type::f64());
    for count in [1i64 << 40, i64::MAX] {
        let main = entry([1, 1, 1], |b| {
            let zero = agg::Zero::build(b, tape, &[]);
            let [from, to, by] = [0, count, 1].map(|n| arith::index(b, n));
            let op = b.create(scf::For::DEF, &[from, to, by, zero], &[tape], &[], 1);
            let block = b.add_block(op, 0, &[Type::index(), tape]);
            let args = b.body.args(block).to_vec();
            let mut inner = b.at(block);
            let value = arith::float(&mut inner, 1.0, Type::f64());
            let next = agg::Insert::build(&mut inner, value, args[1], &[args[0]], &[("path", Attr::i64_array(&[-1]))]);
            scf::Yield::build(&mut inner, &[next], &[]);
        });
        let trap = run(&module(vec![main]), true, [1, 1, 1], &[]).result.unwrap_err();
        assert!(trap.message.contains("MiB of local storage"), "{trap}");
    }
}

#[test]
fn what_cannot_be_compiled_is_said() {
    let main = entry([1, 1, 1], |b| {
        b.create(func::Call::DEF, &[], &[], &[("callee", Attr::symbol(Name::new("nobody")))], 0);
    });
    let module = module(vec![main]);
    let interface = KernelInterface::of_module(&module, None).unwrap();
    let error = compile_kernel(&module, &interface, Options::default()).err().unwrap();
    assert!(error.message.contains("no function @nobody"), "{error}");
}

#[test]
fn additions_that_come_together_add_the_same() {
    let dialects = Registry::new(caustic_dialects::all());
    let module = caustic_ir::text::parse_module(include_str!("additions.mlir"), "additions.mlir", &dialects).unwrap();
    // Small integers: sums of floats are exact in every order.
    let bind = [("sums", words([0; 5001])), ("counts", words([0; 80]))];
    let plain = both(&module, [3, 1, 1], &bind);
    let sum = |i: usize| f32::from_le_bytes(plain.buffers[0][4 * i..4 * i + 4].try_into().unwrap());
    assert_eq!([sum(0), sum(1), sum(2), sum(5000)], [3.0 * 2415.0, 3.0 * 111_895.0, 3.0 * 4.0, 3.0 * 35.0]);
    for passes in ["warp-reduce-atomics", "privatize-atomics", "warp-reduce-atomics,privatize-atomics"] {
        let mut changed = module.clone();
        let pipeline =
            parse_pipeline(&format!("{passes},mark-convergence"), &PassRegistry::new(caustic_passes::all())).unwrap();
        let outcome = run_pipeline(&mut changed, &pipeline, &RunOptions::default(), &mut ());
        assert!(outcome.ok, "{:?}", outcome.diagnostics);
        assert_eq!(changed.symbols().len() > module.symbols().len(), passes.contains("privatize"));
        // Not shown: it is long.
        assert!(both(&changed, [3, 1, 1], &bind).buffers == plain.buffers, "{passes}");
    }
}

#[test]
fn a_set_flag_ends_the_compilation() {
    let module = module(vec![function("f", &[], |_, _| vec![])]);
    let options = Options::default();
    let compiled = || caustic_cranelift::compile(&module, &[Name::new("f")], options.clone());
    assert!(compiled().is_ok());
    options.cancel.cancel();
    assert!(compiled().is_err());
}
