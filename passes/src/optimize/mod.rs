//! Optimization: passes that keep what a program computes and make it smaller or faster.

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[];
