//! `builtin`: upstream's module, the symbol table around everything else. The outermost module of a
//! file is no op but the [`caustic_ir::Module`] itself; this row is for modules within it.

use caustic_ir::op::{AdRule, Asm, AsmShape, Fold};
use caustic_ir::{Dialect, eval::Eval, ops};

pub static DIALECT: Dialect =
    Dialect { name: "builtin", doc: "Modules, as upstream's `builtin`.", ops: &[BUILTIN_OPS], types: &[] };

ops! { pub static BUILTIN_OPS as BuiltinView: [
    /// A symbol table.
    ModuleOp "builtin.module" {
        operands: (), results: none, attrs: (sym_name: String), regions: (body), effects: Symbol, commutative: false,
        asm: Asm::Shape(AsmShape::Module), verify: None, fold: Fold::None, eval: Eval::None, ad: AdRule::Inactive,
    }
] }
