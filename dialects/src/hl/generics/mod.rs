//! Generic code in `hl`: how parameters, arguments, witnesses and functions that depend on them are
//! written as attributes.
//!
//! | | written | |
//! | --- | --- | --- |
//! | parameter | `{name = "T", kind = "type"\|"int"\|"witness", interface = …}` | in `generics` of a function, table, derivative or interface; names are unique in it |
//! | type argument | a source type | `!hl.param<"T">` is a type parameter of the enclosing symbol |
//! | integer argument | `3`, `"N"`, `{op = "add", args = ["N", 1]}` | a string names an integer parameter of the enclosing symbol |
//! | | `{witness = w, key = "SIZE"}` | a constant that a witness has |
//! | witness | `"T:IFoo"` | a witness parameter of the enclosing symbol |
//! | | `@"float:IFoo"`, `[@"S:IFoo", f32]` | a table, with arguments if it is generic |
//! | | `{witness = w, key = "IBase"}` | an entry of another witness: the conformance to a base interface, or that of an associated type |
//! | interface | `@IFoo`, `[@IFoo, f32]` | with arguments if it is generic |
//! | function | `@f`, `[@f, f32, 3]` | with arguments if it is generic |
//! | | `{witness = w, key = "eval", args = […]}` | what a witness has for a requirement; `args` if the requirement is generic itself |
//! | | `{interface = @IFoo, key = "eval", args = […]}` | the function that looks at the value of an interface type that is its first argument |
//!
//! `specialize` replaces all of it. What is written here is data only; nothing in this module looks
//! at a module.

mod names;
mod refs;
mod types;

pub use names::{readable, readable_instance, readable_type};
pub use refs::{
    FunctionRef, IntExpr, IntOp, Param, ParamKind, Witness, generics_attr, generics_of, instance, split_instance,
};
pub use types::*;

/// The attribute of symbols that lists their parameters.
pub const GENERICS: &str = "generics";
