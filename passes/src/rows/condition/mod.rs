//! Conditions of rows: a closed list of predicates. Each is defined twice: on values, which is its
//! meaning and which tests evaluate, and on facts about values, which must imply the first.

mod predicates;

use caustic_ir::eval::Val;
use caustic_ir::fact::Fact;
use caustic_ir::{Attr, AttrKind, Type};
pub use predicates::{PREDICATES, least_normal};
use smallvec::SmallVec;

/// The facts about a variable at the place where a row is tried.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    pub ty: Type,
    /// Its value, if that is a constant.
    pub constant: Option<Attr>,
    /// Facts about all its values. They say nothing where no analysis was asked.
    pub fact: Fact,
    /// Variables with equal numbers are the same value.
    pub id: u32,
    /// The value whose negation it is, if a negation made it.
    pub negative_of: Option<u32>,
}

/// The subject of a predicate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// About code, for example that an operand is a constant. Tests on values need not check it.
    Code,
    Types,
    Values,
}

/// A predicate of some variables.
pub struct Predicate {
    pub name: &'static str,
    pub doc: &'static str,
    pub about: About,
    pub arity: usize,
    /// Whether it holds of these values, one lane of each, with their scalar types. True for
    /// predicates about code.
    pub by_value: fn(&[Val], &[Type]) -> bool,
    /// Whether facts imply it, apart from what constants and types decide.
    pub by_fact: fn(&[Known]) -> bool,
}

impl std::fmt::Debug for Predicate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// A predicate of a row's variables.
#[derive(Clone, Debug)]
pub struct Condition {
    pub predicate: &'static Predicate,
    pub vars: Vec<u8>,
}

impl Condition {
    /// Its name among those of the row: the predicate and its variables.
    pub fn name(&self, variables: &[String]) -> String {
        let vars = self.vars.iter().filter_map(|&v| variables.get(v as usize));
        vars.fold(self.predicate.name.to_string(), |name, v| format!("{name}-{v}"))
    }

    /// Whether it holds of these values of all the row's variables, one lane of each.
    pub fn by_value(&self, vars: &[Val], types: &[Type]) -> bool {
        let of = |v: &u8| (vars.get(*v as usize).cloned(), types.get(*v as usize).map(|t| t.elem()));
        let (mut args, mut elems): (SmallVec<[Val; 3]>, SmallVec<[Type; 3]>) = Default::default();
        for v in &self.vars {
            let (Some(val), Some(ty)) = of(v) else { return false };
            args.push(val);
            elems.push(ty);
        }
        (self.predicate.by_value)(&args, &elems)
    }
}

pub fn find(name: &str) -> Option<&'static Predicate> {
    PREDICATES.iter().find(|p| p.name == name)
}

/// Whether the condition follows from what is known of the variables: from facts, from types, or
/// from the values of constants.
pub fn holds(condition: &Condition, known: &dyn Fn(u8) -> Known) -> bool {
    let predicate = condition.predicate;
    let known: SmallVec<[Known; 3]> = condition.vars.iter().map(|&v| known(v)).collect();
    (predicate.by_fact)(&known)
        || match predicate.about {
            About::Code => false,
            About::Types => {
                let types: SmallVec<[Type; 3]> = known.iter().map(|k| k.ty.elem()).collect();
                (predicate.by_value)(&[], &types)
            }
            About::Values => holds_of_constants(predicate, &known),
        }
}

/// Whether all variables are constants for which it holds, lane by lane.
fn holds_of_constants(predicate: &Predicate, known: &[Known]) -> bool {
    let lanes = known.iter().map(|k| k.ty.num_elements().max(1)).max().unwrap_or(1);
    let types: SmallVec<[Type; 3]> = known.iter().map(|k| k.ty.elem()).collect();
    (0..lanes).all(|lane| {
        let values: Option<SmallVec<[Val; 3]>> = known.iter().map(|k| lane_of(k.constant?, lane)).collect();
        values.is_some_and(|values| (predicate.by_value)(&values, &types))
    })
}

/// One lane of a constant.
fn lane_of(constant: Attr, lane: usize) -> Option<Val> {
    match constant.kind() {
        AttrKind::Dense(items, _) => items.get(lane).and_then(|item| Val::from_attr(*item)),
        _ => Val::from_attr(constant),
    }
}
