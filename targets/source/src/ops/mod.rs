//! How each op is spelled in each language: one row an op and sort of operands.
//!
//! Each language is a column. C++'s spellings compute what the reference does, to the bit; another
//! language says where it differs ([`Column`]). Ops that are no expressions of their operands
//! (control flow, memory, resources) are spelled by `structure`, and are listed in [`structured`]
//! so that no op is in neither table; what no language has is refused.
//!
//! Invariant: every op of `caustic_dialects::all()` is spelled, structured or refused.

mod arith;
mod math;
mod structured;

pub use structured::{Structured, structured};

use crate::types::{Ty, is_integer};
use caustic_dialects::reflect::Scalar;
use caustic_ir::OpDef;

/// Binding strengths of infix operators of the family of C.
pub mod prec {
    pub const CHOOSE: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const BIT_OR: u8 = 4;
    pub const BIT_XOR: u8 = 5;
    pub const BIT_AND: u8 = 6;
    pub const EQUAL: u8 = 7;
    pub const COMPARE: u8 = 8;
    pub const SHIFT: u8 = 9;
    pub const ADD: u8 = 10;
    pub const MUL: u8 = 11;
    pub const UNARY: u8 = 12;
    pub const POSTFIX: u8 = 13;
}

/// How an op is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spelling {
    Infix(&'static str, u8),
    Prefix(&'static str),
    /// A function of the language, which takes vectors too.
    Call(&'static str),
    /// A function of ours: its name, and which snippet declares it.
    Snippet(&'static str, &'static str),
    /// The operator where the second operand is a literal for which it is defined, else ours.
    Guarded(&'static str, u8, Guard, &'static str, &'static str),
    /// A conversion to the type of the result.
    Convert,
    /// A template: `{0}` and `{1}` are the operands, `{t}` the type of the result, and the snippet
    /// that declares what it names.
    Template(&'static str, &'static str),
    /// The operand's bits as the type of the result; the printer knows how.
    Bits,
    /// The language has no such thing, for this reason.
    Refuse(&'static str),
}

/// What a language that is like C++ does with an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// It spells the op as C++ does, and computes the same.
    AsCpp,
    /// It spells the op as C++ does, and its function is so many units in the last place off: of
    /// `float`, and of `double`.
    Within(u32, u32),
}

/// How exact a function is of a language whose specification leaves that open, for `float`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Accuracy {
    Exact,
    /// Off by so many units in the last place.
    Ulps(u32),
    /// Off by 2 to the power of minus so much.
    Absolute(u32),
    /// By either of both: units in the last place, or 2 to the power of minus so much.
    Either(u32, u32),
}

impl Accuracy {
    /// The same for functions of doubles, which are ours: shading languages have none.
    pub fn of_doubles(self) -> Accuracy {
        if self == Accuracy::Exact { self } else { Accuracy::Ulps(16) }
    }
}

/// What a shading language does with an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shading {
    pub spelling: Spelling,
    pub accuracy: Accuracy,
}

/// It is spelled so, and computes the same as the reference.
const fn exact(spelling: Spelling) -> Shading {
    Shading { spelling, accuracy: Accuracy::Exact }
}

/// It is spelled so, and as exact as the specification says.
const fn within(spelling: Spelling, accuracy: Accuracy) -> Shading {
    Shading { spelling, accuracy }
}

/// Which second operands an operator is defined for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    Divisor,
    Shift,
}

/// What the first operand is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum On {
    Any,
    Float,
    Bool,
    /// Signed integers of 32 and 64 bits.
    Signed,
    /// Unsigned ones.
    Unsigned,
    /// Integers of 8 and 16 bits.
    Small,
    /// All integers, signed and unsigned ones.
    Integer,
}

impl On {
    pub fn holds(self, scalar: Scalar) -> bool {
        let small = scalar.size() < 4;
        match self {
            On::Any => true,
            On::Float => scalar.is_float(),
            On::Bool => scalar == Scalar::Bool,
            On::Signed => scalar.is_signed() && !small,
            On::Unsigned => is_integer(scalar) && !scalar.is_signed() && !small,
            On::Small => is_integer(scalar) && small,
            On::Integer => is_integer(scalar),
        }
    }
}

