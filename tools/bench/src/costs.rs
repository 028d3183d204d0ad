//! `--costs`: what derivatives cost beside the functions they are of, in operations that the
//! interpreter counts, and what a call keeps for its backward half.
//!
//! The figures depend on the compiler only, not on the machine. They are of optimized code;
//! contexts are those of calls that are not inlined.

use caustic_dialects::agg::{StructType, as_array, as_tape};
use caustic_dialects::signature::Signature;
use caustic_driver::gradcheck::{candidates, derivative_arguments, random_point};
use caustic_frontend::MemoryLoader;
use caustic_interp::{Interp, Limits};
use caustic_ir::eval::Val;
use caustic_ir::{Diagnostic, LocKind, Module, Name, Type};
use caustic_passes::autodiff::{self, Policy, derivative_symbol};
use caustic_passes::pipelines::{self, NORMALIZE, Standard};
use std::fmt::Write;

const GROWTH: &str = include_str!("shapes/costs.slang");
/// What [`pipelines::OPTIMIZE`] does, but for removing what nothing calls.
const OPTIMIZE: Standard =
    Standard { name: "costs", doc: "Makes all functions fast.", text: "inline,any(canonicalize,cse,licm,dce)" };

/// One function at one point.
struct Row {
    function: String,
    primal: u64,
    forward: u64,
    reverse: u64,
    context: u64,
}

/// Bytes of a value; a tape has as many elements as were written.
fn bytes(ty: Type, value: &Val) -> u64 {
    let elements = |elem: Type| value.parts().iter().map(|p| bytes(elem, p)).sum();
    if ty.is_vector() {
        return ty.num_elements() as u64 * scalar_bytes(ty.elem());
    }
    if let Some(elem) = as_tape(ty).or(as_array(ty).map(|(_, elem)| elem)) {
        return elements(elem);
    }
    match StructType::of(ty) {
        Some(s) => s.fields().zip(value.parts()).map(|(f, p)| bytes(f.ty, p)).sum(),
        None => scalar_bytes(ty),
    }
}

fn scalar_bytes(ty: Type) -> u64 {
    ty.scalar_bits().map_or(8, |bits| u64::from(bits).div_ceil(8))
}

/// All differentiable functions of a source. Integers among the inputs are `count`, if it is given.
fn measure(file: &str, source: &str, defines: &[(&str, i64)], count: Option<i64>) -> Result<Vec<Row>, Vec<Diagnostic>> {
    let mut loader = MemoryLoader::new(file, source);
    let options = caustic_frontend::Options {
        defines: defines.iter().map(|(n, v)| (n.to_string(), Some(v.to_string()))).collect(),
        ..Default::default()
    };
    let compiled = caustic_frontend::compile(&mut loader, file, &options);
    let Some(mut module) = compiled.module else { return Err(compiled.diagnostics) };
    pipelines::run(&mut module, NORMALIZE, false)?;
    let own = |n: &Name| {
        module.get(*n).is_some_and(|s| matches!(s.loc.source().kind(), LocKind::Span { file: f, .. } if *f == file))
    };
    let functions: Vec<Name> = candidates(&module).into_iter().filter(own).collect();
    let mut asked: Vec<(Name, Name, Name)> = Vec::new();
    for &function in &functions {
        let Some(symbol) = module.get(function) else { continue };
        let (Some(mut fwd), Some(mut bwd)) = (derivative_symbol(symbol, true), derivative_symbol(symbol, false)) else {
            continue;
        };
        fwd.name = module.fresh_name(&format!("costs.{}", fwd.name));
        bwd.name = module.fresh_name(&format!("costs.{}", bwd.name));
        asked.push((function, fwd.name, bwd.name));
        module.put(fwd);
        module.put(bwd);
    }
    autodiff::differentiate(&mut module, &Policy::default())?;
    let plain = module.clone();
    pipelines::run(&mut module, OPTIMIZE, false)?;
    Ok(asked.into_iter().filter_map(|names| row(&plain, &module, names, count)).collect())
}

/// `None` for a function that takes resources or that traps at the point.
fn row(plain: &Module, module: &Module, (function, fwd, bwd): (Name, Name, Name), count: Option<i64>) -> Option<Row> {
    let signature = Signature::of(plain.get(function)?)?;
    let mut point = random_point(&signature, 1)?;
    for (value, ty) in point.iter_mut().zip(&signature.inputs) {
        if let (Val::Int(_), Some(n), true) = (&*value, count, ty.is_int_or_index()) {
            *value = Val::Int(n);
        }
    }
    let (forward, backward) = derivative_arguments(&signature, &point);
    let steps = |name: &Name, args: Vec<Val>| {
        let interp = Interp::with_limits(module, Limits { steps: 1 << 30, ..Limits::default() });
        interp.call(name, args).ok().map(|_| interp.steps())
    };
    let context = || {
        let half = Name::new(&format!("{function}.primal"));
        let ty = *plain.get(half)?.function_type()?.1.last()?;
        let values = Interp::with_limits(plain, Limits::default()).call(&half, point.clone()).ok()?;
        Some(bytes(ty, values.last()?))
    };
    Some(Row {
        function: function.to_string(),
        primal: steps(&function, point.clone())?,
        forward: steps(&fwd, forward)?,
        reverse: steps(&bwd, backward)?,
        context: context().unwrap_or(0),
    })
}

fn table(title: &str, rows: &[(String, Row)]) -> String {
    let mut out =
        format!("### {title}\n\n| | primal | forward | reverse | forward/primal | reverse/primal | context |\n");
    out.push_str("| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n");
    for (name, r) in rows {
        let times = |n: u64| n as f64 / r.primal.max(1) as f64;
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {:.1} | {:.1} | {} |",
            r.primal,
            r.forward,
            r.reverse,
            times(r.forward),
            times(r.reverse),
            r.context
        );
    }
    out.push('\n');
    out
}

/// The tables of the given files, and of growth.
pub fn report(files: &[&str]) -> Result<String, String> {
    let told = |found: Vec<Diagnostic>| found.first().map_or_else(|| "nothing was found".into(), |d| d.to_string());
    let mut out = String::new();
    for file in files {
        let source = std::fs::read_to_string(file).map_err(|e| format!("cannot read {file}: {e}"))?;
        let name =
            std::path::Path::new(file).file_name().map_or_else(|| file.to_string(), |n| n.to_string_lossy().into());
        let rows = match measure(file, &source, &[], None) {
            Ok(rows) => rows,
            // Not every function has derivatives in both modes.
            Err(found) => {
                let _ = writeln!(out, "### `{name}`\n\nNot measured: {}\n", told(found));
                continue;
            }
        };
        out.push_str(&table(
            &format!("`{name}`"),
            &rows.into_iter().map(|r| (r.function.clone(), r)).collect::<Vec<_>>(),
        ));
    }
    for (title, size, counts) in [
        ("Growth with the trip count (arrays of 16 elements)", &[16][..], &[16, 64, 256, 1024][..]),
        ("Growth with the size of arrays (256 iterations)", &[16, 256, 4096], &[256]),
    ] {
        let mut rows: Vec<(String, Row)> = Vec::new();
        for &size in size {
            for &count in counts {
                for r in measure("costs.slang", GROWTH, &[("SIZE", size)], Some(count)).map_err(told)? {
                    let at = if counts.len() > 1 { count } else { size };
                    rows.push((format!("{} {at}", r.function), r));
                }
            }
        }
        rows.sort_by_key(|(name, r)| (r.function.clone(), name.len(), name.clone()));
        out.push_str(&table(title, &rows));
    }
    Ok(out)
}
