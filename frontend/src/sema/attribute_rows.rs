//! The attributes of the language, one row each: the declarations that it may stand before, and the
//! arguments that it takes. `placement` checks programs against the rows.
//!
//! An attribute without a row is one that the program declares, or has no effect here. What the
//! arguments mean is decided by the code that implements the attribute.

/// Kinds of declarations and statements, as bits.
pub mod place {
    pub const FUNCTION: u32 = 1 << 0;
    pub const CONSTRUCTOR: u32 = 1 << 1;
    pub const ACCESSOR: u32 = 1 << 2;
    pub const STRUCT: u32 = 1 << 3;
    pub const INTERFACE: u32 = 1 << 4;
    pub const ENUM: u32 = 1 << 5;
    pub const ASSOCIATED_TYPE: u32 = 1 << 6;
    pub const VARIABLE: u32 = 1 << 7;
    pub const PROPERTY: u32 = 1 << 8;
    pub const SUBSCRIPT: u32 = 1 << 9;
    pub const ALIAS: u32 = 1 << 10;
    pub const EXTENSION: u32 = 1 << 11;
    pub const NAME_SPACE: u32 = 1 << 12;
    pub const LOOP: u32 = 1 << 13;
    pub const IF: u32 = 1 << 14;
    pub const SWITCH: u32 = 1 << 15;
    pub const STATEMENT: u32 = 1 << 16;

    /// Everything that has a body of statements.
    pub const CODE: u32 = FUNCTION | CONSTRUCTOR | ACCESSOR;
    pub const TYPE: u32 = STRUCT | INTERFACE | ENUM | ASSOCIATED_TYPE;
    pub const DECLARATION: u32 = CODE | TYPE | VARIABLE | PROPERTY | SUBSCRIPT | ALIAS | EXTENSION | NAME_SPACE;

    /// The names of these kinds in messages.
    pub const WORDS: &[(u32, &str)] = &[
        (DECLARATION, "a declaration"),
        (CODE, "a function"),
        (FUNCTION, "a function"),
        (TYPE, "the declaration of a type"),
        (STRUCT, "a struct"),
        (INTERFACE, "an interface"),
        (ENUM, "an enum"),
        (VARIABLE, "a variable"),
        (ACCESSOR, "an accessor"),
        (LOOP, "a loop"),
        (IF, "an `if`"),
        (SWITCH, "a `switch`"),
    ];
}

/// The arguments of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Takes {
    Nothing,
    /// At least this many integers that are known at compile time.
    Integers(usize),
    /// At least this many integers, which the implementation of the attribute evaluates.
    Evaluated(usize),
    /// A string as the first argument.
    Text,
    /// One of these strings.
    OneOf(&'static [&'static str]),
    /// The string of a GUID.
    Guid,
    /// A number of bytes.
    ValueSize,
    /// The name of a target, and a string that code for it begins with.
    Prelude,
    /// Names of features of targets.
    Capabilities,
    /// Arguments that the implementation of the attribute checks.
    Other,
}

pub struct AttributeRow {
    pub name: &'static str,
    pub places: u32,
    /// Places where the attribute has no effect but programs write it, so that it is only a
    /// warning.
    pub idle: u32,
    pub takes: Takes,
}

const fn row(name: &'static str, places: u32, takes: Takes) -> AttributeRow {
    AttributeRow { name, places, idle: 0, takes }
}

impl AttributeRow {
    const fn idle(self, idle: u32) -> AttributeRow {
        AttributeRow { idle, ..self }
    }
}

use super::attribute_values::{PARTITIONINGS, TOPOLOGIES};
use Takes::*;
use place::*;

