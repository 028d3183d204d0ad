//! Functions that grow, and what nothing but the code may decide.
//!
//! Time is not looked at here, since other programs run beside; `caustic-bench --rewrites growth`
//! measures it.

use super::{Job, high_level, pipeline};
use crate::runner::Suite;
use std::fmt::Write;
use std::sync::Arc;

const CLASSES: [&str; 3] = ["exact", "contract", "fast"];

/// Nodes that the rows of one match add beyond the limit at most.
const OVER: u64 = 64;
/// Nodes that may be added to any graph.
const LEAST: u64 = 200;

/// A function as text, and its name.
type Made = (&'static str, fn() -> String);

const FUNCTIONS: [Made; 10] = [
    ("sum-of-10", || sum_of_products(10)),
    ("sum-of-100", || sum_of_products(100)),
    ("sum-of-1000", || sum_of_products(1000)),
    ("sum-of-10000", || sum_of_products(9_900)),
    ("random-sum", random_sum),
    ("nested-selects", nested_selects),
    ("differences", differences),
    ("normalized", normalized),
    ("product-of-sums", product_of_sums),
    ("ifs", ifs),
];

pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let mut out: Vec<Job> = Vec::new();
    for (name, text) in FUNCTIONS {
        for class in CLASSES {
            let suite = suite.clone();
            out.push((format!("rewrites/growth-{name}-{class}"), Box::new(move || grows(&suite, &text(), class))));
        }
    }
    let (threads, stops) = (suite.clone(), suite.clone());
    out.push(("rewrites/n23-threads".into(), Box::new(move || same_by_threads(&threads))));
    out.push(("rewrites/n24-stop-after".into(), Box::new(move || stops_after_each(&stops))));
    out
}

/// A function of `inputs` floats and as many truth values whose body and result `write` adds.
fn function(inputs: usize, result: &str, write: impl FnOnce(&mut String) -> String) -> String {
    let floats: Vec<String> = (0..inputs).map(|i| format!("%x{i}: f32")).collect();
    let truths: Vec<String> = (0..inputs).map(|i| format!("%c{i}: i1")).collect();
    let mut body = String::new();
    let last = write(&mut body);
    format!(
        "func.func @f({}, {}, %n: i32) -> {result} {{\n{body}  func.return {last} : {result}\n}}\n",
        floats.join(", "),
        truths.join(", ")
    )
}

/// Writing to a string cannot fail.
macro_rules! line {
    ($out:expr, $($text:tt)*) => { let _ = writeln!($out, $($text)*); };
}

fn sum_of_products(n: usize) -> String {
    function(100, "f32", |out| {
        let mut sum = "%x0".to_string();
        for i in 0..n {
            line!(out, "  %p{i} = arith.mulf %x{}, %x{} : f32", i % 100, (i / 100 + i * 7 + 1) % 100);
            line!(out, "  %s{i} = arith.addf {sum}, %p{i} : f32");
            sum = format!("%s{i}");
        }
        sum
    })
}

fn random_sum() -> String {
    function(64, "f32", |out| {
        let mut terms: Vec<String> = (0..64).map(|i| format!("%x{i}")).collect();
        let mut seed = 1u64;
        while terms.len() > 1 {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let first = terms.swap_remove((seed >> 33) as usize % terms.len());
            let second = terms.swap_remove((seed >> 13) as usize % terms.len());
            let sum = format!("%s{}", terms.len());
            line!(out, "  {sum} = arith.addf {first}, {second} : f32");
            terms.push(sum);
        }
        terms.concat()
    })
}

fn nested_selects() -> String {
    function(200, "f32", |out| {
        line!(out, "  %y = arith.mulf %x0, %x1 : f32");
        let mut last = "%y".to_string();
        for i in 0..200 {
            line!(out, "  %s{i} = arith.select %c{i}, {last}, {last} : f32");
            last = format!("%s{i}");
        }
        last
    })
}

fn differences() -> String {
    function(1, "i32", |out| {
        let mut last = "%n".to_string();
        for i in 0..10_000 {
            line!(out, "  %v{i} = arith.subi {last}, {last} : i32");
            last = format!("%v{i}");
        }
        last
    })
}

/// The derivative of `normalize` of many vectors, each in its branch.
fn normalized() -> String {
    function(64, "f32", |out| {
        line!(out, "  %zero = arith.constant 0.0 : f32\n  %one = arith.constant 1.0 : f32");
        line!(out, "  %half = arith.constant 0.5 : f32");
        let mut sum = "%zero".to_string();
        for i in 0..128 {
            let [x, y, z, d] = [0, 1, 17, 33].map(|k| format!("%x{}", (i + k + i / 64 * k) % 64));
            line!(out, "  %a{i} = arith.mulf {x}, {x} : f32\n  %b{i} = arith.mulf {y}, {y} : f32");
            line!(out, "  %l{i} = arith.mulf {z}, {z} : f32\n  %e{i} = arith.addf %a{i}, %b{i} : f32");
            line!(out, "  %s{i} = arith.addf %e{i}, %l{i} : f32\n  %j{i} = arith.cmpf oeq, %s{i}, %zero : f32");
            line!(out, "  %g{i} = scf.if %j{i} -> (f32) {{\n    scf.yield %zero : f32\n  }} else {{");
            line!(out, "    %r = math.sqrt %s{i} : f32\n    %q = arith.divf %one, %r : f32");
            line!(out, "    %u = arith.divf {x}, %r : f32\n    %v = arith.negf %u : f32");
            line!(out, "    %w = arith.mulf %v, %q : f32\n    %t = arith.mulf %w, {d} : f32");
            line!(out, "    %h = arith.mulf %q, %half : f32\n    %k = arith.mulf %t, %h : f32");
            line!(out, "    %m = arith.mulf %k, {x} : f32\n    %o = arith.addf %m, %m : f32");
            line!(out, "    scf.yield %o : f32\n  }}\n  %z{i} = arith.addf {sum}, %g{i} : f32");
            sum = format!("%z{i}");
        }
        sum
    })
}

