//! The `ops!` macro: rows to statics, typed views and builders.

/// Declares ops. One row an op:
///
/// ```ignore
/// ops! { pub static ARITH as ArithView: [
///     /// Adds.
///     AddF "arith.addf" {
///         operands: (lhs: Class(&FLOAT_LIKE), rhs: SameAs(0)),
///         results: infer(SameAs(0)),          // or one(Class(..)) | many(Class(..)) | none
///         attrs: (), regions: (), effects: Pure, memory: (), commutative: true,
///         asm: Asm::Format("$lhs `,` $rhs attr-dict `:` type($lhs)"),
///         verify: None, fold: Fold::Eval, eval: …, ad: AdRule::Partials(&["1", "1"]),
///     }
/// ] }
/// ```
///
/// A variadic operand comes last, after `;`. An optional attribute has `[optional]` after its
/// class. No field may be left out but `facts`, behind `eval`, a [`FactFn`](crate::fact::FactFn)
/// (without one nothing is known of results), and `memory`, of an op that has nothing to do with
/// memory or parts of aggregates. It lists operands, each with an [`Access`](crate::op::Access):
/// `memory: (buffer[index]: Reads at path)`, where `index` is the operand that chooses an element
/// first and `path` the attribute that leads to a part of it. The variadic operand has the dynamic
/// indices of all paths, in the order of the list.
///
/// For each row: `struct AddF(pub OpId)` with `AddF::DEF`, `AddF::cast(body, op)`, one accessor per
/// operand, per attribute ([`class`] says of what type) and per region (its block), and
/// `AddF::build(builder, operands…, [variadic slice], [required attributes…], [result type(s)])`.
///
/// For the list: `enum ArithView { AddF(AddF), … }`, a closed set. A `match` over
/// `ArithView::of(body, op)` without a `_` arm is where a new row of the list cannot be forgotten.
#[macro_export]
macro_rules! ops {
    ( $vis:vis static $list:ident as $views:ident : [ $(
        $(#[doc = $doc:literal])+
        $view:ident $name:literal {
            operands: ( $($o:ident : $oc:expr),* $(; $v:ident : $vc:expr)? ),
            results: $rk:ident $(( $rc:expr ))?,
            attrs: ( $($a:ident : $ac:ident $([$opt:ident])?),* $(,)? ),
            regions: ( $($r:ident),* ),
            effects: $eff:ident,
            $(memory: ( $($m:ident $([$mi:ident])? : $access:ident $(at $mp:ident)?),* ),)?
            commutative: $comm:literal,
            asm: $asm:expr,
            verify: $verify:expr,
            fold: $fold:expr,
            eval: $eval:expr,
            $(facts: $facts:expr,)?
            ad: $ad:expr $(,)?
        }
    )* ] ) => {
        $(
            $(#[doc = $doc])+
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            $vis struct $view(pub $crate::OpId);
            #[allow(dead_code)]
            impl $view {
                pub const NAME: &'static str = $name;
                const OPERANDS: &'static [&'static str] = &[$(stringify!($o)),*];
                /// The operands by name, a variadic one last.
                const ALL_OPERANDS: &'static [&'static str] = &[$(stringify!($o),)* $(stringify!($v))?];
                const ATTRS: &'static [&'static str] = &[$(stringify!($a)),*];
                const REGIONS: &'static [&'static str] = &[$(stringify!($r)),*];
                pub const DEF: &'static $crate::op::OpDef = {
                    #[allow(unused_imports)]
                    use $crate::op::TypeRule::*;
                    static DEF: $crate::op::OpDef = $crate::op::OpDef {
                        name: $name,
                        list: $views::LIST,
                        index: $crate::rows::position($views::NAMES, stringify!($view)),
                        doc: concat!($($doc, "\n"),+),
                        operands: &[
                            $($crate::op::ValueSpec { name: stringify!($o), rule: $oc, variadic: false },)*
                            $($crate::op::ValueSpec { name: stringify!($v), rule: $vc, variadic: true },)?
                        ],
                        results: $crate::ops!(@results $rk $(($rc))?),
                        attrs: &[$($crate::op::AttrSpec {
                            name: $crate::rows::attr_name(stringify!($a)),
                            class: $crate::op::AttrClass::$ac,
                            required: $crate::ops!(@required $([$opt])?),
                        },)*],
                        regions: &[$(stringify!($r)),*],
                        effects: $crate::op::Effects::$eff,
                        memory: &[$($($crate::op::MemoryUse {
                            operand: $crate::rows::position($view::ALL_OPERANDS, stringify!($m)),
                            element: $crate::ops!(@element $view $($mi)?),
                            access: $crate::op::Access::$access,
                            path: $crate::ops!(@path $view $($mp)?),
                        },)*)?],
                        commutative: $comm,
                        asm: $asm,
                        verify: $verify,
                        fold: $fold,
                        eval: $eval,
                        facts: $crate::ops!(@facts $($facts)?),
                        ad: $ad,
                    };
                    &DEF
                };
                /// The view, if `op` is one.
                pub fn cast(body: &$crate::Body, op: $crate::OpId) -> Option<Self> {
                    body.is(op, Self::DEF).then_some(Self(op))
                }
                pub fn is(body: &$crate::Body, op: $crate::OpId) -> bool {
                    body.is(op, Self::DEF)
                }
                /// The view of a symbol, if it is one: its attributes are read of the symbol.
                pub fn of_symbol(symbol: &$crate::SymbolOp) -> Option<Self> {
                    std::ptr::eq(symbol.def, Self::DEF).then_some(Self($crate::rows::SYMBOL))
                }
                $(
                    pub fn $o(self, body: &$crate::Body) -> $crate::ValueId {
                        body.operand(self.0, const { $crate::rows::position(Self::OPERANDS, stringify!($o)) })
                    }
                )*
                $(
                    pub fn $v(self, body: &$crate::Body) -> &[$crate::ValueId] {
                        &body.operands(self.0)[Self::OPERANDS.len()..]
                    }
                )?
                $(
                    /// The attribute of this name, if it is there and of its class.
                    pub fn $a(self, of: &impl $crate::rows::HasAttrs) -> $crate::rows::Read<$crate::rows::class::$ac> {
                        let name = const { $crate::rows::attr_name(stringify!($a)) };
                        <$crate::rows::class::$ac as $crate::rows::AttrValue>::read(of.attr_of(self.0, name))
                    }
                )*
                $(
                    /// The block of the region of this name, if it has one.
                    pub fn $r(self, body: &$crate::Body) -> Option<$crate::BlockId> {
                        body.region_block(self.0, const { $crate::rows::position(Self::REGIONS, stringify!($r)) })
                    }
                )*
                $crate::ops!(@build $rk ($($o)*) ($($v)?) ($($r)*));
            }
        )*
        $vis static $list: &[&$crate::op::OpDef] = &[$($view::DEF),*];

        #[doc = concat!("The views of [`", stringify!($list), "`] as a closed set.")]
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(clippy::enum_variant_names)]
        $vis enum $views { $($view($view)),* }
        #[allow(dead_code)]
        impl $views {
            const LIST: &'static $crate::op::RowList = {
                static LIST: $crate::op::RowList = $crate::op::RowList(stringify!($list));
                &LIST
            };
            const NAMES: &'static [&'static str] = &[$(stringify!($view)),*];
            const VIEWS: &'static [fn($crate::OpId) -> Self] = &[$(|op| Self::$view($view(op))),*];
            /// The view, if the op's row is one of the list.
            pub fn of(body: &$crate::Body, op: $crate::OpId) -> Option<Self> {
                let def = body.op(op).def;
                std::ptr::eq(def.list, Self::LIST).then(|| Self::VIEWS[def.index](op))
            }
        }
    };

    (@element $view:ident) => { None };
    (@element $view:ident $mi:ident) => { Some($crate::rows::position($view::ALL_OPERANDS, stringify!($mi))) };
    (@path $view:ident) => { None };
    (@path $view:ident $mp:ident) => {
        Some($crate::rows::attr_name($view::ATTRS[$crate::rows::position($view::ATTRS, stringify!($mp))]))
    };

    (@facts) => { None };
    (@facts $facts:expr) => { Some($facts) };

    (@required) => { true };
    (@required [$opt:ident]) => { false };

    (@results none) => { &[] };
    (@results infer($rc:expr)) => {
        &[$crate::op::ValueSpec { name: "result", rule: $rc, variadic: false }]
    };
    (@results one($rc:expr)) => {
        &[$crate::op::ValueSpec { name: "result", rule: $rc, variadic: false }]
    };
    (@results many($rc:expr)) => {
        &[$crate::op::ValueSpec { name: "results", rule: $rc, variadic: true }]
    };

    // Builders: what they take and give back follows the kind of result.
    (@build infer ($($o:ident)*) ($($v:ident)?) ($($r:ident)*)) => {
        /// Builds the op; the result type follows from the operands.
        pub fn build(b: &mut $crate::Builder<'_>, $($o: $crate::ValueId,)* $($v: &[$crate::ValueId],)? attrs: &[(&str, $crate::Attr)]) -> $crate::ValueId {
            #[allow(unused_mut)]
            let mut operands: Vec<$crate::ValueId> = vec![$($o),*];
            $(operands.extend_from_slice($v);)?
            $crate::rows::build_inferred(b, Self::DEF, &operands, attrs)
        }
    };
    (@build one ($($o:ident)*) ($($v:ident)?) ($($r:ident)*)) => {
        /// Builds the op with a result of type `result`.
        pub fn build(b: &mut $crate::Builder<'_>, $($o: $crate::ValueId,)* $($v: &[$crate::ValueId],)? result: $crate::Type, attrs: &[(&str, $crate::Attr)]) -> $crate::ValueId {
            #[allow(unused_mut)]
            let mut operands: Vec<$crate::ValueId> = vec![$($o),*];
            $(operands.extend_from_slice($v);)?
            let op = b.create(Self::DEF, &operands, &[result], attrs, Self::DEF.regions.len());
            b.body.result(op, 0)
        }
    };
    (@build many ($($o:ident)*) ($($v:ident)?) ($($r:ident)*)) => {
        /// Builds the op with results of these types and empty regions.
        pub fn build(b: &mut $crate::Builder<'_>, $($o: $crate::ValueId,)* $($v: &[$crate::ValueId],)? results: &[$crate::Type], attrs: &[(&str, $crate::Attr)]) -> $crate::OpId {
            #[allow(unused_mut)]
            let mut operands: Vec<$crate::ValueId> = vec![$($o),*];
            $(operands.extend_from_slice($v);)?
            b.create(Self::DEF, &operands, results, attrs, Self::DEF.regions.len())
        }
    };
    (@build none ($($o:ident)*) ($($v:ident)?) ($($r:ident)*)) => {
        /// Builds the op, with empty regions.
        pub fn build(b: &mut $crate::Builder<'_>, $($o: $crate::ValueId,)* $($v: &[$crate::ValueId],)? attrs: &[(&str, $crate::Attr)]) -> $crate::OpId {
            #[allow(unused_mut)]
            let mut operands: Vec<$crate::ValueId> = vec![$($o),*];
            $(operands.extend_from_slice($v);)?
            b.create(Self::DEF, &operands, &[], attrs, Self::DEF.regions.len())
        }
    };
}

