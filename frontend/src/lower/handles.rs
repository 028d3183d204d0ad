//! Handles of resources in memory. There they are numbers of 64 bits, which lead to no resource
//! here: they can be copied, compared, and converted to their bits and back.
//!
//! A handle in a variable is its resource, so a variable that is read from memory holds none.

use super::func::FuncLower;
use super::place::Place;
use crate::sema::handles::{BEFORE, FROM_BITS, SAME, TO_BITS};
use crate::sema::tree::{Expr, ExprKind, FuncId, Missing};
use crate::sema::types::{Resource, Ty, TyKind};
use caustic_dialects::hl::expand::{self, BinaryOp};
use caustic_dialects::{arith, hl, vector};
use caustic_ir::{Attr, Type, ValueId, codes};
use rustc_hash::FxHashSet;

const LEADS_NOWHERE: &str =
    "a handle that is read from a buffer leads to no resource here: there is no table of them, as GPUs have";
const NO_NUMBER: &str = "this handle has no bits here: resources are bound by name";
/// Types within types that are gone into.
const DEEPEST: u32 = 16;
/// The bits of a word.
const WORD: i64 = 32;

impl FuncLower<'_, '_, '_> {
    fn refused_handle(&mut self, why: &str, ty: Ty, ir: Type) -> ValueId {
        let missing = Missing { code: codes::E0303, why: why.to_string(), declared: Default::default() };
        let callee = self.lw.unavailable_value(&missing, ty, self.loc);
        self.b().create_one(hl::Call::DEF, &[], ir, &[("callee", Attr::symbol(callee))])
    }

    /// The resource that a handle in memory leads to.
    pub(super) fn read_handle(&mut self, ty: Ty) -> ValueId {
        let ir = self.lw.ty(ty);
        self.refused_handle(LEADS_NOWHERE, ty, ir)
    }

    /// The number of a resource that is stored as a handle.
    pub(super) fn missing_bits(&mut self) -> ValueId {
        let ty = Ty::scalar(crate::sema::types::Scalar::U64);
        self.refused_handle(NO_NUMBER, ty, Type::i64())
    }

    /// A buffer that the field of a variable holds, if the variable may come from memory: what is
    /// not bound reads as zero, so this must not pass.
    pub(super) fn lost_buffer(&mut self, e: &Expr) -> Option<ValueId> {
        let ExprKind::Field { base, .. } = &e.kind else { return None };
        let is_buffer = match e.ty.kind() {
            TyKind::Buffer { .. } => true,
            TyKind::Resource(r) => !matches!(r, Resource::Texture(_) | Resource::Sampler { .. }),
            _ => false,
        };
        if !is_buffer || base.ty.as_struct().is_none() || !self.lw.lies_in_buffers(base.ty) {
            return None;
        }
        if self.is_place(base) && matches!(self.place(base), Place::Stored { .. }) {
            return None;
        }
        self.at(e);
        Some(self.read_handle(e.ty))
    }

    /// The number of a handle that lies in memory, or is made of its bits.
    pub(super) fn handle_number(&mut self, e: &Expr) -> Option<ValueId> {
        match &e.kind {
            ExprKind::Comma(parts) if parts.len() == 1 => self.handle_number(&parts[0]),
            ExprKind::Call { func, args } if self.is_of_handles(func.func, FROM_BITS) => {
                let bits = self.operand(args.first()?, e);
                Some(match self.b().ty(bits) {
                    ty if ty == Type::i64() => bits,
                    _ => self.of_words(bits),
                })
            }
            _ if e.ty.is_resource() && self.is_place(e) => match self.place(e) {
                Place::Stored { reference, .. } => {
                    self.at(e);
                    Some(hl::Load::build(&mut self.b(), reference, Type::i64(), &[]))
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// What a function of the prelude for handles gives of such numbers.
    pub(super) fn handle_call(&mut self, e: &Expr, func: FuncId, args: &[Expr]) -> Option<ValueId> {
        if self.is_of_handles(func, TO_BITS) {
            let number = self.handle_number(args.first()?)?;
            self.at(e);
            let ir = self.lw.ty(e.ty);
            return Some(if ir == Type::i64() { number } else { self.words_of(number, ir) });
        }
        let op = match () {
            () if self.is_of_handles(func, SAME) => BinaryOp::Eq,
            () if self.is_of_handles(func, BEFORE) => BinaryOp::Lt,
            () => return None,
        };
        let [a, b] = args else { return None };
        let (a, b) = (self.handle_number(a)?, self.handle_number(b)?);
        self.at(e);
        Some(expand::binary(&mut self.b(), op, a, b, Type::uint(64), Type::uint(64)))
    }

    /// The number of two words, the low one first.
    fn of_words(&mut self, words: ValueId) -> ValueId {
        let (long, b) = (Type::uint(64), &mut self.b());
        let [low, high] = [0, 1].map(|k| {
            let word = vector::extract(b, words, &[k]);
            expand::convert(b, word, Type::uint(32), long)
        });
        let by = arith::build::int(b, WORD, Type::i64());
        let high = expand::binary(b, BinaryOp::Shl, high, by, long, long);
        expand::binary(b, BinaryOp::Or, low, high, long, long)
    }

    fn words_of(&mut self, number: ValueId, ir: Type) -> ValueId {
        let (long, b) = (Type::uint(64), &mut self.b());
        let by = arith::build::int(b, WORD, Type::i64());
        let high = expand::binary(b, BinaryOp::Shr, number, by, long, long);
        let words = [number, high].map(|half| expand::convert(b, half, long, Type::uint(32)));
        vector::from_elements(b, &words, ir)
    }

    fn is_of_handles(&self, func: FuncId, name: &str) -> bool {
        let info = &self.lw.checker.funcs[func.0 as usize];
        info.is_prelude && *info.name == *name
    }

    /// Copies what lies in memory with handles to another place there, or stores a handle that is
    /// made of its bits: as a value, it would lose the number.
    pub(super) fn copy_handles(&mut self, to: &Place, value: &Expr) -> bool {
        let Place::Stored { reference, stored } = to else { return false };
        if stored.is_handle() {
            let Some(number) = self.handle_number(value) else { return false };
            hl::Store::build(&mut self.b(), number, *reference, &[]);
            return true;
        }
        if !self.lw.holds_resources(stored.ty) || !self.is_place(value) {
            return false;
        }
        let ir = self.lw.parameter_type(*stored);
        match self.place(value) {
            Place::Stored { reference: from, stored: of } if self.lw.parameter_type(of) == ir => {
                let data = hl::Load::build(&mut self.b(), from, ir, &[]);
                hl::Store::build(&mut self.b(), data, *reference, &[]);
                true
            }
            _ => false,
        }
    }
}

impl super::Lowering<'_, '_> {
    /// Whether the elements of a parameter's buffer contain a struct.
    fn lies_in_buffers(&mut self, ty: Ty) -> bool {
        if self.in_buffers.is_none() {
            let mut found = FxHashSet::default();
            let globals: Vec<Ty> = self.checker.globals.iter().map(|g| g.ty).collect();
            let entries = self.checker.funcs.iter().filter(|f| f.attrs.entry.is_some());
            let params: Vec<Ty> = entries.flat_map(|f| f.params.iter().map(|p| p.ty)).collect();
            for ty in globals.into_iter().chain(params) {
                self.structs_in_buffers(ty, false, DEEPEST, &mut found);
            }
            self.in_buffers = Some(found);
        }
        self.in_buffers.as_ref().is_some_and(|found| found.contains(&ty))
    }

    fn structs_in_buffers(&mut self, ty: Ty, within: bool, depth: u32, found: &mut FxHashSet<Ty>) {
        if depth == 0 {
            return;
        }
        match ty.kind() {
            TyKind::Buffer { elem, .. } => self.structs_in_buffers(*elem, true, depth - 1, found),
            TyKind::Resource(r) => {
                if let Some(elem) = r.elem() {
                    self.structs_in_buffers(elem, true, depth - 1, found);
                }
            }
            TyKind::Array(t, _) | TyKind::Laid(t, _) | TyKind::Uniform(t, _) => {
                self.structs_in_buffers(*t, within, depth - 1, found);
            }
            TyKind::Struct(id) => {
                if within && !found.insert(ty) {
                    return;
                }
                let fields: Vec<Ty> = self.checker.fields(*id).iter().map(|f| f.ty).collect();
                for field in fields {
                    self.structs_in_buffers(field, within, depth - 1, found);
                }
            }
            _ => {}
        }
    }
}
