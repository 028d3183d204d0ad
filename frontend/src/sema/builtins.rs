//! The builtin functions that the prelude cannot declare, because no signature describes what they
//! take and return. Each is one row.
//!
//! A row's function gets the call as written and checks it. A function of the program hides the row
//! of the same name, unless the name is a keyword.

use super::expr::Res;
use super::*;
use caustic_ir::codes;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// A call as written.
#[derive(Clone, Copy)]
pub(crate) struct Written<'e> {
    pub name: ast::Ident,
    /// The generic arguments, between `<` and `>`.
    pub generic: &'e [ast::Expr],
    pub args: &'e [ast::Expr],
    pub span: Span,
}

/// A builtin function with its own rules for types.
pub(crate) struct TypedBuiltin {
    names: &'static [&'static str],
    /// The syntax of a call, for messages.
    form: &'static str,
    /// Whether generic arguments have to be written; with `None` they may be.
    generic: Option<bool>,
    /// Whether no declaration can hide it.
    keyword: bool,
    check: fn(&mut Checker<'_>, Written<'_>) -> Res,
}

const fn function(
    names: &'static [&'static str],
    form: &'static str,
    check: fn(&mut Checker<'_>, Written<'_>) -> Res,
) -> TypedBuiltin {
    TypedBuiltin { names, form, generic: Some(false), keyword: false, check }
}

const fn keyword(
    names: &'static [&'static str],
    form: &'static str,
    check: fn(&mut Checker<'_>, Written<'_>) -> Res,
) -> TypedBuiltin {
    TypedBuiltin { names, form, generic: Some(false), keyword: true, check }
}

const fn generic(
    names: &'static [&'static str],
    form: &'static str,
    check: fn(&mut Checker<'_>, Written<'_>) -> Res,
) -> TypedBuiltin {
    TypedBuiltin { names, form, generic: Some(true), keyword: false, check }
}

/// A row whose generic arguments may be written or left out.
const fn either(
    names: &'static [&'static str],
    form: &'static str,
    check: fn(&mut Checker<'_>, Written<'_>) -> Res,
) -> TypedBuiltin {
    TypedBuiltin { names, form, generic: None, keyword: false, check }
}

const UPDATE: &str = "InterlockedX(place, value, old)";
const COMPARE: &str = "InterlockedCompareX(place, expected, value, old)";

