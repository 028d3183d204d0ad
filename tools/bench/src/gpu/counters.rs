//! `--counters`: what the hardware counts while the kernels run, by Nsight Compute (`ncu`): what
//! limits each of them.
//!
//! Each variant runs once below the profiler, which launches its kernels several times over to
//! count everything. Times below it are with the clocks as they are; the tables of times are made
//! without it.

use super::programs::PROGRAMS;
use super::run::{Purpose, wrong};
use super::{Asked, Way};
use std::fmt::Write;
use std::path::Path;
use std::process::Command;

/// Begins the line that a process below the profiler prints for each kernel, in the order of their
/// launches.
pub const LAUNCHED: &str = "launched";

/// Columns of the table: a title, the profiler's metrics that are added up, and what the sum is
/// divided by.
const COLUMNS: [(&str, &[&str], f64); 14] = [
    ("ms", &["gpu__time_duration.sum"], 1e6),
    ("instructions, 10^6", &["smsp__inst_executed.sum"], 1e6),
    ("lanes", &["smsp__thread_inst_executed_per_inst_executed.ratio"], 1.0),
    ("issue, %", &["smsp__issue_active.avg.pct_of_peak_sustained_active"], 1.0),
    ("warps, %", &["sm__warps_active.avg.pct_of_peak_sustained_active"], 1.0),
    ("fma, %", &["sm__inst_executed_pipe_fma.avg.pct_of_peak_sustained_active"], 1.0),
    ("alu, %", &["sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active"], 1.0),
    ("xu, %", &["sm__inst_executed_pipe_xu.avg.pct_of_peak_sustained_active"], 1.0),
    ("lsu, %", &["sm__inst_executed_pipe_lsu.avg.pct_of_peak_sustained_active"], 1.0),
    (
        "local, 10^6",
        &["l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"],
        1e6,
    ),
    ("L1, %", &["l1tex__throughput.avg.pct_of_peak_sustained_active"], 1.0),
    ("L2, %", &["lts__t_sectors.avg.pct_of_peak_sustained_elapsed"], 1.0),
    ("DRAM, MB", &["dram__bytes.sum"], 1e6),
    ("DRAM, %", &["dram__throughput.avg.pct_of_peak_sustained_elapsed"], 1.0),
];

/// The tables of all programs that are asked for: primals and reverse derivatives, one row a
/// kernel.
pub fn run(folder: &Path, asked: &Asked<'_>) -> Result<String, String> {
    let itself = std::env::current_exe().map_err(wrong)?;
    let mut out = String::from(
        "*lanes*: threads of a warp that take part in an instruction; *issue*: cycles in which a scheduler issues; *warps*: of those that fit; then how busy \
         pipes and memories are; *local*: requests to local memory.\n",
    );
    // `sine:3` is the variant number 3, from 0 on.
    let (only, wanted) = asked.only.split_once(':').map_or((asked.only, None), |(w, n)| (w, n.parse::<usize>().ok()));
    for program in PROGRAMS.iter().filter(|p| p.name.contains(only)) {
        let variants = program.variants.iter().enumerate();
        for (number, variant) in variants.filter(|(n, _)| wanted.is_none_or(|w| w == *n)) {
            let log = folder.join(format!("{}.{number}.counters.csv", program.name));
            let metrics: Vec<&str> = COLUMNS.iter().flat_map(|c| c.1.iter().copied()).collect();
            let mut command = Command::new("ncu");
            command.args(["--clock-control", "none", "--csv", "--page", "raw", "--print-units", "base", "--metrics"]);
            command.arg(metrics.join(",")).arg("--log-file").arg(&log).arg(&itself).arg("--gpu-variant").arg(folder);
            command.args([asked.arch, program.name, &number.to_string()]).args(Purpose::Count.word());
            let output = command.output().map_err(|e| format!("`ncu` does not start: {e}"))?;
            let said = String::from_utf8_lossy(&output.stdout);
            let log = std::fs::read_to_string(&log).map_err(wrong)?;
            let label = if variant.label.is_empty() { String::new() } else { format!(", {}", variant.label) };
            let _ = writeln!(out, "\n### {}{label}\n", program.title);
            match table(&said, &log) {
                Ok(table) => out += &table,
                Err(why) => {
                    let _ = writeln!(out, "{why}\n{}", log.lines().take(4).collect::<Vec<_>>().join("\n"));
                }
            }
            std::fs::write(folder.join("counters.md"), &out).map_err(wrong)?;
        }
    }
    Ok(out)
}

/// The profiler's rows beside the kernels that were launched.
fn table(said: &str, log: &str) -> Result<String, String> {
    let mut rows = log.lines().filter(|l| l.starts_with('"')).map(fields);
    let head = rows.next().ok_or("the profiler counted nothing")?;
    let places: Vec<Vec<usize>> = COLUMNS
        .iter()
        .map(|(_, metrics, _)| metrics.iter().filter_map(|m| head.iter().position(|h| h == m)).collect())
        .collect();
    // Below the titles stand the units.
    let counted: Vec<Vec<String>> = rows.skip(1).collect();
    let launched: Vec<&str> = said.lines().filter_map(|l| l.strip_prefix(LAUNCHED)).map(str::trim).collect();
    if counted.len() < launched.len() {
        return Err(format!("{} kernels ran, {} were counted", launched.len(), counted.len()));
    }
    let mut out = String::from("| kernel | registers | local bytes |");
    COLUMNS.iter().for_each(|c| out += &format!(" {} |", c.0));
    out += "\n| --- | ---: | ---: |";
    out += &" ---: |".repeat(COLUMNS.len());
    out.push('\n');
    let mut lines: Vec<(usize, String)> = Vec::new();
    for (kernel, row) in launched.iter().zip(&counted) {
        let words: Vec<&str> = kernel.split(' ').collect();
        let &[way, entry, registers, local] = words.as_slice() else { continue };
        let Some(place) = Way::ALL.iter().position(|w| w.word() == way) else { continue };
        let mut line = format!("| {entry}, {} | {registers} | {local} |", Way::ALL[place].title());
        for (at, (_, _, by)) in places.iter().zip(COLUMNS) {
            let values: Option<Vec<f64>> =
                at.iter().map(|&i| row.get(i)?.replace(',', "").parse::<f64>().ok()).collect();
            let _ = match values {
                Some(values) if !values.is_empty() => write!(line, " {} |", short(values.iter().sum::<f64>() / by)),
                _ => write!(line, " |"),
            };
        }
        lines.push((place + Way::ALL.len() * usize::from(entry == "reverse"), line));
    }
    lines.sort_by_key(|l| l.0);
    for (_, line) in lines {
        out += &line;
        out.push('\n');
    }
    Ok(out)
}

/// Three digits.
fn short(value: f64) -> String {
    match value.abs() {
        a if a < 1.0 => format!("{value:.3}"),
        a if a < 10.0 => format!("{value:.2}"),
        a if a < 100.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

/// The fields of a line of comma-separated values, each in quotation marks.
fn fields(line: &str) -> Vec<String> {
    line.trim().trim_matches('"').split("\",\"").map(str::to_string).collect()
}
