//! Quotients by one number, computed together on NVIDIA's processors.
//!
//! Quotients beside each other share the reciprocal and one branch for all of them. If they are by
//! a root, as when a vector is divided by its length, the root belongs to them: its start is the
//! start of the reciprocal, and one look at its argument is enough. What is done for an argument of
//! zero then comes below that branch, too, where a program asks for it first
//! (`if (x == 0) 0 else v / sqrt(x)`). The code is `approximate.ll`'s.

use crate::approximate::{DIVISION, RECIPROCAL, instead, internal};
use crate::families::{self, MOST};
use caustic_ir::Diagnostic;
use inkwell::FloatPredicate;
use inkwell::basic_block::BasicBlock;
use inkwell::builder::Builder;
use inkwell::module::Module;
use inkwell::values::{
    AnyValueEnum, BasicMetadataValueEnum, BasicValue, BasicValueEnum, CallSiteValue, InstructionOpcode,
    InstructionValue, StructValue,
};
use rustc_hash::{FxHashMap, FxHashSet};

type Op<'c> = InstructionValue<'c>;

/// Replaces quotients, and reciprocals that belong to some or to roots. Returns all that were
/// replaced, which are in the module no more.
pub fn lower<'c>(builder: &Builder<'c>, module: &Module<'c>) -> Result<FxHashSet<Op<'c>>, Diagnostic> {
    let mut done: FxHashSet<Op<'c>> = FxHashSet::default();
    let blocks: Vec<BasicBlock<'c>> = module.get_functions().flat_map(|f| f.get_basic_blocks()).collect();
    // Others may be gone by the time that they are looked at.
    let roots: Vec<Op<'c>> = blocks.iter().flat_map(|b| b.get_instructions()).filter(|op| is_root(*op)).collect();
    for op in roots {
        if let Some(root) = Root::of(op) {
            root.lower(builder, module)?;
            done.extend(root.reciprocals.iter().chain(&root.quotients));
            done.insert(op);
        }
    }
    for block in blocks {
        for Group { ops, at, .. } in groups(block, &done) {
            if ops.iter().any(|op| is_quotient(*op)) {
                divide(builder, module, &ops, at)?;
                done.extend(&ops);
            }
        }
    }
    Ok(done)
}

fn operand<'c>(op: Op<'c>, i: u32) -> Option<BasicValueEnum<'c>> {
    op.get_operand(i)?.value()
}

/// The op that uses a value.
fn user(any: AnyValueEnum<'_>) -> Option<Op<'_>> {
    match any {
        AnyValueEnum::InstructionValue(op) => Some(op),
        AnyValueEnum::PhiValue(phi) => Some(phi.as_instruction()),
        AnyValueEnum::FloatValue(v) => v.as_instruction(),
        AnyValueEnum::IntValue(v) => v.as_instruction(),
        AnyValueEnum::StructValue(v) => v.as_instruction(),
        _ => None,
    }
}

fn is_quotient(op: Op<'_>) -> bool {
    instead(op, false).is_some_and(|(function, _)| function == DIVISION)
}

fn is_reciprocal(op: Op<'_>) -> bool {
    instead(op, false).is_some_and(|(function, _)| function == RECIPROCAL)
}

fn is_root(op: Op<'_>) -> bool {
    let callee = || CallSiteValue::try_from(op).ok()?.get_called_fn_value();
    op.get_opcode() == InstructionOpcode::Call && callee().is_some_and(|f| f.get_name().to_bytes() == b"llvm.sqrt.f32")
}

/// Whether a number was an integer of at most 32 bits, or one of two that were: what is read out of
/// range is zero.
fn is_whole(value: BasicValueEnum<'_>, depth: u32) -> bool {
    let Some(depth) = depth.checked_sub(1).filter(|_| value.is_float_value()) else { return false };
    if let Some((constant, _)) = value.into_float_value().get_constant() {
        return constant == 0.0 || (1.0..=f64::from(u32::MAX)).contains(&constant.abs());
    }
    let Some(op) = value.as_instruction_value() else { return false };
    let part = |i: u32| operand(op, i).is_some_and(|v| is_whole(v, depth));
    match op.get_opcode() {
        InstructionOpcode::SIToFP | InstructionOpcode::UIToFP => {
            operand(op, 0).is_some_and(|i| i.is_int_value() && i.into_int_value().get_type().get_bit_width() <= 32)
        }
        InstructionOpcode::Select => part(1) && part(2),
        _ => false,
    }
}

/// What the library is told of a divisor, `[whole, known]`: that it was an integer, and that it is
/// a constant that is neither tiny nor huge.
fn told<'c>(module: &Module<'c>, divisor: BasicValueEnum<'c>) -> [BasicMetadataValueEnum<'c>; 2] {
    let constant = divisor.is_float_value().then(|| divisor.into_float_value().get_constant()).flatten();
    let known = constant.is_some_and(|(value, _)| (2f64.powi(-30)..=2f64.powi(31)).contains(&value.abs()));
    let flag = |is: bool| module.get_context().bool_type().const_int(u64::from(is), false).into();
    [flag(is_whole(divisor, 4)), flag(known)]
}