use crate::attr::Attr;
use crate::body::{Body, OpId, ValueId};
use crate::builder::Builder;
use crate::intern::Name;
use crate::module::SymbolOp;
use crate::op::OpDef;
use crate::types::Type;

/// Attribute names that are Rust keywords are written with a trailing `_` in a row.
pub const fn attr_name(written: &'static str) -> &'static str {
    let bytes = written.as_bytes();
    match bytes.split_last() {
        Some((b'_', head)) => match std::str::from_utf8(head) {
            Ok(text) => text,
            Err(_) => written,
        },
        _ => written,
    }
}

/// The index of `name` in `names`, at compile time.
pub const fn position(names: &[&str], name: &str) -> usize {
    let mut i = 0;
    while i < names.len() {
        let (a, b) = (names[i].as_bytes(), name.as_bytes());
        let mut same = a.len() == b.len();
        let mut k = 0;
        while same && k < a.len() {
            same = a[k] == b[k];
            k += 1;
        }
        if same {
            return i;
        }
        i += 1;
    }
    panic!("a name that its own row lacks")
}

/// Builds an op whose only result type follows from its operands.
pub fn build_inferred(
    b: &mut Builder<'_>,
    def: &'static OpDef,
    operands: &[ValueId],
    attrs: &[(&str, Attr)],
) -> ValueId {
    let types: Vec<Option<Type>> = operands.iter().map(|&v| Some(b.ty(v))).collect();
    // The row says `infer`, so its rule is never a class; the fallback keeps a wrong row visible to
    // the verifier.
    let result = def.results[0].rule.infer(&types).unwrap_or_else(Type::index);
    b.create_one(def, operands, result, attrs)
}

/// The number of a symbol in its view: a symbol is no op of a body.
pub const SYMBOL: OpId = OpId(u32::MAX);

/// What an accessor reads an attribute of: an op of a body, or a symbol, which has no number.
pub trait HasAttrs {
    fn attr_of(&self, op: OpId, name: &str) -> Option<Attr>;
}
impl HasAttrs for Body {
    fn attr_of(&self, op: OpId, name: &str) -> Option<Attr> {
        self.attr(op, name)
    }
}
impl HasAttrs for SymbolOp {
    fn attr_of(&self, _: OpId, name: &str) -> Option<Attr> {
        self.attr(name)
    }
}
impl<T: HasAttrs + ?Sized> HasAttrs for &T {
    fn attr_of(&self, op: OpId, name: &str) -> Option<Attr> {
        (**self).attr_of(op, name)
    }
}
impl<T: HasAttrs + ?Sized> HasAttrs for &mut T {
    fn attr_of(&self, op: OpId, name: &str) -> Option<Attr> {
        (**self).attr_of(op, name)
    }
}

/// A class of attributes as a type: what an accessor gives.
pub trait AttrValue {
    type Out;
    fn read(attr: Option<Attr>) -> Self::Out;
}
pub type Read<C> = <C as AttrValue>::Out;

/// The classes that a row names. All but `Unit` give nothing where the attribute is missing or of
/// another class.
pub mod class {
    use super::{Attr, AttrValue, Name};

    macro_rules! classes {
        ($( $class:ident: $out:ty = $read:expr; )*) => { $(
            #[doc = concat!("Gives `", stringify!($out), "`.")]
            pub struct $class;
            impl AttrValue for $class {
                type Out = $out;
                fn read(attr: Option<Attr>) -> $out {
                    let read: fn(Option<Attr>) -> $out = $read;
                    read(attr)
                }
            }
        )* };
    }

    classes! {
        Any: Option<Attr> = |a| a;
        Unit: bool = |a| a.is_some();
        Bool: Option<bool> = |a| a?.as_bool();
        Int: Option<i64> = |a| a?.as_int();
        String: Option<&'static str> = |a| a?.as_str();
        Symbol: Option<Name> = |a| a?.as_symbol();
        MaybeSymbol: Option<Name> = |a| a?.as_symbol();
        Type: Option<crate::types::Type> = |a| a?.as_type();
        Array: Option<Attr> = |a| a;
        IntArray: Option<Vec<i64>> = |a| a?.as_i64_array();
        Dict: Option<Attr> = |a| a;
        Constant: Option<Attr> = |a| a;
        Opaque: Option<Attr> = |a| a;
    }
}
