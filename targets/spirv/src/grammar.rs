//! The words of SPIR-V that are written here: instructions and enumerants, each with its number.
//!
//! This module must not know: what any of them is used for.

/// Declares instructions.
macro_rules! instructions {
    ( $( $name:ident = $number:literal ),* $(,)? ) => {
        /// An instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Op { $( $name = $number ),* }

        impl Op {
            /// As text has it.
            pub fn name(self) -> &'static str {
                match self { $( Op::$name => concat!("Op", stringify!($name)) ),* }
            }
        }
    };
}

instructions! {
    Source = 3, Name = 5, MemberName = 6, String = 7, Line = 8, Extension = 10, ExtInstImport = 11,
    ExtInst = 12, MemoryModel = 14, EntryPoint = 15, ExecutionMode = 16, Capability = 17,
    TypeVoid = 19, TypeBool = 20, TypeInt = 21, TypeFloat = 22, TypeVector = 23, TypeArray = 28,
    TypeRuntimeArray = 29, TypeStruct = 30, TypePointer = 32, TypeFunction = 33,
    ConstantTrue = 41, ConstantFalse = 42, Constant = 43, ConstantComposite = 44, ConstantNull = 46,
    Function = 54, FunctionParameter = 55, FunctionEnd = 56, FunctionCall = 57,
    Variable = 59, Load = 61, Store = 62, AccessChain = 65, ArrayLength = 68,
    Decorate = 71, MemberDecorate = 72, VectorExtractDynamic = 77,
    CompositeConstruct = 80, CompositeExtract = 81, CompositeInsert = 82,
    ConvertFToU = 109, ConvertFToS = 110, ConvertSToF = 111, ConvertUToF = 112,
    UConvert = 113, SConvert = 114, FConvert = 115, Bitcast = 124,
    SNegate = 126, FNegate = 127, IAdd = 128, FAdd = 129, ISub = 130, FSub = 131, IMul = 132,
    FMul = 133, UDiv = 134, SDiv = 135, FDiv = 136, UMod = 137, SRem = 138,
    LogicalEqual = 164, LogicalNotEqual = 165, LogicalOr = 166, LogicalAnd = 167, LogicalNot = 168,
    Select = 169, IEqual = 170, INotEqual = 171, UGreaterThan = 172, SGreaterThan = 173,
    UGreaterThanEqual = 174, SGreaterThanEqual = 175, ULessThan = 176, SLessThan = 177,
    ULessThanEqual = 178, SLessThanEqual = 179, FOrdEqual = 180, FUnordEqual = 181,
    FOrdNotEqual = 182, FUnordNotEqual = 183, FOrdLessThan = 184, FUnordLessThan = 185,
    FOrdGreaterThan = 186, FUnordGreaterThan = 187, FOrdLessThanEqual = 188,
    FUnordLessThanEqual = 189, FOrdGreaterThanEqual = 190, FUnordGreaterThanEqual = 191,
    ShiftRightLogical = 194, ShiftRightArithmetic = 195, ShiftLeftLogical = 196, BitwiseOr = 197,
    BitwiseXor = 198, BitwiseAnd = 199, Not = 200, BitCount = 205,
    ControlBarrier = 224, MemoryBarrier = 225, AtomicLoad = 227, AtomicStore = 228,
    AtomicExchange = 229, AtomicCompareExchange = 230, AtomicIAdd = 234, AtomicSMin = 236,
    AtomicUMin = 237, AtomicSMax = 238, AtomicUMax = 239, AtomicAnd = 240, AtomicOr = 241,
    AtomicXor = 242,
    Phi = 245, LoopMerge = 246, SelectionMerge = 247, Label = 248, Branch = 249,
    BranchConditional = 250, Switch = 251, Return = 253, ReturnValue = 254,
    GroupNonUniformBallot = 339, GroupNonUniformShuffle = 345,
}

