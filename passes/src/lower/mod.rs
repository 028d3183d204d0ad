//! Lowering: passes that turn what targets cannot hold into what they can.

pub mod instances;
pub mod storage;

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[&storage::LOWER_STORAGE, &instances::MARK_INSTANCES];
