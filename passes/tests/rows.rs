//! Every row with a differentiation rule on floats, differentiated and evaluated: forward and
//! reverse mode against differences of the row's own evaluation, second derivatives in three ways,
//! and the documented values at singular points.
//!
//! A new row is tested by being there.

use caustic_dialects::{arith, func, math, strong};
use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::op::TypeRule;
use caustic_ir::{Attr, Builder, Loc, Module, Name, OpDef, SymbolOp, Type};
use caustic_passes::autodiff::{Policy, derivative_symbol, differentiate};

/// The rows that compute a float from floats of the same type.
fn rows() -> Vec<&'static OpDef> {
    let all = arith::DIALECT.all_ops().chain(math::DIALECT.all_ops()).chain(strong::DIALECT.all_ops());
    all.filter(|def| {
        let float =
            |r: TypeRule| matches!(r, TypeRule::Class(c) if (c.contains)(Type::f64()) && !(c.contains)(Type::i64()));
        let same = |r: TypeRule| matches!(r, TypeRule::SameAs(0));
        let operands = def.operands.iter().enumerate().all(|(i, o)| if i == 0 { float(o.rule) } else { same(o.rule) });
        operands && !def.operands.is_empty() && def.results.len() == 1 && same(def.results[0].rule)
    })
    .collect()
}

/// A module with the op as a function `f` and its derivatives of first and second order.
fn differentiated(def: &'static OpDef) -> Module {
    let mut m = Module::new();
    let f64_ty = Type::f64();
    let params = vec![f64_ty; def.operands.len()];
    let mut f = SymbolOp::new(func::Func::DEF, Name::new("f"), Loc::unknown());
    f.set_attr("function_type", Attr::ty(Type::function(&params, &[f64_ty])));
    f.set_attr("differentiable", Attr::string("both"));
    let root = f.body.root();
    let entry = f.body.add_block(root, &params);
    let args = f.body.args(entry).to_vec();
    let mut b = Builder::at_end(&mut f.body, entry, Loc::unknown());
    let value = b.create_one(def, &args, f64_ty, &[]);
    func::Return::build(&mut b, &[value], &[]);
    let mut symbols = vec![f];
    for forward in [true, false] {
        symbols.extend(derivative_symbol(&symbols[0], forward));
    }
    for (of, forward) in [(1, true), (2, true), (2, false)] {
        symbols.extend(derivative_symbol(&symbols[of], forward));
    }
    assert_eq!(symbols.len(), 6);
    for symbol in symbols {
        assert!(m.add(symbol).is_ok());
    }
    if let Err(errors) = differentiate(&mut m, &Policy::default()) {
        panic!("{}: {errors:?}", def.name);
    }
    m
}

fn pair(p: Val, d: Val) -> Val {
    Val::agg(vec![p, d])
}
fn dual(p: f64, d: f64) -> Val {
    pair(Val::Float(p), Val::Float(d))
}
/// The scalar at a path of 0 (primal) and 1 (differential).
fn at(value: &Val, path: &[usize]) -> f64 {
    path.iter().fold(value.clone(), |v, &i| v.parts()[i].clone()).as_float()
}

struct Row<'m> {
    def: &'static OpDef,
    interp: Interp<'m>,
}