/// Calls a function of the library in front of an op, and returns the parts of what it returns.
fn call<'c>(
    builder: &Builder<'c>,
    module: &Module<'c>,
    (name, args): (&str, &[BasicMetadataValueEnum<'c>]),
    at: Op<'c>,
) -> Result<StructValue<'c>, Diagnostic> {
    let f = module.get_function(name).ok_or_else(|| internal(format!("no `{name}`")))?;
    builder.position_before(&at);
    let call = builder.build_call(f, args, "").map_err(internal)?;
    let all = call.try_as_basic_value().basic().ok_or_else(|| internal("a call without a value"))?;
    Ok(all.into_struct_value())
}

/// Lets a part of what a call returned be used for an op, which is to be erased then.
fn replace<'c>(builder: &Builder<'c>, op: Op<'c>, all: StructValue<'c>, part: u32) -> Result<(), Diagnostic> {
    let value = builder.build_extract_value(all, part, "").map_err(internal)?;
    op.replace_all_uses_with(&value.as_instruction_value().ok_or_else(|| internal("a value that is none"))?);
    Ok(())
}

/// Quotients by one number, its reciprocal among them, and the op in front of which all may be
/// computed.
struct Group<'c> {
    ops: Vec<Op<'c>>,
    at: Op<'c>,
    place: usize,
}

fn groups<'c>(block: BasicBlock<'c>, done: &FxHashSet<Op<'c>>) -> Vec<Group<'c>> {
    let ops: Vec<Op<'c>> = block.get_instructions().filter(|op| !done.contains(op)).collect();
    let order: FxHashMap<Op<'c>, usize> = ops.iter().enumerate().map(|(n, &op)| (op, n)).collect();
    let mut open: Vec<Group<'c>> = Vec::new();
    for (n, &op) in ops.iter().enumerate().filter(|(_, op)| is_quotient(**op) || is_reciprocal(**op)) {
        let dividend = operand(op, 0).and_then(|a| a.as_instruction_value());
        let made = dividend.and_then(|a| order.get(&a).copied());
        // All earlier ones may as well be computed here, if nothing between needs them.
        let needs = |group: &Group<'c>, o: Op<'c>| {
            let mut read = (0..o.get_num_operands()).filter_map(|i| operand(o, i)?.as_instruction_value());
            read.any(|v| group.ops.contains(&v))
        };
        let place = |group: &Group<'c>| match made.is_none_or(|made| made < group.place) {
            true => Some(group.place),
            false => (!ops[group.place..n].iter().any(|&o| needs(group, o))).then_some(n),
        };
        let fits = |group: &&mut Group<'c>| {
            let of_another = dividend.is_some_and(|a| group.ops.contains(&a));
            let of_this_kind = group.ops.iter().filter(|o| is_reciprocal(**o) == is_reciprocal(op)).count();
            of_this_kind < if is_reciprocal(op) { 1 } else { MOST }
                && !of_another
                && operand(group.ops[0], 1) == operand(op, 1)
                && place(group).is_some()
        };
        match open.iter_mut().find(fits) {
            Some(group) => {
                group.place = place(group).unwrap_or(n);
                group.at = ops[group.place];
                group.ops.push(op);
            }
            None => open.push(Group { ops: vec![op], at: op, place: n }),
        }
    }
    open
}

