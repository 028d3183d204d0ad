//! What code costs: the numbers behind every choice, in one place, for each kind of machine.
//!
//! Three tables: what an op costs ([`ROWS`], found by [`Costs::of`]), what storing a value costs
//! ([`Costs`]), and how often code runs ([`Frequencies`]). The unit is one simple operation on a
//! scalar (a sum of two `f32`). The numbers need to be right in proportion only: what is close may
//! go either way. They decide how a program is computed, never what it is.
//!
//! The costs of ops stand here and not in the ops' rows: a row says what an op means, and a number
//! is one of an op *and* a machine, of which rows know nothing. A pure op of `arith`, `math` or
//! `strong` without a row in [`ROWS`] fails a test.
//!
//! `caustic-bench --op-costs` prints the table beside what it measures. Targets must not be known
//! here: a machine is a name.

mod frequency;
mod machine;
mod ops;
mod storage;
mod table;

pub use frequency::*;
pub use machine::Machine;
pub use ops::{Cells, OpCost, Row, SetUp, SetUpKey, When, is_known};
pub use storage::{CPU, Costs, GPU, Near};
pub use table::ROWS;
