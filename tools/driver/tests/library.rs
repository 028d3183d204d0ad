//! The differentiator as a library: a function of any origin, derivatives asked for by their
//! symbols, ordinary functions in their place.

use caustic_dialects::{arith, func};
use caustic_interp::Interp;
use caustic_ir::eval::Val;
use caustic_ir::{Attr, Builder, Loc, Module, Name, SymbolOp, Type};
use caustic_passes::autodiff::{Policy, derivative_symbol, differentiate};

/// x³, without any text.
fn cube() -> SymbolOp {
    let ty = Type::f64();
    let mut f = SymbolOp::new(func::Func::DEF, Name::new("cube"), Loc::unknown());
    f.set_attr("function_type", Attr::ty(Type::function(&[ty], &[ty])));
    f.set_attr("differentiable", Attr::string("both"));
    let root = f.body.root();
    let entry = f.body.add_block(root, &[ty]);
    let x = f.body.args(entry)[0];
    let mut b = Builder::at_end(&mut f.body, entry, Loc::unknown());
    let square = arith::MulF::build(&mut b, x, x, &[]);
    let cube = arith::MulF::build(&mut b, square, x, &[]);
    func::Return::build(&mut b, &[cube], &[]);
    f
}

#[test]
fn derivatives_are_ordinary_functions() {
    let mut module = Module::new();
    let f = cube();
    let backward = derivative_symbol(&f, false).unwrap();
    let second = derivative_symbol(&backward, true).unwrap();
    let (first_name, second_name) = (backward.name, second.name);
    for symbol in [f, backward, second] {
        assert!(module.add(symbol).is_ok());
    }
    differentiate(&mut module, &Policy::default()).unwrap();
    // What was asked for stands there with code, and nothing else is asked for.
    for name in [first_name, second_name] {
        let made = module.get(name).unwrap();
        assert!(std::ptr::eq(made.def, func::Func::DEF) && made.body.entry().is_some(), "{name}");
    }
    let interp = Interp::new(&module);
    let pair = |p: f64, d: f64| Val::agg(vec![Val::Float(p), Val::Float(d)]);
    let gradient = interp.call(first_name.as_str(), vec![pair(2.0, 0.0), Val::Float(1.0)]).unwrap();
    assert_eq!(gradient[0].parts()[1].as_float(), 12.0);
}
