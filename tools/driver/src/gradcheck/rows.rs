//! The differentiation of data movement, checked by the gradient check itself, and once more for
//! the derivatives of the derivatives. (Rows with partials are checked in `passes/tests/rows.rs`.)

use super::memory::Memory;
use super::sampling::{Effort, check};
use super::{Checked, Verdict, candidates};
use caustic_dialects::signature::DIFFERENTIABLE;
use caustic_dialects::{agg, arith, func, vector};
use caustic_ir::{Attr, Builder, CancelToken, Loc, Module, Name, SymbolOp, Type, ValueId};
use caustic_passes::autodiff::{self, derivative_symbol};

fn function(name: &str, inputs: &[Type], code: &dyn Fn(&mut Builder<'_>, &[ValueId]) -> ValueId) -> SymbolOp {
    let mut f = SymbolOp::new(func::Func::DEF, Name::new(name), Loc::unknown());
    let root = f.body.root();
    let block = f.body.add_block(root, inputs);
    let args = f.body.args(block).to_vec();
    let mut b = Builder::at_end(&mut f.body, block, Loc::unknown());
    let result = code(&mut b, &args);
    func::Return::build(&mut b, &[result], &[]);
    let result = f.body.ty(result);
    f.set_attr("function_type", Attr::ty(Type::function(inputs, &[result])));
    f.set_attr(DIFFERENTIABLE, Attr::string("both"));
    f
}

/// Checks each function of the module and, for `order` 2, its derivatives.
fn check_all(mut module: Module, order: usize) {
    let mut names = candidates(&module);
    let derive = |names: &[Name], module: &mut Module| -> Vec<Name> {
        let mut made = Vec::new();
        for &name in names {
            for forward in [true, false] {
                let symbol = derivative_symbol(module.get(name).unwrap(), forward).unwrap();
                made.push(symbol.name);
                module.put(symbol);
            }
        }
        made
    };
    for _ in 1..order {
        names = derive(&names, &mut module);
    }
    derive(&names, &mut module);
    autodiff::differentiate(&mut module, &autodiff::Policy::default()).unwrap();
    for function in names {
        let named = |operator: &str| Name::new(&format!("{operator}({function})"));
        let what = Checked {
            function,
            shown: function,
            measured: function,
            forward: Some(named("fwd_diff")),
            backward: Some(named("bwd_diff")),
            detaches: false,
            custom: false,
            custom_backward: false,
        };
        let memory = Memory::new(&module, None, &[]).unwrap();
        let row = check(
            &module,
            &what,
            &memory,
            Effort { samples: 8, seed: 7, steps: 1 << 26, range: None },
            &CancelToken::new(),
        );
        assert_eq!(row.verdict, Verdict::Passed, "{function}: {row:?}");
    }
}

#[test]
fn data_movement() {
    let f = Type::f64();
    let v3 = Type::vector(&[3], f);
    let m23 = Type::vector(&[2, 3], f);
    let index = Type::index();
    let array = agg::array_type(4, v3);
    let s = agg::StructType::get(
        "S",
        true,
        &[("a", f, false), ("n", Type::i32(), false), ("v", v3, false), ("w", f, true)],
    );
    let path = |steps: &[i64]| [("path", Attr::i64_array(steps))];
    for order in [1, 2] {
        let mut module = Module::new();
        let mut add = |name: &str, inputs: &[Type], code: &dyn Fn(&mut Builder<'_>, &[ValueId]) -> ValueId| {
            // Squaring what comes out makes the second derivatives other than zero.
            module.put(function(name, inputs, &|b, args| {
                let value = code(b, args);
                let ty = b.ty(value);
                if ty.elem().is_float() { arith::MulF::build(b, value, value, &[]) } else { value }
            }));
        };
        add("struct field", &[s], &|b, a| agg::Extract::build(b, a[0], &[], f, &path(&[0])));
        add("component of field", &[s, index], &|b, a| agg::Extract::build(b, a[0], &[a[1]], f, &path(&[2, -1])));
        add("array element", &[array, index], &|b, a| agg::Extract::build(b, a[0], &[a[1]], v3, &path(&[-1])));
        add("struct insert", &[s, v3], &|b, a| agg::Insert::build(b, a[1], a[0], &[], &path(&[2])));
        add("no_diff insert", &[s, f], &|b, a| {
            let t = agg::Insert::build(b, a[1], a[0], &[], &path(&[3]));
            agg::Extract::build(b, t, &[], f, &path(&[0]))
        });
        add("array insert", &[array, v3, index], &|b, a| agg::Insert::build(b, a[1], a[0], &[a[2]], &path(&[-1])));
        add("make array", &[v3, v3], &|b, a| agg::Make::build(b, &[a[0], a[1], a[0], a[1]], array, &[]));
        add("elements", &[f, f], &|b, a| vector::FromElements::build(b, &[a[0], a[1], a[0]], v3, &[]));
        add("broadcast", &[f], &|b, a| vector::Broadcast::build(b, a[0], m23, &[]));
        add("sum", &[v3], &|b, a| vector::Reduction::build(b, a[0], &[("kind", Attr::opaque("vector.kind<add>"))]));
        add("reshape", &[m23], &|b, a| vector::ShapeCast::build(b, a[0], Type::vector(&[6], f), &[]));
        add("transpose", &[m23], &|b, a| {
            let permutation = [("permutation", Attr::i64_array(&[1, 0]))];
            vector::Transpose::build(b, a[0], Type::vector(&[3, 2], f), &permutation)
        });
        add("select", &[Type::i1(), v3, v3], &|b, a| arith::Select::build(b, a[0], a[1], a[2], &[]));
        add("select lanes", &[v3.with_elem(Type::i1()), v3, v3], &|b, a| {
            arith::Select::build(b, a[0], a[1], a[2], &[])
        });
        check_all(module, order);
    }
}
