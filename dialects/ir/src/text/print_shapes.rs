//! Printing upstream's irregular syntaxes, each named by its [`AsmShape`].
//!
//! A shape is used only if the op is as the shape's text implies; anything else goes to the generic
//! form.

use super::print::Printer;
use super::{ARG_ATTRS, RES_ATTRS, VISIBILITY};
use crate::attr::{Attr, AttrKind};
use crate::body::{BlockId, Body, OpData, OpId, RegionId, ValueId};
use crate::module::SymbolOp;
use crate::op::AsmShape;
use crate::types::Type;

/// Upstream's predicates of integer comparison, by number.
pub const INT_PREDICATES: [&str; 10] = ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"];
/// Upstream's predicates of float comparison, by number.
pub const FLOAT_PREDICATES: [&str; 16] =
    ["false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "ueq", "ugt", "uge", "ult", "ule", "une", "uno", "true"];

/// The predicates that compare values of type `ty`.
pub fn predicates(ty: Type) -> &'static [&'static str] {
    if ty.elem().is_float() { &FLOAT_PREDICATES } else { &INT_PREDICATES }
}

impl Printer<'_> {
    pub fn shaped_op(&mut self, body: &Body, op: OpId, shape: AsmShape) -> bool {
        let data = body.op(op);
        match shape {
            // Symbols inside of code are not valid.
            AsmShape::Function | AsmShape::Module | AsmShape::Symbol => false,
            AsmShape::Call => self.call(body, data),
            AsmShape::If => self.if_op(body, data),
            AsmShape::For => self.for_op(body, data),
            AsmShape::While => self.while_op(body, data),
            AsmShape::IndexSwitch => self.index_switch(body, data),
            AsmShape::Terminator => self.terminator(body, data),
            AsmShape::Constant => self.constant(body, data),
            AsmShape::Compare => self.compare(body, data),
            AsmShape::Select => self.select(body, data),
        }
    }

    // ----- symbols

    pub fn nested_module(&mut self, symbol: &SymbolOp) -> bool {
        let Some(nested) = &symbol.nested else { return false };
        if symbol.body.entry().is_some() || !nested.attrs.is_empty() {
            return false;
        }
        self.push(if symbol.def.name == super::MODULE { "module" } else { symbol.def.name });
        self.push(" ");
        self.symbol_name(symbol.name);
        self.attr_dict(" attributes ", &symbol.attrs, &[]);
        self.push(" {\n");
        self.symbols(nested);
        self.push("}");
        true
    }

    pub fn plain_symbol(&mut self, symbol: &SymbolOp) -> bool {
        if symbol.nested.is_some() {
            return false;
        }
        self.push(symbol.def.name);
        self.push(" ");
        self.symbol_name(symbol.name);
        self.attr_dict(" attributes ", &symbol.attrs, &[]);
        if symbol.body.entry().is_some() {
            self.push(" ");
            self.region(&symbol.body, symbol.body.root(), true);
        }
        true
    }

    pub fn function(&mut self, symbol: &SymbolOp) -> bool {
        let Some((inputs, results)) = symbol.function_type() else { return false };
        let body = &symbol.body;
        let blocks = &body.region(body.root()).blocks;
        let args: &[ValueId] = match blocks.as_slice() {
            [] => &[],
            [entry] => body.args(*entry),
            _ => return false,
        };
        let has_code = !blocks.is_empty();
        if has_code && !args.iter().map(|&v| body.ty(v)).eq(inputs.iter().copied()) {
            return false;
        }
        // The annotations must be one dictionary each, and not all empty, to come back as they are.
        let notes = |name: &str, count: usize| match symbol.attr(name) {
            None => Some(Vec::new()),
            Some(attr) => {
                let items = attr.as_array()?;
                let full = items.iter().all(|a| a.as_dict().is_some()) && items.iter().any(|a| !is_empty_dict(*a));
                (full && items.len() == count).then(|| items.to_vec())
            }
        };
        let (Some(arg_notes), Some(result_notes)) = (notes(ARG_ATTRS, inputs.len()), notes(RES_ATTRS, results.len()))
        else {
            return false;
        };
        let visibility = match symbol.attr(VISIBILITY).map(|a| a.as_str()) {
            None => None,
            Some(Some(v @ ("public" | "private" | "nested"))) => Some(v),
            Some(_) => return false,
        };
        if symbol.nested.is_some() {
            return false;
        }

        self.push(symbol.def.name);
        self.push(" ");
        if let Some(visibility) = visibility {
            self.push(visibility);
            self.push(" ");
        }
        self.symbol_name(symbol.name);
        self.push("(");
        for (i, &ty) in inputs.iter().enumerate() {
            self.push(if i == 0 { "" } else { ", " });
            if has_code {
                self.value(args[i]);
                self.push(": ");
            }
            self.ty(ty);
            self.note(&arg_notes, i);
        }
        self.push(")");
        if !result_notes.is_empty() {
            self.push(" -> (");
            for (i, &ty) in results.iter().enumerate() {
                self.push(if i == 0 { "" } else { ", " });
                self.ty(ty);
                self.note(&result_notes, i);
            }
            self.push(")");
        } else if !results.is_empty() {
            self.push(" -> ");
            self.result_types(results);
        }
        let inherent = ["function_type", ARG_ATTRS, RES_ATTRS, VISIBILITY];
        self.attr_dict(" attributes ", &symbol.attrs, &inherent);
        if has_code {
            self.push(" {\n");
            self.region_inside(body, body.root(), false, None);
            self.push("}");
        }
        true
    }

    fn note(&mut self, notes: &[Attr], index: usize) {
        if let Some(attrs) = notes.get(index).and_then(|a| a.as_dict()) {
            self.attr_dict(" ", attrs, &[]);
        }
    }

    // ----- simple ops

    fn call(&mut self, body: &Body, data: &OpData) -> bool {
        let callee = attr(data, "callee").and_then(|a| a.as_symbol());
        let (Some(callee), true) = (callee, data.regions.is_empty()) else { return false };
        self.push(data.def.name);
        self.push(" ");
        self.symbol_name(callee);
        self.push("(");
        self.values(&data.operands);
        self.push(")");
        self.attr_dict(" ", &data.attrs, &["callee"]);
        self.push(" : ");
        self.functional_type(body, &data.operands, &data.results);
        true
    }

    fn terminator(&mut self, body: &Body, data: &OpData) -> bool {
        if !data.results.is_empty() || !data.regions.is_empty() {
            return false;
        }
        self.push(data.def.name);
        self.attr_dict(" ", &data.attrs, &[]);
        if !data.operands.is_empty() {
            self.push(" ");
            self.values(&data.operands);
            self.push(" : ");
            self.types(&types(body, &data.operands));
        }
        true
    }

    fn constant(&mut self, body: &Body, data: &OpData) -> bool {
        let (Some(value), [result]) = (attr(data, "value"), data.results.as_slice()) else { return false };
        let ty = match value.kind() {
            AttrKind::Int(_, ty) | AttrKind::Float(_, ty) | AttrKind::Dense(_, ty) => *ty,
            _ => return false,
        };
        if ty != body.ty(*result) || !data.operands.is_empty() || !data.regions.is_empty() {
            return false;
        }
        self.push(data.def.name);
        self.attr_dict(" ", &data.attrs, &["value"]);
        self.push(" ");
        self.typed_attr(value);
        true
    }

    fn compare(&mut self, body: &Body, data: &OpData) -> bool {
        let ([lhs, rhs], [result]) = (data.operands.as_slice(), data.results.as_slice()) else { return false };
        let ty = body.ty(*lhs);
        // The number is an i64 upstream.
        let predicate = attr(data, "predicate")
            .filter(|a| matches!(a.kind(), AttrKind::Int(_, t) if *t == Type::i64()))
            .and_then(|a| predicates(ty).get(usize::try_from(a.as_int()?).ok()?));
        let Some(predicate) = predicate else { return false };
        if body.ty(*rhs) != ty || body.ty(*result) != ty.with_elem(Type::i1()) || !data.regions.is_empty() {
            return false;
        }
        self.push(&format!("{} {predicate}, ", data.def.name));
        self.values(&data.operands);
        self.attr_dict(" ", &data.attrs, &["predicate"]);
        self.push(" : ");
        self.ty(ty);
        true
    }

    fn select(&mut self, body: &Body, data: &OpData) -> bool {
        let ([condition, a, b], [result]) = (data.operands.as_slice(), data.results.as_slice()) else { return false };
        let ty = body.ty(*a);
        if body.ty(*b) != ty || body.ty(*result) != ty || !data.regions.is_empty() {
            return false;
        }
        self.push(data.def.name);
        self.push(" ");
        self.values(&data.operands);
        self.attr_dict(" ", &data.attrs, &[]);
        self.push(" : ");
        if !body.ty(*condition).is_i1() {
            self.ty(body.ty(*condition));
            self.push(", ");
        }
        self.ty(ty);
        true
    }

    // ----- structured control flow

    /// `{ … }` without a label; a bare `yield` at its end is left out when nothing is yielded.
    fn plain_region(&mut self, body: &Body, data: &OpData, region: RegionId) {
        let implied = only_block(body, region)
            .and_then(|block| body.last_op(block))
            .filter(|&op| data.results.is_empty() && !self.options.locations && is_bare_yield(body, data, op));
        self.push("{\n");
        self.region_inside(body, region, false, implied);
        self.push("}");
    }

    fn if_op(&mut self, body: &Body, data: &OpData) -> bool {
        let ([condition], [then, otherwise]) = (data.operands.as_slice(), data.regions.as_slice()) else {
            return false;
        };
        let has_else = !body.region(*otherwise).blocks.is_empty();
        if !is_plain(body, *then, Some(0)) || (has_else && !is_plain(body, *otherwise, Some(0))) {
            return false;
        }
        self.push(data.def.name);
        self.push(" ");
        self.value(*condition);
        if !data.results.is_empty() {
            self.push(" -> (");
            self.types(&types(body, &data.results));
            self.push(")");
        }
        self.push(" ");
        self.plain_region(body, data, *then);
        if has_else {
            self.push(" else ");
            self.plain_region(body, data, *otherwise);
        }
        self.attr_dict(" ", &data.attrs, &[]);
        true
    }

    fn for_op(&mut self, body: &Body, data: &OpData) -> bool {
        let ([lower, upper, step, inits @ ..], [region]) = (data.operands.as_slice(), data.regions.as_slice()) else {
            return false;
        };
        let Some(block) = only_block(body, *region) else { return false };
        let [index, carried @ ..] = body.args(block) else { return false };
        let ty = body.ty(*index);
        let same = |a: &[ValueId], b: &[ValueId]| types(body, a) == types(body, b);
        if !is_plain(body, *region, None)
            || [lower, upper, step].iter().any(|&&v| body.ty(v) != ty)
            || !same(inits, carried)
            || !same(inits, &data.results)
        {
            return false;
        }
        self.push(data.def.name);
        self.push(" ");
        self.value(*index);
        self.push(" = ");
        self.value(*lower);
        self.push(" to ");
        self.value(*upper);
        self.push(" step ");
        self.value(*step);
        if !inits.is_empty() {
            self.push(" iter_args(");
            self.assignments(carried, inits);
            self.push(") -> (");
            self.types(&types(body, inits));
            self.push(")");
        }
        if !ty.is_index() {
            self.push(" : ");
            self.ty(ty);
        }
        self.push(" ");
        self.plain_region(body, data, *region);
        self.attr_dict(" ", &data.attrs, &[]);
        true
    }

    /// `%a = %b, %c = %d`
    fn assignments(&mut self, to: &[ValueId], from: &[ValueId]) {
        for (i, (&to, &from)) in to.iter().zip(from).enumerate() {
            self.push(if i == 0 { "" } else { ", " });
            self.value(to);
            self.push(" = ");
            self.value(from);
        }
    }

    fn while_op(&mut self, body: &Body, data: &OpData) -> bool {
        let [before, after] = data.regions.as_slice() else { return false };
        let (Some(first), Some(second)) = (only_block(body, *before), only_block(body, *after)) else { return false };
        let carried = body.args(first);
        if types(body, carried) != types(body, &data.operands) || body.first_op(second).is_none() {
            return false;
        }
        self.push(data.def.name);
        self.push(" ");
        if !carried.is_empty() {
            self.push("(");
            self.assignments(carried, &data.operands);
            self.push(") ");
        }
        self.push(": ");
        self.functional_type(body, &data.operands, &data.results);
        self.push(" ");
        self.region(body, *before, false);
        self.push(" do ");
        self.region(body, *after, true);
        self.attr_dict(" attributes ", &data.attrs, &[]);
        true
    }

    fn index_switch(&mut self, body: &Body, data: &OpData) -> bool {
        let cases = match attr(data, "cases").map(|a| a.kind()) {
            Some(AttrKind::I64Array(cases)) => cases,
            _ => return false,
        };
        let ([value], [default, regions @ ..]) = (data.operands.as_slice(), data.regions.as_slice()) else {
            return false;
        };
        if regions.len() != cases.len() || !data.regions.iter().all(|&r| is_plain(body, r, Some(0))) {
            return false;
        }
        self.push(data.def.name);
        self.push(" ");
        self.value(*value);
        self.attr_dict(" ", &data.attrs, &["cases"]);
        if !data.results.is_empty() {
            self.push(" -> ");
            self.types(&types(body, &data.results));
        }
        for (case, &region) in cases.iter().zip(regions) {
            self.newline();
            self.start_line();
            self.push(&format!("case {case} "));
            self.region(body, region, false);
        }
        self.newline();
        self.start_line();
        self.push("default ");
        self.region(body, *default, false);
        true
    }
}

