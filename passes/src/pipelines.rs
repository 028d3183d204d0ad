//! The ways a program usually takes, as rows of passes and of other pipelines by name. Each name
//! can be written in the text of a pipeline (`normalize,differentiate,my-pass,optimize`); a crate
//! with passes of its own adds pipelines to a registry in the same way.

pub use crate::manager::Standard;
use crate::manager::{Outcome, Pipeline, RunOptions, Sink, Timing, parse, run_pipeline};
use caustic_ir::{Diagnostic, Module, Severity};

/// What makes accesses out of bounds trap: added to a program before anything else.
pub const CHECKS: Standard =
    Standard { name: "checks", doc: "Accesses by an index out of range become traps.", text: "any(check-indices)" };

/// The same for accesses to resources: added to a program once it is differentiated.
pub const CHECKS_OF_RESOURCES: Standard = Standard {
    name: "checks-of-resources",
    doc: "Accesses to resources out of range become traps.",
    text: "any(check-bounds)",
};

/// `hl` to the form that is differentiated.
pub const NORMALIZE: Standard = Standard {
    name: "normalize",
    doc: "High-level code, generic code included, to structured SSA.",
    text: "specialize,any(normalize-exits),promote,inline-forced,any(canonicalize,cse,dce,uplift-while-to-for,unroll,canonicalize,cse,dce,sink),verify-normalized",
};

/// What is known only of the program of one entry point, before it is differentiated.
pub const CLOSE: Standard = Standard {
    name: "close",
    doc: "Where nothing but one entry point calls its functions: what the pointers that it hands on lead to.",
    text: "bind-pointers,resolve-pointers,tidy,resolve-pointers",
};

/// What runs between the steps of differentiation.
pub const TIDY: Standard =
    Standard { name: "tidy", doc: "Folds, merges and removes what is not needed.", text: "any(canonicalize,cse,dce)" };

/// The first step of differentiation alone, to be looked at.
pub const LINEARIZE: Standard = Standard {
    name: "linearize",
    doc: "Tangents beside the values of every function that a derivative is asked for.",
    text: "ad-linearize,tidy",
};

/// All derivatives that are asked for, made by the pass of this name as it is without options.
pub const DIFFERENTIATE: Standard =
    Standard { name: "differentiate", doc: "Serves every request for a derivative.", text: "differentiate" };

/// What is made simpler after inlining.
pub const SIMPLIFY: Standard = Standard {
    name: "simplify",
    doc: "Folds, shares and hoists what inlining has brought together.",
    text: "any(canonicalize,cse,share-branches,licm,dce)",
};

/// The cheapest of all equal ways to compute, when all else about the code is decided that
/// differentiation has a say in.
pub const REWRITE: Standard = Standard {
    name: "rewrite",
    doc: "Computes what is computed in the cheapest way that is known.",
    text: "any(egraph,canonicalize,cse,licm,dce)",
};

/// What makes the result fast.
pub const OPTIMIZE: Standard = Standard {
    name: "optimize",
    doc: "Inlines, folds, hoists and removes.",
    text: "symbol-dce,inline,tidy,resolve-pointers,choose-aggregation,simplify,rewrite,symbol-dce",
};

/// Loops whose copies a GPU keeps in registers.
pub const UNROLL_GPU: Standard = Standard {
    name: "unroll-gpu",
    doc: "Unrolls loops over arrays that fit into registers, over divisors, over periods of conditions, over work that an outer loop repeats, and over reads that can be asked for at once.",
    text: "unroll-arrays,unroll-divisors,tidy,unroll-modulo,tidy,unroll-invariant,unroll-reads,simplify",
};

/// Fewer additions to memory by one thread.
pub const REDUCE_GPU: Standard = Standard {
    name: "reduce-gpu",
    doc: "Moves additions out of branches and sums them up over loops, and leaves out work on slices of zeros.",
    text: "hoist-atomics,promote-reductions,any(canonicalize,cse,dce,guard-zero-slices,canonicalize,cse,dce)",
};

/// Fewer additions to memory by threads that run together.
pub const AGGREGATE_GPU: Standard = Standard {
    name: "aggregate-gpu",
    doc: "Brings together what the lanes of a wave and the threads of a group add to memory.",
    text: "warp-reduce-atomics,warp-aggregate-atomics,mark-uniform-waves,privatize-atomics",
};

