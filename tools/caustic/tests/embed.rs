//! Kernels in programs of C: what `emit --target obj` and `so` write is compiled with, linked, and
//! run.
#![cfg(feature = "llvm")]

use caustic_tool::RealFiles;
use std::path::Path;
use std::process::Command;

const KERNEL: &str = "
struct Point
{
    float3 at;
    int kind;
};
StructuredBuffer<Point> points;
RWStructuredBuffer<float> result;
RWStructuredBuffer<int> counts;
uniform float scale;
uniform int2 extra[2];

[Differentiable]
float f(float3 p, int n)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        s += p.x * p.y + sin(p.z) * float(i);
    return s;
}

[shader(\"compute\")]
[numthreads(THREADS, 1, 1)]
void shade(uint3 id : SV_DispatchThreadID)
{
    int table[5] = { 0, 1, 2, 3, 4 };
    Point p = points[id.x];
    var d = diffPair(p.at);
    bwd_diff(f)(d, p.kind, scale);
    result[id.x] = d.d.x + d.d.z + extra[1].x;
    if (p.kind >= 0)
        InterlockedAdd(counts[table[p.kind]], 1);
}
";

const PROGRAM: &str = r#"
#include "kernel.h"
#include <math.h>
#include <stdio.h>

int main(void)
{
    enum { N = 21 };
    struct shade_Point points[N];
    float result[N];
    int32_t counts[5] = {0};
    struct shade_arguments a = {{points, N}, {result, N}, {counts, 5}, 2.0f, {{0, 0}, {7, 0}}};
    uint32_t groups[3] = {(N + THREADS - 1) / THREADS, 1, 1};
    for (int i = 0; i < N; i++)
    {
        points[i].at[0] = 0.5f * i;
        points[i].at[1] = 1 + i;
        points[i].at[2] = 0.1f * i;
        points[i].kind = i % 5;
    }
    /* In two parts, as a host with two threads would. */
    if (shade(&a, groups, 0, 1) || shade(&a, groups, 1, groups[0]))
        return 1;
    for (int i = 0; i < N; i++)
    {
        int n = i % 5;
        double expected = 2.0 * (n * (1.0 + i) + n * (n - 1) / 2 * cos(0.1 * i)) + 7;
        if (fabs(result[i] - expected) > 1e-4 * (1 + fabs(expected)))
        {
            printf("%d: %f, not %f\n", i, result[i], expected);
            return 2;
        }
    }
    for (int n = 0; n < 5; n++)
        if (counts[n] != (n == 0 ? 5 : 4) + (THREADS * groups[0] > N && n == 0 ? (int)(THREADS * groups[0]) - N : 0))
        {
            printf("%d counted %d times\n", n, counts[n]);
            return 3;
        }
    return 0;
}
"#;

fn emit(folder: &Path, words: &[&str]) {
    let source = folder.join("kernel.slang").to_string_lossy().into_owned();
    let mut args: Vec<String> = vec!["emit".into(), source];
    args.extend(words.iter().map(|w| w.to_string()));
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, &RealFiles);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&err));
}