fn product_of_sums() -> String {
    function(128, "f32", |out| {
        let mut product = "%x0".to_string();
        for i in 0..64 {
            line!(out, "  %s{i} = arith.addf %x{}, %x{} : f32", 2 * i, 2 * i + 1);
            line!(out, "  %p{i} = arith.mulf {product}, %s{i} : f32");
            product = format!("%p{i}");
        }
        product
    })
}

fn ifs() -> String {
    function(1000, "f32", |out| {
        let mut sum = "%x0".to_string();
        for i in 0..1000 {
            line!(out, "  %r{i} = scf.if %c{i} -> (f32) {{\n    %m = arith.mulf %x{i}, {sum} : f32");
            line!(out, "    scf.yield %m : f32\n  }} else {{\n    scf.yield {sum} : f32\n  }}");
            sum = format!("%r{i}");
        }
        sum
    })
}

/// A number that the pass counted.
fn counted(statistics: &str, name: &str) -> Option<u64> {
    let line = statistics.lines().find(|l| l.ends_with(&format!("egraph: {name}")))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Nodes stay within their limit, and what comes out costs no more.
fn grows(suite: &Suite, text: &str, class: &str) -> Result<(), String> {
    let ops = text.lines().filter(|l| l.contains("arith.") || l.contains("math.")).count() as u64;
    let limit = if class == "exact" { (8 * ops + 2000).min(20_000) } else { (2 * ops + 400).min(10_000) };
    let run = |options: &str| {
        let passes = format!("--pass-pipeline=any(egraph{{class={class} costs=cpu{options}}})");
        suite.run_warned("caustic-opt", &[passes, "--statistics".into(), "-".into()], text)
    };
    let (_, statistics) = run("")?;
    // Where no row matches there is nothing to count.
    if counted(&statistics, "nodes").is_none() {
        return Ok(());
    }
    let of = |name| counted(&statistics, name).ok_or_else(|| format!("no count of {name}:\n{statistics}"));
    let (nodes, before, after) = (of("nodes")?, of("cost-before")?, of("cost-after")?);
    // What the code itself is comes first.
    let inputs = text.lines().next().map_or(0, |l| l.matches(": ").count()) as u64;
    let code = counted(&run(" stop-after=0")?.1, "nodes").unwrap_or(ops + inputs);
    let room = limit.max(code + LEAST);
    // What is added to whole sums comes on top.
    let sums = if class == "fast" { room / 8 } else { 0 };
    if nodes > room + sums + OVER {
        return Err(format!("{nodes} nodes for {ops} ops, class {class}: the limit is {limit}, the code {code}"));
    }
    if after > before {
        return Err(format!("class {class}: {after} is more than {before}"));
    }
    Ok(())
}

/// The same text for one thread and for eight, and in a second run.
fn same_by_threads(suite: &Suite) -> Result<(), String> {
    let path = suite.root.join("test-suite/bench/pbr.slang");
    let program = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let program = high_level(suite, &program)?;
    for class in CLASSES {
        let passes = pipeline(&format!("egraph{{class={class}}},"), true);
        let run = |threads: &str| {
            suite.run_text("caustic-opt", &[passes.clone(), "--threads".into(), threads.into(), "-".into()], &program)
        };
        let one = run("1")?;
        if one != run("8")? || one != run("1")? {
            return Err(format!("class {class}: the text depends on more than the code"));
        }
    }
    Ok(())
}

/// With `stop-after=N` there are N equalities, none leaves the program as it was, and all are what
/// there is without a limit.
fn stops_after_each(suite: &Suite) -> Result<(), String> {
    let text = "func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {\n  %n = arith.negf %a : f32\n  %p = arith.mulf %n, %b : f32\n  \
                %m = arith.negf %c : f32\n  %q = arith.mulf %p, %m : f32\n  %r = arith.divf %q, %b : f32\n  func.return %r : f32\n}\n";
    for class in CLASSES {
        let run = |limit: &str| {
            let passes = format!("--pass-pipeline=any(egraph{{class={class} stop-after={limit}}})");
            suite.run_warned("caustic-opt", &[passes, "--statistics".into(), "-".into()], text)
        };
        let unions = |found: &(String, String)| counted(&found.1, "unions").unwrap_or(0);
        let (all, none) = (run("-1")?, run("0")?);
        let plain = suite.run_text("caustic-opt", &["-".to_string()], text)?;
        if none.0 != plain {
            return Err(format!("class {class}: no equality, and another text\n{}", none.0));
        }
        let most = unions(&all);
        for n in 0..=most {
            let found = run(&n.to_string())?;
            if unions(&found) != n {
                return Err(format!("class {class}: stop-after={n} finds {} equalities", unions(&found)));
            }
            if n == most && found.0 != all.0 {
                return Err(format!("class {class}: all {n} equalities give another text than no limit"));
            }
        }
    }
    Ok(())
}
