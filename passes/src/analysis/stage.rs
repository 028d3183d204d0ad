//! The attributes by which each step of differentiation finds its input.
//!
//! The function of an instance goes through: linearized, unzipped, transposed. It ends as a forward
//! derivative on data, a primal half with a context and a backward half from the context. Each of
//! these is linked to its instance (`analysis/derivative_links`).

use crate::analysis::derivative_links::Form;
use caustic_dialects::agg::{self, StructType};
use caustic_ir::{Attr, Body, Loc, Name, OpId, SymbolOp, Type};

/// Which step's output a function is.
pub const STAGE: &str = "ad.stage";
/// On a function of a stage: the instance whose form it is.
pub const INSTANCE: &str = "ad.instance";
/// 0 or 1 for each input of the primal function.
pub const ACTIVE: &str = "ad.active";
/// Marks a function that calls a derivative of the programmer's.
pub const CUSTOM: &str = "ad.custom";
/// The forward derivative is wanted.
pub const FORWARD: &str = "ad.forward";
/// The backward derivative is wanted.
pub const REVERSE: &str = "ad.reverse";
/// On a call of a linearization: the function itself, for a call of which no derivative is needed.
pub const PLAIN_CALLEE: &str = "plain";
/// On a call of a linearization whose backward derivative is given: both halves are handed the
/// inputs, and nothing is kept of them.
pub const HANDED: &str = "handed";
/// On a function with an token, and on a call of its linearization: it leads to a derivative of the
/// programmer's that no cotangent leads to, and runs backwards whatever its cotangents are.
pub const KEPT_ALIVE: &str = "kept_alive";
/// On a call of a forward derivative that carries tangents: the instance. The function may be yet
/// to be made.
pub const FORWARD_OF: &str = "ad.forward_of";
/// On a linearization, on a call of one and on the function made of it: it takes, behind its
/// inputs, whether the tangents that come were reached, and gives, behind its results, whether
/// those are that it gives (`reach`).
pub const GATED: &str = "ad.gated";
/// On a call of a linearization: its gated form may be had, for who knows of some of the tangents
/// that they are not reached.
pub const APART: &str = "ad.apart";
/// On a select of a linearization: it makes a tangent an exact zero where control flow did not
/// reach it. For cotangents the control flow itself does that.
pub const HOLDS: &str = "ad.holds";
/// On a product of a linearization: its partial may be infinite where what it is computed from is
/// finite.
pub const STEEP: &str = "ad.steep";
/// On an op of a linearized function: compute its results again in the reverse pass rather than
/// store them.
pub const RECOMPUTE: &str = "ad.recompute";

/// On an op in a loop of a linearized function: what it gives is the same in each iteration, and
/// stored once.
pub const ONCE: &str = "ad.once";

/// On an op of a linearized function that gives nothing: a loop around it may run again without it,
/// since what it does has been done.
pub const PRIMAL_ONLY: &str = "ad.primal_only";
/// What the checkpoint decides about an op of one function's linear code: nothing that a later
/// round may take over.
pub const DECISIONS: [&str; 8] = [RECOMPUTE, ONCE, PRIMAL_ONLY, SNAPSHOTS, SLICE, ASCENDING, ROOM, PROMISED];

/// On a loop of a linearized function: how many of its states the reverse pass may keep at a time.
pub const SNAPSHOTS: &str = "ad.snapshots";

/// On a loop of a linearized function: for how many iterations its residuals may have arrays.
pub const ROOM: &str = "ad.room";

/// On a loop of a linearized function: its residuals have arrays for so many iterations, since the
/// program promises that it has no more, and whoever asks for the derivative trusts it. If it has,
/// the derivative is wrong; what flows through the loop's results is NaN.
pub const PROMISED: &str = "ad.promised";

/// On a loop that counts to a number which is known when it runs: a number that this cannot exceed.
pub const AT_MOST: &str = "ad.at_most";

/// On a loop of a linearized function: how many states the reverse pass may keep of those arguments
/// of its body, by number, whose steps run again.
pub const SLICE: &str = "ad.slice";

/// On a loop of a linearized function or of linear code, and on a replay: its sweep may begin with
/// the first iteration, since the loop only adds to the tangents that it carries. Arguments with
/// the mark [`SLICE`] step along with the sweep.
pub const ASCENDING: &str = "ad.ascending";

/// On a linear half, on a call of one and on the functions made of it: what is known of the
/// cotangents that it takes, if that is not [`Form::SURE`].
pub const KNOWN: &str = "ad.known";

/// On a transposed function: the forms of its linear half that are there, two numbers each.
const FORMS: &str = "ad.forms";

/// On a linear half on data: two numbers for each part of the cotangents that it gives, a bit of
/// each for every scalar of it: those that are dense where its reached flag is set, and those that
/// are exact zeros. A later round asks.
pub const GIVES: &str = "ad.gives";
/// The same on a transposed function, of the other form.
const GIVES_UNSURE: &str = "ad.gives_unsure";

pub const LINEARIZED: &str = "linearized";
pub const UNZIPPED: &str = "unzipped";
pub const TRANSPOSED: &str = "transposed";

/// Removes what the steps say of a function, when it has become an ordinary one.
pub fn forget(symbol: &mut SymbolOp) {
    for attr in [STAGE, INSTANCE, ACTIVE, FORWARD, REVERSE] {
        symbol.remove_attr(attr);
    }
}