/// What signs an op's integers have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The same for operands and result, whichever.
    Tied,
    Signed,
    Unsigned,
    /// Operands as given, the result of either sign.
    FromSigned,
    FromUnsigned,
    /// Either sign for each.
    Free,
}

impl Sign {
    /// Whether the operands have to be unsigned, if it matters.
    pub fn operands(self) -> Option<bool> {
        match self {
            Sign::Signed | Sign::FromSigned => Some(false),
            Sign::Unsigned | Sign::FromUnsigned => Some(true),
            Sign::Tied | Sign::Free => None,
        }
    }

    /// Whether the result is unsigned, if that follows.
    pub fn result(self) -> Option<bool> {
        match self {
            Sign::Signed => Some(false),
            Sign::Unsigned => Some(true),
            _ => None,
        }
    }
}

/// A row.
pub struct Row {
    pub op: &'static OpDef,
    pub on: On,
    pub sign: Sign,
    pub cpp: Spelling,
    pub cuda: Column,
    pub glsl: Shading,
    pub hlsl: Shading,
    pub wgsl: Shading,
    pub metal: Shading,
    pub slang: Shading,
}

/// HLSL's column: where a row does not give it, GLSL's.
const fn hlsl_column(given: &[Shading], glsl: Shading) -> Shading {
    match given {
        [given, ..] => *given,
        [] => glsl,
    }
}

/// WGSL's column: where a row does not give it, GLSL's if that is an operator (or nothing). The
/// functions of the two languages have other names or other errors, so that an op without a column
/// is refused.
const fn wgsl_column(given: &[Shading], glsl: Shading) -> Shading {
    match given {
        [given, ..] => *given,
        [] => match glsl.spelling {
            Spelling::Infix(..) | Spelling::Prefix(_) | Spelling::Refuse(_) => glsl,
            _ => exact(Spelling::Refuse("such a function")),
        },
    }
}

/// Metal's column: where a row does not give it, GLSL's if that computes the same as the reference
/// and is no function of GLSL, so that an op without a column is refused.
const fn metal_column(given: &[Shading], glsl: Shading) -> Shading {
    match given {
        [given, ..] => *given,
        [] => match (glsl.spelling, glsl.accuracy) {
            (Spelling::Call(_), _) => exact(Spelling::Refuse("such a function")),
            (_, Accuracy::Exact) => glsl,
            _ => exact(Spelling::Refuse("such a function")),
        },
    }
}

/// Slang's column: where a row does not give it, GLSL's operators and HLSL's functions, which are
/// defined for all operands there as they are in the reference.
const fn slang_column(given: &[Shading], hlsl: Shading) -> Shading {
    match given {
        [given, ..] => *given,
        [] => match hlsl.spelling {
            Spelling::Guarded(sign, strength, ..) => exact(Spelling::Infix(sign, strength)),
            Spelling::Snippet(..) => hlsl,
            spelling => exact(spelling),
        },
    }
}

/// Declares a table: `View | View … [on] sign => spelling in C++, column of CUDA, of GLSL;`. Behind
/// GLSL's column may follow `, hlsl = column`, `, wgsl = column`, `, metal = column` and
/// `, slang = column`, in that order. A table has a list for each line, of rows that differ in their op.
macro_rules! rows {
    ( $vis:vis static $table:ident: $(
        $( $view:path )|+ [$on:ident] $sign:ident => $cpp:expr, $cuda:expr, $glsl:expr
        $(, hlsl = $hlsl:expr)? $(, wgsl = $wgsl:expr)? $(, metal = $metal:expr)?
        $(, slang = $slang:expr)? ;
    )* ) => {
        $vis static $table: &[&[$crate::ops::Row]] = &[ $(
            $crate::ops::line!( [$( $view ),+] $on $sign ($cpp) ($cuda) ($glsl) [$( $hlsl )?] [$( $wgsl )?] [$( $metal )?] [$( $slang )?] )
        ),* ];
    };
}
use rows;

