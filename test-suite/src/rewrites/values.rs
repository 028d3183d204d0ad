//! Runs the function of a block on drawn inputs, special numbers among them, with the e-graph and
//! without.
//!
//! Class exact, and what says `bits`, has to keep every bit, NaN being NaN. Above it results may be
//! off by rounding where all inputs are ordinary numbers, and a NaN that comes in has to come out.

use super::Block;
use crate::json;
use crate::runner::Suite;
use std::fmt::Write;

/// Threads in a group, and groups: together more than 10^4 inputs.
const GROUPS: (usize, usize) = (64, 160);
/// How far results may be apart, as a share of the result and of one.
const NEAR: f64 = 2e-4;
/// The same for `half`, whose unit in the last place is a thousandth: four of these.
const NEAR_HALF: f64 = 4e-3;

/// What draws inputs: every number of a table of special ones is as likely as all others together.
const DRAWN: &str = "
static const uint SPECIAL[24] = { 0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1, 0x80000001, 0x007fffff,
    0x00800000, 0x80800000, 0x00800001, 0x3f800000, 0x3f800001, 0x3f7fffff, 0xbf800000, 0x7f7fffff, 0xff7fffff,
    0x3f000000, 0x40000000, 0x4b000000, 0x4b800000, 0x42c80000, 0x3e99999a, 0xc0400000 };
static const uint SPECIAL16[16] = { 0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 1, 0x8001, 0x3ff, 0x400, 0x8400, 0x3c00, 0x3c01,
    0x7bff, 0xfbff, 0x3800, 0xc200 };
static const int SPECIALI[8] = { 0, 1, -1, 0x7fffffff, int(0x80000000), 2, 16, -8 };
uint mixed(uint x) { x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; x ^= x >> 16; return x; }
bool isOdd(uint t) { return mixed(t * 977 + 5) % 8 == 0; }
float ordinary(uint n) { return 0.25f + float(mixed(n) >> 8) * (3.75f / 16777216.0f); }
float anyFloat(uint n) { uint h = mixed(n); return asfloat((h & 1) != 0 ? SPECIAL[(h >> 1) % 24] : mixed(h)); }
half anyHalf(uint n) { uint h = mixed(n); return asfloat16(uint16_t((h & 1) != 0 ? SPECIAL16[(h >> 1) % 16] : mixed(h) & 0xffff)); }
double anyDouble(uint n) { uint h = mixed(n); return (h & 1) != 0 ? double(asfloat(SPECIAL[(h >> 1) % 24])) : asdouble(mixed(h), mixed(h + 1)); }
int anyInt(uint n) { uint h = mixed(n); return (h & 1) != 0 ? SPECIALI[(h >> 1) % 8] : int(mixed(h)); }
";

/// A type of a parameter or result: its scalar and how many of them there are.
struct Shape {
    scalar: String,
    lanes: usize,
}

impl Shape {
    fn parse(text: &str) -> Result<Shape, String> {
        let scalars = ["float", "half", "double", "int", "uint", "bool"];
        let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
        let lanes = text[name.len()..].parse().unwrap_or(1);
        match scalars.contains(&name) {
            true => Ok(Shape { scalar: name.to_string(), lanes }),
            false => Err(format!("values of type `{text}` are not drawn")),
        }
    }

    fn is_float(&self) -> bool {
        matches!(&self.scalar[..], "float" | "half" | "double")
    }

    fn name(&self) -> String {
        if self.lanes > 1 { format!("{}{}", self.scalar, self.lanes) } else { self.scalar.clone() }
    }

    /// A drawn value: any, or with `near` an ordinary one in most threads.
    fn drawn(&self, number: usize, near: bool) -> String {
        let one = |lane: usize| {
            let n = format!("t * 31 + {}", number * 4 + lane);
            let any = match &self.scalar[..] {
                "float" => format!("anyFloat({n})"),
                "half" => format!("anyHalf({n})"),
                "double" => format!("anyDouble({n})"),
                "bool" => return format!("(mixed({n}) & 1) != 0"),
                _ => return format!("{}(anyInt({n}))", self.scalar),
            };
            if near { format!("(isOdd(t) ? {any} : {}(ordinary({n})))", self.scalar) } else { any }
        };
        let all: Vec<String> = (0..self.lanes).map(one).collect();
        if self.lanes == 1 { all.concat() } else { format!("{}({})", self.name(), all.join(", ")) }
    }
}

/// The types of `f`'s parameters, and of its result.
fn signature(text: &str) -> Result<(Vec<Shape>, Shape), String> {
    let at = text.find(" f(").ok_or("no function `f`")?;
    let result = text[..at].rsplit([' ', '\n', ']']).next().unwrap_or_default();
    let rest = &text[at + 3..];
    let list = rest.split_once(')').map_or("", |(list, _)| list);
    let parameters = list.split(',').filter(|p| !p.trim().is_empty());
    let ty = |p: &str| Shape::parse(p.split_whitespace().rev().nth(1).unwrap_or_default());
    Ok((parameters.map(ty).collect::<Result<Vec<_>, _>>()?, Shape::parse(result)?))
}

