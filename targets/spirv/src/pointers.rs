//! Pointers: numbers that say which resource and which byte of it. What goes through one asks which
//! resource it is.
//!
//! Invariant: the functions that do so are written last, when it is known whose addresses the
//! program takes.

use crate::assembly::Id;
use crate::emit::{Emit, Helper};
use crate::grammar::Op;
use crate::memory::Buffer;
use caustic_dialects::agg::{self, OFFSET_BITS};
use caustic_ir::{Diagnostic, Name, OpId, Type};

/// A function through pointers: what it does, and to which type.
pub struct PointerFunction {
    what: String,
    ty: Type,
    helper: Helper,
}

impl Emit<'_> {
    /// `agg.address`: the number that pointers into a resource begin with.
    pub fn address_op(&mut self, op: OpId) -> Result<Id, Diagnostic> {
        let buffer = agg::Address(op).buffer(self.body);
        let (Buffer::Elements(name, _) | Buffer::Bytes(name)) = self.buffer(buffer)? else {
            return Err(self.refuse("the address of a resource that is computed"));
        };
        // The memory of groups is numbered behind the parameters.
        let shared = self.interface.shared_of_symbol(name).map(|k| self.interface.params.len() + k);
        let number = self.interface.param_of_symbol(name).or(shared);
        let number = number.ok_or_else(|| self.internal("no such resource"))?;
        self.addressed.insert(number);
        self.int_constant(agg::address_of(number as u64, 0), Type::i64())
    }

    /// The function that does something to what a pointer leads to.
    pub fn through_pointer(&mut self, what: &str, ty: Type) -> Result<Helper, Diagnostic> {
        let key = format!("pointer {what} {ty}");
        if let Some(&known) = self.helpers.get(&key) {
            return Ok(known);
        }
        let result = if what == "store" { self.out.void() } else { self.ty(ty)? };
        let helper = Helper { id: self.out.id(), result };
        self.helpers.insert(key, helper);
        self.pointers.push(PointerFunction { what: what.to_string(), ty, helper });
        Ok(helper)
    }

    pub fn write_pointer_functions(&mut self) -> Result<(), Diagnostic> {
        let mut at = 0;
        while let Some(PointerFunction { what, ty, helper }) = self.pointers.get(at) {
            let (what, ty, helper) = (what.clone(), *ty, *helper);
            at += 1;
            self.write_pointer_function(&what, ty, helper)?;
        }
        Ok(())
    }

    /// The byte in memory that has a cell for each thread, of which an address is far from those
    /// of others.
    fn cell_place(&mut self, rest: Id, (name, cells): (Name, u64), ty: Type) -> Result<Id, Diagnostic> {
        let long = Type::i64();
        let (ulong, uint, bool) = (self.ty(long)?, self.out.int(32), self.out.bool());
        let size = self.size(self.contents(name)?)? / cells;
        let shift = i64::from(agg::cell_shift(cells));
        let bits = self.int_constant(shift, long)?;
        let mask = self.int_constant((1 << shift) - 1, long)?;
        let cell = self.op(Op::ShiftRightLogical, ulong, &[rest, bits]);
        let offset = self.op(Op::BitwiseAnd, ulong, &[rest, mask]);
        let (count, bytes) = (self.int_constant(cells as i64, long)?, self.int_constant(size as i64, long)?);
        let taken = self.int_constant(self.size(ty)? as i64, long)?;
        let end = self.op(Op::IAdd, ulong, &[offset, taken]);
        let there = self.op(Op::ULessThan, bool, &[cell, count]);
        let fits = self.op(Op::ULessThanEqual, bool, &[end, bytes]);
        let inside = self.op(Op::LogicalAnd, bool, &[there, fits]);
        let start = self.op(Op::IMul, ulong, &[cell, bytes]);
        let at = self.op(Op::IAdd, ulong, &[start, offset]);
        let (at, nowhere) = (self.op(Op::UConvert, uint, &[at]), self.out.word(u32::MAX));
        Ok(self.op(Op::Select, uint, &[inside, at, nowhere]))
    }

    fn write_pointer_function(&mut self, what: &str, ty: Type, helper: Helper) -> Result<(), Diagnostic> {
        let (ulong, held) = (self.ty(Type::i64())?, self.ty(ty)?);
        let params: &[Id] = match what {
            "load" => &[ulong],
            "cas" => &[ulong, held, held],
            _ => &[ulong, held],
        };
        let title = format!("pointer.{what}.{ty}");
        let store = what == "store";
        self.write_helper(helper, &title, params, |e, args| {
            let (uint, bool) = (e.out.int(32), e.out.bool());
            let bits = e.int_constant(i64::from(OFFSET_BITS), Type::i64())?;
            let mask = e.int_constant((1 << OFFSET_BITS) - 1, Type::i64())?;
            let number = e.op(Op::ShiftRightLogical, ulong, &[args[0], bits]);
            let rest = e.op(Op::BitwiseAnd, ulong, &[args[0], mask]);
            let most = e.int_constant(i64::from(u32::MAX), Type::i64())?;
            let fits = e.op(Op::ULessThanEqual, bool, &[rest, most]);
            let (cut, nowhere) = (e.op(Op::UConvert, uint, &[rest]), e.out.word(u32::MAX));
            let place = e.op(Op::Select, uint, &[fits, cut, nowhere]);
            let mut value = if store { None } else { Some(e.null(ty)?) };
            let passed: Vec<Id> = std::iter::once(place).chain(args[1..].iter().copied()).collect();
            for which in e.addressed.clone() {
                let shared = which.checked_sub(e.interface.params.len()).map(|k| &e.interface.shared[k]);
                let name = shared.map_or_else(|| e.interface.params[which].symbol, |s| s.symbol);
                let mut passed = passed.clone();
                if let Some(cells) = shared.map(|s| s.cells).filter(|&cells| cells > 1) {
                    passed[0] = e.cell_place(rest, (name, cells), ty)?;
                }
                let function = match what {
                    "load" => e.load_function(name, ty, false)?,
                    "store" => e.store_function(name, ty, false)?,
                    kind => e.atomic_function(name, kind, ty)?,
                };
                let it = e.int_constant(which as i64 + 1, Type::i64())?;
                let is_it = e.op(Op::IEqual, bool, &[number, it]);
                match value {
                    None => e.only_if(is_it, &mut |e| {
                        e.call_helper(function, &passed);
                        Ok(())
                    })?,
                    Some(before) => {
                        let call = &mut |e: &mut Self| Ok(e.call_helper(function, &passed));
                        value = Some(e.value_if(is_it, (held, before), call)?);
                    }
                }
            }
            Ok(value)
        })
    }
}