/// An enumerant: as text has it, and its number.
pub type Word = (&'static str, u32);

/// Storage classes.
pub mod storage {
    use super::Word;
    pub const INPUT: Word = ("Input", 1);
    pub const UNIFORM: Word = ("Uniform", 2);
    pub const WORKGROUP: Word = ("Workgroup", 4);
    pub const FUNCTION: Word = ("Function", 7);
    pub const STORAGE_BUFFER: Word = ("StorageBuffer", 12);
}

/// Decorations.
pub mod decoration {
    use super::Word;
    pub const BLOCK: Word = ("Block", 2);
    pub const ARRAY_STRIDE: Word = ("ArrayStride", 6);
    pub const BUILT_IN: Word = ("BuiltIn", 11);
    pub const ALIASED: Word = ("Aliased", 20);
    pub const COHERENT: Word = ("Coherent", 23);
    pub const NON_WRITABLE: Word = ("NonWritable", 24);
    pub const BINDING: Word = ("Binding", 33);
    pub const DESCRIPTOR_SET: Word = ("DescriptorSet", 34);
    pub const OFFSET: Word = ("Offset", 35);
    pub const NO_CONTRACTION: Word = ("NoContraction", 42);
}

/// Variables that the machine sets.
pub mod built_in {
    use super::Word;
    pub const NUM_WORKGROUPS: Word = ("NumWorkgroups", 24);
    pub const WORKGROUP_ID: Word = ("WorkgroupId", 26);
    pub const LOCAL_INVOCATION_ID: Word = ("LocalInvocationId", 27);
    pub const GLOBAL_INVOCATION_ID: Word = ("GlobalInvocationId", 28);
    pub const LOCAL_INVOCATION_INDEX: Word = ("LocalInvocationIndex", 29);
}

/// Capabilities.
pub mod capability {
    use super::Word;
    pub const SHADER: Word = ("Shader", 1);
    pub const FLOAT16: Word = ("Float16", 9);
    pub const FLOAT64: Word = ("Float64", 10);
    pub const INT64: Word = ("Int64", 11);
    pub const INT64_ATOMICS: Word = ("Int64Atomics", 12);
    pub const INT16: Word = ("Int16", 22);
    pub const INT8: Word = ("Int8", 39);
    pub const GROUP_NON_UNIFORM: Word = ("GroupNonUniform", 61);
    pub const GROUP_NON_UNIFORM_BALLOT: Word = ("GroupNonUniformBallot", 64);
    pub const GROUP_NON_UNIFORM_SHUFFLE: Word = ("GroupNonUniformShuffle", 65);
    pub const STORAGE_16BIT: Word = ("StorageBuffer16BitAccess", 4433);
    pub const UNIFORM_16BIT: Word = ("UniformAndStorageBuffer16BitAccess", 4434);
    pub const STORAGE_8BIT: Word = ("StorageBuffer8BitAccess", 4448);
    pub const UNIFORM_8BIT: Word = ("UniformAndStorageBuffer8BitAccess", 4449);
    pub const SIGNED_ZERO_INF_NAN_PRESERVE: Word = ("SignedZeroInfNanPreserve", 4466);
    pub const ROUNDING_MODE_RTE: Word = ("RoundingModeRTE", 4467);
}

/// How an entry point runs.
pub mod mode {
    use super::Word;
    pub const LOCAL_SIZE: Word = ("LocalSize", 17);
    pub const SIGNED_ZERO_INF_NAN_PRESERVE: Word = ("SignedZeroInfNanPreserve", 4461);
    pub const ROUNDING_MODE_RTE: Word = ("RoundingModeRTE", 4462);
}

/// Instructions of the set NonSemantic.DebugPrintf.
pub mod debug {
    use super::Word;
    /// A number in texts, too: assemblers do not know the set.
    pub const PRINTF: Word = ("1", 1);
}

/// Functions of the instruction set GLSL.std.450.
pub mod std450 {
    use super::Word;
    pub const ROUND_EVEN: Word = ("RoundEven", 2);
    pub const TRUNC: Word = ("Trunc", 3);
    pub const F_ABS: Word = ("FAbs", 4);
    pub const FLOOR: Word = ("Floor", 8);
    pub const CEIL: Word = ("Ceil", 9);
    pub const SIN: Word = ("Sin", 13);
    pub const COS: Word = ("Cos", 14);
    pub const TAN: Word = ("Tan", 15);
    pub const ASIN: Word = ("Asin", 16);
    pub const ACOS: Word = ("Acos", 17);
    pub const ATAN: Word = ("Atan", 18);
    pub const SINH: Word = ("Sinh", 19);
    pub const COSH: Word = ("Cosh", 20);
    pub const TANH: Word = ("Tanh", 21);
    pub const ASINH: Word = ("Asinh", 22);
    pub const ACOSH: Word = ("Acosh", 23);
    pub const ATANH: Word = ("Atanh", 24);
    pub const EXP: Word = ("Exp", 27);
    pub const LOG: Word = ("Log", 28);
    pub const EXP2: Word = ("Exp2", 29);
    pub const LOG2: Word = ("Log2", 30);
    pub const SQRT: Word = ("Sqrt", 31);
    pub const INVERSE_SQRT: Word = ("InverseSqrt", 32);
    pub const UNPACK_HALF: Word = ("UnpackHalf2x16", 62);
    pub const U_MIN: Word = ("UMin", 38);
    pub const S_MIN: Word = ("SMin", 39);
    pub const U_MAX: Word = ("UMax", 41);
    pub const S_MAX: Word = ("SMax", 42);
    pub const FIND_I_LSB: Word = ("FindILsb", 73);
}
