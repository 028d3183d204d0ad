//! The host program that runs kernels in C++, and in CUDA through a shim: it reads the bound data
//! from a file, dispatches, and writes the data back.
//!
//! The file contains three counts of groups and the number of arguments, 32 bits each; then for
//! each argument the number of bytes and the number of elements (64 bits), the counter and a mark
//! that tells whether there is one (32 bits), and the bytes.

use std::fmt::Write;

/// The text of the host program for these kernels, each with its launcher.
pub fn text(files: &[String], launchers: &[String]) -> String {
    let mut out = String::new();
    for file in files {
        let _ = writeln!(out, "#include \"{file}\"");
    }
    out.push_str(HEAD);
    for launcher in launchers {
        let space = launcher.rsplit_once("::").map_or("", |(space, _)| space);
        let _ = writeln!(
            out,
            "    [](const void* a, const uint32_t* g) {{ {launcher}(static_cast<const {space}::Argument*>(a), g[0], g[1], g[2]); }},"
        );
    }
    out.push_str(TAIL);
    out
}

/// A kernel in CUDA, as its description says: its names, the threads of a group, and for each
/// parameter of the program a letter: `v` for what is passed by value, `b` for a buffer, `c`
/// for one with a counter.
pub struct Launched {
    pub name: String,
    /// With the name space that it is declared in.
    pub launcher: String,
    pub threads: [u32; 3],
    pub params: String,
}

/// The program for these kernels in CUDA, each in its own name space.
pub fn device_text(files: &[String], kernels: &[Launched]) -> String {
    let mut out = format!("{SHIM}\n");
    for (number, (file, kernel)) in files.iter().zip(kernels).enumerate() {
        // Kernels are in no name space.
        let name = &kernel.name;
        let _ = writeln!(out, "#define {name} {name}_{number}\n#include \"{file}\"\n#undef {name}");
    }
    out.push_str(HEAD);
    for (number, Launched { launcher, threads: [x, y, z], params, .. }) in kernels.iter().enumerate() {
        let _ = writeln!(
            out,
            "    [](const void* a, const uint32_t* g) {{ run_kernel({launcher}_{number}, a, \"{params}\", g, {{{x}, {y}, {z}}}); }},"
        );
    }
    let (before, after) = out.split_once(KERNELS).unwrap_or((&out, ""));
    format!("{before}{LAUNCH}{KERNELS}{after}{TAIL}")
}

const SHIM: &str = include_str!("shim.h");

/// What stands before the list of kernels.
const KERNELS: &str = "static const Launch kernels[] = {";

/// The parameters of a kernel from what is bound.
const LAUNCH: &str = r#"template <class K> void run_kernel(K kernel, const void* a, const char* params, const uint32_t* g, shim::Dim threads) {
    Bound* bound = const_cast<Bound*>(static_cast<const Bound*>(a));
    std::vector<void*> arguments;
    for (; *params; params++, bound++) {
        arguments.push_back(*params == 'v' ? bound->data : static_cast<void*>(&bound->data));
        if (*params != 'v') arguments.push_back(&bound->count);
        if (*params == 'c') arguments.push_back(&bound->counter);
    }
    shim::launch(kernel, arguments.data(), {g[0], g[1], g[2]}, threads);
}
"#;

const HEAD: &str = r#"#include <cstdio>
#include <cstdlib>
#include <vector>

struct Bound {
    void* data;
    uint64_t count;
    uint32_t* counter;
};
struct Kept {
    uint64_t bytes;
    uint32_t counter[2];
};
using Launch = void (*)(const void*, const uint32_t*);
static const Launch kernels[] = {
"#;

const TAIL: &str = r#"};

int main(int count, char** words) {
    if (count != 3) return 2;
    FILE* file = std::fopen(words[2], "rb");
    uint32_t head[4];
    if (!file || std::fread(head, 4, 4, file) != 4) return 2;
    std::vector<Bound> bound(head[3] + 1);
    std::vector<Kept> kept(head[3] + 1);
    for (uint32_t i = 0; i < head[3]; i++) {
        uint64_t sizes[2];
        if (std::fread(sizes, 8, 2, file) != 2 || std::fread(kept[i].counter, 4, 2, file) != 2) return 2;
        kept[i].bytes = sizes[0];
        bound[i] = {std::calloc(sizes[0] + 64, 1), sizes[1], kept[i].counter};
        if (sizes[0] && std::fread(bound[i].data, 1, sizes[0], file) != sizes[0]) return 2;
        // The texels of a texture follow its description.
        if (kept[i].counter[1] == 2) *static_cast<void**>(bound[i].data) = static_cast<char*>(bound[i].data) + 32;
    }
    std::fclose(file);
    kernels[std::atoi(words[1])](bound.data(), head);
    std::fflush(stdout);
    file = std::fopen(words[2], "wb");
    if (!file) return 2;
    for (uint32_t i = 0; i < head[3]; i++) {
        std::fwrite(kept[i].counter, 4, 1, file);
        std::fwrite(bound[i].data, 1, kept[i].bytes, file);
    }
    return std::fclose(file);
}
"#;

#[cfg(test)]
mod tests {
    use super::SHIM;
    use std::process::Command;

    /// What a kernel with these statements says on standard error, if it fails, in a group of 8.
    fn fault(name: &str, statements: &str) -> Option<String> {
        let folder = std::env::temp_dir().join(format!("caustic-shim-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (source, program) = (folder.join("a.cpp"), folder.join("a"));
        let text = format!(
            "{SHIM}\nstatic void kernel() {{ {statements} }}\nint main() {{ shim::launch(kernel, nullptr, {{1, 1, 1}}, {{8, 1, 1}}); }}\n"
        );
        std::fs::write(&source, text).unwrap();
        let made = Command::new("g++").arg("-std=c++17").arg("-o").arg(&program).arg(&source).output().unwrap();
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let run = Command::new(&program).output().unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        (!run.status.success()).then(|| String::from_utf8_lossy(&run.stderr).trim().to_string())
    }

    #[test]
    fn an_exchange_waits_for_exactly_the_lanes_of_its_mask() {
        let odd = "threadIdx.x % 2";
        assert_eq!(fault("whole", "__shfl_sync(255, 1, 3); __syncthreads();"), None);
        assert_eq!(fault("parts", &format!("if ({odd}) __any_sync(0xaa, 1); else __any_sync(0x55, 1);")), None);
        let said = |name: &str, statements: &str| fault(name, statements).unwrap_or_default();
        assert_eq!(said("more", "__shfl_sync(~0u, 1, 3);"), "a lane of a mask never comes");
        assert_eq!(said("absent", &format!("if ({odd}) __any_sync(255, 1);")), "a lane of a mask never comes");
        let two = format!("if ({odd}) __any_sync(255, 1); else __shfl_sync(255, 1, 3);");
        assert_eq!(said("two", &two), "lanes wait for each other for ever");
        assert_eq!(said("outside", "__any_sync(1, 1);"), "a lane is not in its mask");
        assert_eq!(said("from", "__shfl_sync(255, 1, 9);"), "a lane reads from one that is not in the mask");
    }
}
