//! MLIR's text, both ways.
//!
//! Printing is total: what breaks an op's row, or has parts that its pretty form cannot say, is
//! printed in the generic form. Whatever is printed of a valid module parses to an equal module;
//! the printer and the parser walk the same compiled [`format`] pieces and the same shapes, and
//! know no op by name but [`MODULE`].

pub mod format;
mod lexer;
mod lines;
mod names;
pub mod parse;
mod parse_attr;
mod parse_format;
mod parse_loc;
mod parse_module;
mod parse_ops;
mod parse_shapes;
pub mod print;
mod print_format;
mod print_shapes;
pub mod write;

pub use names::Names;
pub use parse::{parse_attr, parse_module, parse_type};
pub use print::{PrintOptions, print_module, print_op, print_symbol};

/// The op that a file's outermost symbol table is.
pub const MODULE: &str = "builtin.module";

/// The attributes that hold what a function's parameters and results are annotated with, as
/// upstream names them.
pub(crate) const ARG_ATTRS: &str = "arg_attrs";
pub(crate) const RES_ATTRS: &str = "res_attrs";
pub(crate) const VISIBILITY: &str = "sym_visibility";
