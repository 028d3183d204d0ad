//! The functions of the library that compute several quotients at once, written out for each number
//! of them.
//!
//! They are text of LLVM, made of the parts that `approximate.ll` has, where the rules are told. It
//! must not know what calls them.

use std::fmt::Write;

/// Quotients by one number that are computed together.
pub const MOST: usize = 4;

const ATTRIBUTES: &str = "alwaysinline nounwind memory(none)";

/// One function for each number of quotients there is: `caustic.div1.exact` …,
/// `caustic.root0.exact` ….
pub fn text() -> String {
    (1..=MOST).map(division).chain((0..=MOST).map(root)).collect()
}

/// The names of these functions, those of roots if they are asked for.
pub fn names(roots: bool) -> impl Iterator<Item = String> {
    (1..=MOST).map(division_name).chain((0..=MOST).filter(move |_| roots).map(root_name))
}

/// The name of the function of `count` quotients by a number.
pub fn division_name(count: usize) -> String {
    format!("caustic.div{count}.exact")
}

/// The name of the function of a root, its reciprocal and `count` quotients by it.
pub fn root_name(count: usize) -> String {
    format!("caustic.root{count}.exact")
}

fn each(count: usize, line: impl Fn(usize) -> String) -> String {
    (0..count).map(line).collect()
}

fn values(count: usize) -> String {
    format!("{{ {} }}", vec!["float"; count].join(", "))
}

/// Whether the short way is open: `%in` says it of the divisor, `%in0` … of each quotient.
fn decision(count: usize) -> String {
    let mut out = String::new();
    let mut last = "%in".to_string();
    for i in 0..count {
        let _ = writeln!(out, "  %both{i} = and i32 {last}, %in{i}");
        last = format!("%both{i}");
    }
    out + &format!(
        "  %bit = and i32 {last}, 1073741824\n  %plain = icmp ne i32 %bit, 0\n  br i1 %plain, label %short, label %far, !prof !0\n"
    )
}

fn corrected(count: usize) -> String {
    let call = "call float @caustic.div.corrected";
    each(count, |i| format!("  %c{i} = {call}(float %a{i}, float %minus, float %r, float %s{i})\n"))
}

/// Returns what the names stand for, in this order.
fn result(names: &[String]) -> String {
    let ty = values(names.len());
    let mut out = String::new();
    let mut last = "poison".to_string();
    for (i, name) in names.iter().enumerate() {
        let _ = writeln!(out, "  %v{i} = insertvalue {ty} {last}, float {name}, {i}");
        last = format!("%v{i}");
    }
    out + &format!("  ret {ty} {last}\n}}\n")
}

fn named(first: &[&str], count: usize) -> Vec<String> {
    first.iter().map(|name| name.to_string()).chain((0..count).map(|i| format!("%q{i}"))).collect()
}

/// `{ 1 / b, a0 / b … }`: the short way where it is open to each, else one after the other. What is
/// not used of it goes away when it is inlined.
fn division(count: usize) -> String {
    let dividends = each(count, |i| format!("float %a{i}, "));
    let products = each(count, |i| {
        format!(
            "  %s{i} = fmul float %a{i}, %r\n  %in{i} = call i32 @caustic.div.either(float %a{i}, float %s{i}, i1 %known)\n"
        )
    });
    format!(
        "define {} @{}({dividends}float %b, i1 %whole, i1 %known) {ATTRIBUTES} {{
  %minus = fneg float %b
  %r = call float @caustic.div.inverse(float %b, i1 %known)
  %in = call i32 @caustic.div.divisor(float %b, i1 %whole)
{products}{}short:
{}  br label %done
far:
{}  %r.long = call float asm \"rcp.rn.f32 $0, $1;\", \"=f,f\"(float %b)
  br label %done
done:
  %reciprocal = phi float [ %r, %short ], [ %r.long, %far ]
{}{}",
        values(1 + count),
        division_name(count),
        decision(count),
        corrected(count),
        each(count, |i| format!("  %f{i} = call float @caustic.div.slow(float %a{i}, float %b, float %r)\n")),
        each(count, |i| format!("  %q{i} = phi float [ %c{i}, %short ], [ %f{i}, %far ]\n")),
        result(&named(&["%reciprocal"], count)),
    )
}

/// `{ sqrt(x), 1 / sqrt(x), a0 / sqrt(x) … }`, all zero where x is and `zero` says so.
fn root(count: usize) -> String {
    let dividends = each(count, |i| format!("float %a{i}, "));
    let products = each(count, |i| {
        format!("  %s{i} = fmul float %a{i}, %r\n  %in{i} = call i32 @caustic.div.quotient(float %s{i})\n")
    });
    let long = "call float asm \"div.rn.f32 $0, $1, $2;\", \"=f,f,f\"";
    format!(
        "define {} @{}(float %x, {dividends}i1 %zero) {ATTRIBUTES} {{
  %y = call float @llvm.nvvm.rsqrt.approx.ftz.f(float %x)
  %g = fmul float %x, %y
  %h = fmul float %y, 0.5
  %g.minus = fneg float %g
  %miss = call float @llvm.fma.f32(float %g.minus, float %g, float %x)
  %s = call float @llvm.fma.f32(float %miss, float %h, float %g)
  %minus = fneg float %s
  %y.bits = bitcast float %y to i32
  %above.bits = add i32 %y.bits, 1
  %above = bitcast i32 %above.bits to float
  %error = call float @llvm.fma.f32(float %minus, float %above, float 1.0)
  %r = call float @llvm.fma.f32(float %above, float %error, float %above)
  %x.bits = bitcast float %x to i32
  %in = add i32 %x.bits, 536870912
{products}{}short:
{}  %r.short = call float @caustic.div.corrected(float 1.0, float %minus, float %r, float %r)
  br label %done
far:
  %vanishes = fcmp oeq float %x, 0.0
  %none = and i1 %vanishes, %zero
  br i1 %none, label %done, label %long
long:
  %s.long = call float asm \"sqrt.rn.f32 $0, $1;\", \"=f,f\"(float %x)
  %r.long = call float asm \"rcp.rn.f32 $0, $1;\", \"=f,f\"(float %s.long)
{}  br label %done
done:
  %root = phi float [ %s, %short ], [ 0.0, %far ], [ %s.long, %long ]
  %reciprocal = phi float [ %r.short, %short ], [ 0.0, %far ], [ %r.long, %long ]
{}{}",
        values(2 + count),
        root_name(count),
        decision(count),
        corrected(count),
        each(count, |i| format!("  %f{i} = {long}(float %a{i}, float %s.long)\n")),
        each(count, |i| format!("  %q{i} = phi float [ %c{i}, %short ], [ 0.0, %far ], [ %f{i}, %long ]\n")),
        result(&named(&["%root", "%reciprocal"], count)),
    )
}