fn attr(data: &OpData, name: &str) -> Option<Attr> {
    data.attrs.iter().find(|(n, _)| *n == name).map(|(_, a)| *a)
}

fn is_empty_dict(attr: Attr) -> bool {
    attr.as_dict().is_some_and(|d| d.is_empty())
}

fn types(body: &Body, values: &[ValueId]) -> Vec<Type> {
    values.iter().map(|&v| body.ty(v)).collect()
}

fn only_block(body: &Body, region: RegionId) -> Option<BlockId> {
    match body.region(region).blocks.as_slice() {
        [block] => Some(*block),
        _ => None,
    }
}

/// One block that ends with a terminator, with so many arguments where a number is given.
fn is_plain(body: &Body, region: RegionId, args: Option<usize>) -> bool {
    only_block(body, region)
        .is_some_and(|b| body.terminator(b).is_some() && args.is_none_or(|n| n == body.args(b).len()))
}

/// Whether `op` is what the parser puts at the end of a region of `around` that has no terminator.
fn is_bare_yield(body: &Body, around: &OpData, op: OpId) -> bool {
    let data = body.op(op);
    let after_terminator = body.prev_op(op).is_some_and(|p| body.op(p).def.is_terminator());
    data.def.name.strip_prefix(around.def.dialect()) == Some(".yield")
        && !after_terminator
        && data.operands.is_empty()
        && data.attrs.is_empty()
        && data.regions.is_empty()
        && data.results.is_empty()
}