/// A program that writes what `f` gives: bits, or numbers; and before them whether an input is
/// NaN (2), or not an ordinary number (1).
fn program(block: &Block, near: bool) -> Result<String, String> {
    let (parameters, result) = signature(&block.text)?;
    let mut out =
        format!("{}\n{DRAWN}RWStructuredBuffer<{}> results;\n", block.text, if near { "float" } else { "uint" });
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        "[shader(\"compute\")]\n[numthreads({}, 1, 1)]\nvoid computeMain(uint3 id : SV_DispatchThreadID)\n{{\n    uint t = id.x;\n    bool nan = false;\n",
        GROUPS.0
    );
    for (n, parameter) in parameters.iter().enumerate() {
        let _ = writeln!(out, "    {} a{n} = {};", parameter.name(), parameter.drawn(n, near));
        if parameter.is_float() {
            let all = if parameter.lanes > 1 { format!("any(isnan(a{n}))") } else { format!("isnan(a{n})") };
            let _ = writeln!(out, "    nan = nan || {all};");
        }
    }
    let names: Vec<String> = (0..parameters.len()).map(|n| format!("a{n}")).collect();
    let _ = writeln!(out, "    {} r = f({});", result.name(), names.join(", "));
    let stride = if near { result.lanes + 1 } else { result.lanes * 2 };
    if near {
        let _ = writeln!(out, "    results[t * {stride}] = nan ? 2.0f : isOdd(t) ? 1.0f : 0.0f;");
    }
    for lane in 0..result.lanes {
        let value = if result.lanes > 1 { format!("r[{lane}]") } else { "r".to_string() };
        if near {
            let _ = writeln!(out, "    results[t * {stride} + {}] = float({value});", lane + 1);
            continue;
        }
        let at = format!("t * {stride} + {}", lane * 2);
        let _ = match &result.scalar[..] {
            "float" => writeln!(out, "    results[{at}] = isnan({value}) ? 0x7fc00000 : asuint({value});"),
            "half" => writeln!(out, "    results[{at}] = isnan({value}) ? 0x7e00 : uint(asuint16({value}));"),
            "double" => writeln!(
                out,
                "    uint low{lane}, high{lane}; asuint({value}, low{lane}, high{lane});\n    results[{at}] = isnan({value}) ? 7 : low{lane};\n    \
                 results[{at} + 1] = isnan({value}) ? 7 : high{lane};"
            ),
            _ => writeln!(out, "    results[{at}] = uint({value});"),
        };
    }
    out.push_str("}\n");
    Ok(out)
}

/// Compares what a block computes with the e-graph and without.
pub fn compare(suite: &Suite, block: &Block) -> Result<(), String> {
    let near = block.class != "exact" && !block.bits;
    let text = program(block, near)?;
    let (_, result) = signature(&block.text)?;
    let per = if near { result.lanes + 1 } else { result.lanes * 2 };
    let count = GROUPS.0 * GROUPS.1 * per;
    let run = |rewrite: &str, class: &str| {
        let (groups, bytes) = (format!("{},1,1", GROUPS.1), format!("results=zero:{}", count * 4));
        let mut args = vec!["run", "-", "--dispatch", &groups, "--buffer", &bytes, "--read", "results"];
        args.extend(["--format", "json", "--fp", class, "--rewrite", rewrite]);
        if block.text.contains("RWStructuredBuffer<int> numbers") {
            args.extend(["--buffer", "numbers=i32:3,1,4,1,5,9,2,6"]);
        }
        let args: Vec<String> = args.into_iter().map(str::to_string).collect();
        suite.run_text("caustic", &args, &text).map(|out| json::first_list(&out))
    };
    let (with, without) = (run("on", &block.class)?, run("off", "exact")?);
    if with.len() != count || without.len() != count {
        return Err(format!("{}: {} and {} numbers, not {count}", block.id, with.len(), without.len()));
    }
    let allowed = if result.scalar == "half" { NEAR_HALF } else { NEAR };
    let wrong =
        if near { first_far(&with, &without, per, allowed) } else { (0..count).find(|&i| with[i] != without[i]) };
    let Some(at) = wrong else { return Ok(()) };
    Err(format!(
        "{}, {}: thread {} gives {}, and {} without the e-graph\n{text}",
        block.id,
        block.class,
        at / per,
        with[at],
        without[at]
    ))
}

/// The first result that is further off than class fast allows. The numbers of a thread are a mark
/// and its results.
fn first_far(with: &[String], without: &[String], per: usize, allowed: f64) -> Option<usize> {
    let number = |text: &String| text.parse::<f64>().unwrap_or(f64::NAN);
    (0..with.len()).filter(|i| i % per != 0).find(|&i| {
        let (found, wanted) = (number(&with[i]), number(&without[i]));
        let mark = number(&without[i - i % per]);
        match () {
            // A scalar of a vector need not come of the input that is NaN.
            () if mark == 2.0 && per == 2 => wanted.is_nan() && !found.is_nan(),
            () if mark == 2.0 => false,
            () if mark == 1.0 => false,
            () if wanted.is_nan() => !found.is_nan(),
            () if wanted.is_infinite() => found != wanted,
            () => (found - wanted).abs() > allowed * (1.0 + wanted.abs()) || found.is_nan(),
        }
    })
}
