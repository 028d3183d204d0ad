//! Values of interface types in memory: `createDynamicObject`, and elements of buffers.
//!
//! Such a value is 8 unused bytes, then 8 bytes that begin with the number by which the host knows
//! its type, then the bytes of the value as `sizeof` counts them. It is padded to the size that the
//! interface states (`[anyValueSize(n)]`, 16 bytes otherwise) or to the largest conforming type. A
//! number that stands for no type means the last one. The functions made here convert between
//! values and memory; their bodies are made last, when all conforming types are known.

use super::existentials::Target;
use super::types::{Args, GArg, InterfaceRef, TyKind};
use super::words::Packing;
use super::*;
use ast::ExprKind as E;
use caustic_ir::codes;

/// The number of bytes before the value.
const HEADER: u64 = 16;
/// The offset of the type's number.
const NUMBER: u64 = 8;
const DEFAULT_SIZE: u64 = 16;

impl Checker<'_> {
    /// `createDynamicObject<I, T>(id, data)`, where `T` can be inferred from the argument. Without
    /// data the value is all zero.
    pub(crate) fn create_dynamic_object(&mut self, args: &[ast::Expr], given: &[ast::Expr], span: Span) -> Expr {
        let Some(generic) = self.generic_args(args) else { return Expr::error(span) };
        let (interface, data_ty) = match generic.as_slice() {
            [GArg::Ty(i)] => (*i, None),
            [GArg::Ty(i), GArg::Ty(t)] => (*i, Some(*t)),
            _ => {
                self.error(codes::E0208, span, "`createDynamicObject` takes an interface and the type of the data");
                return Expr::error(span);
            }
        };
        if self.interface_type(interface).is_none() {
            let shown = self.show(interface);
            self.error(codes::E0234, span, format!("`{shown}` is not an interface"));
            return Expr::error(span);
        }
        let (id, data) = match given {
            [id] => (self.check_value(id), Expr::int(0, Ty::uint(), span)),
            [id, data] => (self.check_value(id), self.check_value(data)),
            _ => {
                self.error(codes::E0204, span, "`createDynamicObject` takes the number of the type and the data");
                return Expr::error(span);
            }
        };
        let data = self.read_uniform(data);
        let data = match data_ty {
            Some(t) => self.coerce(data, t),
            None => data,
        };
        let id = self.coerce(id, Ty::uint());
        if id.ty.is_error() || data.ty.is_error() {
            return Expr::error(span);
        }
        Expr { ty: interface, span, kind: ExprKind::MakeDynamic(vec![id, data]) }
    }

    /// The function that makes a value of an interface type from a number and data of type `data`.
    pub(super) fn maker(&mut self, i: InterfaceRef, data: Ty, span: Span) -> FuncId {
        if let Some(known) = self.existentials.makers.iter().find(|m| m.interface == i && m.data == data) {
            return known.func;
        }
        let name = format!("createDynamicObject.{}", self.show_ref(i));
        let params = vec![Param::plain("id", Ty::uint(), span), Param::plain("data", data, span)];
        let func = self.new_synthesized(Name::new(&name), params, Ty::new(TyKind::Interface(i)), span);
        self.conformers(i);
        self.existentials.makers.push(existentials::Maker { func, interface: i, data, span });
        func
    }

    /// Makes the bodies of the conversion functions, once no more types can conform.
    pub(crate) fn complete_makers(&mut self) {
        self.need_parameter_packers();
        let (mut maker, mut packer) = (0, 0);
        loop {
            if let Some((ty, span)) = self.existentials.packed.get(packer).copied() {
                packer += 1;
                self.packer_bodies(ty, span);
            } else if let Some(m) = self.existentials.makers.get(maker) {
                maker += 1;
                let (func, interface, data, span) = (m.func, m.interface, m.data, m.span);
                match self.maker_body(func, interface, span) {
                    Some(body) => self.funcs[func.0 as usize].body = Some(Rc::new(body)),
                    None => self.not_data(Ty::new(TyKind::Interface(interface)), data, span),
                }
            } else if !self.complete_dispatches() {
                return;
            }
        }
    }

    /// Shader parameters are in memory too.
    fn need_parameter_packers(&mut self) {
        let mut types: Vec<Ty> = self.globals.iter().filter(|g| !g.groupshared).map(|g| g.ty).collect();
        for f in self.funcs.iter().filter(|f| f.attrs.entry.is_some()) {
            types.extend(f.params.iter().map(|p| p.ty));
        }
        let mut found = Vec::new();
        for ty in types {
            self.interfaces_in(ty, &mut found);
        }
        for i in found {
            self.need_packer(Ty::new(TyKind::Interface(i)), Span::default());
        }
    }

    /// Reports that one of two types is not plain data, with the part that is not.
    fn not_data(&mut self, ty: Ty, or: Ty, span: Span) {
        let conformers = |c: &mut Self, ty: Ty| match ty.kind() {
            TyKind::Interface(i) => c.conformers(*i).iter().map(|c| c.ty).collect(),
            _ => Vec::new(),
        };
        let mut all = vec![ty, or];
        all.extend(conformers(self, ty));
        // The first type that contains such a part itself.
        let found = all.into_iter().find_map(|t| self.part_without_bits(t).map(|part| (t, part)));
        let (of, part) = found.unwrap_or((or, or));
        let (shown, held) = (self.show(of), self.show(part));
        let d = self.error(codes::E0203, span, format!("`{shown}` is not plain data"));
        if of != part {
            d.notes.push(format!("it holds `{held}`"));
        }
    }

    fn maker_body(&mut self, func: FuncId, i: InterfaceRef, span: Span) -> Option<Body> {
        let ret = Ty::new(TyKind::Interface(i));
        let mut body = Body::default();
        let values = self.param_locals(func, &mut body);
        let [id, data] = values.as_slice() else { return None };
        let mut pieces = Vec::new();
        self.pieces(data.clone(), 0, Packing::Natural, &mut body, &mut pieces)?;
        let count = self.natural_size(data.ty).0.div_ceil(4);
        let words = self.words(&pieces, count, span);
        let list = self.conformers(i).to_vec();
        let mut groups = Vec::new();
        for (k, c) in list.iter().enumerate() {
            let value = self.value_from_words(&words, 0, c.ty, Packing::Natural, span)?;
            let value = Expr { ty: ret, span, kind: ExprKind::Upcast(value.into()) };
            let stmt = Stmt { span, kind: StmtKind::Return(Some(value)) };
            // A number that stands for no type means the last one.
            groups.push(SwitchGroup { labels: vec![c.id], is_default: k + 1 == list.len(), body: vec![stmt] });
        }
        if !groups.is_empty() {
            body.stmts.push(Stmt { span, kind: StmtKind::Switch { value: id.clone(), groups } });
        }
        let zero = Expr { ty: ret, span, kind: ExprKind::Zero };
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(zero)) });
        Some(body)
    }

    // ---- buffers --------------------------------------------------------------------------------

    /// Whether values of the type contain values of interface types.
    pub(crate) fn holds_interface(&mut self, ty: Ty) -> bool {
        match ty.kind() {
            TyKind::Interface(_) => true,
            TyKind::Array(t, _) => self.holds_interface(*t),
            TyKind::Struct(id) => {
                let fields: Vec<Ty> = self.fields(*id).iter().map(|f| f.ty).collect();
                fields.into_iter().any(|t| self.holds_interface(t))
            }
            _ => false,
        }
    }

    /// Records that values of this type are in memory.
    pub(crate) fn need_packer(&mut self, ty: Ty, span: Span) {
        if self.existentials.packers.contains_key(&ty) || self.is_dependent(ty) || !self.holds_interface(ty) {
            return;
        }
        let shown = self.show(ty);
        let words = Ty::array(Ty::uint(), Some(1));
        let param = Param::plain("words", words, span);
        let unpack = self.new_synthesized(Name::new(&format!("unpack.{shown}")), vec![param], ty, span);
        let param = Param::plain("value", ty, span);
        let pack = self.new_synthesized(Name::new(&format!("pack.{shown}")), vec![param], words, span);
        self.existentials.packers.insert(ty, existentials::Packer { unpack, pack, words });
        self.existentials.packed.push((ty, span));
    }

    /// The functions that convert between a value and its words, if the two differ.
    pub(crate) fn packer(&self, ty: Ty) -> Option<existentials::Packer> {
        self.existentials.packers.get(&ty).copied()
    }

    fn packer_bodies(&mut self, ty: Ty, span: Span) {
        let Some(mut packer) = self.packer(ty) else { return };
        let count = self.size_and_align(ty).0.div_ceil(4);
        packer.words = Ty::array(Ty::uint(), Some(count as u32));
        self.existentials.packers.insert(ty, packer);
        self.funcs[packer.unpack.0 as usize].params[0].ty = packer.words;
        self.funcs[packer.pack.0 as usize].ret = packer.words;
        let mut body = Body::default();
        let all = self.param_locals(packer.unpack, &mut body)[0].clone();
        let words: Vec<Expr> = (0..count).map(|k| word(&all, k)).collect();
        let unpacked = self.value_from_words(&words, 0, ty, Packing::InMemory, span);
        let Some(value) = unpacked else { return self.not_data(ty, ty, span) };
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(value)) });
        self.funcs[packer.unpack.0 as usize].body = Some(Rc::new(body));
        let mut body = Body::default();
        let value = self.param_locals(packer.pack, &mut body)[0].clone();
        let mut pieces = Vec::new();
        if self.pieces(value, 0, Packing::InMemory, &mut body, &mut pieces).is_none() {
            return self.not_data(ty, ty, span);
        }
        let parts = self.words(&pieces, count, span);
        let all = Expr { ty: packer.words, span, kind: ExprKind::Construct(parts) };
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(all)) });
        self.funcs[packer.pack.0 as usize].body = Some(Rc::new(body));
    }

    /// The `n` of `[anyValueSize(n)]`.
    fn any_value_size(&self, i: InterfaceRef) -> Option<u64> {
        let decl = self.interfaces[i.id.0 as usize].decl.as_ref()?;
        let a = decl.mods.attrs.iter().find(|a| a.name.name == *"anyValueSize")?;
        match a.args.first()?.kind {
            E::Int { value, .. } => u64::try_from(value).ok(),
            _ => None,
        }
    }

    /// Reports types that are larger than their interface states, if a value may hold one of
    /// several types.
    pub(crate) fn check_any_value_sizes(&mut self) {
        let made = self.existentials.made.clone();
        for (i, ty) in &made {
            let Some(limit) = self.any_value_size(*i) else { continue };
            let size = self.natural_size(*ty).0;
            let several = made.iter().any(|(other, t)| other == i && t != ty);
            if size <= limit || !several {
                continue;
            }
            let (shown, interface) = (self.show(*ty), self.show_ref(*i));
            let at =
                ty.as_struct().map_or(self.interfaces[i.id.0 as usize].span, |id| self.structs[id.0 as usize].span);
            let says = self.loc(self.interfaces[i.id.0 as usize].span);
            let text = format!("`{shown}` takes {size} bytes, and values of `{interface}` have {limit}");
            let d = self.error(codes::E0287, at, text);
            d.labels.push((says, format!("`[anyValueSize({limit})]`")));
            d.notes.push("enlarge the number, or make the type smaller".to_string());
        }
    }

    /// The number of bytes of a value of an interface type in memory.
    pub(crate) fn interface_size(&mut self, i: InterfaceRef) -> u64 {
        let asked = self.any_value_size(i);
        let mut size = asked.unwrap_or(DEFAULT_SIZE);
        for c in self.conformers(i).to_vec() {
            size = size.max(self.natural_size(c.ty).0);
        }
        HEADER + size.next_multiple_of(4)
    }

    /// Makes a value of an interface type from its words.
    pub(super) fn interface_from_words(&mut self, i: InterfaceRef, words: &[Expr], at: u64, span: Span) -> Expr {
        let first = ((at + HEADER) / 4) as usize;
        let count = ((self.interface_size(i) - HEADER) / 4) as usize;
        let zero = || Expr::int(0, Ty::uint(), span);
        let data: Vec<Expr> = (first..first + count).map(|k| words.get(k).cloned().unwrap_or_else(zero)).collect();
        let number = words.get(((at + NUMBER) / 4) as usize).cloned().unwrap_or_else(zero);
        let ty = Ty::array(Ty::uint(), Some(count as u32));
        let data = Expr { ty, span, kind: ExprKind::Construct(data) };
        let kind = self.call_maker(i, vec![number, data], span);
        Expr { ty: Ty::new(TyKind::Interface(i)), span, kind }
    }

    /// The words of a value of an interface type, which are stored in a new variable of `body`.
    pub(super) fn interface_pieces(
        &mut self,
        i: InterfaceRef,
        value: Expr,
        at: u64,
        body: &mut Body,
        out: &mut Vec<words::Piece>,
    ) {
        let span = value.span;
        let func = self.words_of(i);
        let ty = self.funcs[func.0 as usize].ret;
        let local = LocalId(body.locals.len() as u32);
        let name = Name::new("words");
        body.locals.push(Local { name, ty, span, mutable: true, param: None, no_diff: false, known: None });
        let call = ExprKind::Call { func: FuncRef { func, args: Args::none() }, args: vec![value] };
        let init = Some(Expr { ty, span, kind: call });
        body.stmts.push(Stmt { span, kind: StmtKind::Var { local, init } });
        let all = Expr { ty, span, kind: ExprKind::Local(local) };
        out.push(words::Piece { at: at + NUMBER, value: word(&all, 0) });
        for k in 0..(self.interface_size(i) - HEADER) / 4 {
            out.push(words::Piece { at: at + HEADER + 4 * k, value: word(&all, k + 1) });
        }
    }

    /// The function that returns the number of the type that a value holds, followed by the value,
    /// as words.
    fn words_of(&mut self, i: InterfaceRef) -> FuncId {
        let count = (self.interface_size(i) - HEADER) / 4 + 1;
        let target = Target::Words(count);
        if let Some(known) = self.existentials.by_target.get(&(i, target)) {
            return *known;
        }
        let span = Span::default();
        let param = Param::plain("value", Ty::new(TyKind::Interface(i)), span);
        let ret = Ty::array(Ty::uint(), Some(count as u32));
        let func = self.new_synthesized(Name::new("words"), vec![param], ret, span);
        self.existentials.by_target.insert((i, target), func);
        self.add_dispatch(i, func, target, 0, span, 0);
        func
    }

    /// The body of the entry of [`Self::words_of`] for one type.
    pub(super) fn words_body(&mut self, func: FuncId, i: InterfaceRef, ret: Ty) -> Option<Body> {
        let mut body = Body::default();
        let value = self.param_locals(func, &mut body)[0].clone();
        let (ty, span) = (value.ty, value.span);
        let id = self.conformers(i).iter().find(|c| c.ty == ty)?.id;
        let mut pieces = Vec::new();
        self.pieces(value, 4, Packing::Natural, &mut body, &mut pieces)?;
        let TyKind::Array(_, Some(count)) = ret.kind() else { return None };
        let mut words = self.words(&pieces, *count as u64, span);
        words[0] = Expr::int(id, Ty::uint(), span);
        let all = Expr { ty: ret, span, kind: ExprKind::Construct(words) };
        body.stmts.push(Stmt { span, kind: StmtKind::Return(Some(all)) });
        Some(body)
    }

    pub(super) fn call_maker(&mut self, i: InterfaceRef, args: Vec<Expr>, span: Span) -> ExprKind {
        let data = args.get(1).map_or(Ty::error(), |d| d.ty);
        let func = self.maker(i, data, span);
        ExprKind::Call { func: FuncRef { func, args: Args::none() }, args }
    }
}

fn word(all: &Expr, k: u64) -> Expr {
    let (base, span) = (Box::new(all.clone()), all.span);
    let index = Expr::int(k as i64, Ty::int(), span).into();
    Expr { ty: Ty::uint(), span, kind: ExprKind::Index { base, index } }
}