pub const ATTRIBUTES: &[AttributeRow] = &[
    row("unroll", LOOP, Other),
    row("ForceUnroll", LOOP, Evaluated(0)),
    row("loop", LOOP, Nothing),
    row("fastopt", LOOP, Nothing),
    row("allow_uav_condition", LOOP, Nothing),
    row("MaxIters", LOOP, Evaluated(1)),
    row("branch", IF | SWITCH, Nothing),
    row("flatten", IF, Nothing),
    row("forcecase", SWITCH, Nothing),
    row("call", SWITCH, Nothing),
    row("shader", FUNCTION, Text),
    row("numthreads", FUNCTION, Evaluated(1)),
    row("WaveSize", FUNCTION, Evaluated(1)),
    row("noinline", CODE, Nothing),
    row("noRefInline", FUNCTION, Nothing),
    row("ForceInline", CODE, Nothing),
    row("__unsafeForceInlineEarly", CODE, Nothing),
    row("__readNone", CODE, Nothing),
    row("NonUniformReturn", CODE, Nothing),
    row("OverloadRank", FUNCTION | CONSTRUCTOR, Evaluated(1)),
    row("mutating", CODE, Nothing),
    row("nonmutating", ACCESSOR, Nothing),
    row("constref", CODE, Nothing),
    row("Differentiable", CODE, Evaluated(0)),
    row("BackwardDifferentiable", CODE, Evaluated(0)),
    row("ForwardDifferentiable", CODE, Nothing),
    row("PreferRecompute", CODE, Evaluated(0)),
    row("PreferCheckpoint", CODE, Nothing),
    row("TreatAsDifferentiable", DECLARATION, Nothing).idle(TYPE | VARIABLE | ALIAS | EXTENSION | NAME_SPACE),
    row("NoDiffThis", CODE, Nothing).idle(CONSTRUCTOR),
    row("ForwardDerivative", CODE, Other),
    row("BackwardDerivative", CODE, Other),
    row("PrimalSubstitute", CODE, Other),
    row("ForwardDerivativeOf", CODE, Other),
    row("BackwardDerivativeOf", CODE, Other),
    row("PrimalSubstituteOf", CODE, Other),
    row("DerivativeMember", FIELD, Other),
    row("require", DECLARATION, Capabilities),
    row("anyValueSize", INTERFACE, ValueSize),
    row("MaybeDifferentiable", FUNCTION, Nothing),
    row("__comparesQuad", FUNCTION, Nothing),
    row("NoDiscard", FUNCTION, Nothing),
    row("RequirePrelude", STRUCT | INTERFACE | ENUM, Prelude),
    row("__AttributeUsage", STRUCT, Other),
    row("AttributeUsage", STRUCT, Other),
    row("Specialize", INTERFACE, Nothing),
    row("sealed", TYPE, Nothing),
    row("__NonCopyableType", STRUCT, Nothing),
    row("open", TYPE, Nothing),
    row("COM", INTERFACE, Guid),
    row("Flags", ENUM, Nothing),
    row("UnscopedEnum", ENUM, Nothing),
    row("deprecated", DECLARATION, Text),
    row("earlydepthstencil", FUNCTION, Nothing),
    row("domain", FUNCTION, Text),
    row("partitioning", FUNCTION, OneOf(PARTITIONINGS)),
    row("outputtopology", FUNCTION, OneOf(TOPOLOGIES)),
    row("outputcontrolpoints", FUNCTION, Integers(1)),
    row("patchconstantfunc", FUNCTION, Text),
    row("maxtessfactor", FUNCTION, Other),
    row("vk::shader_record", VARIABLE, Nothing),
    row("shader_record", VARIABLE, Nothing),
    row("vk::input_attachment_index", VARIABLE, Integers(1)),
    row("maxvertexcount", FUNCTION, Integers(1)),
    row("instance", FUNCTION, Integers(1)),
    row("CUDAKernel", FUNCTION, Nothing),
    row("CudaKernel", FUNCTION, Nothing),
    row("AutoPyBindCUDA", FUNCTION, Nothing),
    row("TorchEntryPoint", FUNCTION, Nothing),
    row("CudaDeviceExport", FUNCTION, Nothing),
    row("CUDADeviceExport", FUNCTION, Nothing),
    row("CudaHost", FUNCTION, Nothing),
    row("CUDAHost", FUNCTION, Nothing),
    row("PyExport", TYPE, Text),
    row("DllImport", FUNCTION, Text),
    row("DllExport", FUNCTION, Nothing),
    row("RequireFullQuads", FUNCTION, Nothing),
    row("MaximallyReconverges", FUNCTION, Nothing),
    row("DerivativeGroupQuad", FUNCTION, Nothing),
    row("DerivativeGroupLinear", FUNCTION, Nothing),
    row("QuadDerivatives", FUNCTION, Nothing),
    row("raypayload", STRUCT, Nothing),
    row("disable_array_flattening", VARIABLE, Nothing),
    row("format", VARIABLE, OneOf(crate::ast::FORMATS)),
    row("vk::image_format", VARIABLE, OneOf(crate::ast::FORMATS)),
    row("vk::binding", DECLARATION, Integers(1)),
    row("vk::location", VARIABLE, Integers(1)),
    row("vk::constant_id", VARIABLE, Integers(1)),
    row("vk::specialization_constant", VARIABLE, Nothing),
    row("vk::push_constant", VARIABLE, Nothing),
    row("SpecializationConstant", VARIABLE, Nothing),
    row("vk::offset", VARIABLE, Integers(1)),
    row("vk::index", VARIABLE, Integers(1)),
    row("gl::binding", DECLARATION, Integers(1)),
    // What `layout(…)` says with a value.
    row("layout", DECLARATION, Integers(0)),
    // Of the language, and nothing here.
    row("inline", CODE, Nothing),
    row("vk::aliased_pointer", VARIABLE, Other),
    row("vk::spirv_instruction", FUNCTION, Other),
    row("allow", DECLARATION, Other),
    row("__NoSideEffect", CODE, Nothing),
    row("__AlwaysFoldIntoUseSiteAttribute", DECLARATION, Nothing),
    row("builtin", DECLARATION, Other),
    row("KnownBuiltin", DECLARATION, Other),
    row("__AutoDiffBuiltin", DECLARATION, Other),
    row("__requiresNVAPI", DECLARATION, Other),
    row("__vulkanRayPayload", VARIABLE, Other),
    row("__vulkanHitAttributes", VARIABLE, Other),
    row("__extern", DECLARATION, Other),
    row("spv_target_env_1_3", DECLARATION, Other),
    row("__implicit_conversion", CODE, Other),
];

