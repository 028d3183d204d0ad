//! Fits within a host program: what they reach, on any number of parameters, and what ends them.

use caustic_driver::fit::{Buffer, Error, Fit, NotFinite, Parameters, Plan, Rule};
use caustic_driver::{Bindings, Dispatch, Kernel, KernelOptions, Options, Scalar, Session};

/// The loss is (a - 3)^2 + sum (b[i] - i)^2, of a number each; four threads have one of `b`.
const TWO: &str = "
    RWStructuredBuffer<float> a; RWStructuredBuffer<float> da;
    RWStructuredBuffer<double> b; RWStructuredBuffer<double> db;
    RWStructuredBuffer<float> losses;
    RWStructuredBuffer<int> runs;
    RWStructuredBuffer<uint> drawn;
    uniform uint seed;
    [numthreads(1, 1, 1)] void computeMain(uint3 id : SV_DispatchThreadID)
    {
        int i = int(id.x);
        double y = b[i] - double(i);
        losses[i] += float(y * y);
        db[i] += 2.0 * y;
        runs[i] += 1;
        drawn[i] = seed;
        if (i > 0) return;
        float x = a[0] - 3.0;
        losses[0] += x * x;
        da[0] += 2.0 * x;
        if (a[0] > 100.0) { printf(\"far\\n\"); losses[0] = 1.0 / (x - x); }
        if (a[0] < -100.0) da[0] = 1.0 / (x - x);
    }";

fn kernel() -> (Kernel, Bindings) {
    let mut session = Session::new(Options::default());
    session.add_source("two.slang", TWO);
    let kernel = session.compile("two.slang").unwrap().kernel(None, &KernelOptions::default()).unwrap();
    let mut bindings = kernel.bindings();
    bindings.set("a", &[0.0f32]).unwrap();
    bindings.set("b", &[9.0f64; 4]).unwrap();
    bindings.set("losses", &[0.0f32; 4]).unwrap();
    bindings.set("runs", &[0i32; 4]).unwrap();
    bindings.set("drawn", &[0u32; 4]).unwrap();
    (kernel, bindings)
}

fn plan() -> Plan {
    let mut plan = Plan::new("a", "da", "losses").with_rule(Rule::Sgd { rate: 0.25 });
    plan = plan.with_dispatch(Dispatch::groups(4, 1, 1));
    plan.parameters.push(Parameters { values: "b".into(), gradient: "db".into() });
    plan
}

#[test]
fn several_parameters_come_to_where_the_loss_is_least() {
    let (kernel, mut bindings) = kernel();
    let mut fit = Fit::new(plan(), &mut bindings).unwrap();
    // 9 + 81 + 64 + 49 + 36; each step leaves half of what is missing, so a quarter of the loss.
    for (step, loss) in [239.0, 59.75, 14.9375].into_iter().enumerate() {
        assert_eq!(fit.steps(), step as u64);
        assert_eq!(fit.step(&kernel, &mut bindings).unwrap().loss, loss);
    }
    for _ in 0..60 {
        fit.step(&kernel, &mut bindings).unwrap();
    }
    assert_eq!(bindings.read::<f32>("a").unwrap(), [3.0]);
    let far = bindings.read::<f64>("b").unwrap().into_iter().enumerate().map(|(i, v)| (v - i as f64).abs());
    assert!(far.fold(0.0, f64::max) < 1e-12);
    assert_eq!(bindings.read::<i32>("runs").unwrap(), [63; 4]);
}

#[test]
fn seeds_are_those_of_the_step_and_zeros_are_zero() {
    let run = |seed: u64| {
        let (kernel, mut bindings) = kernel();
        let mut plan = plan();
        plan.seed = Some(("seed".into(), seed));
        plan.zeros = vec!["runs".into()];
        let mut fit = Fit::new(plan, &mut bindings).unwrap();
        let seeds = (0..3).map(|_| {
            fit.step(&kernel, &mut bindings).unwrap();
            assert_eq!(bindings.read::<i32>("runs").unwrap(), [1; 4]);
            bindings.read::<u32>("drawn").unwrap()[0]
        });
        seeds.collect::<Vec<_>>()
    };
    let seeds = run(1);
    assert!(seeds == run(1) && seeds != run(2) && seeds[0] != seeds[1] && seeds[1] != seeds[2], "{seeds:?}");
}

#[test]
fn what_does_not_suit_is_told() {
    let (kernel, mut bindings) = kernel();
    let mut wrong = |change: fn(&mut Plan)| {
        let mut plan = plan();
        change(&mut plan);
        Fit::new(plan, &mut bindings).unwrap_err().to_string()
    };
    assert_eq!(wrong(|p| p.parameters.clear()), "there are no parameters to fit");
    assert_eq!(wrong(|p| p.parameters[0].values = "runs".into()), "`runs` holds i32, not floats");
    assert_eq!(wrong(|p| p.parameters[0].values = "da".into()), "`da` has no contents to begin with");
    assert_eq!(wrong(|p| p.parameters[0].gradient = "b".into()), "`a` has 1 floats, and its gradient `b` has 4");
    assert!(wrong(|p| p.loss = "loses".into()).contains("did you mean `losses`?"));
    assert!(wrong(|p| p.seed = Some(("sed".into(), 0))).contains("did you mean `seed`?"));
    let half = Buffer { name: "runs".into(), scalar: Some(Scalar::F16) };
    let mut plan = plan();
    plan.parameters = vec![Parameters { values: half, gradient: "drawn".into() }];
    plan.parameters[0].gradient.scalar = Some(Scalar::F16);
    assert!(Fit::new(plan, &mut kernel.bindings()).is_err());
}

#[test]
fn numbers_that_are_none_leave_the_parameters() {
    let (kernel, mut bindings) = kernel();
    let mut begin = |a: f32| {
        bindings.set("a", &[a]).unwrap();
        let mut fit = Fit::new(plan(), &mut bindings).unwrap();
        let error = fit.step(&kernel, &mut bindings).unwrap_err();
        let text = error.to_string();
        let Error::NotFinite { step: 0, what } = error else { panic!("{text}") };
        assert_eq!((bindings.read::<f32>("a").unwrap()[0], bindings.read::<f64>("b").unwrap()[0]), (a, 9.0));
        (what, text)
    };
    let (what, text) = begin(200.0);
    assert!(text == "the loss is inf in step 0" && what == NotFinite::Loss(f64::INFINITY, "far\n".into()), "{text}");
    let (what, text) = begin(-200.0);
    let derivative = NotFinite::Derivative("da".into(), 0);
    assert!(text == "derivative 0 in `da` is not finite in step 0" && what == derivative, "{text}");
}
