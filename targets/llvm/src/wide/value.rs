//! Values of several threads at once.

use crate::ir::Value;

/// A scalar of each of the threads that run together.
#[derive(Clone, Copy, Debug)]
pub struct Val {
    /// A vector if it varies, else the scalar that is the same for all.
    pub v: Value,
    pub varying: bool,
    pub line: Option<Line>,
    /// Of a condition that varies: what holds only if the condition does, for every thread, those
    /// that do not take part included.
    pub all: Option<Value>,
}

/// A value that grows by the same step from thread to thread.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    /// The first thread's.
    pub first: Value,
    pub step: i64,
    /// The condition under which it is so; `None` if it always is.
    pub valid: Option<Value>,
    /// Of addresses: the bytes from one to the next are all there.
    pub whole: bool,
}

impl Val {
    pub fn uniform(v: Value) -> Val {
        Val { v, varying: false, line: None, all: None }
    }
    pub fn varying(v: Value) -> Val {
        Val { v, varying: true, line: None, all: None }
    }
}
