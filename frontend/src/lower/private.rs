//! Variables whose address is taken. Pointers lead into buffers only, so such a variable is a
//! buffer of its own: an array with an element for each thread of a group. A pointer that leaves
//! the buffer leads to no other variable. No function is twice on a thread's stack, so one buffer
//! for each variable is enough.

use super::Lowering;
use super::func::{FuncLower, Slot};
use super::memory::Stored;
use crate::sema::tree::{Expr, ExprKind, LocalId};
use crate::sema::types::{Ty, TyKind};
use caustic_dialects::arith::{self, build};
use caustic_dialects::reflect::{GROUPSHARED, PRIVATE};
use caustic_dialects::{agg, gpu, hl};
use caustic_ir::codes;
use caustic_ir::{Attr, Diagnostic, Name, SymbolOp, Type, ValueId};

/// The name of the op on the checked tree that gives the address of a variable.
pub(crate) const LOCAL_ADDRESS: &str = "address of a variable";

/// The name of the op that gives the address of a place outside of memory. In a correct program
/// such an address is only followed, and the op does not remain.
pub(crate) const FOLLOWED_ADDRESS: &str = "address that is only followed";

impl Lowering<'_, '_> {
    /// The largest number of threads in a group.
    fn group_size(&self) -> u64 {
        let sizes = self.checker.funcs.iter().filter_map(|f| f.attrs.entry.as_ref()).map(|e| e.numthreads);
        sizes.map(|n| n.iter().map(|&k| k as u64).product()).max().unwrap_or(1)
    }

    /// Whether a value of the type contains resources. Pointers do not count.
    pub(super) fn holds_resources(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(t, _) => self.holds_resources(*t),
            TyKind::Struct(id) => {
                let fields: Vec<Ty> = self.checker.fields(*id).iter().map(|f| f.ty).collect();
                fields.into_iter().any(|t| self.holds_resources(t))
            }
            _ => ty.is_resource(),
        }
    }

    /// Whether the elements of a buffer contain handles of what has no number in memory.
    pub(super) fn keeps_blocks(&mut self, buffer: Ty) -> bool {
        matches!(buffer.kind(), TyKind::Buffer { elem, .. } if self.holds_blocks(*elem))
    }

    fn holds_blocks(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Array(t, _) => self.holds_blocks(*t),
            TyKind::Struct(id) if !self.checker.has_descriptor(ty) => {
                let fields: Vec<Ty> = self.checker.fields(*id).iter().map(|f| f.ty).collect();
                fields.into_iter().any(|t| self.holds_blocks(t))
            }
            _ => !ty.is_resource() && self.checker.has_descriptor(ty),
        }
    }

    /// Adds a buffer that holds a variable of each thread.
    fn private_memory(&mut self, name: &str, ty: Ty, loc: caustic_ir::Loc) -> (Name, Type) {
        let cells = agg::array_type(self.group_size(), self.ty(ty));
        let ir = agg::buffer_type(cells, true);
        let symbol = self.checker.fresh_symbol(name);
        let mut op = SymbolOp::new(agg::Resource::DEF, symbol, loc);
        op.set_attr("type", Attr::ty(ir));
        op.set_attr(GROUPSHARED, Attr::unit());
        op.set_attr(PRIVATE, Attr::unit());
        self.add(op);
        (symbol, ir)
    }
}

impl FuncLower<'_, '_, '_> {
    /// Declares the variable as a place in memory, set to zero.
    pub(crate) fn declare_private(&mut self, local: LocalId) -> ValueId {
        let l = &self.tree.locals[local.0 as usize];
        let (name, ty) = (l.name, l.ty);
        let by_rows = Stored { ty, layout: self.lw.checker.layout };
        if self.lw.holds_resources(ty) || self.lw.checker.holds_interface(ty) || self.lw.is_rearranged(by_rows) {
            let shown = self.lw.checker.show(ty);
            let text = format!(
                "the address of `{name}` cannot be taken: a `{shown}` lies in memory otherwise than in a variable"
            );
            self.lw.problems.push(Diagnostic::error(codes::E0266, self.loc, text));
        }
        if agg::ends_unsized(self.lw.ty(ty)) {
            let text = format!("the address of `{name}` cannot be taken: nothing lies behind a variable");
            self.lw.problems.push(Diagnostic::error(codes::E0266, self.loc, text));
        }
        let (symbol, ir) = self.lw.private_memory(&name, ty, self.loc);
        let buffer = agg::Global::build(&mut self.b(), ir, &[("name", Attr::symbol(symbol))]);
        let cells = agg::as_buffer(ir).map_or(ir, |(elem, _)| elem);
        let zero = build::index(&mut self.b(), 0);
        let all = hl::BufferElement::build(&mut self.b(), buffer, zero, hl::ref_type(cells), &[]);
        let thread = self.thread_in_group();
        let cell = self.lw.ty(ty);
        let reference = hl::Element::build(&mut self.b(), all, thread, hl::ref_type(cell), &[]);
        let value = self.zero(ty);
        hl::Store::build(&mut self.b(), value, reference, &[]);
        self.private.insert(local, buffer);
        self.locals[local.0 as usize] = Slot::Ref(reference);
        reference
    }

    fn thread_in_group(&mut self) -> ValueId {
        let mut all = gpu::build_id(&mut self.b(), gpu::ThreadId::DEF, 2);
        for dim in [1, 0] {
            let count = gpu::build_id(&mut self.b(), gpu::BlockDim::DEF, dim);
            let id = gpu::build_id(&mut self.b(), gpu::ThreadId::DEF, dim);
            let rows = self.b().create_one(arith::MulI::DEF, &[all, count], Type::index(), &[]);
            all = self.b().create_one(arith::AddI::DEF, &[rows, id], Type::index(), &[]);
        }
        all
    }

    /// The address of a variable, as a number.
    pub(crate) fn local_address(&mut self, e: &Expr, of: &Expr) -> ValueId {
        let found = match &of.kind {
            ExprKind::Local(l) => self.private.get(l).copied(),
            _ => None,
        };
        let Some(buffer) = found else {
            let text = "the address of this cannot be taken";
            let note = "what carries derivatives or belongs to the caller lies in no memory; \
                        a pointer to it can be followed in the function that makes it, and nothing else";
            self.lw.problems.push(Diagnostic::error(codes::E0266, self.loc, text).with_note(note));
            return self.zero(e.ty);
        };
        let first = agg::Address::build(&mut self.b(), buffer, Type::i64(), &[]);
        let cells = self.lw.group_size();
        if cells == 1 {
            return first;
        }
        let thread = self.thread_in_group();
        let cell = self.b().create_one(arith::IndexCast::DEF, &[thread], Type::i64(), &[]);
        let shift = build::int(&mut self.b(), i64::from(agg::cell_shift(cells)), Type::i64());
        let cell = self.b().create_one(arith::ShLI::DEF, &[cell, shift], Type::i64(), &[]);
        self.b().create_one(arith::AddI::DEF, &[first, cell], Type::i64(), &[])
    }
}