/// What threads of a GPU share and do for each other.
pub const THREADS_GPU: Standard = Standard {
    name: "threads-gpu",
    doc: "Everything is inlined that can be; what threads add to one place comes together first.",
    text: "symbol-dce,inline{small=2000 once=16000},tidy,resolve-pointers{elements=true apart=true},tidy,choose-aggregation,simplify,unroll-gpu,reduce-gpu,rewrite,coarsen,tidy,aggregate-gpu",
};

/// The last that is done for a GPU.
pub const FINISH_GPU: Standard = Standard {
    name: "finish-gpu",
    doc: "Texels in the place of samples, and what has become simpler.",
    text: "filter-textures,any(canonicalize,cse,licm,dce),narrow-induction-variables,mark-whole-loops,symbol-dce",
};

/// [`OPTIMIZE`] for a GPU, whose waves run in step, whose groups have memory of their own, and on
/// which everything is inlined that can be.
pub const OPTIMIZE_GPU: Standard = Standard {
    name: "optimize-gpu",
    doc: "The same for a GPU: what threads add to one place comes together first.",
    text: "threads-gpu,version-kernels,version-loops,coalesce-stores,finish-gpu",
};

/// [`OPTIMIZE_GPU`] where what pointers lead to is in range by the programmer's word.
pub const OPTIMIZE_GPU_TRUSTING_POINTERS: Standard = Standard {
    name: "optimize-gpu-trusting-pointers",
    doc: "The same where nothing looks at what pointers lead to.",
    text: "threads-gpu,trust-pointers,version-kernels,version-loops,coalesce-stores,finish-gpu",
};

/// [`OPTIMIZE_GPU`] where all indices are in range by the programmer's word.
pub const OPTIMIZE_GPU_TRUSTING: Standard = Standard {
    name: "optimize-gpu-trusting",
    doc: "The same where no index is looked at.",
    text: "threads-gpu,coalesce-stores,finish-gpu",
};

/// Indices that are in range by the programmer's word; last of all, but for [`MASKS`] and
/// [`INSTANCES`].
pub const TRUST: Standard =
    Standard { name: "trust", doc: "Nothing looks at the indices of resources.", text: "trust-bounds" };

/// The same of what pointers lead to, which have no length.
pub const TRUST_POINTERS: Standard = Standard {
    name: "trust-pointers",
    doc: "Nothing looks at what pointers lead to.",
    text: "trust-bounds{pointers=true}",
};

/// What libraries are made of, whose functions do not know which threads call them.
pub const ADD_ATOMICALLY: Standard = Standard {
    name: "add-atomically",
    doc: "Derivatives of threads come together by atomic additions, wherever no kernel is known.",
    text: "inline-forced,choose-aggregation,tidy,symbol-dce",
};

/// Before [`OPTIMIZE_SOURCE`] for languages without doubles.
pub const SINGLE_TEXTURES: Standard = Standard {
    name: "single-textures",
    doc: "Texels in the place of samples, filtered in floats of 32 bits.",
    text: "filter-textures{single=true}",
};

/// What source text is written of, in place of [`OPTIMIZE`]: functions stay as the programmer wrote
/// them, and of what differentiation made, what is called from several places.
pub const OPTIMIZE_SOURCE: Standard = Standard {
    name: "optimize-source",
    doc: "Folds, shares and removes within functions, and keeps these, but for what differentiation made to be called once.",
    text: "symbol-dce,inline{small=0,entries=false,made=12},filter-textures,any(canonicalize,cse,share-branches,dce),trim-signatures,any(canonicalize,cse,share-branches,dce),trim-signatures,any(canonicalize,cse,dce),symbol-dce",
};

/// What shaders are written of, after [`OPTIMIZE_SOURCE`]: their languages hand over no resources.
pub const OPTIMIZE_SHADER: Standard = Standard {
    name: "optimize-shader",
    doc: "Inlines what is given resources, and keeps all other functions.",
    text: "inline{small=0,once=0,resources=true},tidy,resolve-pointers{elements=true},drop-dead-pointers,any(canonicalize,cse,share-branches,dce),symbol-dce",
};