impl Row<'_> {
    fn call(&self, name: &str, args: Vec<Val>) -> Vec<Val> {
        self.interp.call(name, args).unwrap_or_else(|trap| panic!("{}: {name}: {}", self.def.name, trap.message))
    }
    fn value(&self, x: &[f64]) -> f64 {
        self.call("f", x.iter().map(|&v| Val::Float(v)).collect())[0].as_float()
    }
    fn forward(&self, x: &[f64], v: &[f64]) -> f64 {
        at(&self.call("fwd_diff(f)", x.iter().zip(v).map(|(&x, &v)| dual(x, v)).collect())[0], &[1])
    }
    fn reverse(&self, x: &[f64], cotangent: f64) -> Vec<f64> {
        let mut args: Vec<Val> = x.iter().map(|&x| dual(x, 0.0)).collect();
        args.push(Val::Float(cotangent));
        self.call("bwd_diff(f)", args).iter().map(|p| at(p, &[1])).collect()
    }
    /// vᵀ H u, forward over forward.
    fn second_forward(&self, x: &[f64], u: &[f64], v: &[f64]) -> f64 {
        let args = (0..x.len()).map(|i| pair(dual(x[i], u[i]), dual(v[i], 0.0))).collect();
        at(&self.call("fwd_diff(fwd_diff(f))", args)[0], &[1, 1])
    }
    /// H v, forward over reverse.
    fn second_mixed(&self, x: &[f64], v: &[f64]) -> Vec<f64> {
        let mut args: Vec<Val> = (0..x.len()).map(|i| pair(dual(x[i], 0.0), dual(v[i], 0.0))).collect();
        args.push(dual(1.0, 0.0));
        self.call("fwd_diff(bwd_diff(f))", args).iter().map(|p| at(p, &[1, 1])).collect()
    }
    /// H w, reverse over reverse: the cotangents of the primals, given those of the gradient.
    fn second_reverse(&self, x: &[f64], w: &[f64]) -> Vec<f64> {
        let mut args: Vec<Val> = (0..x.len()).map(|i| pair(dual(x[i], 0.0), dual(0.0, w[i]))).collect();
        args.push(dual(1.0, 0.0));
        self.call("bwd_diff(bwd_diff(f))", args)[..x.len()].iter().map(|p| at(p, &[1, 0])).collect()
    }
}

/// The derivative of `f` in direction `i`: central differences, extrapolated once. NaN where `f`
/// jumps nearby.
fn difference(f: &dyn Fn(&[f64]) -> f64, x: &[f64], i: usize) -> f64 {
    let central = |h: f64| {
        let shifted = |d: f64| {
            let mut y = x.to_vec();
            y[i] += d;
            f(&y)
        };
        (shifted(h) - shifted(-h)) / (2.0 * h)
    };
    let h = 1e-3 * x[i].abs().clamp(0.1, 1.0);
    let (wide, narrow) = (central(h), central(h / 2.0));
    if close(wide, narrow, 0.1) { (4.0 * narrow - wide) / 3.0 } else { f64::NAN }
}

fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * (1.0 + a.abs().max(b.abs()))
}

fn unit(n: usize, i: usize) -> Vec<f64> {
    (0..n).map(|k| (k == i) as u8 as f64).collect()
}

/// Points of both signs and several sizes, away from integers and halves (where remainders and
/// roundings jump).
const GRID: [f64; 11] = [-7.3, -1.7, -0.83, -0.31, 0.04, 0.29, 0.47, 0.91, 1.4, 2.2, 3.6];

fn points(n: usize) -> Vec<Vec<f64>> {
    let mut out: Vec<Vec<f64>> = vec![vec![]];
    for k in 0..n {
        // Different values for each operand, so that no two are equal by chance.
        let values = GRID.iter().step_by(if n > 2 { 3 } else { 1 }).map(move |v| v * (1.0 + 0.137 * k as f64));
        out = out.iter().flat_map(|p| values.clone().map(|v| [p.as_slice(), &[v]].concat())).collect();
    }
    out
}

