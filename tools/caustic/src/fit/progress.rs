//! How a fit tells of its steps: a line that is rewritten in place on a terminal, lines of their
//! own elsewhere, and what a document says of them.

use crate::cli::FitOptions;
use crate::{Terminal, json};
use caustic_runtime::output::Format;
use caustic_tool::Console;
use indicatif::{ProgressBar, ProgressState, ProgressStyle};
use serde_json::{Value as Json, json};
use std::fmt::Write;

pub(super) struct Progress {
    /// The line that is rewritten.
    bar: Option<ProgressBar>,
    /// Whether each step that is told is a line of the output, and not the last alone.
    lines: bool,
    format: Format,
    every: u64,
    told: Vec<(u64, f64)>,
}

impl Progress {
    pub(super) fn new(options: &FitOptions, terminal: Terminal) -> Progress {
        let format = options.run.format;
        let bar = terminal.live.then(|| {
            let bar = ProgressBar::new(options.steps.unwrap_or(0));
            let rate = |state: &ProgressState, out: &mut dyn Write| {
                let _ = write!(out, "{:.0}", state.per_sec());
            };
            let style = ProgressStyle::with_template("step {pos} of {len}: loss {msg}, {rate} steps/s");
            style.map_or(bar.clone(), |style| bar.with_style(style.with_key("rate", rate)))
        });
        // One screen shows one of them.
        let lines = format == Format::Text && !(terminal.live && terminal.output);
        Progress { bar, lines, format, every: options.every(), told: Vec::new() }
    }

    /// Tells of a step, the last one in any case.
    pub(super) fn step(&mut self, step: u64, loss: f64, is_last: bool, console: &mut Console<'_>) {
        if let Some(bar) = &self.bar {
            bar.set_message(shown(loss));
            bar.set_position(step);
        }
        if !is_last && !step.is_multiple_of(self.every) {
            return;
        }
        self.told.push((step, loss));
        if is_last {
            self.end(console);
        }
        if self.lines || is_last && self.format == Format::Text {
            let line = format!("step {step}: loss {}\n", shown(loss));
            self.aside(|| {
                console.out(&line);
                console.flush();
            });
        }
    }

    /// Passes on what the kernel printed. A document stands alone on the standard output.
    pub(super) fn printed(&self, text: &str, console: &mut Console<'_>) {
        if text.is_empty() {
            return;
        }
        self.aside(|| match self.format {
            Format::Text => {
                console.out(text);
                console.flush();
            }
            Format::Json => console.err(text),
        });
    }

    /// Does what writes to the screen.
    fn aside(&self, work: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(work),
            None => work(),
        }
    }

    /// Takes the line away. What is told after that stays.
    pub(super) fn end(&mut self, console: &mut Console<'_>) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
        console.flush();
    }

    /// Whether the last step that was told of is before this one.
    pub(super) fn is_before(&self, steps: u64) -> bool {
        self.told.last().is_some_and(|(step, _)| *step < steps)
    }

    /// The steps that were told of, with their losses.
    pub(super) fn losses(&self) -> Json {
        self.told.iter().map(|(step, loss)| json!({"step": step, "loss": json::number(*loss)})).collect()
    }

    /// The number of the last of them, and its loss.
    pub(super) fn last(&self) -> (Json, Json) {
        self.told.last().map_or((Json::Null, Json::Null), |(step, loss)| ((*step).into(), json::number(*loss)))
    }
}

/// A float as people read it: some six digits.
fn shown(v: f64) -> String {
    let short: f64 = format!("{v:.5e}").parse().unwrap_or(v);
    match short.abs() {
        0.0 => "0".into(),
        size if (1e-4..1e6).contains(&size) || !size.is_finite() => format!("{short}"),
        _ => format!("{short:e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let texts = [0.0, 0.1 + 0.2, 12.345678, 1.0 / 3e7, -2e9, f64::INFINITY].map(shown);
        assert_eq!(texts, ["0", "0.3", "12.3457", "3.33333e-8", "-2e9", "inf"]);
    }
}
