//! The finder on a small budget: what is left out of the tables is found, what is there is not.

use caustic_passes::analysis::costs::Machine;
use caustic_passes::egraph::ask::Theory;
use caustic_passes::rows::{Class, Row, Use, all};
use caustic_rules::courses::{Course, Group};
use caustic_rules::find::{Budget, Finder};
use caustic_rules::lowered;
use caustic_rules::ops::{Sort, symbols};
use caustic_rules::rule::Rule;
use caustic_rules::samples::Amount;

const SIGNS: Course = Course {
    name: "signs of differences",
    group: Group::Float,
    ops: &["negf", "absf", "subf"],
    variables: &[Sort::Float, Sort::Float],
    constants: &[1.0],
    size: 2,
    size_assuming: 1,
};

fn budget() -> Budget {
    Budget { amount: Amount { combinations: 2_000, random: 500 }, ..Budget::default() }
}

fn found(course: &Course, without: &[&str]) -> Vec<String> {
    let rows: Vec<&'static Row> = all().filter(|r| !without.contains(&r.name)).collect();
    let mut finder = Finder::new(Some(rows), Machine::Cpu, budget());
    finder.run(course);
    finder.found.iter().map(Rule::text).collect()
}

#[test]
fn a_row_that_is_left_out_is_found() {
    let known = found(&SIGNS, &[]);
    let planted = "(absf (subf x y)) = (absf (subf y x))".to_string();
    assert!(!known.contains(&planted), "{known:?}");
    let without = found(&SIGNS, &["magnitude-of-difference"]);
    assert!(without.contains(&planted), "{without:?}");
}

#[test]
fn a_condition_is_found_and_the_weakest_one_is_told() {
    let planted = "(absf x) = x if never_negative(x), never_negative_zero(x)".to_string();
    let without = found(&SIGNS, &["magnitude-of-positive"]);
    assert!(without.contains(&planted), "{without:?}");
}

#[test]
fn what_holds_for_one_predicate_is_said_of_all() {
    let course = Course {
        name: "comparisons",
        group: Group::Choice,
        ops: &["cmpi", "i1.cmpi", "i1.xori"],
        variables: &[Sort::Int, Sort::Int],
        constants: &[0.0],
        size: 2,
        size_assuming: 0,
    };
    let without = found(&course, &["not-of-int-comparison", "int-comparison-as-not"]);
    let planted = "(cmpi eq false (cmpi p x y)) = (cmpi (inverse p) x y)".to_string();
    assert!(without.contains(&planted), "{without:?}");
}

#[test]
fn left_sides_are_counted_in_programs() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/brdf.slang");
    let Some(module) = lowered::module(file) else { panic!("{file} does not compile") };
    let counted = |name: &str| {
        let parsed = all().find(|r| r.name == name).and_then(Row::parsed);
        let Some(parsed) = parsed else { panic!("there is no row {name}") };
        let mut theory = Theory::default();
        theory.add(name, Class::Exact, Use::EGraph, parsed);
        let mut out = Vec::new();
        lowered::occurrences(&module, &theory, &mut out);
        out.iter().sum::<u64>()
    };
    assert!(counted("product-of-product") > 0);
    // The canonicalizer leaves none of these.
    assert_eq!(counted("double-negative"), 0);
}

#[test]
fn ops_are_those_that_rows_can_name() {
    let names: Vec<&str> = symbols().iter().map(|s| s.name()).collect();
    for name in ["addf", "select", "cmpf", "muli", "sqrt"] {
        assert!(names.contains(&name), "{name} is missing");
    }
    for name in ["constant", "extf", "bitcast"] {
        assert!(!names.contains(&name), "{name} is no op whose type follows from its operands");
    }
    for course in caustic_rules::courses::COURSES {
        for op in course.ops {
            assert!(names.contains(&op.strip_prefix("i1.").unwrap_or(op)), "`{op}` of `{}` is no op", course.name);
        }
    }
}
