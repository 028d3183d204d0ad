//! The walks of passes that change one kernel after the other.
//!
//! Kernels come in the order of the module, as they were when the walk began: a change may add
//! symbols, and these are not visited.

use super::row::{Changed, PassResult};
use crate::analysis::kernels::kernels;
use caustic_ir::{Body, Module, Name, OpId};

/// Changes each kernel of a module; the first error ends the walk.
pub fn each_kernel(module: &mut Module, mut change: impl FnMut(&mut Module, Name) -> PassResult) -> PassResult {
    let mut changed = Changed::No;
    for kernel in kernels(module) {
        changed = changed.or(change(module, kernel)?);
    }
    Ok(changed)
}

/// Changes the ops of each kernel, those that it had before, in the order of the code. `change`
/// says whether it did.
pub fn each_op_of_kernels(module: &mut Module, mut change: impl FnMut(&mut Body, OpId) -> bool) -> PassResult {
    each_kernel(module, |module, kernel| {
        let Some(symbol) = module.get_mut(kernel) else { return Ok(Changed::No) };
        let mut changed = false;
        for op in symbol.body.walk_all() {
            changed |= change(&mut symbol.body, op);
        }
        Ok(Changed::from(changed))
    })
}
