//! The host program that runs kernels in C++: it reads the bound data from a file, dispatches, and
//! writes the data back.
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

const HEAD: &str = r#"#include <cstdio>
#include <cstdlib>

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
