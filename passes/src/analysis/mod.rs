//! Facts about code that several kinds of passes ask for. An analysis changes nothing.

pub mod effects;
pub mod memory;
pub mod pressure;
pub mod threads;
pub mod varying;
