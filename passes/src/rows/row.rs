//! The declaration of a row, and the macro that declares tables of rows.

use super::eval::Values;
use super::term::Parsed;
use crate::mutants;
use caustic_ir::eval::{Val, normalize};
use caustic_ir::{Dialect, Type};
use std::sync::OnceLock;

/// The reading of floats under which an equality holds. A row may be used wherever a class that is
/// listed later than its own is allowed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Class {
    /// Always, for infinities, NaNs (except for their payload) and the sign of zero too.
    Exact,
    /// As a linear map of tangents: a strong zero times an infinity is zero, and the sign of a zero
    /// is lost.
    Linear,
    /// A product and a sum may be rounded once, together.
    Contract,
    /// Sums and products may be taken in another order.
    Reassociate,
    /// As real numbers, as long as no intermediate result leaves the range of the type. NaNs and
    /// infinities are kept.
    Fast,
}

impl Class {
    pub const ALL: &'static [Class] = &[Class::Exact, Class::Linear, Class::Contract, Class::Reassociate, Class::Fast];

    pub fn keyword(self) -> &'static str {
        match self {
            Class::Exact => "exact",
            Class::Linear => "linear",
            Class::Contract => "contract",
            Class::Reassociate => "reassociate",
            Class::Fast => "fast",
        }
    }

    pub fn from_keyword(word: &str) -> Option<Class> {
        Class::ALL.iter().copied().find(|c| c.keyword() == word)
    }
}

/// The component that applies a row, and the direction in which it does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Use {
    /// From left to right, by the canonicalizer and by the e-graph: the right side is never worse.
    Shrinks,
    /// Both ways, by the e-graph.
    Both,
    /// From left to right, by the e-graph.
    EGraph,
}

impl Use {
    pub fn keyword(self) -> &'static str {
        match self {
            Use::Shrinks => "shrinks",
            Use::Both => "both",
            Use::EGraph => "egraph",
        }
    }
}

/// An equality. Variables are single words that are not names of ops. The texts are parsed once
/// ([`Row::parsed`]).
pub struct Row {
    pub name: &'static str,
    pub class: Class,
    pub used: Use,
    pub left: &'static str,
    pub right: &'static str,
    /// Conditions, separated by commas: all must hold.
    pub when: &'static str,
    /// The largest distance of the sides where all intermediate results are normal, in units in the
    /// last place of the magnitude ([`bound`](super::bound)); 0 if the class is exact.
    pub ulps: u32,
    /// The dialects besides `arith` and `math` whose ops it may name.
    pub dialects: &'static [&'static Dialect],
    pub cache: &'static OnceLock<Result<Parsed, String>>,
}

impl Row {
    /// The parsed row. `None` for a row with a mistake, which a test of the tables finds.
    pub fn parsed(&self) -> Option<&'static Parsed> {
        self.checked().as_ref().ok()
    }

    /// The row as it is written, on one line.
    pub fn text(&self) -> String {
        let when = self.when.trim_end().trim_end_matches(',');
        let condition = if when.is_empty() { String::new() } else { format!(" if {when}") };
        let bound = if self.ulps > 0 { format!(" within {} ulp", self.ulps) } else { String::new() };
        format!("{} = {}{condition}{bound}", self.left, self.right).replace(['\n', '\r'], " ")
    }

    /// [`Row::parsed`], or the mistake in the row.
    pub fn checked(&self) -> &'static Result<Parsed, String> {
        self.cache.get_or_init(|| {
            let mut parsed = super::text::parse(self)?;
            let variables = &parsed.variables;
            parsed.when.retain(|c| !mutants::leaves_out(self.name, || c.name(variables)));
            Ok(parsed)
        })
    }

    /// The value of the right side, for a result of type `ty`.
    pub fn right_value(&self, parsed: &Parsed, values: &Values, ty: Type) -> Option<Val> {
        Some(self.told(values.of(&parsed.right, Some(ty))?, ty))
    }

    /// The value that the right side is taken to have: `value`, or another one if a mutant asks for
    /// it.
    pub(super) fn told(&self, value: Val, ty: Type) -> Val {
        if mutants::rewrite(self.name) { spoiled(value, ty) } else { value }
    }
}

/// A value that differs from this one.
fn spoiled(value: Val, ty: Type) -> Val {
    match value {
        Val::Float(x) => normalize(Val::Float(x + 1.0), ty),
        Val::Int(x) if ty.is_i1() => Val::Int(1 - x),
        Val::Int(x) => normalize(Val::Int(x.wrapping_add(1)), ty),
        other => other,
    }
}

/// Declares a table of rows:
///
/// `"name" Exact Shrinks (left) = (right) if condition(x, y), other(x) within 2 ulp;`
///
/// The condition and the bound may be left out. `static ROWS with [&DIALECT]: [ … ]` may name ops
/// of that dialect, too.
///
/// A right side with a variable that the left one lacks does not compile, nor does an exact row
/// with a bound:
///
/// ```compile_fail
/// caustic_passes::rows::rows! {
///     pub static WRONG: [ "wrong" Exact Shrinks (addf x y) = (addf x z); ]
/// }
/// ```
/// ```compile_fail
/// caustic_passes::rows::rows! {
///     pub static WRONG: [ "wrong" Exact Shrinks (addf x y) = (addf y x) within 1 ulp; ]
/// }
/// ```
/// ```
/// caustic_passes::rows::rows! {
///     pub static RIGHT: [ "right" Exact Both (addf x y) = (addf y x); ]
/// }
/// assert!(RIGHT[0].parsed().is_some());
/// ```
#[macro_export]
#[doc(hidden)]
macro_rules! __rows {
    ( $(#[$m:meta])* $vis:vis static $table:ident $(with [ $($dialect:expr),+ ])? : [ $( $(#[$rm:meta])*
        $name:literal $class:ident $used:ident $left:tt = $right:tt
        $(if $($cond:ident $args:tt),+)? $(within $ulps:literal ulp)? ;
    )* ] ) => {
        $(#[$m])*
        $vis static $table: &[$crate::rows::Row] = {
            static DIALECTS: &[&$crate::rows::Dialect] = &[ $( $($dialect),+ )? ];
            &[ $( {
            const LEFT: &str = stringify!($left);
            const RIGHT: &str = stringify!($right);
            const WHEN: &str = concat!($( $(stringify!($cond), stringify!($args), ", ",)+ )?);
            const ULPS: u32 = 0 $( + $ulps )?;
            const _: () = $crate::rows::check::row(LEFT, RIGHT, WHEN, ULPS, $crate::rows::Class::$class);
            static CACHE: std::sync::OnceLock<Result<$crate::rows::Parsed, String>> = std::sync::OnceLock::new();
            $crate::rows::Row {
                name: $name,
                class: $crate::rows::Class::$class,
                used: $crate::rows::Use::$used,
                left: LEFT,
                right: RIGHT,
                when: WHEN,
                ulps: ULPS,
                dialects: DIALECTS,
                cache: &CACHE,
            }
        } ),* ]
        };
    };
}
pub use crate::__rows as rows;
