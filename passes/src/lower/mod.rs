//! Lowering: passes that turn what targets cannot hold into what they can.
//!
//! This folder must not know: what makes code faster on one machine (`gpu`).

pub mod aggregation;
pub mod apart;
pub mod atomics;
pub mod bounds;
pub mod check_bounds;
pub mod checks;
pub(crate) mod conditions;
pub mod dead_pointers;
pub mod functions;
pub mod instances;
pub mod marks;
pub mod masks;
pub mod nesting;
pub mod null;
pub mod pointers;
pub mod resources;
pub mod rolled;
pub mod small;
pub(crate) mod spans;
pub mod storage;
pub mod total;
pub mod trust;
pub mod wide;

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[
    &aggregation::CHOOSE_AGGREGATION,
    &marks::MARK_RANGES,
    &storage::LOWER_STORAGE,
    &instances::MARK_CONVERGENCE,
    &masks::WAVE_MASKS,
    &nesting::UNNEST_BRANCHES,
    &null::NULL_ADDRESSES,
    &checks::VERSION_LOOPS,
    &atomics::LEGALIZE_ATOMICS,
    &bounds::LEGALIZE_BOUNDS,
    &check_bounds::CHECK_BOUNDS,
    &functions::LEGALIZE_FUNCTIONS,
    &pointers::RESOLVE_POINTERS,
    &dead_pointers::DROP_DEAD_POINTERS,
    &resources::LEGALIZE_RESOURCES,
    &small::LEGALIZE_SMALL,
    &total::LEGALIZE_TOTAL,
    &trust::TRUST_BOUNDS,
    &wide::LEGALIZE_64BIT,
];