/// What C++ is written of, after [`OPTIMIZE_SOURCE`]: its functions are given resources and
/// pointers.
pub const OPTIMIZE_HOST: Standard = Standard {
    name: "optimize-host",
    doc: "Pointers are the buffers that they lead into, where that is known.",
    text: "choose-aggregation{shared=true},resolve-pointers{elements=true},drop-dead-pointers,tidy,symbol-dce",
};

/// What shaders are written of whose code names its resources, after [`OPTIMIZE_SHADER`].
pub const NAME_RESOURCES: Standard = Standard {
    name: "name-resources",
    doc: "Each access is one to a resource that is known.",
    text: "choose-aggregation{shared=true},legalize-resources,any(canonicalize,cse,dce)",
};

/// What drivers of shaders take, after [`NAME_RESOURCES`].
pub const UNNEST: Standard = Standard {
    name: "unnest",
    doc: "No more branches in each other than drivers keep.",
    text: "unnest-branches,any(cse,dce)",
};

/// What kernels for a GPU are written of, after [`OPTIMIZE_SHADER`].
pub const AGGREGATE_SOURCE: Standard = Standard {
    name: "aggregate-source",
    doc: "What threads add to one place comes together first, in functions that stay.",
    text: "choose-aggregation,reduce-gpu,any(canonicalize,cse,dce),aggregate-gpu,any(canonicalize,cse,licm,dce),symbol-dce",
};

/// What source text takes, last of all.
pub const LATEST_VERSIONS: Standard = Standard {
    name: "latest-versions",
    doc: "Versions of an aggregate end where the next begins.",
    text: "read-latest",
};

/// What SPIR-V takes, after [`STORAGE`]: its instructions leave open what operands outside of their
/// ranges give.
pub const LEGALIZE_SPIRV: Standard = Standard {
    name: "legalize-spirv",
    doc: "Writes ops that are defined for all operands with such as are not.",
    text: "legalize-functions,any(legalize-64bit,canonicalize,cse,dce,legalize-atomics,legalize-total),legalize-bounds,any(cse,dce),symbol-dce",
};

/// What has no numbers of 8 and 16 bits, last of all.
pub const LEGALIZE_SMALL: Standard = Standard {
    name: "legalize-hlsl",
    doc: "Arithmetic on numbers of 8 and 16 bits by that of 32.",
    text: "any(legalize-small,cse,dce)",
};

/// What languages take that compute in 32 bits and have functions of floats for few operands, after
/// [`STORAGE`].
pub const LEGALIZE_WORDS: Standard = Standard {
    name: "legalize-words",
    doc: "Computes in 32 bits what fits them, and writes functions of floats with such as all machines have.",
    text: "legalize-functions{doubles=false,fused=false},any(legalize-64bit,canonicalize,cse,dce),symbol-dce",
};

/// What LLVM takes for this machine, between [`OPTIMIZE`] and [`STORAGE`]. Loops that do not look
/// at sizes of buffers are unrolled and keep what they sum up in registers.
pub const OPTIMIZE_LLVM: Standard = Standard {
    name: "optimize-llvm",
    doc: "Sizes of buffers are looked at once for several reads.",
    text: "version-loops{together=true},any(canonicalize,cse,licm,dce)",
};

/// What compiled targets take, after [`OPTIMIZE`].
pub const STORAGE: Standard = Standard {
    name: "storage",
    doc: "Arrays and tapes to local storage.",
    text: "null-addresses,any(mark-ranges,lower-storage)",
};

/// What targets take whose lanes wait for those of a mask, before [`INSTANCES`].
pub const MASKS: Standard =
    Standard { name: "masks", doc: "Gives wave operations the lanes that take part.", text: "wave-masks" };

/// What targets take that run the threads of a group one after the other, last of all.
pub const INSTANCES: Standard = Standard {
    name: "instances",
    doc: "Tells dynamic instances of barriers and wave operations apart.",
    text: "mark-convergence",
};

