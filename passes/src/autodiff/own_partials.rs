//! Whether the partials of an op's row can be read, and are those of what it computes: asked of the
//! ops of others before a pipeline runs. Those of this project have tests.

use super::partials::{SingularPoints, build, of_row};
use caustic_dialects::arith;
use caustic_ir::eval::{Eval, ScalarTypes, Val, eval_scalar_op};
use caustic_ir::op::AdRule;
use caustic_ir::{Body, Builder, Loc, OpDef, Type, ValueId};
use rustc_hash::FxHashMap;

/// Where partials are held against differences: the n-th operand has the n-th value, in a circle.
const POINTS: [[f64; 3]; 4] = [[0.3, 0.7, 1.2], [0.9, 0.4, 0.6], [1.7, 1.1, 0.2], [-0.6, 0.5, -1.3]];
const STEP: f64 = 1e-5;
const TOLERANCE: f64 = 1e-3;

/// What is wrong with the partials of a row, if something is.
pub fn wrong_partials(def: &'static OpDef) -> Option<String> {
    let AdRule::Partials(texts) = def.ad else { return None };
    let say = |why: String| Some(format!("`{}`: {why}", def.name));
    if texts.len() != def.operands.len() {
        return say(format!("there are {} operands and {} partials", def.operands.len(), texts.len()));
    }
    let parsed = match of_row(texts) {
        Ok(parsed) => parsed,
        Err(why) => return say(format!("a partial cannot be read: {why}")),
    };
    for ((text, expr), operand) in texts.iter().zip(parsed).zip(def.operands) {
        let mut body = Body::new();
        let block = body.add_block(body.root(), &vec![Type::f64(); texts.len() + 1]);
        let args = body.args(block).to_vec();
        let mut builder = Builder::at_end(&mut body, block, Loc::unknown());
        let names = |name: &str| match def.operands.iter().position(|o| o.name == name) {
            Some(at) => args.get(at).copied(),
            None => args.last().copied().filter(|_| name == "result"),
        };
        let value = match build(&mut builder, expr, Type::f64(), SingularPoints::Convention, &names) {
            Ok(value) => value,
            Err(why) => return say(format!("the partial `{text}`: {why}")),
        };
        if let Some((at, found, expected)) = compared(def, operand.name, &body, &args, value) {
            return say(format!(
                "the partial by `{}` is {found:.6} where the operands are {at:?}, and differences of `eval` give {expected:.6}",
                operand.name
            ));
        }
    }
    None
}

/// The first point at which a partial is not what differences give, with both.
fn compared(
    def: &'static OpDef,
    operand: &str,
    body: &Body,
    args: &[ValueId],
    value: ValueId,
) -> Option<(Vec<f64>, f64, f64)> {
    let Eval::Scalar(eval) = def.eval else { return None };
    let count = args.len() - 1;
    let types = vec![Type::f64(); count];
    let run = |at: &[f64]| {
        let given: Vec<Val> = at.iter().map(|&x| Val::Float(x)).collect();
        eval(&given, &ScalarTypes { operands: &types, result: Type::f64(), attrs: &[] }).as_float()
    };
    let moved = def.operands.iter().position(|o| o.name == operand)?;
    POINTS.iter().find_map(|point| {
        let at: Vec<f64> = (0..count).map(|i| point[i % point.len()]).collect();
        let slope = |step: f64| {
            let beside = |by: f64| at.iter().enumerate().map(|(i, x)| if i == moved { x + by } else { *x }).collect();
            let (above, below): (Vec<f64>, Vec<f64>) = (beside(step), beside(-step));
            (run(&above) - run(&below)) / (2.0 * step)
        };
        let (expected, closer) = (slope(STEP), slope(STEP / 4.0));
        let found = evaluated(body, args, &at, run(&at), value)?;
        let apart = |a: f64, b: f64| (a - b).abs() > TOLERANCE * (1.0 + a.abs().max(b.abs()));
        // Where differences do not agree among each other nothing is known.
        let is_smooth = expected.is_finite() && !apart(expected, closer);
        (is_smooth && (apart(found, expected) || found.is_nan())).then_some((at, found, expected))
    })
}

/// The value of code that computes with scalars alone.
fn evaluated(body: &Body, args: &[ValueId], at: &[f64], result: f64, value: ValueId) -> Option<f64> {
    let given = args.iter().zip(at.iter().copied().chain([result]));
    let mut values: FxHashMap<ValueId, Val> = given.map(|(&arg, x)| (arg, Val::Float(x))).collect();
    for op in body.walk_all() {
        let made = match (arith::constant_of(body, body.result(op, 0)), body.op(op).def.eval) {
            (Some(constant), _) => Val::from_attr(constant)?,
            (None, Eval::Scalar(eval)) => {
                let operands = body.operands(op).iter().map(|v| values.get(v).cloned());
                eval_scalar_op(body, op, eval, &operands.collect::<Option<Vec<Val>>>()?)
            }
            _ => return None,
        };
        values.insert(body.result(op, 0), made);
    }
    Some(values.get(&value)?.as_float())
}

#[cfg(test)]
mod tests {
    use super::*;
    use caustic_dialects::classes::FLOAT_LIKE;
    use caustic_ir::op::{Asm, Fold};
    use caustic_ir::ops;

    macro_rules! squares {
        ($($view:ident $name:literal $partial:expr;)*) => {
            ops! { static TEST_OPS as TestView: [ $(
                /// The square.
                $view $name {
                    operands: (operand: Class(&FLOAT_LIKE)), results: infer(SameAs(0)), attrs: (), regions: (),
                    effects: Pure, commutative: false, asm: Asm::Format("$operand attr-dict `:` type($result)"),
                    verify: None, fold: Fold::Eval,
                    eval: Eval::Scalar(|args, _| {
                        let x = args.first().map_or(f64::NAN, |a| a.as_float());
                        Val::Float(x * x)
                    }),
                    ad: AdRule::Partials(&$partial),
                }
            )* ] }
        };
    }
    squares! {
        Right "test.right" ["2 * operand"];
        Wrong "test.wrong" ["3 * operand"];
        Name "test.name" ["2 * x"];
        Open "test.open" ["2 * (operand"];
        Many "test.many" ["2 * operand", "1"];
    }

    #[test]
    fn wrong_rows_are_told() {
        let told: Vec<Option<String>> = TEST_OPS.iter().map(|def| wrong_partials(def)).collect();
        let has = |i: usize, part: &str| told[i].as_ref().is_some_and(|text| text.contains(part));
        assert_eq!(told[0], None);
        assert!(has(1, "`operand` is 0.900000 where the operands are [0.3], and differences of `eval` give 0.600000"));
        assert!(has(2, "`x` is no operand") && has(3, "`)` is missing") && has(4, "1 operands and 2 partials"));
    }

    #[test]
    fn own_rows_are_right() {
        let ops = caustic_dialects::all().iter().flat_map(|d| d.all_ops());
        let wrong: Vec<String> = ops.filter_map(wrong_partials).collect();
        assert!(wrong.is_empty(), "{wrong:?}");
    }
}
