//! Sessions: where texts come from, diagnostics as data, passes watched, many sessions at once,
//! small stacks.

use caustic_driver::{
    Backend, Derivatives, Dispatch, Error, FileLoader, FunctionOptions, KernelOptions, LocKind, Options, PassDump,
    PassSet, PassSink, Session, Severity, SourceLoader, Stage, TextForm, Value, WarningLevel, Watched,
    gradcheck::{GradcheckOptions, Mode, Verdict},
};
use std::io;
use std::sync::{Arc, Mutex};

fn session(text: &str) -> Session<'static> {
    let mut session = Session::new(Options::default());
    session.add_source("a.slang", text);
    session
}

struct Map(&'static [(&'static str, &'static str)]);

impl SourceLoader for Map {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        found.map(|(_, text)| text.as_bytes().to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }
    fn is_file(&self, path: &str) -> bool {
        self.0.iter().any(|(name, _)| *name == path)
    }
}

#[test]
fn imports_come_from_memory_and_from_a_loader() {
    let mut options = Options::default();
    options.include_dirs.push("inc".into());
    options.defines.push(("TWO".into(), "2".into()));
    let files = Map(&[("inc/b.slang", "module b; public float b() { return TWO; }"), ("c.slang", "wrong")]);
    let mut session = Session::new(options).with_loader(files);
    session.add_source("c.slang", "module c; public float c() { return 3; }");
    session.add_source("a.slang", "import b; import c; float f() { return b() * c(); }");
    let f = session.compile("a.slang").unwrap().function("f", &FunctionOptions::default()).unwrap();
    assert_eq!(f.call(&[]).unwrap(), [Value::Float(6.0)]);
}

#[test]
fn a_file_that_is_not_there_is_a_diagnostic() {
    for session in [session("import b;"), session("import b;").with_loader(FileLoader)] {
        let found = session.compile("nowhere.slang").err().unwrap();
        assert_eq!(found.diagnostics()[0].code, "E0110");
        let found = session.compile("a.slang").err().unwrap();
        assert_eq!(found.diagnostics()[0].code, "E0114");
    }
}

#[test]
fn diagnostics_are_data() {
    let error = session("float f(float x)\n{\n    return x + yy;\n}\n").compile("a.slang").err().unwrap();
    let Error::Rejected(found) = &error else { panic!("{error}") };
    let [d] = &found[..] else { panic!("{error}") };
    assert_eq!((d.code, d.severity), (caustic_driver::codes::E0201, Severity::Error));
    let LocKind::Span { file, line, col, end_line, end_col } = d.loc.kind() else { panic!("{error}") };
    assert_eq!((file.as_str(), *line, *col, *end_line, *end_col), ("a.slang", 3, 16, 3, 18));
    assert!(found.render(d).contains("return x + yy"));
    assert!(!found.is_internal());
}

#[test]
fn warnings_are_told_allowed_or_denied() {
    const TEXT: &str = "float f(bool b) { if (b) return 1; }";
    let with = |level: Option<WarningLevel>| {
        let mut options = Options::default();
        if let Some(level) = level {
            options.set_warning("all", level).unwrap();
        }
        let mut session = Session::new(options);
        session.add_source("a.slang", TEXT);
        session.check("a.slang")
    };
    let told = with(None).unwrap();
    assert!(told.iter().all(|d| d.severity == Severity::Warning) && told.len() == 1, "{told}");
    assert!(!told.to_string().contains("--allow"), "options are the command's: {told}");
    assert!(with(Some(WarningLevel::Allow)).unwrap().is_empty());
    assert_eq!(with(Some(WarningLevel::Deny)).unwrap_err().diagnostics()[0].severity, Severity::Error);
    assert!(Options::default().set_warning("nothing", WarningLevel::Deny).is_err());
}

#[test]
fn checks_about_derivatives_need_no_use_of_them() {
    let text = "float g(float x) { return x; } [Differentiable] float f(float x) { return g(x); }";
    let found = session(text).check("a.slang");
    assert_eq!(found.unwrap_err().diagnostics()[0].code, "E0311");
}

#[test]
fn levels_are_printed_and_read_again() {
    let text = "[Differentiable] float f(float x) { return x * x; }";
    let program = session(text).compile("a.slang").unwrap();
    let print = |stage, function| program.print(stage, function, Derivatives::default(), TextForm::Pretty).unwrap();
    assert!(print(Stage::Reverse, Some("f")).contains("bwd_diff(f)"));
    let mut again = Session::new(Options::default());
    again.add_source("a.mlir", print(Stage::Ad, None));
    let f = again.compile("a.mlir").unwrap().function("f", &FunctionOptions::default()).unwrap();
    assert_eq!(f.gradient(&[3.0.into()]).unwrap(), [("x".to_string(), Value::Float(6.0))]);
    let unknown = program.print(Stage::Hl, Some("g"), Derivatives::default(), TextForm::Pretty).unwrap_err();
    assert_eq!(unknown.diagnostics()[0].code, "E0803");
}

#[test]
fn gradients_are_checked() {
    let text = "
        [Differentiable] float right(float x) { return sin(x); }
        [BackwardDerivative(of_wrong)] float wrong(float x) { return x * x; }
        void of_wrong(inout DifferentialPair<float> x, float d) { x = diffPair(x.p, d * x.p); }";
    let program = session(text).compile("a.slang").unwrap();
    let check = program.gradient_check([]).unwrap();
    let report = check.run(&check.bindings(), &GradcheckOptions::default()).unwrap();
    assert!(report.checked() && !report.passed());
    let verdict = |name: &str| &report.rows.iter().find(|r| r.function == name).unwrap().verdict;
    assert_eq!(*verdict("right"), Verdict::Passed);
    let Verdict::Failed(failure) = verdict("wrong") else { panic!("{:?}", verdict("wrong")) };
    // The derivative is half of what it should be.
    assert!((failure.expected - 2.0 * failure.found).abs() < 1e-6 && failure.mode == Mode::Reverse, "{failure:?}");
    assert!(failure.to_string().starts_with("at x = "), "{failure}");
}

#[derive(Default)]
struct Seen(Mutex<Vec<PassDump>>);

impl PassSink for Seen {
    fn dump(&self, dump: PassDump) {
        self.0.lock().unwrap().push(dump);
    }
}

#[test]
fn passes_are_watched_and_timed() {
    let seen = Arc::new(Seen::default());
    let mut watched = Watched::default();
    watched.after = PassSet::Named(vec!["promote".into()]);
    let mut session = Session::new(Options::default()).with_sink(watched, seen.clone());
    let text = "RWStructuredBuffer<int> o;
        [shader(\"compute\")] [numthreads(1, 1, 1)] void k() { int s = 0; for (int i = 0; i < 3; i++) s += i; o[0] = s; }";
    session.add_source("a.slang", text);
    let program = session.compile("a.slang").unwrap();
    assert!(program.timing().children.iter().any(|step| step.name == "parse"));
    let kernel = program.kernel(None, &KernelOptions::default()).unwrap();
    let seen = seen.0.lock().unwrap();
    let [dump] = &seen[..] else { panic!("{}", seen.len()) };
    assert_eq!((dump.pipeline, dump.pass.as_str(), dump.before), ("normalize", "promote", false));
    assert!(dump.text.contains("func.func @k"), "{}", dump.text);
    let steps: Vec<&str> = kernel.timing().children.iter().map(|step| step.name.as_str()).collect();
    assert_eq!(steps, ["normalize", "close", "differentiate", "optimize", "storage", "instances", "Cranelift"]);
    assert!(kernel.timing().children[0].children.iter().any(|pass| pass.name == "promote"));
}

const BACKENDS: &[Backend] = &[
    Backend::Interp,
    Backend::Cranelift,
    #[cfg(feature = "llvm")]
    Backend::Llvm,
];

/// Eight threads, each with sessions of its own: another program, other options, other results,
/// every other one wrong.
#[test]
fn sessions_know_nothing_of_each_other() {
    let one = |n: i32| {
        let mut options = Options::default();
        options.defines.push(("N".into(), n.to_string()));
        let level = if n % 4 < 2 { WarningLevel::Allow } else { WarningLevel::Deny };
        options.set_warning("all", level).unwrap();
        let mut session = Session::new(options);
        // The names are the same everywhere; what they stand for is not.
        session.add_source("part.slang", format!("module part; public float part(float x) {{ return x * {n} + N; }}"));
        let warned = if n % 2 == 1 { "float w(bool b) { if (b) return 1; }" } else { "" };
        let text = format!(
            "import part;
             [Differentiable] float f(float x) {{ float y = x; for (int i = 0; i < N; i++) y *= x; return y; }}
             RWStructuredBuffer<float> o;
             {warned}
             [shader(\"compute\")] [numthreads({}, 1, 1)]
             void main(uint3 id : SV_DispatchThreadID) {{ o[id.x] = part(float(id.x)); }}",
            n + 1
        );
        session.add_source("a.slang", text);
        let program = match session.compile("a.slang") {
            Ok(program) => program,
            Err(error) => {
                assert!(n % 4 == 3, "{n}: {error}");
                assert_eq!(error.diagnostics().len(), 1, "{n}: {error}");
                return;
            }
        };
        assert!(n % 4 != 3, "{n}");
        let f = program.function("f", &FunctionOptions::default()).unwrap();
        let slope = f64::from(n + 1) * 2f64.powi(n);
        assert_eq!(f.gradient(&[2.0.into()]).unwrap(), [("x".to_string(), Value::Float(slope))], "{n}");
        let mut options = KernelOptions::default();
        options.backend = BACKENDS[n as usize / 2 % BACKENDS.len()];
        let kernel = program.kernel(Some("main"), &options).unwrap();
        let mut bindings = kernel.bindings();
        bindings.set("o", &vec![0.0f32; n as usize + 1]).unwrap();
        kernel.dispatch(&mut bindings, Dispatch::groups(1, 1, 1)).unwrap();
        let expected: Vec<f32> = (0..=n).map(|i| (i * n + n) as f32).collect();
        assert_eq!(bindings.read::<f32>("o").unwrap(), expected, "{n}");
        let check = program.gradient_check([]).unwrap();
        let mut options = GradcheckOptions::default();
        (options.samples, options.seed) = (4, n as u64);
        assert!(check.run(&check.bindings(), &options).unwrap().passed(), "{n}");
    };
    std::thread::scope(|scope| {
        for n in 0..8 {
            scope.spawn(move || (0..3).for_each(|_| one(n)));
        }
    });
}

/// What a thread of a pool or of another language may have.
const SMALL_STACK: usize = 128 << 10;

#[test]
fn a_small_stack_suffices() {
    // As deep as the language allows.
    let deep = format!("[Differentiable] float f(float x) {{ return {}x{}; }}", "(x * ".repeat(200), ")".repeat(200));
    let calls = "int down(int n) { return n <= 0 ? 0 : 1 + down(n - 1); }";
    let work = move || {
        let mut session = session(&deep);
        session.add_source("b.slang", calls);
        let program = session.compile("a.slang").unwrap();
        for backend in [Backend::Interp, Backend::Cranelift] {
            let mut options = FunctionOptions::default();
            options.backend = backend;
            let f = program.function("f", &options).unwrap();
            assert_eq!(f.gradient(&[1.0.into()]).unwrap(), [("x".to_string(), Value::Float(201.0))]);
            let down = session.compile("b.slang").unwrap().function("down", &options).unwrap();
            assert_eq!(down.call(&[500.into()]).unwrap(), [Value::Int(500)]);
        }
        let check = program.gradient_check([]).unwrap();
        assert!(check.run(&check.bindings(), &GradcheckOptions::default()).unwrap().checked());
    };
    std::thread::Builder::new().stack_size(SMALL_STACK).spawn(work).unwrap().join().unwrap();
}
