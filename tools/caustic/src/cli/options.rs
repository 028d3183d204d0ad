//! The options of each command: the structs, and the rows that fill them.

use super::Color;
use super::code::{bounds, fp, lanes, lines, lines_of_text, rewrite, source_map, ulps, unused};
use super::color::color;
use super::derivatives::{ad_singular, snapshots, trust_max_iters};
use super::library::set_derivatives;
use super::parse::{HasSource, Opt};
use super::write::{WriteRequest, write};
use caustic_driver::{
    ARCHITECTURES, Backend, CodeOptions, Derivatives, Dispatch, KernelOptions, LibraryOptions, MatrixLayout, Options,
    Passes, Perturbation, Sampler, Stage, Target, TextForm, TextureContents, Traps, Version, WarningLevel,
    parse_perturbation, parse_sampler,
};
use caustic_runtime::contents::Contents;
use caustic_runtime::output::{Format, ReadRequest};
use std::time::Duration;

/// What to compile, and how to read it; common to all commands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SourceOptions {
    pub file: String,
    pub options: Options,
    pub color: Color,
}

fn parse_backend(value: &str) -> Result<Backend, String> {
    let rows: Vec<(&str, Backend)> = Backend::ALL.iter().map(|&backend| (backend.name(), backend)).collect();
    choose(&rows, value)
}

const TARGETS: [(&str, Target); 14] = [
    ("ptx", Target::Ptx),
    ("llvm-ir", Target::LlvmIr),
    ("asm", Target::Asm),
    ("obj", Target::Obj),
    ("so", Target::So),
    ("cpp", Target::Cpp),
    ("cuda", Target::CudaSource),
    ("glsl", Target::Glsl),
    ("hlsl", Target::Hlsl),
    ("wgsl", Target::Wgsl),
    ("metal", Target::Metal),
    ("slang", Target::Slang),
    ("spirv", Target::Spirv),
    ("spirv-asm", Target::SpirvAsm),
];

fn set_arch(slot: &mut Option<String>, value: &str) -> Result<(), String> {
    let number = value.strip_prefix("sm_").and_then(|n| n.trim_end_matches('a').parse::<u32>().ok());
    match number {
        Some(70..) if ARCHITECTURES.contains(&value) => set_name(slot, value),
        Some(70..) => Err(format!(
            "LLVM 19 has no `{value}`; it has {}, and code for one of them runs on newer GPUs, too, unless its name \
             ends with a letter",
            ARCHITECTURES.join(", ")
        )),
        Some(_) => Err(format!("`{value}` is too old: sm_70 and up")),
        None => Err(format!("`{value}` is no architecture such as sm_80")),
    }
}

const STAGES: [(&str, Stage); 5] = [
    ("hl", Stage::Hl),
    ("ad", Stage::Ad),
    ("forward", Stage::Forward),
    ("reverse", Stage::Reverse),
    ("lowered", Stage::Lowered),
];