/// The row of an attribute of the language.
pub fn find(name: &str) -> Option<&'static AttributeRow> {
    ATTRIBUTES.iter().find(|r| r.name == name)
}

/// Modifiers whose repetition has no effect, and that programs repeat.
pub const REPEATED: &[&str] = &["no_diff", "extern", "override", "globallycoherent"];

/// Modifiers of which a variable has one at most: where and how it is interpolated.
pub const INTERPOLATION: &[&str] = &["nointerpolation", "noperspective", "linear", "centroid", "sample", "pervertex"];

/// Modifiers that may only stand before some kinds of declarations.
pub const MODIFIERS: &[(&str, u32)] = &[
    ("in", PARAMETER | GLOBAL),
    ("out", PARAMETER | GLOBAL),
    ("inout", PARAMETER | GLOBAL),
    ("ref", PARAMETER | GLOBAL),
    ("__ref", PARAMETER | GLOBAL),
    ("__constref", PARAMETER | GLOBAL),
    ("constref", PARAMETER | GLOBAL),
    ("groupshared", PARAMETER | GLOBAL | LOCAL | FIELD),
    ("volatile", PARAMETER | GLOBAL),
    ("uniform", PARAMETER | GLOBAL | FIELD),
    ("globallycoherent", PARAMETER | GLOBAL | FIELD),
    ("nointerpolation", PARAMETER | GLOBAL | FIELD),
    ("linear", PARAMETER | GLOBAL | FIELD),
    ("noperspective", PARAMETER | GLOBAL | FIELD),
    ("pervertex", PARAMETER | GLOBAL | FIELD),
    ("point", PARAMETER),
    ("line", PARAMETER),
    ("lineadj", PARAMETER),
    ("triangle", PARAMETER),
    ("triangleadj", PARAMETER),
    ("centroid", PARAMETER | GLOBAL | FIELD),
    ("sample", PARAMETER | GLOBAL | FIELD),
    ("row_major", PARAMETER | GLOBAL | FIELD | LOCAL | ALIAS),
    ("column_major", PARAMETER | GLOBAL | FIELD | LOCAL | ALIAS),
    ("static", GLOBAL | FIELD | LOCAL | PARAMETER | FUNCTION | SUBSCRIPT),
    ("const", GLOBAL | FIELD | LOCAL | PARAMETER | CODE | SUBSCRIPT | ALIAS),
    ("precise", GLOBAL | FIELD | LOCAL | PARAMETER | CODE | SUBSCRIPT),
    ("inline", CODE | SUBSCRIPT),
    ("no_diff", PARAMETER | GLOBAL | FIELD | LOCAL | CODE | PROPERTY | SUBSCRIPT),
    // Before a type this word is a part of the type, so it may stand wherever a type may.
    ("dyn", INTERFACE | PARAMETER | GLOBAL | FIELD | LOCAL | FUNCTION | PROPERTY | SUBSCRIPT | ALIAS),
    ("__exported", 0),
    ("override", FUNCTION | CONSTRUCTOR | PROPERTY | SUBSCRIPT),
];

/// Kinds of variables that only modifiers tell apart.
pub const PARAMETER: u32 = 1 << 17;
pub const GLOBAL: u32 = 1 << 18;
pub const FIELD: u32 = 1 << 19;
pub const LOCAL: u32 = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_unique_and_have_places() {
        for (i, r) in ATTRIBUTES.iter().enumerate() {
            assert!(r.places != 0, "{}", r.name);
            assert!(ATTRIBUTES[..i].iter().all(|o| o.name != r.name), "{}", r.name);
        }
    }
}