/// The form of a linear half, or of a call of one.
pub fn form_of(body: &Body, op: OpId) -> Form {
    body.attr(op, KNOWN).and_then(Form::from_attr).unwrap_or(Form::SURE)
}

/// The attribute that says a form.
pub fn form_attrs(form: Form) -> Option<(&'static str, Attr)> {
    (form != Form::SURE).then(|| (KNOWN, form.to_attr()))
}

pub fn set_forms(symbol: &mut SymbolOp, forms: &[Form]) {
    let bits: Vec<i64> = forms.iter().flat_map(|f| [f.dense as i64, f.absent as i64]).collect();
    symbol.set_attr(FORMS, Attr::i64_array(&bits));
}

/// Only forms that each instance names are asked for by later rounds.
pub fn set_gives(symbol: &mut SymbolOp, form: Form, gives: Attr) {
    if let Some(name) = gives_attr(form) {
        symbol.set_attr(name, gives);
    }
}

/// What is known of what the linear half of a transposed function gives in this form.
pub fn gives(symbol: &SymbolOp, form: Form) -> Option<Attr> {
    symbol.attr(gives_attr(form)?)
}

fn gives_attr(form: Form) -> Option<&'static str> {
    match form {
        Form::SURE => Some(GIVES),
        Form::UNSURE => Some(GIVES_UNSURE),
        _ => None,
    }
}

/// The forms of a transposed function's linear half, in the order in which it returns what they
/// give.
pub fn forms(symbol: &SymbolOp) -> Vec<Form> {
    let bits = symbol.attr(FORMS).and_then(|a| a.as_i64_array()).unwrap_or_default();
    bits.chunks_exact(2).map(|f| Form { dense: f[0] as u64, absent: f[1] as u64 }).collect()
}

pub fn is_stage(symbol: &SymbolOp, stage: &str) -> bool {
    symbol.attr(STAGE).and_then(|a| a.as_str()) == Some(stage)
}

pub fn instance_of(symbol: &SymbolOp) -> Option<Name> {
    symbol.attr(INSTANCE)?.as_symbol()
}

pub fn mask_attr(mask: &[bool]) -> Attr {
    Attr::i64_array(&mask.iter().map(|&m| m as i64).collect::<Vec<_>>())
}

pub fn mask_of(symbol: &SymbolOp, name: &str) -> Vec<bool> {
    let items = symbol.attr(name).and_then(|a| a.as_i64_array()).unwrap_or_default();
    items.into_iter().map(|i| i != 0).collect()
}

/// Whether an input was reached is told of each part of a struct, and of the parts of these that
/// are structs, level by level, as long as there are no more than this.
const MOST_FLAGS: usize = 32;

/// The paths to the parts of an input with this differential type that have a flag of their own, in
/// order; the empty one if the whole has one flag.
pub fn flagged_paths(differential: Type) -> Vec<Vec<i64>> {
    let mut found = vec![(Vec::new(), differential)];
    loop {
        let mut next: Vec<(Vec<i64>, Type)> = Vec::new();
        for (path, ty) in &found {
            match StructType::of(*ty).map_or(0, |s| s.num_fields()) {
                0 => next.push((path.clone(), *ty)),
                count => next.extend((0..count as i64).filter_map(|i| {
                    let path = [&path[..], &[i]].concat();
                    Some((path, agg::part_type(*ty, i)?))
                })),
            }
        }
        if next.len() > MOST_FLAGS || next == found {
            // Of a single part the whole tells.
            return if found.len() == 1 { vec![Vec::new()] } else { found.into_iter().map(|(path, _)| path).collect() };
        }
        found = next;
    }
}

/// How many flags say whether an input with this differential type was reached.
pub fn flags(differential: Type) -> usize {
    if StructType::of(differential).is_none() { 1 } else { flagged_paths(differential).len() }
}

/// The types of the parts of an input with this differential type that have a flag of their own.
pub fn flagged_parts(differential: Type) -> Vec<Type> {
    let paths = flagged_paths(differential).into_iter();
    paths.map(|path| agg::type_at_path(differential, &path).unwrap_or(differential)).collect()
}

/// The flags of inputs with these differential types, one after the other.
pub fn flag_types(differentials: impl IntoIterator<Item = Type>) -> Vec<Type> {
    vec![Type::i1(); differentials.into_iter().map(flags).sum()]
}

/// The flags that say which parts of a function's cotangents may differ from zero, for results with
/// these differential types. Of a single one its caller asks: it does not call.
pub fn result_flags(differentials: impl IntoIterator<Item = Type>) -> Vec<Type> {
    let types = flag_types(differentials);
    if types.len() > 1 { types } else { Vec::new() }
}

/// A new function without code but its entry block.
pub fn new_func(name: Name, inputs: &[Type], results: &[Type], loc: Loc) -> SymbolOp {
    let mut symbol = SymbolOp::new(caustic_dialects::func::Func::DEF, name, loc);
    symbol.set_attr("function_type", Attr::ty(Type::function(inputs, results)));
    symbol.body = Body::new();
    let root = symbol.body.root();
    symbol.body.add_block(root, inputs);
    symbol
}
