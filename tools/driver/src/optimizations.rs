//! What the choice among equal ways to compute did to a program, as text and as JSON.

use crate::backend::Backend;
use crate::diagnostics::Error;
use crate::options::{EmitOptions, Stage, Target};
use crate::pipeline;
use crate::program::Program;
use caustic_ir::Loc;
use caustic_passes::egraph::{FunctionReport, LineReport, RowReport, simple};
use serde_json::json;

impl Program {
    /// What the choice among equal ways to compute did to the program: to an entry point as
    /// `target` is given it, or to each function as [`Backend::Cranelift`](crate::Backend) is.
    /// Unless it is told off it runs for this, also where it would not.
    ///
    /// # Errors [`Error::Rejected`]: there is no such entry point, or a pass refuses the program.
    pub fn optimizations(
        &self,
        target: Option<Target>,
        entry: Option<&str>,
        options: &EmitOptions,
    ) -> Result<OptimizationReport, Error> {
        self.work(|cx| {
            let cx = &cx.reporting();
            match target {
                Some(target) => {
                    let interface = self.interface_of(&self.module, entry, Some(target))?;
                    self.lowered_for(target, &interface, options, cx)?;
                }
                None => {
                    let cx = cx.rewriting(options.code, Backend::Cranelift);
                    let module = pipeline::lower(self.module.clone(), Stage::Ad, &cx)?;
                    let module = pipeline::differentiate(module, options.derivatives, &cx)?;
                    pipeline::continue_from(module, Stage::Ad, Stage::Lowered, &cx)?;
                }
            }
            Ok(OptimizationReport(cx.rewritten()))
        })
    }
}

/// What the choice among equal ways to compute did: [`Program::optimizations`].
pub struct OptimizationReport(Vec<FunctionReport>);

impl OptimizationReport {
    /// Only what concerns this function.
    pub fn of(mut self, function: &str) -> OptimizationReport {
        self.0.retain(|r| r.function == function);
        self
    }

    /// Lines for people.
    pub fn to_text(&self) -> String {
        let changed = self.0.iter().filter(|r| r.outcome.changed);
        let text: String = changed.map(|r| r.to_text(&|loc| loc.source().start_text())).collect();
        if text.is_empty() { "nothing became cheaper\n".to_string() } else { text }
    }

    /// The same as JSON, with places as `FILE:LINE:COL` and functions of which nothing changed.
    pub fn to_json(&self) -> String {
        let place = |loc: Loc| loc.source().start_text();
        let row = |r: &RowReport| {
            let refused: serde_json::Map<String, serde_json::Value> =
                r.refused.iter().map(|&(name, n)| (name.to_string(), n.into())).collect();
            json!({ "row": r.row, "matches": r.matches, "new": r.unions, "chosen": r.chosen, "refused": refused })
        };
        let line = |l: &LineReport| json!({ "at": place(l.loc), "before": simple(l.before), "after": simple(l.after), "rows": l.rows });
        let function = |r: &FunctionReport| {
            let o = &r.outcome;
            json!({
                "function": r.function.as_str(),
                "at": place(r.loc),
                "changed": o.changed,
                "before": simple(o.before),
                "after": simple(o.after),
                "bound": r.bound,
                "nodes": o.nodes,
                "classes": o.classes,
                "equalities": o.unions,
                "rounds": o.rounds,
                "ended": o.stop.keyword(),
                "lines": r.lines.iter().map(line).collect::<Vec<_>>(),
                "rows": r.rows.iter().map(row).collect::<Vec<_>>(),
            })
        };
        let all: Vec<serde_json::Value> = self.0.iter().map(function).collect();
        format!("{:#}\n", json!({ "functions": all }))
    }
}