// Where a method has the plain name, the prelude uses the name with `__interlocked`.
static ROWS: &[TypedBuiltin] = &[
    keyword(&["fwd_diff", "__fwd_diff"], "fwd_diff(f)", |c, w| c.derivative_of(Mode::Forward, w.args, w.span)),
    keyword(&["bwd_diff", "__bwd_diff"], "bwd_diff(f)", |c, w| c.derivative_of(Mode::Backward, w.args, w.span)),
    keyword(&["sizeof"], "sizeof(T)", |c, w| Res::Val(c.check_measure(w.name, w.args, w.span))),
    keyword(&["alignof"], "alignof(T)", |c, w| Res::Val(c.check_measure(w.name, w.args, w.span))),
    keyword(&["countof", "__countOf"], "countof(T)", |c, w| Res::Val(c.check_measure(w.name, w.args, w.span))),
    keyword(&["__floatSize"], "__floatSize(T)", |c, w| Res::Val(c.check_measure(w.name, w.args, w.span))),
    either(&["__sizeOf", "__alignOf"], "__sizeOf<T>()", |c, w| Res::Val(c.check_c_measure(w))),
    keyword(&["__offsetOf"], "__offsetOf(x, x.field)", |c, w| Res::Val(c.check_offset(w.args, w.span))),
    either(&["makeTuple"], "makeTuple(values…)", |c, w| Res::Val(c.check_make_tuple(w.generic, w.args, w.span))),
    keyword(&["__first", "__last", "__trimFirst", "__trimLast"], "__first(pack)", |c, w| {
        c.check_pack_part(w.name, w.args, w.span)
    }),
    keyword(&["__packBranch"], "__packBranch(pack, T, U)", |c, w| {
        Res::Ty(c.pack_part_type(w.name, w.args, w.span).unwrap_or(Ty::error()))
    }),
    function(&["printf"], "printf(\"format\", values…)", |c, w| Res::Val(c.check_printf(w.args, w.span))),
    function(&["__getAddress"], "__getAddress(place)", |c, w| {
        let [place] = w.args else {
            c.error(codes::E0204, w.span, "`__getAddress` takes one place");
            return Res::Val(Expr::error(w.span));
        };
        let place = c.check_value(place);
        Res::Val(c.check_address_of(&place, w.span))
    }),
    function(&["__dispatch_kernel"], "__dispatch_kernel(kernel, groups, threads)(arguments…)", |c, w| {
        c.check_launch(w.args, w.span)
    }),
    // These state requirements of other targets, and have no effect here.
    keyword(&["__requirePrelude", "__requireCapability"], "__requirePrelude(\"text\")", |_, w| {
        Res::Val(Expr { ty: Ty::void(), span: w.span, kind: ExprKind::Comma(Vec::new()) })
    }),
    function(&["getStringHash"], "getStringHash(\"text\")", |c, w| Res::Val(c.check_string_hash(w.args, w.span))),
    generic(&["bit_cast", "__bit_cast", "reinterpret"], "bit_cast<T>(value)", |c, w| {
        Res::Val(c.check_reinterpret(w.name, w.generic, w.args, w.span))
    }),
    generic(&["createDynamicObject"], "createDynamicObject<I, T>(id, data)", |c, w| {
        Res::Val(c.create_dynamic_object(w.generic, w.args, w.span))
    }),
    function(
        &[
            "InterlockedAdd",
            "__interlockedAdd",
            "InterlockedAddF16",
            "InterlockedAddF32",
            "InterlockedAddI64",
            "InterlockedAddU64",
        ],
        UPDATE,
        |c, w| c.interlocked(AtomicOp::Add, w),
    ),
    function(
        &[
            "__atomic_reduce_add",
            "__atomic_reduce_sub",
            "__atomic_reduce_min",
            "__atomic_reduce_max",
            "__atomic_reduce_and",
            "__atomic_reduce_or",
            "__atomic_reduce_xor",
            "__atomic_reduce_inc",
            "__atomic_reduce_dec",
        ],
        "__atomic_reduce_add(place, value)",
        |c, w| Res::Val(c.atomic_reduce(w)),
    ),
    function(&["InterlockedAnd", "__interlockedAnd", "InterlockedAndU64"], UPDATE, |c, w| {
        c.interlocked(AtomicOp::And, w)
    }),
    function(&["InterlockedOr", "__interlockedOr", "InterlockedOrU64"], UPDATE, |c, w| c.interlocked(AtomicOp::Or, w)),
    function(&["InterlockedXor", "__interlockedXor", "InterlockedXorU64"], UPDATE, |c, w| {
        c.interlocked(AtomicOp::Xor, w)
    }),
    function(&["InterlockedMin", "__interlockedMin", "InterlockedMinU64"], UPDATE, |c, w| {
        c.interlocked(AtomicOp::Min, w)
    }),
    function(&["InterlockedMax", "__interlockedMax", "InterlockedMaxU64"], UPDATE, |c, w| {
        c.interlocked(AtomicOp::Max, w)
    }),
    function(
        &["InterlockedExchange", "__interlockedExchange", "InterlockedExchangeFloat", "InterlockedExchangeU64"],
        UPDATE,
        |c, w| c.interlocked(AtomicOp::Exchange, w),
    ),
    function(
        &[
            "InterlockedCompareExchange",
            "__interlockedCompareExchange",
            "InterlockedCompareExchangeFloatBitwise",
            "InterlockedCompareExchangeU64",
            "InterlockedCompareStore",
            "__interlockedCompareStore",
            "InterlockedCompareStoreFloatBitwise",
        ],
        COMPARE,
        |c, w| c.interlocked(AtomicOp::CompareExchange, w),
    ),
];

fn named(name: Name) -> Option<&'static TypedBuiltin> {
    static INDEX: OnceLock<FxHashMap<Name, &'static TypedBuiltin>> = OnceLock::new();
    let index = INDEX.get_or_init(|| {
        let named = |row: &'static TypedBuiltin| row.names.iter().map(move |n| (Name::new(n), row));
        ROWS.iter().flat_map(named).collect()
    });
    index.get(&name).copied()
}

impl Checker<'_> {
    /// Checks the call of such a builtin; `None` if it calls something else.
    pub(crate) fn typed_builtin(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Option<Res> {
        let ast::ExprKind::Name { name, args: written } = &callee.kind else { return None };
        let row = named(name.name)?;
        if !row.keyword && self.lookup(name.name).is_some() {
            return None;
        }
        if let Some(generic) = row.generic.filter(|generic| written.is_some() != *generic) {
            let (name, wants) = (name.name, if generic { "its types in `<…>`" } else { "no generic arguments" });
            self.error(codes::E0208, callee.span, format!("`{name}` takes {wants}"))
                .notes
                .push(format!("write `{}`", row.form));
            return Some(Res::Val(Expr::error(span)));
        }
        let generic = written.as_deref().unwrap_or_default();
        Some((row.check)(self, Written { name: *name, generic, args, span }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_of_one_row_and_no_function_of_the_prelude() {
        let mut seen = Vec::new();
        for row in ROWS {
            assert!(!row.names.is_empty() && row.form.contains('('));
            for name in row.names {
                assert!(!seen.contains(name), "{name} twice");
                assert!(!crate::prelude::Prelude::default().has(Name::new(name)), "{name} is also in the prelude");
                seen.push(name);
            }
        }
    }
}
