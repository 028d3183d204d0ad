//! What makes kernels faster on GPUs, whose waves run in step and whose groups have memory of their own. No pass here is needed for a program to run.

mod additions;
pub mod coarsen;
pub mod complete;
pub mod counters;
pub mod divisors;
pub mod iterations;
pub mod lift;
pub mod peers;
pub mod periods;
pub mod registers;
mod shared;
pub mod textures;
pub mod tiles;
mod unroll_chosen;
pub mod waves;
pub mod zeros;

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[
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
    &textures::FILTER_TEXTURES,
    &counters::NARROW_COUNTERS,
];
