//! The pass row of specialization.

use crate::manager::{Changed, PassDef, PassReport};
use crate::passes;
use caustic_ir::Module;

passes! {
    /// Makes an instance of each generic function and derivative for each list of arguments that it is used with, and removes all that is generic.
    ///
    /// Type and integer parameters, witnesses and associated types are replaced by their arguments; `hl.poly` becomes the ops that it stands
    /// for. A value of an interface's type becomes a struct of a number that tells the conforming type and one field for each such
    /// type; a call through it, a call of a function that switches over that number.
    static SPECIALIZE: "specialize" {
        level: module, options: none, before: "hl with generic code", after: "hl without generic code",
        statistics: [("instances", "functions and derivatives made of generic ones"), ("dispatchers", "functions that choose by the type of a value")],
        run: |module: &mut Module, report: &mut PassReport| {
            Ok(match super::run(module)? {
                None => Changed::No,
                Some(made) => {
                    report.count("instances", made.instances);
                    report.count("dispatchers", made.dispatchers);
                    Changed::Yes
                }
            })
        },
    }
}

pub static PASSES: &[&PassDef] = &[&SPECIALIZE];
