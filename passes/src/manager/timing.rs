//! Where the time went, as a tree. What is measured never influences what is done.

#![warn(missing_docs)]

use std::fmt::Write;
use std::time::{Duration, Instant};

/// A step with the time that it took, and the steps that it is made of.
#[derive(Clone, Debug)]
pub struct Timing {
    /// What the step is called.
    pub name: String,
    /// How long it took, its parts included.
    pub wall: Duration,
    /// Its parts, in order.
    pub children: Vec<Timing>,
}

impl Timing {
    /// A step that has taken no time yet.
    pub fn new(name: impl Into<String>) -> Timing {
        Timing { name: name.into(), wall: Duration::ZERO, children: Vec::new() }
    }
    /// Runs `work` as a child of this step.
    pub fn measure<T>(&mut self, name: impl Into<String>, work: impl FnOnce(&mut Timing) -> T) -> T {
        let mut child = Timing::new(name);
        let start = Instant::now();
        let result = work(&mut child);
        child.wall = start.elapsed();
        self.children.push(child);
        result
    }
    /// The tree as a table: seconds, share of the whole, name. The whole is this step, or its parts
    /// if it was not measured.
    pub fn table(&self) -> String {
        let sum: Duration = self.children.iter().map(|c| c.wall).sum();
        let whole = self.wall.max(sum);
        let mut out = format!("  {:>10}  {:>6}  name\n", "seconds", "share");
        for child in &self.children {
            child.rows(0, whole, &mut out);
        }
        let rest = whole.saturating_sub(sum);
        Timing { name: "rest".to_string(), wall: rest, children: Vec::new() }.rows(0, whole, &mut out);
        Timing { name: "total".to_string(), wall: whole, children: Vec::new() }.rows(0, whole, &mut out);
        out
    }
    fn rows(&self, depth: usize, whole: Duration, out: &mut String) {
        let share = 100.0 * self.wall.as_secs_f64() / whole.as_secs_f64().max(1e-9);
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "  {:>10.6}  {share:>5.1}%  {}{}", self.wall.as_secs_f64(), "  ".repeat(depth), self.name);
        for child in &self.children {
            child.rows(depth + 1, whole, out);
        }
    }
}