pub fn stage_names() -> String {
    format!("the stages are {}; the targets {}", names(&STAGES), names(&TARGETS))
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RunOptions {
    pub source: SourceOptions,
    pub entry: Option<String>,
    /// Thread groups; see [`RunOptions::dispatch`].
    pub groups: Option<[u32; 3]>,
    /// What was asked for; see [`RunOptions::backend`].
    pub backend: Option<Backend>,
    /// What the kernel is compiled with.
    pub passes: Passes,
    /// What draws the order of threads that wait for each other.
    pub schedule: Option<u64>,
    /// By how much the results of some ops are off.
    pub perturbation: Option<Perturbation>,
    pub buffers: Vec<(String, Contents)>,
    pub uniforms: Vec<(String, Contents)>,
    pub textures: Vec<(String, TextureContents)>,
    pub samplers: Vec<(String, Sampler)>,
    pub counters: Vec<(String, u32)>,
    pub reads: Vec<ReadRequest>,
    pub writes: Vec<WriteRequest>,
    pub format: Format,
    pub trap_oob: bool,
    pub trap_nan: bool,
    pub trap_overwrite: bool,
    pub time_limit: Option<Duration>,
    pub code: CodeOptions,
    pub derivatives: Derivatives,
}

impl RunOptions {
    /// The names of what is bound, as written.
    pub fn bound_names(&self) -> impl Iterator<Item = &str> + Clone {
        fn of<T>(list: &[(String, T)]) -> impl Iterator<Item = &str> + Clone {
            list.iter().map(|(name, _)| name.as_str())
        }
        of(&self.buffers).chain(of(&self.textures)).chain(of(&self.samplers)).chain(of(&self.counters))
    }
}

fn names_of<T>(list: &[(String, T)]) -> Vec<&str> {
    list.iter().map(|(name, _)| name.as_str()).collect()
}

/// A name that contents are given to more than once: nobody could say which are meant.
fn bound_twice(names: &[&str]) -> Option<String> {
    let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
    twice.map(|(_, name)| format!("`{name}` is bound twice"))
}

impl RunOptions {
    /// What only the reference evaluator does, and whether it is asked for.
    fn watching(&self) -> [(&'static str, bool); 4] {
        [
            ("--trap-nan", self.trap_nan),
            ("--trap-overwrite", self.trap_overwrite),
            ("--schedule", self.schedule.is_some()),
            ("--perturb", self.perturbation.is_some()),
        ]
    }

    /// What runs the kernel.
    pub fn backend(&self) -> Backend {
        let watched = self.watching().iter().any(|(_, on)| *on);
        self.backend.unwrap_or(if watched { Backend::Interp } else { Backend::default() })
    }

    /// The groups of threads of one run.
    pub fn dispatch(&self) -> Dispatch {
        let [x, y, z] = self.groups.unwrap_or([1; 3]);
        let mut dispatch = Dispatch::groups(x, y, z);
        dispatch.time_limit = self.time_limit;
        dispatch
    }

    /// How the kernel is compiled.
    pub fn kernel(&self) -> KernelOptions {
        let mut traps = Traps::default();
        (traps.oob, traps.nan, traps.overwrite) = (self.trap_oob, self.trap_nan, self.trap_overwrite);
        let mut kernel = KernelOptions::default();
        kernel.backend = self.backend();
        kernel.derivatives = self.derivatives;
        kernel.code = self.code;
        kernel.traps = traps;
        kernel.interruptible = self.time_limit.is_some();
        kernel.passes = self.passes;
        kernel.schedule = self.schedule;
        kernel.perturbation = self.perturbation.clone();
        kernel
    }

    /// Options that do not go together.
    pub fn conflict(&self) -> Option<String> {
        let names = [names_of(&self.buffers), names_of(&self.uniforms), names_of(&self.textures)].concat();
        if let Some(wrong) = bound_twice(&names).or_else(|| unused(&self.code).map(str::to_string)) {
            return Some(wrong);
        }
        let (option, _) = self.watching().into_iter().find(|(_, on)| *on)?;
        let backend = self.backend.filter(|b| *b != Backend::Interp)?;
        Some(format!("`{option}` needs the reference evaluator: leave out `--backend {}`", backend.name()))
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CheckOptions {
    pub source: SourceOptions,
    pub format: Format,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmitOptions {
    pub source: SourceOptions,
    /// This, a target or a report is asked for once the command line is parsed.
    pub stage: Option<Stage>,
    pub target: Option<Target>,
    /// Whether a stage's derivatives are written as Slang.
    pub as_slang: bool,
    /// Of the GPU; `sm_80` without one.
    pub arch: Option<String>,
    /// CUDA's functions of floats, in place of libclc's.
    pub libdevice: Option<String>,
    pub entry: Option<String>,
    /// Where what is compiled goes, in place of standard output.
    pub output: Option<String>,
    /// Where the source map of source text goes.
    pub source_map: Option<String>,
    /// What source text stands in.
    pub prefix: Option<String>,
    /// Whether functions for others are written, in place of an entry point.
    pub library: bool,
    /// Which derivatives a library has.
    pub offered: Option<LibraryOptions>,
    /// Only these functions, not the whole module. There are several of a library only.
    pub functions: Vec<String>,
    /// How the ops of a stage are spelled.
    pub form: TextForm,
    /// What reverse derivatives store, in place of the program.
    pub report_checkpoint: bool,
    /// What the choice among equal ways to compute did, in place of the program.
    pub report_optimization: bool,
    pub format: Format,
    pub code: CodeOptions,
    pub derivatives: Derivatives,
}

impl EmitOptions {
    /// The function that is looked at alone.
    pub fn function(&self) -> Option<&str> {
        self.functions.first().map(String::as_str)
    }

    /// The entry points, if there are several.
    pub fn entries(&self) -> Option<Vec<&str>> {
        let entries: Vec<&str> = self.entry.as_deref()?.split(',').map(str::trim).collect();
        (entries.len() > 1).then_some(entries)
    }

    /// Whether a report is wanted in place of the program.
    pub fn reports(&self) -> bool {
        self.report_checkpoint || self.report_optimization
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GradcheckOptions {
    pub source: SourceOptions,
    pub check: caustic_driver::gradcheck::GradcheckOptions,
    pub buffers: Vec<(String, Contents)>,
    pub uniforms: Vec<(String, Contents)>,
    pub format: Format,
}

impl GradcheckOptions {
    /// Options that do not go together.
    pub fn conflict(&self) -> Option<String> {
        bound_twice(&[names_of(&self.buffers), names_of(&self.uniforms)].concat())
    }
}

macro_rules! has_source {
    ($($name:ident),*) => {$(
        impl HasSource for $name {
            fn source(&mut self) -> &mut SourceOptions {
                &mut self.source
            }
        }
    )*};
}
has_source!(RunOptions, CheckOptions, EmitOptions, GradcheckOptions);

pub const RUN: &[Opt<RunOptions>] = &[
    Opt {
        name: "--entry",
        value: "NAME",
        help: "Entry point; default: the only one, else computeMain",
        set: |o, v| set_name(&mut o.entry, v),
    },
    Opt {
        name: "--dispatch",
        value: "X,Y,Z",
        help: "How many groups of threads run; default 1,1,1, one group",
        set: |o, v| parse_extent(v).map(|e| o.groups = Some(e)),
    },
    Opt {
        name: "--groups",
        value: "X,Y,Z",
        help: "The same as --dispatch",
        set: |o, v| parse_extent(v).map(|e| o.groups = Some(e)),
    },
    threads(),
    Opt {
        name: "--backend",
        value: Backend::NAMES,
        help: "What runs it; default cranelift",
        set: |o, v| parse_backend(v).map(|b| o.backend = Some(b)),
    },
    Opt {
        name: "--passes",
        value: "cpu|gpu|single",
        help: "Passes that the kernel is compiled with, to test them; `gpu`: those for GPUs, though it runs on the CPU; `single`: textures are filtered in `float`, as in WGSL and Metal; default: those of the back end",
        set: |o, v| {
            choose(&[("cpu", Passes::Own), ("gpu", Passes::Gpu), ("single", Passes::Single)], v).map(|p| o.passes = p)
        },
    },
    Opt {
        name: "--buffer",
        value: "NAME=TYPE:v,v,…|TYPE[SIZES]:v,v,…|@FILE|zero:BYTES ...",
        help: "Contents of a buffer or a tensor; TYPE is one of f16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64; FILE is an array of NumPy (.npy), a picture (.exr, or .png, with `:linear` without the curve of sRGB), or raw bytes",
        set: |o, v| parse_contents(v).map(|c| o.buffers.push(c)),
    },
    Opt {
        name: "--uniform",
        value: "NAME=TYPE:v,v,… ...",
        help: "Contents of a uniform or a constant buffer, as raw scalars in layout order",
        set: |o, v| parse_contents(v).map(|c| o.uniforms.push(c)),
    },
    Opt {
        name: "--texture",
        value: "NAME=FORMAT:DIMS[:cube][:array=N][:samples=N][:mips=N]:v,v,… ...",
        help: "Contents of a texture",
        set: |o, v| {
            let (name, text) = parse_named(v)?;
            TextureContents::parse(&text).map(|t| o.textures.push((name, t)))
        },
    },
    Opt {
        name: "--sampler",
        value: "NAME=linear|point[,compare][,wrap|mirror|clamp|border] ...",
        help: "Filter of a sampler, and what it finds outside of a texture; default linear,wrap",
        set: |o, v| {
            let (name, text) = parse_named(v)?;
            parse_sampler(&text).map(|s| o.samplers.push((name, s)))
        },
    },
    Opt {
        name: "--counter",
        value: "NAME=N ...",
        help: "Initial count of an append or consume buffer",
        set: |o, v| {
            let (name, count) = parse_named(v)?;
            let count = count.parse().map_err(|_| format!("`{count}` is not a count"))?;
            o.counters.push((name, count));
            Ok(())
        },
    },
    Opt {
        name: "--read",
        value: "NAME[:TYPE] ...",
        help: "A buffer to print after the dispatch, as elements of TYPE; default: as declared",
        set: |o, v| ReadRequest::parse(v).map(|r| o.reads.push(r)),
    },
    write(),
    Opt {
        name: "--format",
        value: "text|json",
        help: "How to print; default text",
        set: |o, v| choose(&FORMATS, v).map(|f| o.format = f),
    },
    Opt {
        name: "--trap-oob",
        value: "",
        help: "A buffer access out of range is a trap (default: it reads zero, and is dropped)",
        set: |o, _| {
            o.trap_oob = true;
            Ok(())
        },
    },
    Opt {
        name: "--trap-nan",
        value: "",
        help: "A NaN or an infinity that comes to a buffer is a trap, which shows what made it (runs on interp)",
        set: |o, _| {
            o.trap_nan = true;
            Ok(())
        },
    },
    Opt {
        name: "--trap-overwrite",
        value: "",
        help: "A custom backward derivative that reads what was overwritten after its function is a trap (runs on interp)",
        set: |o, _| {
            o.trap_overwrite = true;
            Ok(())
        },
    },
    Opt {
        name: "--schedule",
        value: "SEED",
        help: "Threads that wait for each other run in an order that is drawn, as a GPU may run them (runs on interp)",
        set: |o, v| {
            o.schedule = Some(v.parse().map_err(|_| format!("`{v}` is not a seed"))?);
            Ok(())
        },
    },
    Opt {
        name: "--perturb",
        value: "SEED:OP=ULPS[/ABSOLUTE][,OP=…]",
        help: "Results of these ops are off, by so many units in the last place or by so much: upwards with the seed 0, downwards with 1, else as drawn. Tells how far a compiler with other functions may be off (runs on interp)",
        set: |o, v| parse_perturbation(v).map(|given| o.perturbation = Some(given)),
    },
    Opt {
        name: "--time-limit",
        value: "SECONDS",
        help: "A dispatch that takes longer is a trap; default: none",
        set: |o, v| {
            let seconds = v.parse().ok().filter(|s| *s > 0.0 && *s < 1e9);
            let seconds: f64 = seconds.ok_or_else(|| format!("`{v}` is not a number of seconds"))?;
            o.time_limit = Some(Duration::from_secs_f64(seconds));
            Ok(())
        },
    },
    lanes(),
    fp(),
    ulps(),
    rewrite(),
    lines(),
    snapshots(),
    trust_max_iters(),
    ad_singular(),
];

pub const CHECK: &[Opt<CheckOptions>] = &[Opt {
    name: "--format",
    value: "text|json",
    help: "How to tell what is found; json: as one document on the standard output (docs/debugging.md)",
    set: |o, v| choose(&FORMATS, v).map(|f| o.format = f),
}];

pub const EMIT: &[Opt<EmitOptions>] = &[
    Opt {
        name: "--stage",
        value: "hl|ad|forward|reverse|lowered",
        help: "Which stage to print",
        set: |o, v| choose(&STAGES, v).map(|stage| o.stage = Some(stage)),
    },
    Opt {
        name: "--as",
        value: "ir|slang",
        help: "How to print the stage: as the representation that `caustic-opt` reads (the default), or the derivatives of stage `forward` or `reverse` as Slang that compiles again",
        set: |o, v| choose(&[("ir", false), ("slang", true)], v).map(|slang| o.as_slang = slang),
    },
    Opt {
        name: "--target",
        value: "ptx|llvm-ir|asm|obj|so|cpp|cuda|glsl|hlsl|wgsl|metal|slang|spirv|spirv-asm",
        help: "Compile the entry point, in place of a stage; with --format json what a launcher of it has to know",
        set: |o, v| choose(&TARGETS, v).map(|t| o.target = Some(t)),
    },
    Opt {
        name: "--arch",
        value: "sm_NN",
        help: "Architecture of the GPU, sm_70 and up; default sm_80",
        set: |o, v| set_arch(&mut o.arch, v),
    },
    Opt {
        name: "--libdevice",
        value: "PATH",
        help: "CUDA's libdevice.10.bc for functions of floats, in place of libclc",
        set: |o, v| set_name(&mut o.libdevice, v),
    },
    Opt {
        name: "-o",
        value: "FILE",
        help: "Write the result to this file (`-`: to the standard output); beside the file of a kernel stand FILE.json, a description for launchers, and FILE.h, a header for C",
        set: |o, v| set_name(&mut o.output, v),
    },
    Opt {
        name: "--prefix",
        value: "NAME",
        help: "Name space that source text stands in, and its include guard; default: the file's name. In shading languages, and in Slang, what the text declares begins with `NAME_` if it is given",
        set: |o, v| set_identifier(&mut o.prefix, v),
    },
    threads(),
    Opt {
        name: "--entry",
        value: "NAME[,NAME…]",
        help: "Entry point to compile, several for `obj`, `so`, `cpp` and `cuda`; default: the only one, else computeMain",
        set: |o, v| set_entries(&mut o.entry, v),
    },
    Opt {
        name: "--function",
        value: "F ...",
        help: "Print only this function; of a library several can be given",
        set: |o, v| {
            o.functions.push(v.to_string());
            Ok(())
        },
    },
    Opt {
        name: "--library",
        value: "",
        help: "Write functions and their derivatives as source text to be included, and no entry point: those of `--function`, else all of the file that can be called alone",
        set: |o, _| {
            o.library = true;
            Ok(())
        },
    },
    Opt {
        name: "--derivatives",
        value: "none|fwd|bwd|fwd,bwd",
        help: "Which derivatives a library has of its functions; default fwd,bwd",
        set: set_derivatives,
    },
    Opt {
        name: "--generic",
        value: "",
        help: "Print every op of the stage in MLIR's generic form",
        set: |o, _| {
            o.form = TextForm::Generic;
            Ok(())
        },
    },
    Opt {
        name: "--report-checkpoint",
        value: "",
        help: "Print what reverse derivatives store, and why (for a GPU with `--target ptx`)",
        set: |o, _| {
            o.report_checkpoint = true;
            Ok(())
        },
    },
    Opt {
        name: "--report-optimization",
        value: "",
        help: "Print what became cheaper, line by line, and by which rows of docs/rewrites.md (with `--fp`, and for a machine with `--target`)",
        set: |o, _| {
            o.report_optimization = true;
            Ok(())
        },
    },
    Opt {
        name: "--format",
        value: "text|json",
        help: "How to print the report; default text",
        set: |o, v| choose(&FORMATS, v).map(|f| o.format = f),
    },
    bounds(),
    lanes(),
    fp(),
    ulps(),
    rewrite(),
    lines(),
    lines_of_text(),
    source_map(),
    snapshots(),
    trust_max_iters(),
    ad_singular(),
];

fn parse_range(text: &str) -> Result<(f64, f64), String> {
    let number = |text: &str| text.trim().parse().ok().filter(|x: &f64| x.is_finite());
    let range = text.split_once(':').and_then(|(low, high)| Some((number(low)?, number(high)?)));
    range.filter(|(low, high)| low < high).ok_or_else(|| format!("`{text}` is not a range (two numbers: `-8:8`)"))
}

const FORMATS: [(&str, Format); 2] = [("text", Format::Text), ("json", Format::Json)];

pub const GRADCHECK: &[Opt<GradcheckOptions>] = &[
    Opt {
        name: "--function",
        value: "F",
        help: "Check only this function",
        set: |o, v| set_name(&mut o.check.function, v),
    },
    Opt {
        name: "--samples",
        value: "N",
        help: "Random inputs for each function; default 16",
        set: |o, v| match v.parse() {
            Ok(n) if n > 0 => {
                o.check.samples = n;
                Ok(())
            }
            _ => Err(format!("`{v}` is not a number of samples")),
        },
    },
    Opt {
        name: "--seed",
        value: "S",
        help: "Where the random inputs start; default 1",
        set: |o, v| v.parse().map(|s| o.check.seed = s).map_err(|_| format!("`{v}` is not a seed (an integer from 0)")),
    },
    Opt {
        name: "--range",
        value: "LO:HI",
        help: "Where all floats are drawn from; default: about -2 to 2, larger ones, and some beside what a function compares with",
        set: |o, v| parse_range(v).map(|range| o.check.range = Some(range)),
    },
    Opt {
        name: "--steps",
        value: "N",
        help: "Operations that one call may take, before its function is skipped; default 67108864",
        set: |o, v| match v.parse() {
            Ok(n) if n > 0 => {
                o.check.steps = n;
                Ok(())
            }
            _ => Err(format!("`{v}` is not a number of operations")),
        },
    },
    Opt {
        name: "--buffer",
        value: "NAME=TYPE:v,v,…|@FILE|zero:BYTES ...",
        help: "Contents of a buffer; one that is not bound holds 64 random elements",
        set: |o, v| parse_contents(v).map(|c| o.buffers.push(c)),
    },
    Opt {
        name: "--uniform",
        value: "NAME=TYPE:v,v,… ...",
        help: "Contents of a uniform or a constant buffer; one that is not bound is random",
        set: |o, v| parse_contents(v).map(|c| o.uniforms.push(c)),
    },
    Opt {
        name: "--gradient",
        value: "NAME=NAME ...",
        help: "The second buffer is where derivatives by the first one's elements are added (found out for DiffBuffer)",
        set: |o, v| parse_named(v).map(|pair| o.check.gradients.push(pair)),
    },
    Opt {
        name: "--format",
        value: "text|json",
        help: "How to print the rows and what is found; json: as one document (docs/debugging.md)",
        set: |o, v| choose(&FORMATS, v).map(|f| o.format = f),
    },
    snapshots(),
    trust_max_iters(),
    ad_singular(),
];

pub const SOURCE: &[Opt<SourceOptions>] = &[
    Opt {
        name: "-D",
        value: "NAME[=VALUE] ...",
        help: "Defines a macro; without a value it is 1",
        set: |o, v| {
            let (name, value) = v.split_once('=').unwrap_or((v, "1"));
            let word = name.chars().all(|c| c.is_alphanumeric() || c == '_');
            if name.is_empty() || !word || name.starts_with(|c: char| c.is_ascii_digit()) {
                return Err(format!("`{name}` is not a macro name"));
            }
            o.options.defines.push((name.to_string(), value.to_string()));
            Ok(())
        },
    },
    Opt {
        name: "-I",
        value: "DIR ...",
        help: "Where imports and includes are looked for, after the file's own folder",
        set: |o, v| {
            o.options.include_dirs.push(v.to_string());
            Ok(())
        },
    },
    Opt {
        name: "--std",
        value: "VERSION",
        help: "Version of the language that files are in which do not say so",
        set: |o, v| {
            let wrong = || format!("`{v}` is not one of {}", Version::names());
            Version::named(v).map(|v| o.options.version = v).ok_or_else(wrong)
        },
    },
    Opt {
        name: "--allow",
        value: "WARNING|all ...",
        help: "Says nothing about these warnings, by their names (docs/diagnostics.md)",
        set: |o, v| o.options.set_warning(v, WarningLevel::Allow),
    },
    Opt {
        name: "--deny",
        value: "WARNING|all ...",
        help: "Takes these warnings as errors",
        set: |o, v| o.options.set_warning(v, WarningLevel::Deny),
    },
    Opt {
        name: "--matrix-layout",
        value: "row|column",
        help: "How matrices stand in memory; default row",
        set: |o, v| {
            choose(&[("row", MatrixLayout::Row), ("column", MatrixLayout::Column)], v)
                .map(|l| o.options.matrix_layout = l)
        },
    },
    Opt {
        name: "--conformance",
        value: "TYPE:INTERFACE[=ID] ...",
        help: "A conformance for dynamic dispatch, with its sequential id",
        set: |o, v| {
            if !v.contains(':') {
                return Err(format!("`{v}` is not of the form TYPE:INTERFACE[=ID]"));
            }
            if let Some((_, id)) = v.rsplit_once('=')
                && id.trim().parse::<u32>().is_err()
            {
                return Err(format!("`{id}` is no ID, an integer from 0"));
            }
            o.options.conformances.push(v.to_string());
            Ok(())
        },
    },
    Opt {
        name: "--global-type",
        value: "TYPE ...",
        help: "Type of the next global generic parameter",
        set: |o, v| {
            o.options.global_types.push(v.to_string());
            Ok(())
        },
    },
    Opt {
        name: "--entry-type",
        value: "TYPE ...",
        help: "Type of the next generic parameter of the entry point",
        set: |o, v| {
            o.options.entry_types.push(v.to_string());
            Ok(())
        },
    },
    color(),
];

const fn threads<T: HasSource>() -> Opt<T> {
    Opt {
        name: "--threads",
        value: "X,Y,Z",
        help: "Threads of a group, where the program does not say it; default 1,1,1",
        set: |o, v| parse_threads(v).map(|e| o.source().options.threads = Some(e)),
    }
}

pub(super) fn set_name(slot: &mut Option<String>, value: &str) -> Result<(), String> {
    if value.is_empty() {
        return Err("the name is empty".into());
    }
    *slot = Some(value.to_string());
    Ok(())
}

/// The names of entry points, with commas between them.
fn set_entries(slot: &mut Option<String>, value: &str) -> Result<(), String> {
    let names: Vec<&str> = value.split(',').map(str::trim).collect();
    if names.contains(&"") {
        return Err("a name is empty".into());
    }
    let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
    match twice {
        Some((_, name)) => Err(format!("`{name}` is named twice")),
        None => set_name(slot, value),
    }
}

fn set_identifier(slot: &mut Option<String>, value: &str) -> Result<(), String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    if !value.chars().all(is_part) || value.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(format!("`{value}` is no name: it has letters, digits and `_`, and no digit first"));
    }
    set_name(slot, value)
}

fn names<T>(rows: &[(&str, T)]) -> String {
    rows.iter().map(|(n, _)| *n).collect::<Vec<_>>().join(", ")
}

pub(super) fn choose<T: Copy>(rows: &[(&str, T)], value: &str) -> Result<T, String> {
    if let Some((_, found)) = rows.iter().find(|(n, _)| *n == value) {
        return Ok(*found);
    }
    Err(match caustic_ir::nearest::nearest(value, rows.iter().map(|(n, _)| *n)) {
        Some(near) => format!("`{value}` is not one of {}; did you mean `{near}`?", names(rows)),
        None => format!("`{value}` is not one of {}", names(rows)),
    })
}

/// `X,Y,Z`; what is left out is 1.
fn parse_extent(value: &str) -> Result<[u32; 3], String> {
    let wrong = || format!("`{value}` is not of the form X,Y,Z");
    let parts: Vec<u32> = value.split(',').map(|p| p.trim().parse()).collect::<Result<_, _>>().map_err(|_| wrong())?;
    match parts[..] {
        [x] => Ok([x, 1, 1]),
        [x, y] => Ok([x, y, 1]),
        [x, y, z] => Ok([x, y, z]),
        _ => Err(wrong()),
    }
}

/// Sizes of a group of threads, as many as there can be.
fn parse_threads(v: &str) -> Result<[u32; 3], String> {
    let sizes = parse_extent(v)?;
    let all = sizes.iter().try_fold(1u32, |n, size| n.checked_mul(*size));
    match all {
        Some(1..=1024) => Ok(sizes),
        _ => Err(format!("`{v}` is not the size of a group, which has 1 to 1024 threads")),
    }
}

pub(super) fn parse_named(value: &str) -> Result<(String, String), String> {
    match value.split_once('=') {
        Some((name, rest)) if !name.is_empty() => Ok((name.to_string(), rest.to_string())),
        _ => Err(format!("`{value}` is not of the form NAME=…")),
    }
}

fn parse_contents(value: &str) -> Result<(String, Contents), String> {
    let (name, rest) = parse_named(value)?;
    Ok((name, Contents::parse(&rest)?))
}