#[test]
fn derivatives_agree_with_differences() {
    let rows = rows();
    assert!(rows.len() > 40, "only {} rows", rows.len());
    for def in rows {
        let module = differentiated(def);
        let row = Row { def, interp: Interp::new(&module) };
        let n = def.operands.len();
        let mut tested = 0;
        for x in points(n) {
            let fail =
                |what: &str, got: f64, wanted: f64| panic!("{} at {x:?}: {what} is {got}, wanted {wanted}", def.name);
            for i in 0..n {
                let wanted = difference(&|x| row.value(x), &x, i);
                if !wanted.is_finite() {
                    continue;
                }
                tested += 1;
                let forward = row.forward(&x, &unit(n, i));
                if !close(forward, wanted, 1e-8) {
                    fail("forward mode", forward, wanted);
                }
                let reverse = row.reverse(&x, 1.0)[i];
                if !close(reverse, wanted, 1e-8) {
                    fail("reverse mode", reverse, wanted);
                }
                if !close(row.reverse(&x, -2.5)[i], -2.5 * reverse, 1e-14) {
                    fail("reverse mode with another cotangent", row.reverse(&x, -2.5)[i], -2.5 * reverse);
                }
                for j in 0..n {
                    let wanted = difference(&|x| row.reverse(x, 1.0)[i], &x, j);
                    if !wanted.is_finite() {
                        continue;
                    }
                    let second = row.second_forward(&x, &unit(n, i), &unit(n, j));
                    let others = [row.second_mixed(&x, &unit(n, j))[i], row.second_reverse(&x, &unit(n, j))[i]];
                    for (what, got) in [
                        ("forward over forward", second),
                        ("forward over reverse", others[0]),
                        ("reverse over reverse", others[1]),
                    ] {
                        if !close(got, wanted, 1e-6) {
                            fail(&format!("{what} ({i}, {j})"), got, wanted);
                        }
                    }
                }
            }
        }
        assert!(tested >= 3, "{}: only {tested} points lie in the domain", def.name);
    }
}

#[test]
fn singular_points_are_as_documented() {
    let inf = f64::INFINITY;
    let nan = f64::NAN;
    let cases: &[(&'static OpDef, &[f64], &[f64])] = &[
        (math::Sqrt::DEF, &[0.0], &[inf]),
        (math::Rsqrt::DEF, &[0.0], &[-inf]),
        (math::Cbrt::DEF, &[0.0], &[inf]),
        (math::AbsF::DEF, &[0.0], &[0.0]),
        (math::Asin::DEF, &[1.0], &[inf]),
        (math::Acos::DEF, &[-1.0], &[-inf]),
        (math::Acosh::DEF, &[1.0], &[inf]),
        (math::Atanh::DEF, &[1.0], &[inf]),
        (math::Log::DEF, &[0.0], &[inf]),
        (math::Floor::DEF, &[2.0], &[0.0]),
        (math::RoundEven::DEF, &[0.5], &[0.0]),
        (math::Atan2::DEF, &[0.0, 0.0], &[nan, nan]),
        (math::Atan2::DEF, &[0.0, -1.0], &[-1.0, 0.0]),
        (math::PowF::DEF, &[0.0, 2.0], &[0.0, 0.0]),
        (math::PowF::DEF, &[0.0, 1.0], &[1.0, 0.0]),
        (math::PowF::DEF, &[0.0, 0.5], &[inf, 0.0]),
        (math::PowF::DEF, &[0.0, 0.0], &[0.0, 0.0]),
        (math::PowF::DEF, &[-2.0, 3.0], &[12.0, 0.0]),
        (math::PowF::DEF, &[0.0, -1.0], &[-inf, 0.0]),
        (math::CopySign::DEF, &[-0.0, 1.0], &[-1.0, 0.0]),
        (arith::MaxNumF::DEF, &[1.5, 1.5], &[0.5, 0.5]),
        (arith::MinNumF::DEF, &[1.5, 1.5], &[0.5, 0.5]),
        (arith::MaxNumF::DEF, &[nan, 1.0], &[0.0, 1.0]),
        (arith::MinNumF::DEF, &[1.0, nan], &[1.0, 0.0]),
        (arith::MaximumF::DEF, &[0.0, -0.0], &[0.5, 0.5]),
        (arith::RemF::DEF, &[6.0, 2.0], &[1.0, -3.0]),
        (arith::DivF::DEF, &[1.0, 0.0], &[inf, -inf]),
    ];
    for (def, x, wanted) in cases {
        let module = differentiated(def);
        let row = Row { def, interp: Interp::new(&module) };
        let got = row.reverse(x, 1.0);
        let same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        assert!(
            got.iter().zip(*wanted).all(|(&a, &b)| same(a, b)),
            "{} at {x:?}: {got:?}, wanted {wanted:?}",
            def.name
        );
    }
}