/// Computes a group of quotients in front of one of them.
fn divide<'c>(builder: &Builder<'c>, module: &Module<'c>, group: &[Op<'c>], at: Op<'c>) -> Result<(), Diagnostic> {
    let (reciprocals, quotients): (Vec<Op<'c>>, Vec<Op<'c>>) = group.iter().partition(|op| is_reciprocal(**op));
    let divisor = operand(at, 1).ok_or_else(|| internal("a quotient without a divisor"))?;
    let mut args: Vec<_> = quotients.iter().filter_map(|&op| operand(op, 0)).map(Into::into).collect();
    args.push(divisor.into());
    args.extend(told(module, divisor));
    let all = call(builder, module, (&families::division_name(quotients.len()), &args), at)?;
    reciprocals.iter().try_for_each(|&op| replace(builder, op, all, 0))?;
    (1..).zip(&quotients).try_for_each(|(part, &op)| replace(builder, op, all, part))?;
    group.iter().for_each(|op| op.erase_from_basic_block());
    Ok(())
}

/// A root by which something is divided.
struct Root<'c> {
    root: Op<'c>,
    argument: BasicValueEnum<'c>,
    /// Wherever they are.
    reciprocals: Vec<Op<'c>>,
    /// Beside the root, of numbers that are known before it.
    quotients: Vec<Op<'c>>,
}

