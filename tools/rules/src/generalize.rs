//! From an equality with one way to compare to that with any: `p` on the left, and `p`, the swapped
//! or the inverse one on the right.

use crate::rule::{Rule, compared, fixed};
use crate::samples::Amount;
use caustic_ir::OpDef;
use caustic_passes::rows::{Compare, NodeTerm, Parsed, Term};
use std::cell::Cell;

/// A comparison of a term: how it compares, and what says so.
type Place = (Compare, &'static OpDef);

/// What a comparison on the right may become: what it does to `p`, and whether its operands change
/// places.
const CHANGES: [(fn(u8) -> Compare, bool); 4] =
    [(Compare::Any, false), (Compare::Swapped, false), (Compare::Inverse, false), (Compare::Inverse, true)];
const MOST: usize = 2;

/// The rule for every predicate, if it has comparisons on the left and holds for all.
pub fn generalized(rule: &Rule, amount: Amount) -> Option<Rule> {
    let (left, right) = (places(&rule.parsed.left), places(&rule.parsed.right));
    if left.len() > MOST || right.len() > MOST {
        return None;
    }
    // Which comparisons on the left keep their predicates open: as many as can.
    let open = (1..1u32 << left.len()).rev();
    open.filter_map(|open| keeps(&left, open).map(|kept| (open, kept))).find_map(|(open, kept)| {
        let total = (CHANGES.len() + 1).pow(right.len() as u32);
        (0..total).find_map(|code| with_changes(rule, open, kept, &right, code, amount))
    })
}

/// The predicate that all open comparisons have.
fn keeps(left: &[Place], open: u32) -> Option<Place> {
    let mut kept = left.iter().enumerate().filter(|(n, _)| open >> n & 1 == 1).map(|(_, place)| *place);
    let first = kept.next()?;
    kept.all(|p| p.0 == first.0 && std::ptr::eq(p.1, first.1)).then_some(first)
}

/// The rule with these changes, if it says what it said before and holds.
fn with_changes(rule: &Rule, open: u32, kept: Place, right: &[Place], code: usize, amount: Amount) -> Option<Rule> {
    let change = |n: usize| CHANGES.get(code / (CHANGES.len() + 1).pow(n as u32) % (CHANGES.len() + 1));
    let number = kept.0.number(kept.1, &[])?;
    for (n, (before, def)) in right.iter().enumerate() {
        let Some((to, exchanged)) = change(n) else { continue };
        let wanted = if *exchanged { fixed(Compare::Swapped(0), def, before.number(def, &[])?) } else { Some(*before) };
        if !std::ptr::eq(*def, kept.1) || fixed(to(0), def, number) != wanted {
            return None;
        }
    }
    let place = Cell::new(0u32);
    let left = compared(&rule.parsed.left, &|before, _| {
        let n = place.replace(place.get() + 1);
        Some(if open >> n & 1 == 1 { Compare::Any(0) } else { before })
    })?;
    let right = changed(&rule.parsed.right, &Cell::new(0), &change);
    let parsed = Parsed { left, right, predicates: 1, ..rule.parsed.clone() };
    let general = Rule { parsed, ..rule.clone() };
    // Most ways are wrong, which few inputs show.
    let few = Amount { combinations: 1 << 10, random: 1 << 8 };
    (general.holds(few) && general.holds(amount)).then_some(general)
}

/// The comparisons of a term, those of parts first.
fn places(term: &Term) -> Vec<Place> {
    let Term::Node(node) = term else { return Vec::new() };
    let own = node.compare.map(|c| (c, node.def));
    node.args.iter().flat_map(places).chain(own).collect()
}

/// The right side with its comparisons changed.
fn changed<'c>(
    term: &Term,
    place: &Cell<usize>,
    change: &dyn Fn(usize) -> Option<&'c (fn(u8) -> Compare, bool)>,
) -> Term {
    let Term::Node(node) = term else { return term.clone() };
    let mut args: Vec<Term> = node.args.iter().map(|a| changed(a, place, change)).collect();
    let mut compare = node.compare;
    if compare.is_some()
        && let Some((to, exchanged)) = change(place.replace(place.get() + 1))
    {
        compare = Some(to(0));
        if *exchanged {
            args.reverse();
        }
    }
    Term::Node(NodeTerm { args, compare, ..node.clone() })
}
