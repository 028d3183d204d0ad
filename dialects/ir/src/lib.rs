//! The IR core: types, attributes, locations, ops, regions, text, verification, diagnostics.
//!
//! It knows no op by name, no pass, no file, no thread and no target. What an op is, its row says
//! ([`op::OpDef`], declared through [`ops!`]); what code is, [`Body`] and [`Module`] hold.

pub mod attr;
pub mod body;
pub mod builder;
pub mod cancel;
pub mod codes;
pub mod diag;
pub mod equal;
pub mod eval;
pub mod fact;
pub mod input;
pub mod intern;
pub mod linear;
pub mod loc;
pub mod markdown;
pub mod module;
pub mod nearest;
pub mod op;
pub mod real;
pub mod render;
#[macro_use]
pub mod rows;
pub mod texels;
pub mod text;
pub mod types;
pub mod verify;

pub use attr::{Attr, AttrKind};
pub use body::{Attrs, BlockId, Body, OpId, RegionId, Use, ValueDef, ValueId};
pub use builder::{Builder, Cloner};
pub use cancel::CancelToken;
pub use diag::{Diagnostic, Fault, Result, Severity};
pub use fact::{Fact, FloatFact, IntFact, Kinds};
pub use input::Input;
pub use intern::Name;
pub use loc::{Loc, LocKind};
pub use module::{Module, SymbolOp};
pub use op::{
    AdRule, Asm, AsmShape, AttrClass, Dialect, Effects, Fold, Folded, Mirror, OpDef, Registry, TypeClass, TypeRule,
};
pub use types::{FloatKind, Type, TypeKind};
