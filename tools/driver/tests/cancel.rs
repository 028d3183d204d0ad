//! Cancellation: work under way ends soon, with an error that is nothing else, and never with half
//! a result.

use caustic_driver::{
    Backend, CancelToken, Dispatch, Error, FunctionOptions, KernelOptions, Options, PassDump, PassSet, PassSink,
    Session, Watched, gradcheck::GradcheckOptions,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Far more than any piece of work between two looks at the flag takes, and far less than the work
/// that is cancelled.
const SOON: Duration = Duration::from_secs(20);

fn session(text: &str, cancel: &CancelToken) -> Session<'static> {
    let mut session = Session::new(Options::default()).with_cancel(cancel.clone());
    session.add_source("a.slang", text);
    session
}

/// Runs `work` and cancels it when it is under way.
fn cancelled<T>(cancel: &CancelToken, work: impl FnOnce() -> Result<T, Error>) {
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            cancel.cancel();
        });
        let start = Instant::now();
        let done = work();
        assert!(matches!(done, Err(Error::Cancelled)), "{:?}", done.err().map(|e| e.to_string()));
        assert!(start.elapsed() < SOON, "{:?}", start.elapsed());
    });
}

#[test]
fn nothing_begins_after_it() {
    let cancel = CancelToken::new();
    let session = session("[Differentiable] float f(float x) { return x; }", &cancel);
    let program = session.compile("a.slang").unwrap();
    let f = program.function("f", &FunctionOptions::default()).unwrap();
    let check = program.gradient_check([]).unwrap();
    cancel.cancel();
    assert!(matches!(session.compile("a.slang"), Err(Error::Cancelled)));
    assert!(matches!(session.check("a.slang"), Err(Error::Cancelled)));
    // What is wrong is no answer either.
    assert!(matches!(session.compile("nowhere.slang"), Err(Error::Cancelled)));
    assert!(matches!(program.check_derivatives(), Err(Error::Cancelled)));
    assert!(matches!(program.function("f", &FunctionOptions::default()), Err(Error::Cancelled)));
    assert!(matches!(f.call(&[1.0.into()]), Err(Error::Cancelled)));
    assert!(matches!(check.run(&check.bindings(), &GradcheckOptions::default()), Err(Error::Cancelled)));
}

/// Programs that take long in the front end: each function is cheap, and there are many.
#[test]
fn the_front_end_ends() {
    let functions: String = (0..40_000)
        .map(|n| format!("float f{n}(float x, float y) {{ float s = x; if (x > y) s += y * {n}; return s; }}\n"))
        .collect();
    let cancel = CancelToken::new();
    let session = session(&functions, &cancel);
    cancelled(&cancel, || session.compile("a.slang"));
}

/// Sets the flag when a pass has run so many times.
struct After {
    cancel: CancelToken,
    left: AtomicUsize,
}

impl PassSink for After {
    fn dump(&self, _: PassDump) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.cancel.cancel();
        }
    }
}

/// Between any two passes on the way to a kernel.
#[test]
fn a_compilation_ends_wherever_it_is() {
    let text = "
        [Differentiable] float f(float x) { float s = 1; for (int i = 0; i < 9; i++) s *= sin(x) + i; return s; }
        RWStructuredBuffer<float> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)]
        void k() { var x = diffPair(o[0]); bwd_diff(f)(x, 1.0); o[0] = x.d; }";
    let mut passes = 0;
    for stop_after in 1.. {
        let cancel = CancelToken::new();
        let sink = Arc::new(After { cancel: cancel.clone(), left: AtomicUsize::new(stop_after) });
        let mut watched = Watched::default();
        watched.after = PassSet::All;
        let session = session(text, &cancel).with_sink(watched, sink);
        match session.compile("a.slang").unwrap().kernel(None, &KernelOptions::default()) {
            Err(Error::Cancelled) => passes = stop_after,
            Err(error) => panic!("{error}"),
            Ok(_) => break,
        }
    }
    assert!(passes > 20, "{passes}");
}

#[test]
fn a_dispatch_ends() {
    let text = "RWStructuredBuffer<uint> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { uint n = 1; while (n != 0) n += 2; o[0] = n; }";
    for backend in [Backend::Interp, Backend::Cranelift] {
        // A time limit comes from another side than the flag.
        for limit in [None, Some(Duration::from_secs(3600))] {
            let cancel = CancelToken::new();
            let mut options = KernelOptions::default();
            (options.backend, options.interruptible) = (backend, true);
            let kernel = session(text, &cancel).compile("a.slang").unwrap().kernel(None, &options).unwrap();
            let mut dispatch = Dispatch::groups(1, 1, 1);
            dispatch.time_limit = limit;
            cancelled(&cancel, || kernel.dispatch(&mut kernel.bindings(), dispatch));
        }
    }
}

#[test]
fn calls_and_gradient_checks_end() {
    // It ends after many years.
    let text = "[Differentiable] float f(float x)
        { float s = x; for (int64_t i = 0; i < 9000000000000000; i++) s = s * 0.5 + x; return s; }";
    for backend in [Backend::Interp, Backend::Cranelift] {
        let cancel = CancelToken::new();
        let program = session(text, &cancel).compile("a.slang").unwrap();
        let mut options = FunctionOptions::default();
        (options.backend, options.interruptible) = (backend, true);
        let f = program.function("f", &options).unwrap();
        cancelled(&cancel, || f.call(&[1.0.into()]));
    }
    let cancel = CancelToken::new();
    let program = session(text, &cancel).compile("a.slang").unwrap();
    let check = program.gradient_check([]).unwrap();
    let mut options = GradcheckOptions::default();
    (options.samples, options.steps) = (1000, 1 << 40);
    cancelled(&cancel, || check.run(&check.bindings(), &options));
}