/// Every pipeline of this crate but [`DIFFERENTIATE`], which is the pass of that name.
pub const ALL: &[Standard] = &[
    CHECKS,
    CHECKS_OF_RESOURCES,
    NORMALIZE,
    TIDY,
    LINEARIZE,
    SIMPLIFY,
    REWRITE,
    OPTIMIZE,
    CLOSE,
    UNROLL_GPU,
    REDUCE_GPU,
    AGGREGATE_GPU,
    THREADS_GPU,
    FINISH_GPU,
    OPTIMIZE_GPU,
    OPTIMIZE_GPU_TRUSTING_POINTERS,
    OPTIMIZE_GPU_TRUSTING,
    TRUST,
    TRUST_POINTERS,
    ADD_ATOMICALLY,
    SINGLE_TEXTURES,
    OPTIMIZE_SOURCE,
    OPTIMIZE_SHADER,
    OPTIMIZE_HOST,
    NAME_RESOURCES,
    UNNEST,
    AGGREGATE_SOURCE,
    LATEST_VERSIONS,
    LEGALIZE_SPIRV,
    LEGALIZE_SMALL,
    LEGALIZE_WORDS,
    OPTIMIZE_LLVM,
    STORAGE,
    MASKS,
    INSTANCES,
];

/// The passes of a pipeline that exist; every name in this file is checked by a test.
pub fn pipeline(standard: Standard) -> Result<Pipeline, Diagnostic> {
    parse::parse_pipeline(standard.text, &crate::registry())
}

/// Runs one of them. Diagnostics that are no errors are dropped: they belong to runs of a tool.
pub fn run(module: &mut Module, standard: Standard, verify_each: bool) -> Result<(), Vec<Diagnostic>> {
    run_timed(module, standard, verify_each).map(|_| ())
}

/// [`run`], and where the time went.
pub fn run_timed(module: &mut Module, standard: Standard, verify_each: bool) -> Result<Timing, Vec<Diagnostic>> {
    run_with(module, standard, RunOptions { verify_each, ..RunOptions::default() }, &mut ())
}

/// [`run`] with these options and with a sink for dumps, and where the time went. No reproducer is
/// made. A run that was cancelled is an error without a diagnostic.
pub fn run_with(
    module: &mut Module,
    standard: Standard,
    options: RunOptions,
    sink: &mut dyn Sink,
) -> Result<Timing, Vec<Diagnostic>> {
    run_as(module, &pipeline(standard).map_err(|e| vec![e])?, options, sink).map(|outcome| outcome.timing)
}

/// [`run_with`] for any pipeline, with all that came of it.
pub fn run_as(
    module: &mut Module,
    pipeline: &Pipeline,
    options: RunOptions,
    sink: &mut dyn Sink,
) -> Result<Outcome, Vec<Diagnostic>> {
    let options = RunOptions { reproducer: false, ..options };
    let outcome = run_pipeline(module, pipeline, &options, sink);
    if outcome.ok {
        return Ok(outcome);
    }
    Err(outcome.diagnostics.into_iter().filter(|d| d.severity == Severity::Error).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pipeline_names_passes_and_pipelines_that_exist() {
        for standard in ALL {
            if let Err(e) = pipeline(*standard) {
                panic!("{}: {e}", standard.name);
            }
        }
    }

    #[test]
    fn no_pipeline_has_the_name_of_a_pass() {
        let registry = crate::registry();
        let both: Vec<_> = registry.pipelines().iter().filter(|p| registry.get(p.name).is_some()).collect();
        assert!(both.is_empty(), "{both:?}");
    }

    #[test]
    fn a_pipeline_that_contains_itself_is_an_error() {
        let mut registry = crate::registry();
        registry.add_pipeline(Standard { name: "round", doc: "", text: "cse,round" });
        let found = parse::parse_pipeline("round", &registry).map_err(|d| d.message);
        assert!(found.is_err_and(|m| m.contains("contains itself")));
    }

    #[test]
    fn a_pipeline_of_a_user_runs_by_its_name() {
        let mut registry = crate::registry();
        registry.add_pipeline(Standard { name: "mine", doc: "", text: "tidy,symbol-dce" });
        let text = parse::parse_pipeline("mine,cse", &registry).map(|p| p.to_string());
        assert_eq!(text.ok().as_deref(), Some("builtin.module(any(canonicalize,cse,dce),symbol-dce,any(cse))"));
    }
}
