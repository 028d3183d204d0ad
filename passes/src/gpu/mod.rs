//! What makes kernels faster on GPUs, whose waves run in step and whose groups have memory of their
//! own. No pass here is needed for a program to run.

mod additions;
pub mod coalesce;
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
pub mod unroll_invariant;
pub mod unroll_reads;
pub mod version_kernels;
pub mod waves;
pub mod whole;
mod words;
pub mod zeros;

use crate::manager::PassDef;

/// The passes of this folder.
pub static PASSES: &[&PassDef] = &[
    &waves::WARP_REDUCE_ATOMICS,
    &peers::WARP_AGGREGATE_ATOMICS,
    &complete::MARK_UNIFORM_WAVES,
    &tiles::PRIVATIZE_ATOMICS,
    &registers::UNROLL_ARRAYS,
    &divisors::UNROLL_DIVISORS,
    &periods::UNROLL_MODULO,
    &unroll_invariant::UNROLL_INVARIANT,
    &unroll_reads::UNROLL_READS,
    &lift::HOIST_ATOMICS,
    &iterations::PROMOTE_REDUCTIONS,
    &zeros::GUARD_ZERO_SLICES,
    &coarsen::COARSEN,
    &version_kernels::VERSION_KERNELS,
    &coalesce::COALESCE_STORES,
    &textures::FILTER_TEXTURES,
    &counters::NARROW_INDUCTION_VARIABLES,
    &whole::MARK_WHOLE_LOOPS,
];
