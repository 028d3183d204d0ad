//! Errors of ops from text: those of ops that there are.

use caustic_interp::Perturbation;
use caustic_ir::nearest::nearest;

/// What a text such as `1:math.sin=4` says: a seed, and by how many units in the last place the
/// results of ops are off.
///
/// # Errors
/// It says nothing of the kind, or names an op that no dialect has.
pub fn parse_perturbation(text: &str) -> Result<Perturbation, String> {
    let given = Perturbation::parse(text);
    let given = given.ok_or_else(|| format!("`{text}` says no errors of ops, as `1:math.sin=4` does"))?;
    let known = || caustic_dialects::all().iter().flat_map(|dialect| dialect.all_ops()).map(|op| op.name);
    match given.ops.keys().find(|name| !known().any(|op| op == name.as_str())) {
        None => Ok(given),
        Some(name) => Err(match nearest(name, known()) {
            Some(near) => format!("there is no op `{name}`; did you mean `{near}`?"),
            None => format!("there is no op `{name}`; docs/dialects has them all"),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ops_are_those_of_the_dialects() {
        assert!(parse_perturbation("0:math.sin=2,arith.mulf=1/0.5").is_ok_and(|given| given.ops.len() == 2));
        let refused = |text: &str| parse_perturbation(text).unwrap_err();
        assert!(refused("0:math.sine=2").ends_with("did you mean `math.sin`?"));
        assert!(refused("0:sin=2").contains("there is no op `sin`"));
        assert!(refused("math.sin=2").contains("says no errors of ops"));
    }
}
