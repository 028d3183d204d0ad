//! One measurement, in the process that it is of: memory is a process's, and nothing that an
//! earlier one left warm helps.

use crate::program::{generate, generate_generic};
use caustic_driver::pipeline;
use caustic_frontend::MemoryLoader;
use caustic_ir::{Diagnostic, LocKind, Module};
use caustic_passes::pipelines::{DIFFERENTIATE, NORMALIZE, OPTIMIZE, STORAGE, Standard, run_timed};
use caustic_runtime::KernelInterface;
use std::time::{Duration, Instant};

/// How much of the compiler is measured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// Source to `hl`.
    Front,
    /// All that `caustic check` does: the front end, and the derivatives of every differentiable
    /// function.
    Check,
    /// All that `caustic run` does before the dispatch: down to machine code.
    Compile,
    /// As `Check`, of a program that is full of generics and interfaces.
    Generic,
}

impl What {
    pub const ALL: [What; 4] = [What::Front, What::Check, What::Compile, What::Generic];

    pub fn name(self) -> &'static str {
        match self {
            What::Front => "front",
            What::Check => "check",
            What::Compile => "compile",
            What::Generic => "generic",
        }
    }

    pub fn title(self) -> &'static str {
        match self {
            What::Front => "Front end (source to `hl`)",
            What::Check => "`caustic check` (front end, normalization, every derivative)",
            What::Generic => "`caustic check` of a program full of generics and interfaces",
            What::Compile => "`caustic run` without the dispatch (everything, to machine code)",
        }
    }

    /// What is compiled.
    pub fn program(self, lines: usize) -> String {
        if self == What::Generic { generate_generic(lines) } else { generate(lines) }
    }

    pub fn of_name(name: &str) -> Option<What> {
        What::ALL.into_iter().find(|w| w.name() == name)
    }
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Measured {
    pub lines: usize,
    /// In order; a step that ran twice is there once.
    pub steps: Vec<(String, Duration)>,
    /// Of the process, where the system tells.
    pub peak_bytes: Option<u64>,
}

impl Measured {
    pub fn total(&self) -> Duration {
        self.steps.iter().map(|(_, d)| *d).sum()
    }
    fn add(&mut self, step: &str, time: Duration) {
        match self.steps.iter_mut().find(|(s, _)| s == step) {
            Some((_, sum)) => *sum += time,
            None => self.steps.push((step.to_string(), time)),
        }
    }
    fn pass(&mut self, module: &mut Module, standard: Standard) -> Result<(), Vec<Diagnostic>> {
        for pass in run_timed(module, standard, false)?.children {
            self.add(&pass.name, pass.wall);
        }
        Ok(())
    }

    /// A line for each figure, for the process that asked.
    pub fn to_text(&self) -> String {
        let mut out = format!("lines {}\npeak {}\n", self.lines, self.peak_bytes.unwrap_or(0));
        for (step, time) in &self.steps {
            out += &format!("step {} {step}\n", time.as_nanos());
        }
        out
    }
    pub fn of_text(text: &str) -> Option<Measured> {
        let mut found = Measured { lines: 0, steps: Vec::new(), peak_bytes: None };
        for line in text.lines() {
            let (key, rest) = line.split_once(' ')?;
            match key {
                "lines" => found.lines = rest.parse().ok()?,
                "peak" => found.peak_bytes = rest.parse().ok().filter(|&n| n > 0),
                "step" => {
                    let (nanos, step) = rest.split_once(' ')?;
                    found.steps.push((step.to_string(), Duration::from_nanos(nanos.parse().ok()?)));
                }
                _ => return None,
            }
        }
        (found.lines > 0).then_some(found)
    }
}

const FILE: &str = "generated.slang";

pub fn measure(what: What, lines: usize) -> Result<Measured, Vec<Diagnostic>> {
    let program = what.program(lines);
    let mut measured = Measured { lines: program.lines().count(), steps: Vec::new(), peak_bytes: None };
    let mut loader = MemoryLoader::new(FILE, &program);
    let compiled = caustic_frontend::compile(&mut loader, FILE, &caustic_frontend::Options::default());
    for (step, time) in &compiled.steps {
        measured.add(step, *time);
    }
    let mut module = compiled.module.ok_or(compiled.diagnostics)?;
    match what {
        What::Front => {}
        What::Check | What::Generic => {
            measured.pass(&mut module, NORMALIZE)?;
            let in_program = |kind: &LocKind| matches!(kind, LocKind::Span { file, .. } if *file == FILE);
            pipeline::request_derivatives(&mut module, |symbol| in_program(symbol.loc.source().kind()));
            measured.pass(&mut module, DIFFERENTIATE)?;
        }
        What::Compile => {
            let wrong =
                |e: &dyn std::fmt::Display| vec![Diagnostic::internal(caustic_ir::Loc::unknown(), e.to_string())];
            let interface = KernelInterface::of_module(&module, None).map_err(|e| wrong(&e))?;
            pipeline::keep_only(&mut module, interface.entry);
            for standard in [NORMALIZE, DIFFERENTIATE, OPTIMIZE, STORAGE] {
                measured.pass(&mut module, standard)?;
            }
            let start = Instant::now();
            let options = caustic_cranelift::Options::default();
            let kernel = caustic_cranelift::compile_kernel(&module, &interface, options).map_err(|e| vec![e])?;
            measured.add("machine code", start.elapsed());
            drop(kernel);
        }
    }
    measured.peak_bytes = peak_bytes();
    Ok(measured)
}

/// The most memory that this process has had, where the system tells.
pub fn peak_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_survive_the_way_through_text() {
        let steps =
            vec![("parse".to_string(), Duration::from_nanos(7)), ("lower to hl".to_string(), Duration::from_secs(2))];
        let measured = Measured { lines: 9, steps, peak_bytes: Some(4096) };
        let back = Measured::of_text(&measured.to_text()).map(|m| (m.lines, m.steps, m.peak_bytes));
        assert_eq!(back, Some((measured.lines, measured.steps, measured.peak_bytes)));
        assert!(Measured::of_text("nothing").is_none());
    }

    #[test]
    fn every_measurement_works() {
        for what in What::ALL {
            let measured = measure(what, 400);
            assert!(measured.as_ref().is_ok_and(|m| m.total() > Duration::ZERO), "{what:?}: {measured:?}");
        }
    }
}