/// Compiles the kernel, for that many threads in a group, links the program with it and runs that.
fn embed(name: &str, threads: u32, target: &str, words: &[&str]) {
    let folder = std::env::temp_dir().join(format!("caustic-embed-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("kernel.slang"), KERNEL).unwrap();
    std::fs::write(folder.join("main.c"), PROGRAM).unwrap();
    let file = folder.join(if target == "so" { "libkernel.so" } else { "kernel.o" });
    let path = file.to_string_lossy().into_owned();
    let define = format!("THREADS={threads}");
    emit(&folder, &[&["--target", target, "-o", &path, "-D", &define], words].concat());
    if target == "so" {
        std::fs::rename(folder.join("libkernel.h"), folder.join("kernel.h")).unwrap();
    }
    let program = folder.join("program");
    let run = Command::new("cc")
        .args(["-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(format!("-D{define}"))
        .arg(folder.join("main.c"))
        .arg(&file)
        .args(["-lmvec", "-lm"])
        .output()
        .unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let run = Command::new(&program).output().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(run.status.success(), "{:?}: {}", run.status, String::from_utf8_lossy(&run.stdout));
}

#[test]
fn an_object_with_lanes() {
    embed("lanes", 16, "obj", &[]);
}

#[test]
fn an_object_with_a_part_of_the_lanes() {
    embed("part", 9, "obj", &[]);
}

#[test]
fn an_object_of_one_thread_after_the_other() {
    embed("one", 3, "obj", &["--lanes", "1"]);
}

#[test]
fn a_shared_library_computed_fast() {
    embed("shared", 8, "so", &["--fp", "fast"]);
}

/// The text of the block ```` ```LANGUAGE FILE ```` of a page.
fn block<'a>(page: &'a str, head: &str) -> &'a str {
    let from = page.find(&format!("```{head}\n")).unwrap_or_else(|| panic!("no block `{head}`")) + head.len() + 4;
    &page[from..from + page[from..].find("```").unwrap()]
}

/// The programs of the page for users, in C and in Python, print what stands there.
#[test]
fn the_page_about_c_and_python() {
    let page = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/c.md")).unwrap();
    let folder = std::env::temp_dir().join(format!("caustic-embed-page-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    for head in ["slang square.slang", "c main.c", "python slope.py"] {
        std::fs::write(folder.join(head.split(' ').next_back().unwrap()), block(&page, head)).unwrap();
    }
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    std::fs::copy(folder.join("square.slang"), folder.join("kernel.slang")).unwrap();
    emit(&folder, &["--target", "obj", "-o", &path("square.o")]);
    emit(&folder, &["--target", "so", "-o", &path("libsquare.so")]);
    let run = |program: &str, args: &[&str]| {
        let output = Command::new(program).args(args).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{program}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    run("cc", &["main.c", "square.o", "-lm", "-o", "main"]);
    let shown = |command: &str| page.split(&format!("{command}\n    ")).nth(1).and_then(|text| text.lines().next());
    assert_eq!(Some(run(&path("main"), &[]).trim_end()), shown("./main"));
    if Command::new("python3").arg("--version").output().is_ok_and(|o| o.status.success()) {
        assert_eq!(Some(run("python3", &["slope.py"]).trim_end()), shown("    python3 slope.py"));
    }
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn what_needs_a_run_time_is_refused() {
    let folder = std::env::temp_dir().join(format!("caustic-embed-refused-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let source = folder.join("kernel.slang");
    std::fs::write(&source, "[shader(\"compute\")] [numthreads(1, 1, 1)] void k() { printf(\"no\"); }").unwrap();
    let object = folder.join("kernel.o");
    let args = ["emit", &source.to_string_lossy(), "--target", "obj", "-o", &object.to_string_lossy()];
    let args: Vec<String> = args.iter().map(|a| a.to_string()).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, &RealFiles);
    let (text, there) = (String::from_utf8_lossy(&err).into_owned(), object.exists());
    let _ = std::fs::remove_dir_all(&folder);
    assert!(code == 1 && text.contains("E0853") && !there, "{code}: {text}");
}

/// Two kernels: one adds to a gradient from groups of any size, the threads of the other give each
/// other numbers through the memory of their group.
const TOGETHER: &str = "
DiffBuffer<float> w;
StructuredBuffer<float> x;
RWStructuredBuffer<float> o;
groupshared float tile[32];
[Differentiable] float f(uint i) { return w[0] * x[i] + w[i % 2 + 1] * w[0]; }
[shader(\"compute\")] [numthreads(THREADS, 1, 1)] void accumulate(uint3 id : SV_DispatchThreadID)
{
    if (id.x < 600)
        bwd_diff(f)(id.x, 1.0);
}
[shader(\"compute\")] [numthreads(32, 1, 1)] void turn(uint3 id : SV_DispatchThreadID, uint i : SV_GroupIndex)
{
    tile[i] += x[id.x];
    GroupMemoryBarrierWithGroupSync();
    o[id.x] = tile[31 - i] + WaveActiveSum(x[id.x] > 5 ? 1 : 0);
}
";

const ADDED: &str = r#"
#include "kernel.h"
int main(void)
{
    float w[3] = {2, 3, 5}, d[3] = {0, 0, 0}, x[600];
    for (int i = 0; i < 600; i++)
        x[i] = i % 7;
    struct accumulate_arguments a = {.w_primal = {w, 3}, .w_derivative = {d, 3}, .x = {x, 600}};
    uint32_t groups[3] = {(600 + THREADS - 1) / THREADS, 1, 1};
    float sum = 0;
    for (int i = 0; i < 600; i++)
        sum += x[i] + w[i % 2 + 1];
    return accumulate(&a, groups, 0, groups[0]) != 0 || d[0] != sum || d[1] != 600 || d[2] != 600;
}
"#;

const TURNED: &str = r#"
#include "kernel.h"
int main(void)
{
    float x[64], o[64];
    for (int i = 0; i < 64; i++)
        x[i] = i;
    struct turn_arguments a = {.x = {x, 64}, .o = {o, 64}};
    uint32_t groups[3] = {2, 1, 1};
    if (turn(&a, groups, 0, 2))
        return 1;
    for (int i = 0; i < 64; i++)
        if (o[i] != (i / 32 * 32 + 31 - i % 32) + (i < 32 ? 26 : 32))
            return 2;
    return 0;
}
"#;

/// Compiles a kernel of [`TOGETHER`] and runs a program with it.
fn together(entry: &str, program: &str, threads: u32) {
    let folder = std::env::temp_dir().join(format!("caustic-embed-{entry}-{threads}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("kernel.slang"), TOGETHER).unwrap();
    std::fs::write(folder.join("main.c"), program).unwrap();
    let (object, define) = (folder.join("kernel.o"), format!("THREADS={threads}"));
    emit(&folder, &["--target", "obj", "--entry", entry, "-D", &define, "-o", &object.to_string_lossy()]);
    let binary = folder.join("program");
    let main = folder.join("main.c");
    let build = Command::new("cc").arg(format!("-D{define}")).arg("-o").arg(&binary).arg(main).arg(&object).output();
    let build = build.unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let run = Command::new(&binary).status().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(run.success(), "{entry} in groups of {threads}: {run}");
}

#[test]
fn gradients_are_added_up_from_groups_of_any_size() {
    for threads in [1, 24, 64, 256] {
        together("accumulate", ADDED, threads);
    }
}

#[test]
fn several_kernels_are_one_object() {
    for program in [ADDED, TURNED] {
        together("accumulate,turn", program, 24);
    }
}

#[test]
fn threads_of_a_wave_share_memory() {
    together("turn", TURNED, 32);
}

/// A kernel in a name space, keywords of C, structs whose names become one word: all have a name in
/// C, and each its own.
const NAMES: &str = "
namespace a { struct b { float x; int new; }; }
struct a_b { float2 y; float register; float register_; }
struct arguments { float z; }
StructuredBuffer<a.b> p;
StructuredBuffer<a_b> q;
StructuredBuffer<arguments> class;
RWStructuredBuffer<float> o;
uniform float restrict;
namespace n
{
    [shader(\"compute\")] [numthreads(1, 1, 1)] void k()
    {
        o[0] = p[0].x + p[0].new + q[0].y.x * 2 + q[0].y.y * 4 + q[0].register * 8 + q[0].register_ * 16 + class[0].z * 32 + restrict * 64;
    }
}
";

const NAMED: &str = r#"
#include "kernel.h"
int main(void)
{
    struct n_k_a_b p = {1, 2};
    struct n_k_a_b_ q = {{1, 2}, 3, 4};
    struct n_k_arguments_ c = {5};
    float o[1];
    struct n_k_arguments a = {{&p, 1}, {&q, 1}, {&c, 1}, {o, 1}, 6};
    uint32_t groups[3] = {1, 1, 1};
    return n_k(&a, groups, 0, 1) != 0 || o[0] != 3 + 2 + 8 + 24 + 64 + 160 + 384;
}
"#;

#[test]
fn names_are_words_of_c() {
    let folder = std::env::temp_dir().join(format!("caustic-embed-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("kernel.slang"), NAMES).unwrap();
    std::fs::write(folder.join("main.c"), NAMED).unwrap();
    let object = folder.join("kernel.o");
    emit(&folder, &["--target", "obj", "-o", &object.to_string_lossy()]);
    let program = folder.join("program");
    let build = Command::new("cc")
        .args(["-Wall", "-Werror", "-o"])
        .arg(&program)
        .arg(folder.join("main.c"))
        .arg(&object)
        .output()
        .unwrap();
    assert!(build.status.success(), "{}", String::from_utf8_lossy(&build.stderr));
    let run = Command::new(&program).status().unwrap();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(run.success(), "{run}");
}

#[test]
fn keywords_of_c_are_no_kernels() {
    let folder = std::env::temp_dir().join(format!("caustic-embed-keyword-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (source, object) = (folder.join("kernel.slang"), folder.join("kernel.o"));
    std::fs::write(
        &source,
        "RWStructuredBuffer<int> o; [shader(\"compute\")] [numthreads(1, 1, 1)] void new() { o[0] = 1; }",
    )
    .unwrap();
    let args =
        ["emit", &source.to_string_lossy(), "--target", "obj", "-o", &object.to_string_lossy()].map(String::from);
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = caustic::main_with(&args, &mut out, &mut err, &RealFiles);
    let text = String::from_utf8_lossy(&err).into_owned();
    let _ = std::fs::remove_dir_all(&folder);
    assert!(code == 1 && text.contains("cannot be called `new` in C"), "{code}: {text}");
}
