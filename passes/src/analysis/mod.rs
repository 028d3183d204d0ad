//! Facts about code that several kinds of passes ask for: the ground of this crate, on which all
//! other folders stand. An analysis changes no code that is there; where it has a fact in closed
//! form it can build the value.
//!
//! This folder must not know: any pass.

pub mod access;
pub mod bound;
pub mod carried_facts;
pub mod consts;
pub mod costs;
pub mod custom_derivatives;
pub mod derivative_links;
pub mod effects;
pub mod facts;
pub mod kernels;
pub mod liveness;
pub mod memory;
pub mod pressure;
pub mod ranges;
pub mod stage;
pub mod threads;
pub mod trip_count;
pub mod varying;
pub mod walk;
pub mod while_loops;
