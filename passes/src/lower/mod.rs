//! Lowering: passes that turn what targets cannot hold into what they can.

mod additions;
pub mod aggregation;
pub mod checks;
pub mod coarsen;
pub mod complete;
pub mod counters;
pub mod divisors;
pub mod instances;
pub mod iterations;
mod kernels;
pub mod lift;
pub mod marks;
pub mod masks;
pub mod peers;
pub mod periods;
pub mod registers;
mod rolled;
mod shared;
pub mod storage;
pub mod textures;
pub mod tiles;
pub mod waves;
pub mod zeros;

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[
    &aggregation::CHOOSE_AGGREGATION,
    &marks::MARK_RANGES,
    &storage::LOWER_STORAGE,
    &instances::MARK_INSTANCES,
    &masks::WAVE_MASKS,
    &waves::WAVE_ADDITIONS,
    &peers::PEER_ADDITIONS,
    &complete::COMPLETE_WAVES,
    &tiles::TILE_ADDITIONS,
    &registers::UNROLL_ARRAYS,
    &divisors::UNROLL_DIVISORS,
    &periods::UNROLL_PERIODS,
    &lift::LIFT_ADDITIONS,
    &iterations::SUM_ITERATIONS,
    &zeros::SKIP_ZEROS,
    &coarsen::COARSEN,
    &checks::SHARE_CHECKS,
    &textures::FILTER_TEXTURES,
    &counters::NARROW_COUNTERS,
];
