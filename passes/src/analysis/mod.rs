//! Facts about code that several kinds of passes ask for. An analysis changes nothing.

pub mod derivative_links;
pub mod effects;
pub mod memory;
pub mod pressure;
pub mod threads;
pub mod varying;