macro_rules! line {
    ( [$( $view:path ),+] $on:ident $sign:ident $cpp:tt $cuda:tt $glsl:tt $hlsl:tt $wgsl:tt $metal:tt $slang:tt ) => {
        &[ $( $crate::ops::Row {
            op: <$view>::DEF,
            on: $crate::ops::On::$on,
            sign: $crate::ops::Sign::$sign,
            cpp: $cpp,
            cuda: $cuda,
            glsl: $glsl,
            hlsl: $crate::ops::hlsl_column(&$hlsl, $glsl),
            wgsl: $crate::ops::wgsl_column(&$wgsl, $glsl),
            metal: $crate::ops::metal_column(&$metal, $glsl),
            slang: $crate::ops::slang_column(&$slang, $crate::ops::hlsl_column(&$hlsl, $glsl)),
        } ),+ ]
    };
}
use line;

impl std::fmt::Debug for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} on {:?}", self.op.name, self.on)
    }
}

static TABLES: [&[&[Row]]; 2] = [arith::ROWS, math::ROWS];

fn all_rows() -> impl Iterator<Item = &'static Row> {
    TABLES.into_iter().flatten().copied().flatten()
}

/// The row of an op on operands of this type.
pub fn row(op: &'static OpDef, of: &Ty) -> Option<&'static Row> {
    let scalar = of.scalar()?;
    rows_of(op).find(|row| row.on.holds(scalar))
}

/// All rows of an op.
pub fn rows_of(op: &'static OpDef) -> impl Iterator<Item = &'static Row> {
    all_rows().filter(move |row| std::ptr::eq(row.op, op))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_op_is_spelled_structured_or_refused() {
        let ops = caustic_dialects::all().iter().flat_map(|d| d.ops.iter().flat_map(|list| list.iter()));
        let missing: Vec<&str> =
            ops.filter(|op| rows_of(op).next().is_none() && structured(op).is_none()).map(|op| op.name).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn every_language_has_the_snippets_that_its_rows_name() {
        for language in crate::lang::LANGUAGES {
            let known = |id: &str| id.is_empty() || language.snippets.iter().any(|s| s.id == id);
            let named = |row: &&Row| match (language.spelled)(row) {
                Spelling::Snippet(_, id) | Spelling::Guarded(_, _, _, _, id) | Spelling::Template(_, id) => !known(id),
                _ => false,
            };
            let missing: Vec<&Row> = all_rows().filter(named).collect();
            assert!(missing.is_empty(), "{}: {missing:?}", language.name);
            let unknown: Vec<&str> =
                language.snippets.iter().flat_map(|s| s.needs.iter().copied()).filter(|id| !known(id)).collect();
            assert!(unknown.is_empty(), "{}: {unknown:?}", language.name);
        }
    }

    #[test]
    fn only_functions_of_floats_are_inexact() {
        for row in all_rows() {
            if let Column::Within(single, double) = row.cuda {
                assert!(row.on == On::Float && row.op.name.starts_with("math."), "{row:?}");
                assert!((1..=4).contains(&single) && double <= single, "{row:?}");
            }
        }
    }

    #[test]
    fn operators_are_wgsl_s_and_functions_are_only_where_a_row_says_so() {
        let glsl = exact(Spelling::Infix("+", prec::ADD));
        assert_eq!(wgsl_column(&[], glsl), glsl);
        let function = exact(Spelling::Call("inversesqrt"));
        assert!(matches!(wgsl_column(&[], function).spelling, Spelling::Refuse(_)));
        assert_eq!(wgsl_column(&[glsl], function), glsl);
        assert_eq!((hlsl_column(&[], function), hlsl_column(&[glsl], function)), (function, glsl));
    }

    #[test]
    fn no_op_is_in_both_tables() {
        let both: Vec<&str> = all_rows().filter(|row| structured(row.op).is_some()).map(|row| row.op.name).collect();
        assert!(both.is_empty(), "{both:?}");
    }
}
