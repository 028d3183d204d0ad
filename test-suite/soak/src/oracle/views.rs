//! The oracle of buffers with derivatives: a program's reads of the table count as inputs. Both
//! modes must be transposes of each other, agree with finite differences along a direction that
//! includes the table, and be equal on every back end.
//!
//! Threads share the table, so their contributions to its derivatives are summed.

use super::points::{DIFFERENCE_TOLERANCE, DOT_TOLERANCE, OFFSETS, Point, STEP, batch, close, difference, dot, moved};
use super::run::{self, BACKENDS, Batch, Ready, TABLE, bytes, interp, reals};
use super::{Case, Outcome, Run, SAME, Seen};
use crate::tree::print::{Style, print};
use crate::tree::views::{VIEWS, View};
use caustic_passes::pipelines;
use caustic_test_suite::random::Rng;

/// The results of a dispatch: those of its threads, and the derivatives of the table.
type Left = (Vec<Vec<f64>>, Vec<f64>);

fn dispatch(
    kernel: &Ready<'_>,
    batch: &Batch,
    stride: usize,
    table: &[f64],
    derivatives: &[f64],
) -> Result<Left, String> {
    let contents = [
        ("table", bytes(table, false)),
        ("derivatives", bytes(derivatives, false)),
        ("data", bytes(&batch.data, false)),
        ("ints", batch.ints.iter().flat_map(|v| v.to_le_bytes()).collect()),
        ("result", vec![0; stride * batch.threads * 8]),
    ];
    let got = kernel.dispatch(batch.threads, &contents, &["result", "derivatives"])?;
    let all: Vec<Vec<f64>> = got.iter().map(|b| reals(b, false)).collect();
    let [results, sums] = all.as_slice() else { return Err("a buffer is missing".into()) };
    Ok((results.chunks(stride).map(<[f64]>::to_vec).collect(), sums.clone()))
}

/// For each element, the sum of its copies.
fn summed(view: &View, copies: &[f64]) -> Vec<f64> {
    (0..TABLE.len()).map(|i| (0..view.copies).map(|c| copies[c * TABLE.len() + i]).sum()).collect()
}

/// Checks one view for each program.
pub fn views(run: &Run<'_>, seen: &mut Seen) -> Outcome {
    let at = Rng::new(run.case.seed ^ 0xb0f).below(VIEWS.len());
    through(&VIEWS[at], run, seen)
}

/// Checks a program that reads the table through this view. Returns the number of results that were
/// compared with finite differences.
pub fn check_view(view: &'static View, case: &Case) -> Result<usize, String> {
    let mut seen = Seen::default();
    through(view, &Run::new(case)?, &mut seen)?;
    Ok(seen.differences)
}

fn through(view: &'static View, run: &Run<'_>, seen: &mut Seen) -> Outcome {
    let program = &run.case.program;
    // These views have no derivatives for programs that contain derivatives, and refuse them.
    if !program.reads() || program.nests() {
        return Ok(());
    }
    let good: Vec<Point> = run.good()?.into_iter().map(|i| run.points[i].clone()).collect();
    if good.is_empty() {
        return Ok(());
    }
    let mut rng = Rng::new(run.case.seed ^ 0xb1f);
    let mut only = program.clone();
    only.second = false;
    let text = print(&only, &Style { view: Some(view), ..Style::default() });
    let say = |what: String| format!("{}: {what}\n{text}", view.name);

    let mut module = run::compile(&text).map_err(say)?;
    run::apply_all(&mut module, pipelines::NORMALIZE).map_err(say)?;
    run::apply_all(&mut module, pipelines::DIFFERENTIATE).map_err(say)?;
    let (layout, points) = (&run.layout, batch(&good));
    let (ni, stride) = (layout.reals, layout.result_stride());
    let tangents: Vec<f64> = TABLE.iter().map(|_| rng.float(-1.0, 1.0)).collect();
    let zeros = vec![0.0; TABLE.len() * view.copies];
    let mut judge = module.clone();
    if view.waits {
        // The places where threads wait are only known after this.
        for pipeline in [pipelines::OPTIMIZE, pipelines::STORAGE, pipelines::INSTANCES] {
            run::apply_all(&mut judge, pipeline).map_err(say)?;
        }
    }
    let (along, _) = dispatch(&interp(&judge, "forwardMain")?, &points, stride, &TABLE, &tangents).map_err(say)?;
    let (gradients, copies) =
        dispatch(&interp(&judge, "reverseMain")?, &points, stride, &TABLE, &zeros).map_err(say)?;
    let sums = summed(view, &copies);

    // For all threads together, because they share the table's derivatives.
    let (table_part, table_size) = dot(&tangents, &sums, &[true; TABLE.len()]);
    let (mut left, mut right, mut size) = (0.0, table_part, table_size);
    for (i, p) in good.iter().enumerate() {
        let (l, a) = dot(&p.data[3 * ni..], &along[i], &vec![true; layout.outputs]);
        let (r, b) = dot(&p.data[ni..2 * ni], &gradients[i], &layout.active());
        (left, right, size) = (left + l, right + r, size + a + b);
    }
    if (left - right).is_nan() || (left - right).abs() > DOT_TOLERANCE * 1f64.max(size) {
        return Err(say(format!("forward mode gives {left}, reverse mode {right}, of which the table {table_part}")));
    }

    run::apply_all(&mut module, pipelines::OPTIMIZE).map_err(say)?;
    let steep = gradients.iter().flatten().chain(&sums).fold(1f64, |m, v| m.max(v.abs()));
    for &(name, backend) in &BACKENDS[1..] {
        let (got, copies) =
            dispatch(&backend(&module, "reverseMain")?, &points, stride, &TABLE, &zeros).map_err(say)?;
        let pairs = got.iter().flatten().zip(gradients.iter().flatten());
        for (k, (a, b)) in pairs.chain(summed(view, &copies).iter().zip(&sums)).enumerate() {
            if !close(*a, *b, SAME * steep) {
                return Err(say(format!("{name}: number {k} is {a}, not {b}")));
            }
        }
    }

    if program.detaches() {
        return Ok(());
    }
    let kernel = run::compiled(&module, "primalMain").map_err(say)?;
    let all = moved(&good, layout, 0);
    // By offset, then by thread.
    let mut values = Vec::new();
    for (o, offset) in OFFSETS.iter().enumerate() {
        let mut some = Batch { threads: good.len(), ..Batch::default() };
        for t in (0..good.len()).map(|i| i * OFFSETS.len() + o) {
            some.data.extend(&all.data[t * layout.data_stride()..(t + 1) * layout.data_stride()]);
            some.ints.extend(&all.ints[t * layout.ints..(t + 1) * layout.ints]);
        }
        let table: Vec<f64> = TABLE.iter().zip(&tangents).map(|(v, d)| v + offset * STEP * d).collect();
        values.push(dispatch(&kernel, &some, stride, &table, &zeros).map_err(say)?.0);
    }
    for (i, along) in along.iter().enumerate() {
        let numeric: Vec<Option<f64>> =
            (0..layout.outputs).map(|k| difference(std::array::from_fn(|o| values[o][i][k]))).collect();
        if numeric.iter().any(Option::is_none) {
            continue;
        }
        for (k, n) in numeric.into_iter().flatten().enumerate() {
            seen.differences += 1;
            if !close(along[k], n, DIFFERENCE_TOLERANCE) {
                return Err(say(format!("output {k}: {}, differences give {n}\n{:?}", along[k], good[i])));
            }
        }
    }
    Ok(())
}
