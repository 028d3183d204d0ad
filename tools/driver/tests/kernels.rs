//! Kernels within a host program: typed contents, repeated dispatches, prints, traps.

use caustic_driver::{
    Backend, Dispatch, Error, Kernel, KernelOptions, Options, Session, TextureContents, Value, parse_sampler,
};
use std::time::Duration;

fn kernel(text: &str, set: impl Fn(&mut KernelOptions)) -> Result<Kernel, Error> {
    let mut session = Session::new(Options::default());
    session.add_source("k.slang", text);
    let mut options = KernelOptions::default();
    set(&mut options);
    session.compile("k.slang")?.kernel(None, &options)
}

const ADDS: &str = "
struct S { int n; float2 v; bool on; }
RWStructuredBuffer<float> sums;
RWStructuredBuffer<S> all;
cbuffer C { float by; int2 unused; }
[shader(\"compute\")] [numthreads(2, 1, 1)]
void k(uint3 id : SV_DispatchThreadID)
{
    sums[id.x] += by;
    S s = { -int(id.x), float2(id.x, by), id.x == 1 };
    all[id.x] = s;
    printf(\"%d\\n\", id.x);
}";

#[test]
fn contents_are_typed_and_stay_between_dispatches() {
    for backend in [Backend::Interp, Backend::Cranelift] {
        let k = kernel(ADDS, |o| o.backend = backend).unwrap();
        assert_eq!(k.group_size(), [2, 1, 1]);
        let mut bindings = k.bindings();
        assert_eq!(bindings.parameters().collect::<Vec<_>>(), ["sums", "all", "C"]);
        bindings.set("sums", &[1.0f32, 2.0]).unwrap();
        bindings.set("C.by", &[0.5f32]).unwrap();
        bindings.buffer("all", &[0; 32]).unwrap();
        for _ in 0..2 {
            let done = k.dispatch(&mut bindings, Dispatch::groups(1, 1, 1)).unwrap();
            assert_eq!(done.printed, "0\n1\n");
        }
        assert_eq!(bindings.read::<f32>("sums").unwrap(), [2.0, 3.0]);
        let element = |n: i32, on: bool| Value::List(vec![n.into(), [-n as f32, 0.5].into(), on.into()]);
        assert_eq!(bindings.values("all").unwrap(), [element(0, false), element(-1, true)]);
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let k = kernel(ADDS, |_| {}).unwrap();
    let mut bindings = k.bindings();
    let text = |found: Result<(), Error>| found.unwrap_err().to_string();
    assert!(text(bindings.set("sums", &[1i32])).contains("E0802]: `sums` holds f32, not i32"));
    assert!(text(bindings.set("all", &[1.0f32])).contains("`all` holds bool and f32 and i32, not f32"));
    assert!(text(bindings.set("C", &[1.0f32])).contains("`C` holds f32 and i32, not f32"));
    assert!(text(bindings.set("sum", &[1.0f32])).contains("did you mean `sums`?"));
    assert!(bindings.read::<f64>("sums").unwrap_err().to_string().contains("`sums` holds f32, not f64"));
    let other =
        kernel("RWStructuredBuffer<int> o; [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { o[0] = 1; }", |_| {});
    let refused = k.dispatch(&mut other.unwrap().bindings(), Dispatch::groups(1, 1, 1));
    assert!(refused.unwrap_err().to_string().contains("the bindings are those of another kernel"));
}

#[test]
fn a_part_of_a_uniform_is_typed_too() {
    let k = kernel(ADDS, |_| {}).unwrap();
    let mut bindings = k.bindings();
    assert!(bindings.set("C.by", &[1i32]).unwrap_err().to_string().contains("`C.by` holds f32, not i32"));
    assert!(bindings.set("C.unused", &[1i32, 2]).is_ok());
}

#[test]
fn a_kernel_runs_on_several_threads_at_once() {
    let k = kernel(ADDS, |_| {}).unwrap();
    std::thread::scope(|scope| {
        for n in 0..4 {
            let k = &k;
            scope.spawn(move || {
                let mut bindings = k.bindings();
                bindings.set("sums", &[n as f32; 2]).unwrap();
                bindings.set("C.by", &[1.0f32]).unwrap();
                for _ in 0..50 {
                    k.dispatch(&mut bindings, Dispatch::groups(1, 1, 1)).unwrap();
                }
                assert_eq!(bindings.read::<f32>("sums").unwrap(), [n as f32 + 50.0; 2]);
            });
        }
    });
}

#[test]
fn a_trap_has_what_was_printed_before() {
    let text = "RWStructuredBuffer<float> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { printf(\"here\\n\"); o[7] = 1; }";
    for backend in [Backend::Interp, Backend::Cranelift] {
        let k = kernel(text, |o| (o.backend, o.traps.oob) = (backend, true)).unwrap();
        let mut bindings = k.bindings();
        let Err(Error::Trapped(trap)) = k.dispatch(&mut bindings, Dispatch::groups(1, 1, 1)) else { panic!("no trap") };
        assert_eq!(trap.printed, "here\n");
        assert!(trap.render().contains("index 7 is out of range") && trap.render().contains("o[7] = 1"), "{trap}");
    }
}

#[test]
fn textures_and_samplers_are_bound() {
    let text = "Texture2D<float2> t; SamplerState s; RWStructuredBuffer<float2> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { o[0] = t.SampleLevel(s, float2(0.25, 0.5), 0); }";
    let k = kernel(text, |_| {}).unwrap();
    let mut bindings = k.bindings();
    bindings.buffer("o", &[0; 8]).unwrap();
    bindings.texture("t", &TextureContents::of_floats("rg32f:2x1", &[1.0, 2.0, 3.0, 4.0]).unwrap()).unwrap();
    bindings.sampler("s", parse_sampler("point").unwrap()).unwrap();
    k.dispatch(&mut bindings, Dispatch::groups(1, 1, 1)).unwrap();
    assert_eq!(bindings.read::<f32>("o").unwrap(), [1.0, 2.0]);
    let cube = TextureContents::of_floats("rg32f:2x2:cube", &[]).unwrap();
    assert!(bindings.texture("t", &cube).unwrap_err().to_string().contains("E0802"));
}

#[test]
fn a_time_limit_ends_a_dispatch() {
    let text = "RWStructuredBuffer<uint> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { uint n = 1; while (n != 0) n += 2; o[0] = n; }";
    let k = kernel(text, |o| o.interruptible = true).unwrap();
    let mut dispatch = Dispatch::groups(1, 1, 1);
    dispatch.time_limit = Some(Duration::from_millis(20));
    let ended = k.dispatch(&mut k.bindings(), dispatch);
    assert!(matches!(ended, Err(Error::Trapped(trap)) if trap.message == "the time limit is reached"));
}

#[test]
fn what_only_the_evaluator_can_do_is_refused_elsewhere() {
    let refused = kernel(ADDS, |o| o.traps.nan = true).err().unwrap();
    assert!(refused.to_string().contains("E0804"), "{refused}");
    assert!(kernel(ADDS, |o| (o.traps.nan, o.backend) = (true, Backend::Interp)).is_ok());
    if !Backend::Llvm.is_available() {
        let refused = kernel(ADDS, |o| o.backend = Backend::Llvm).err().unwrap();
        assert!(refused.to_string().contains("this build has no LLVM"), "{refused}");
    }
}