impl<'c> Root<'c> {
    fn of(op: Op<'c>) -> Option<Root<'c>> {
        let mut users = Vec::new();
        let mut next = op.get_first_use();
        while let Some(one) = next {
            next = one.get_next_use();
            users.extend(user(one.get_user()));
        }
        let by_root = |user: &Op<'c>| operand(*user, 1).and_then(|v| v.as_instruction_value()) == Some(op);
        users.retain(by_root);
        let before = |v: Op<'c>| {
            let block = op.get_parent();
            v.get_parent() != block
                || std::iter::successors(v.get_next_instruction(), |o| o.get_next_instruction()).any(|o| o == op)
        };
        let beside = |user: &Op<'c>| {
            is_quotient(*user)
                && user.get_parent() == op.get_parent()
                && operand(*user, 0).is_some_and(|a| a.as_instruction_value().is_none_or(before))
        };
        let mut quotients: Vec<Op<'c>> = users.iter().copied().filter(beside).collect();
        // Uses are told from the last to the first.
        quotients.reverse();
        quotients.truncate(MOST);
        let reciprocals: Vec<Op<'c>> = users.into_iter().filter(|u| is_reciprocal(*u)).collect();
        (!quotients.is_empty() || !reciprocals.is_empty()).then_some(Root {
            root: op,
            argument: operand(op, 0)?,
            reciprocals,
            quotients,
        })
    }

    /// Computes root, reciprocal and quotients at once: of `{ root, reciprocal, quotients … }`.
    fn lower(&self, builder: &Builder<'c>, module: &Module<'c>) -> Result<(), Diagnostic> {
        let guard = self.guard();
        let mut args = vec![self.argument];
        args.extend(self.quotients.iter().filter_map(|&op| operand(op, 0)));
        let mut args: Vec<BasicMetadataValueEnum<'_>> = args.into_iter().map(Into::into).collect();
        let context = module.get_context();
        args.push(context.bool_type().const_int(u64::from(guard.is_some()), false).into());
        let at = guard.unwrap_or(self.root);
        let all = call(builder, module, (&families::root_name(self.quotients.len()), &args), at)?;
        let block = self.root.get_parent();
        replace(builder, self.root, all, 0)?;
        self.reciprocals.iter().try_for_each(|&op| replace(builder, op, all, 1))?;
        (2..).zip(&self.quotients).try_for_each(|(part, &op)| replace(builder, op, all, part))?;
        let replaced = self.reciprocals.iter().chain(&self.quotients).chain([&self.root]);
        replaced.for_each(|op| op.erase_from_basic_block());
        if let (Some(branch), Some(block)) = (guard, block) {
            self.join(builder, branch, block)?;
        }
        Ok(())
    }

    /// The branch that leaves root and quotients out where the argument is zero, which are zero
    /// then: if nothing else is behind it.
    fn guard(&self) -> Option<Op<'c>> {
        let block = self.root.get_parent()?;
        let end = block.get_terminator()?;
        let only = block
            .get_instructions()
            .all(|op| op == end || op == self.root || self.quotients.contains(&op) || self.reciprocals.contains(&op));
        if !only || end.get_opcode() != InstructionOpcode::Br || end.get_num_operands() != 1 {
            return None;
        }
        let after = end.get_operand(0)?.block()?;
        let mut uses = block.get_first_use();
        let mut branch = None;
        while let Some(one) = uses {
            let user = user(one.get_user())?;
            uses = one.get_next_use();
            // Besides phis, which name where they come from.
            if user.get_opcode() == InstructionOpcode::Br && branch.replace(user).is_some() {
                return None;
            }
        }
        let branch = branch.filter(|b| b.get_num_operands() == 3)?;
        let condition = operand(branch, 0)?.as_instruction_value()?;
        // The operands of a conditional branch are its condition, where it goes if that is false,
        // and where if it is true.
        let (no, yes) = (branch.get_operand(1)?.block()?, branch.get_operand(2)?.block()?);
        let zero_goes_to = match condition.get_fcmp_predicate()? {
            FloatPredicate::OEQ if no == block => yes,
            FloatPredicate::UNE if yes == block => no,
            _ => return None,
        };
        let is_zero = |v: BasicValueEnum<'c>| {
            v.is_float_value()
                && v.into_float_value().get_constant().is_some_and(|(x, _)| x == 0.0 && !x.is_sign_negative())
        };
        if operand(condition, 0)? != self.argument || !is_zero(operand(condition, 1)?) || zero_goes_to != after {
            return None;
        }
        let from = branch.get_parent()?;
        for phi in after.get_instructions().take_while(|op| op.get_opcode() == InstructionOpcode::Phi) {
            let phi: inkwell::values::PhiValue<'_> = phi.try_into().ok()?;
            let incoming = |b| phi.get_incomings().find(|(_, of)| *of == b).map(|(v, _)| v);
            let (short, long) = (incoming(from)?, incoming(block)?);
            let ours = long
                .as_instruction_value()
                .is_some_and(|v| v == self.root || self.quotients.contains(&v) || self.reciprocals.contains(&v));
            if ours != is_zero(short) && (ours || short != long) {
                return None;
            }
            // The reciprocal of zero is not zero.
            if long.as_instruction_value().is_some_and(|v| self.reciprocals.contains(&v)) {
                return None;
            }
        }
        Some(branch)
    }

    /// Where the branch was, only one way is left, since both give the same.
    fn join(&self, builder: &Builder<'c>, branch: Op<'c>, block: BasicBlock<'c>) -> Result<(), Diagnostic> {
        builder.position_before(&branch);
        builder.build_unconditional_branch(block).map_err(internal)?;
        let from = branch.get_parent().ok_or_else(|| internal("a branch outside of code"))?;
        let after = branch.get_operand(1).and_then(|o| o.block()).filter(|b| *b != block);
        let after = after.or_else(|| branch.get_operand(2).and_then(|o| o.block()));
        branch.erase_from_basic_block();
        let after = after.ok_or_else(|| internal("a branch to nowhere"))?;
        drop_incoming(builder, after, from)
    }
}

/// Phis of `block` name `from` no more.
fn drop_incoming<'c>(builder: &Builder<'c>, block: BasicBlock<'c>, from: BasicBlock<'c>) -> Result<(), Diagnostic> {
    let phis: Vec<Op<'c>> =
        block.get_instructions().take_while(|op| op.get_opcode() == InstructionOpcode::Phi).collect();
    for op in phis {
        let old: inkwell::values::PhiValue<'_> = op.try_into().map_err(|()| internal("a phi that is none"))?;
        builder.position_before(&op);
        let new = builder.build_phi(old.as_basic_value().get_type(), "").map_err(internal)?;
        for (value, of) in old.get_incomings().filter(|(_, of)| *of != from) {
            new.add_incoming(&[(&value, of)]);
        }
        op.replace_all_uses_with(&new.as_instruction());
        op.erase_from_basic_block();
    }
    Ok(())
}
