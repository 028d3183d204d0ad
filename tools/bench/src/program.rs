//! Generates a Slang program of about N lines, the same one every time.
//!
//! The program is groups of functions, each group one of the files in `shapes/` with names and
//! constants of its own. Eight groups make a scene, whose function calls them; a group calls
//! earlier ones of its scene only, so that the depth of calls and the size of a function do not
//! depend on N. The entry point calls the scenes: nothing is dead code.

use std::fmt::Write;

const HEAD: &str = include_str!("shapes/head.slang");

/// A group of functions. Its text has placeholders: `$K` its number, `$A` to `$D` constants,
/// `$CALL` and `$SMOOTH` earlier functions.
struct Shape {
    text: &'static str,
    /// Whether it has a function that `$SMOOTH` can name.
    smooth: bool,
}

const fn shape(text: &'static str) -> Shape {
    Shape { text, smooth: false }
}

const SHAPES: [Shape; 6] = [
    shape(include_str!("shapes/noise.slang")),
    shape(include_str!("shapes/brdf.slang")),
    shape(include_str!("shapes/march.slang")),
    Shape { text: include_str!("shapes/fit.slang"), smooth: true },
    shape(include_str!("shapes/bits.slang")),
    shape(include_str!("shapes/transform.slang")),
];

/// Interfaces with associated types, generic structs and functions, extensions, values of interface
/// types.
const GENERIC_SHAPES: [Shape; 2] =
    [shape(include_str!("shapes/materials.slang")), shape(include_str!("shapes/numeric.slang"))];

const GROUPS_IN_SCENE: usize = 8;

/// A small generator of numbers; its sequence is part of what the figures mean.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % n.max(1) as u64) as usize
    }
    /// Between 0.05 and 1.04: in the range of what shaders are full of.
    fn constant(&mut self) -> String {
        format!("{:.2}", 0.05 + self.below(100) as f64 / 100.0)
    }
}

/// A program of at least `lines` lines, and not much more.
pub fn generate(lines: usize) -> String {
    of_shapes(&SHAPES, lines)
}

/// The same, of generics and interfaces.
pub fn generate_generic(lines: usize) -> String {
    of_shapes(&GENERIC_SHAPES, lines)
}

fn of_shapes(shapes: &[Shape], lines: usize) -> String {
    let mut random = Random(20_240_229);
    let mut out = HEAD.to_string();
    let mut count = HEAD.lines().count();
    let mut group = 0;
    let mut scene = 0;
    while count < lines {
        let first = group;
        let mut smooth = Vec::new();
        while count < lines && group < first + GROUPS_IN_SCENE {
            let shape = &shapes[random.below(shapes.len())];
            let text = instance(shape, group, first, &smooth, &mut random);
            count += text.lines().count();
            out += &text;
            if shape.smooth {
                smooth.push(group);
            }
            group += 1;
        }
        let text = scene_function(scene, first..group);
        // The entry point will have a line for the scene.
        count += text.lines().count() + 1;
        out += &text;
        scene += 1;
    }
    out + &entry_point(scene)
}

fn instance(shape: &Shape, group: usize, first: usize, smooth: &[usize], random: &mut Random) -> String {
    let called = match group - first {
        0 => "groupBase".to_string(),
        earlier => format!("group{}", first + random.below(earlier)),
    };
    let smooth = match smooth {
        [] => "smoothBase".to_string(),
        some => format!("smooth{}", some[random.below(some.len())]),
    };
    let text = shape.text.replace("$CALL", &called).replace("$SMOOTH", &smooth).replace("$K", &group.to_string());
    ["$A", "$B", "$C", "$D"].iter().fold(text, |text, name| text.replace(name, &random.constant()))
}

fn scene_function(scene: usize, groups: std::ops::Range<usize>) -> String {
    let mut out = format!("float scene{scene}(float3 p, float t)\n{{\n    float sum = 0.0;\n");
    for group in groups {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    sum += group{group}(p * {:.1}, t);", 1.0 + (group % 7) as f64 * 0.1);
    }
    out + "    return sum;\n}\n\n"
}

fn entry_point(scenes: usize) -> String {
    let mut out =
        "[shader(\"compute\")]\n[numthreads(64, 1, 1)]\nvoid computeMain(uint3 thread : SV_DispatchThreadID)\n{\n"
            .to_string();
    out += "    float3 p = float3(float(thread.x), 0.5, 1.0) / 64.0;\n    float sum = 0.0;\n";
    for scene in 0..scenes {
        let _ = writeln!(out, "    sum += scene{scene}(p, 0.5);");
    }
    out + "    result[thread.x] = sum;\n}\n"
}

#[cfg(test)]
mod tests {
    use super::{generate, generate_generic};

    #[test]
    fn the_program_is_the_same_every_time_and_as_long_as_asked() {
        for lines in [100, 1_000, 5_000] {
            let program = generate(lines);
            assert_eq!(program, generate(lines));
            let found = program.lines().count();
            assert!((lines..lines + 150).contains(&found), "{lines}: {found}");
            assert!(!program.contains('$'), "a placeholder was left");
        }
    }

    #[test]
    fn the_programs_are_accepted() {
        for program in [generate(1_500), generate_generic(1_500)] {
            let mut loader = caustic_frontend::MemoryLoader::new("p.slang", &program);
            let compiled = caustic_frontend::compile(&mut loader, "p.slang", &caustic_frontend::Options::default());
            assert!(!compiled.failed(), "{:?}", compiled.diagnostics);
        }
    }
}
