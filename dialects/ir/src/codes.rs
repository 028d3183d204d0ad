//! The codes of all diagnostics: what each means, and by which name a warning is allowed or denied.
//!
//! A code is declared here and nowhere else; the places that find something give the code, the
//! message and the place. The rule `tidy/diagnostics` holds the tree to it: a code in the sources
//! has a row, a row is used, and a case of the suite shows that it can be found. Groups: `00` files
//! and tools, `01` text and modules, `02` the language, `03` derivatives as declared, `04`
//! normalizing, `05` instances, `06` making derivatives, `08` running, `09` what is not there, `90`
//! IR and the compiler itself.

/// A diagnostic that can be made.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    pub code: Code,
    /// The name of a warning on the command line; empty for errors, which nothing silences.
    pub name: &'static str,
    pub meaning: &'static str,
    /// More about it, for the commonest.
    pub explanation: Option<Explanation>,
}

/// What a diagnostic means to who sees it for the first time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    pub text: &'static str,
    /// A program that has it, and nothing else.
    pub wrong: &'static str,
    /// What may have been meant.
    pub right: &'static str,
}

/// The code of a diagnostic: one of the constants below, so that a code without a row does not
/// compile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// `E0201`; `W0211` for warnings.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
    /// The code of this text, if there is a row for it.
    pub fn named(text: &str) -> Option<Code> {
        CODES.iter().map(|row| row.code).find(|code| code.0 == text)
    }
}
impl std::ops::Deref for Code {
    type Target = str;
    fn deref(&self) -> &str {
        self.0
    }
}
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}
impl PartialEq<String> for Code {
    fn eq(&self, other: &String) -> bool {
        self.0 == other
    }
}
impl From<Code> for &'static str {
    fn from(code: Code) -> Self {
        code.0
    }
}

macro_rules! explanation {
    () => { None };
    ($text:literal [$($wrong:literal)*] [$($right:literal)*]) => {
        Some(Explanation {
            text: $text,
            wrong: concat!($($wrong, "\n"),*),
            right: concat!($($right, "\n"),*),
        })
    };
}

/// A row each: the code, and for a warning its name, then what it means; perhaps an explanation
/// and the lines of a program that has it and of one that has it no more.
macro_rules! codes {
    ( $( $code:ident = $severity:ident $($name:literal)?, $meaning:literal
         $(, $text:literal, wrong [$($wrong:literal),* $(,)?], right [$($right:literal),* $(,)?])?; )* ) => {
        $( #[doc = $meaning] pub const $code: Code = Code(stringify!($code)); )*

        /// In the order of their numbers, errors first.
        pub const CODES: &[CodeRow] =
            &[ $( CodeRow {
                code: $code,
                name: concat!($($name)?),
                meaning: $meaning,
                explanation: explanation!($($text [$($wrong)*] [$($right)*])?),
            } ),* ];
    };
}

codes! {
    E0011 = Error, "a pass pipeline is not written as pipelines are";
    E0100 = Error, "the text does not follow the grammar",
        "The text is not a program: a sign is missing or stands where none can stand. The place is where the compiler could not go on; the mistake is often just before it.",
        wrong ["float f(float x) { return x * ; }"],
        right ["float f(float x) { return x * 2.0; }"];
    E0101 = Error, "brackets do not match",
        "Each `(`, `[` and `{` needs its own closing bracket, in the right order.",
        wrong ["float f(float x) { return (x + 1.0; }"],
        right ["float f(float x) { return (x + 1.0); }"];
    E0102 = Error, "something is nested too deeply";
    E0103 = Error, "a comment, string or character does not end",
        "A comment `/* … */`, a string or a character must end before the file does, and the last two on the same line.",
        wrong ["/* begins and never ends", "float f(float x) { return x; }"],
        right ["/* begins and ends */", "float f(float x) { return x; }"];
    E0110 = Error, "a file of the program cannot be found, or is no text";
    E0111 = Error, "macros, includes or imports make too much text, or too many files";
    E0112 = Error, "a preprocessor directive is unknown, or not written as it must be",
        "The preprocessor knows `#define`, `#undef`, `#include`, `#if` and its kin, `#error`, `#warning`, `#line`, `#pragma`.",
        wrong ["#defin SIZE 4", "int f() { return 4; }"],
        right ["#define SIZE 4", "int f() { return SIZE; }"];
    E0113 = Error, "an `#error` of the program";
    E0114 = Error, "a module or a part of one cannot be found",
        "`import name;` reads `name.slang` from the folder of the file, then from each folder of `-I`.",
        wrong ["import no_such_module;", "float f(float x) { return x; }"],
        right ["float f(float x) { return x; }"];
    E0115 = Error, "a file and the module that it says it belongs to do not fit";
    E0116 = Error, "a module imports itself";
    E0201 = Error, "a name is not declared",
        "Nothing of this name can be seen here: it is spelled in another way, declared in another scope, or in a module that is not imported.",
        wrong ["float f(float x) { return y; }"],
        right ["float f(float x) { float y = x; return y; }"];
    E0202 = Error, "there is nothing that says what type this has",
        "The type of `var` and of `let` comes from the initializer.",
        wrong ["void f() { var x; }"],
        right ["void f() { var x = 1.0; }"];
    E0203 = Error, "a value of one type stands where another is needed",
        "The value has another type than its place, and no implicit conversion leads from one to the other. Convert it, or take a part of it.",
        wrong ["float f(float3 v) { return v; }"],
        right ["float f(float3 v) { return v.x; }"];
    E0204 = Error, "a call has too few or too many arguments",
        "A call gives an argument to each parameter without a default value.",
        wrong ["float g(float a, float b) { return a + b; }", "float f(float x) { return g(x); }"],
        right ["float g(float a, float b) { return a + b; }", "float f(float x) { return g(x, 1.0); }"];
    E0205 = Error, "a name is declared twice",
        "One scope has one declaration of a name. Functions may share a name if their parameters differ.",
        wrong ["float f(float x) { float y = x; float y = 2.0; return y; }"],
        right ["float f(float x) { float y = x; y = 2.0; return y; }"];
    E0206 = Error, "an initializer is missing, or stands where none can be",
        "A constant needs an initializer; a list of initializers needs a type that it fits.",
        wrong ["static const float scale;", "float f(float x) { return scale * x; }"],
        right ["static const float scale = 2.0;", "float f(float x) { return scale * x; }"];
    E0207 = Error, "a type cannot be used for this, or is too large",
        "The type says nothing that could be stored here, or more than can be.",
        wrong ["void nothing[3];"],
        right ["static float numbers[3];"];
    E0208 = Error, "generic arguments do not fit their parameters",
        "Generic arguments are as many as the parameters, in their order, types for types and numbers for numbers.",
        wrong ["T twice<T : IFloat>(T x) { return x + x; }", "float f(float x) { return twice<float, int>(x); }"],
        right ["T twice<T : IFloat>(T x) { return x + x; }", "float f(float x) { return twice<float>(x); }"];
    E0209 = Error, "a declaration needs itself",
        "A struct cannot have a field of its own type, and a constant cannot be made from itself. Use an index or a pointer.",
        wrong ["struct Node { float value; Node next; }"],
        right ["struct Node { float value; int next; }"];
    E0210 = Error, "a literal cannot be read";
    E0212 = Error, "an operator does not take operands of these types",
        "The operator is declared for other types: convert an operand, or declare the operator.",
        wrong ["struct S { float v; }", "float f(S a, S b) { return (a + b).v; }"],
        right ["struct S { float v; }", "float f(S a, S b) { return a.v + b.v; }"];
    E0213 = Error, "this cannot be called, or can only be called",
        "Only functions, and values with an `operator()`, are called; a function without a call is no value.",
        wrong ["float f(float x) { return x(2.0); }"],
        right ["float f(float x) { return x * 2.0; }"];
    E0214 = Error, "there is no object for this member",
        "A field or a method belongs to an object: outside of methods the object is named.",
        wrong ["struct S { float v; float get() { return v; } }", "float f(S s) { return S.get(); }"],
        right ["struct S { float v; float get() { return v; } }", "float f(S s) { return s.get(); }"];
    E0215 = Error, "this cannot be indexed, or not with this index",
        "Arrays, vectors, matrices, buffers and types with a `__subscript` are indexed, with integers.",
        wrong ["float f(float x) { return x[0]; }"],
        right ["float f(float2 x) { return x[0]; }"];
    E0216 = Error, "a constant index is out of range",
        "Indices count from 0: the last one is the number of elements less one.",
        wrong ["float f(float a[3]) { return a[3]; }"],
        right ["float f(float a[3]) { return a[2]; }"];
    E0217 = Error, "a value or a type has no such member",
        "The type has no field, method, property or swizzle of this name.",
        wrong ["float f(float2 v) { return v.z; }"],
        right ["float f(float2 v) { return v.y; }"];
    E0218 = Error, "this cannot be written or read",
        "The place is a constant, an `in` value of another function, a read-only buffer, or no place at all.",
        wrong ["StructuredBuffer<float> b;", "void f() { b[0] = 1.0; }"],
        right ["RWStructuredBuffer<float> b;", "void f() { b[0] = 1.0; }"];
    E0219 = Error, "several functions fit a call equally well",
        "Two functions take these arguments by conversions of the same rank. Convert an argument, so that one of them fits better.",
        wrong [
            "float g(float a, int b) { return a; }",
            "float g(int a, float b) { return b; }",
            "float f(int x) { return g(x, x); }",
        ],
        right [
            "float g(float a, int b) { return a; }",
            "float g(int a, float b) { return b; }",
            "float f(int x) { return g(float(x), x); }",
        ];
    E0220 = Error, "an attribute's arguments do not fit, or it cannot stand here",
        "An attribute takes arguments of certain kinds, and belongs to certain declarations.",
        wrong ["[numthreads(0, 1, 1)]", "void main() {}"],
        right ["[numthreads(8, 1, 1)]", "void main() {}"];
    E0221 = Error, "a parameter without a default value follows one with a default value";
    E0222 = Error, "a resource is an `out` or `inout` parameter";
    E0223 = Error, "an entry point is called, or has parameters that it cannot have",
        "A compute entry point returns nothing, and its parameters are inputs of the stage, such as `uint3 id : SV_DispatchThreadID`. What it makes goes to a buffer.",
        wrong ["[shader(\"compute\")] [numthreads(1, 1, 1)] float main() { return 1.0; }"],
        right [
            "RWStructuredBuffer<float> result;",
            "[shader(\"compute\")] [numthreads(1, 1, 1)] void main() { result[0] = 1.0; }",
        ];
    E0225 = Error, "an atomic operation that is not there for this type or place";
    E0226 = Error, "an enum cannot be declared so";
    E0227 = Error, "a member or declaration cannot be seen from here",
        "A `private` member is seen inside of its type only, an `internal` declaration in its module only.",
        wrong ["struct S { private float v; }", "float f(S s) { return s.v; }"],
        right ["struct S { float v; }", "float f(S s) { return s.v; }"];
    E0228 = Error, "an access modifier cannot stand here";
    E0229 = Error, "a declaration can be seen by more than a type in its signature can";
    E0230 = Error, "a name could be one of several declarations";
    E0231 = Error, "instances of generic declarations nest too deeply";
    E0232 = Error, "a generic argument does not satisfy a constraint",
        "A type argument must conform to the interfaces that the generic declaration asks for.",
        wrong ["T twice<T : IFloat>(T x) { return x + x; }", "struct S { float v; }", "S f(S s) { return twice(s); }"],
        right [
            "T twice<T : IFloat>(T x) { return x + x; }",
            "struct S { float v; }",
            "float f(S s) { return twice(s.v); }",
        ];
    E0233 = Error, "a type lacks what an interface that it conforms to requires",
        "A type that conforms to an interface has every requirement of it, with the same signature.",
        wrong ["interface IShape { float area(); }", "struct Square : IShape { float side; }"],
        right [
            "interface IShape { float area(); }",
            "struct Square : IShape { float side; float area() { return side * side; } }",
        ];
    E0234 = Error, "a type that is no interface stands where one is needed";
    E0235 = Error, "an associated type stands outside of an interface";
    E0236 = Error, "a field stands in something that has no fields";
    E0237 = Error, "a requirement cannot be called on a value whose type is not known";
    E0238 = Error, "generic code compares values that have no order in this instance";
    E0239 = Error, "a type does not conform to an interface";
    E0240 = Error, "an integer is divided by a constant zero",
        "No integer is the result of a division by zero, so that a constant zero is refused. (A zero that is known at run time only gives any value.)",
        wrong ["int f(int x) { return x / 0; }"],
        right ["int f(int x) { return x / 2; }"];
    E0242 = Error, "the labels of a `switch` are wrong",
        "Each label of a `switch` stands once.",
        wrong ["int f(int x) { switch (x) { case 1: return 1; case 1: return 2; default: return 3; } }"],
        right ["int f(int x) { switch (x) { case 1: return 1; case 2: return 2; default: return 3; } }"];
    E0243 = Error, "a jump leads nowhere, or where it may not",
        "`break` stands in a loop or a `switch`, `continue` in a loop.",
        wrong ["float f(float x) { break; return x; }"],
        right ["float f(float x) { for (int i = 0; i < 3; i++) break; return x; }"];
    E0244 = Error, "a `return` and the function's result do not fit",
        "A function with a result returns a value of its type, one of type `void` returns none.",
        wrong ["void f(float x) { return x; }"],
        right ["float f(float x) { return x; }"];
    E0245 = Error, "a default implementation is replaced without `override`, or `override` replaces none";
    E0246 = Error, "`is` or `as` asks for something that is no single type";
    E0247 = Error, "what is linked or given on the command line is missing or does not fit";
    E0248 = Error, "a variable of an interface's type may hold no value where it is used";
    E0249 = Error, "an assignment stands where a condition is asked for";
    E0260 = Error, "a variable of this kind cannot be declared here";
    E0261 = Error, "a value is not known at compile time",
        "Sizes of arrays, arguments of attributes and values in generic arguments are known when the program is compiled: literals, constants, generic parameters and what is computed of them.",
        wrong ["float f(int n) { float a[n]; a[0] = 1.0; return a[0]; }"],
        right ["static const int n = 4;", "float f() { float a[n]; a[0] = 1.0; return a[0]; }"];
    E0262 = Error, "a compile-time value is of the wrong type or size";
    E0264 = Error, "`$for` makes too many copies";
    E0265 = Error, "a pack is missing, or stands where none can be";
    E0266 = Error, "a pointer cannot be made or followed here";
    E0270 = Error, "a call that may throw stands without `try`";
    E0271 = Error, "nothing takes an error of this type";
    E0272 = Error, "`try` stands where nothing throws";
    E0281 = Error, "a capability, a target or a stage is unknown";
    E0282 = Error, "requirements of targets and stages do not fit each other, or what programs are run on";
    E0283 = Error, "a modifier cannot stand here";
    E0284 = Error, "a constraint says nothing about the parameters of its declaration";
    E0285 = Error, "a declaration cannot stand here";
    E0286 = Error, "a register is of a class that this sort of resource does not have";
    E0287 = Error, "a type is larger than values of its interface are said to be";
    E0301 = Error, "a type is not differentiable",
        "A type has derivatives if it conforms to `IDifferentiable`: floats, vectors, matrices and arrays of these do; a struct says so after its name.",
        wrong ["struct P { float v; }", "P.Differential f() { P.Differential d = {}; return d; }"],
        right ["struct P : IDifferentiable { float v; }", "P.Differential f() { P.Differential d = {}; return d; }"];
    E0302 = Error, "a function is not differentiable, or not in this mode",
        "`fwd_diff` and `bwd_diff` take functions with `[Differentiable]`, or with a derivative that is given for this mode.",
        wrong ["float g(float x) { return x * x; }", "float f(float x) { return fwd_diff(g)(diffPair(x, 1.0)).d; }"],
        right [
            "[Differentiable] float g(float x) { return x * x; }",
            "float f(float x) { return fwd_diff(g)(diffPair(x, 1.0)).d; }",
        ];
    E0303 = Error, "what is run needs a function that is only declared";
    E0304 = Error, "an operator for derivatives is not given the name of a function",
        "`fwd_diff` and `bwd_diff` take the name of a function, not a value or a call.",
        wrong [
            "[Differentiable] float g(float x) { return x * x; }",
            "float f(float x) { return fwd_diff(g(x))(diffPair(x, 1.0)).d; }",
        ],
        right [
            "[Differentiable] float g(float x) { return x * x; }",
            "float f(float x) { return fwd_diff(g)(diffPair(x, 1.0)).d; }",
        ];
    E0305 = Error, "the derivative of a method lacks the pair for `this`";
    E0306 = Error, "a custom derivative does not have the signature that it must have",
        "A backward derivative takes an `inout DifferentialPair<T>` for each `T` with a derivative, the other parameters as they are, and last the derivative of the result. A forward one takes and returns pairs. The message says the whole signature.",
        wrong ["[BackwardDerivative(ofG)] float g(float x) { return x * x; }", "void ofG(float x, float d) {}"],
        right [
            "[BackwardDerivative(ofG)] float g(float x) { return x * x; }",
            "void ofG(inout DifferentialPair<float> x, float d) { x = diffPair(x.p, 2.0 * x.p * d); }",
        ];
    E0307 = Error, "a derivative cannot be given to this function, or not so";
    E0310 = Error, "a derivative is lost in an assignment",
        "The value has a derivative, and its place has none: the field or variable is `no_diff`. Write `detach(…)` if that is meant.",
        wrong [
            "struct P : IDifferentiable { float a; no_diff float b; }",
            "[Differentiable] float f(float x) { P p; p.a = x; p.b = x; return p.a; }",
        ],
        right [
            "struct P : IDifferentiable { float a; no_diff float b; }",
            "[Differentiable] float f(float x) { P p; p.a = x; p.b = detach(x); return p.a; }",
        ];
    E0311 = Error, "a derivative is lost in a call",
        "A differentiable function calls one that is not, and the derivative of the arguments would be taken as zero. Mark the callee, or write `no_diff` before the call if zero is meant.",
        wrong ["float g(float x) { return x * x; }", "[Differentiable] float f(float x) { return g(x); }"],
        right [
            "[Differentiable] float g(float x) { return x * x; }",
            "[Differentiable] float f(float x) { return g(x); }",
        ];
    E0312 = Error, "an implementation of a differentiable requirement is not differentiable",
        "Where an interface marks a requirement `[Differentiable]`, each implementation is differentiable too.",
        wrong [
            "interface I { [Differentiable] float g(float x); }",
            "struct S : I { float g(float x) { return x * x; } }",
        ],
        right [
            "interface I { [Differentiable] float g(float x); }",
            "struct S : I { [Differentiable] float g(float x) { return x * x; } }",
        ];
    E0313 = Error, "a type cannot be the differential of this one",
        "A chosen `Differential` conforms to `IDifferentiable`, and is its own differential.",
        wrong ["struct D { float v; }", "struct S : IDifferentiable { typealias Differential = D; float v; }"],
        right ["struct S : IDifferentiable { typealias Differential = S; float v; }"];
    E0314 = Error, "the fields of a type and of its chosen differential do not correspond";
    E0315 = Error, "a differentiable pointer is an `out` or `inout` parameter";
    E0316 = Error, "`no_diff` stands where it says nothing",
        "`no_diff` says that a parameter, a field, a result or a call of a differentiable function has no derivative. Elsewhere it says nothing.",
        wrong ["[Differentiable] float f(float x) { return no_diff x; }"],
        right ["[Differentiable] float f(float x) { return detach(x); }"];
    E0401 = Error, "control flow is nested too deeply";
    E0402 = Error, "a loop to be unrolled runs for a number of times that is not known";
    E0403 = Error, "an unrolled loop is too large";
    E0404 = Error, "a differentiable function calls itself",
        "A reverse derivative stores what each call computes, and a function that calls itself has no bound for that. Write a loop.",
        wrong ["[Differentiable] float f(float x, int n) { if (n == 0) return x; return f(x * x, n - 1); }"],
        right ["[Differentiable] float f(float x, int n) { for (int i = 0; i < n; i++) x = x * x; return x; }"];
    E0405 = Error, "a function to be inlined calls itself";
    E0406 = Error, "inlining makes a function too large";
    E0501 = Error, "generic code needs too many instances of itself";
    E0502 = Error, "generic arguments do not allow an operation";
    E0503 = Error, "a generic size has no value, or no type can have it";
    E0504 = Error, "a value of an interface's type would contain itself";
    E0505 = Error, "a requirement cannot be called on a value of an interface's type";
    E0506 = Error, "a value of an interface's type is asked, and no type conforms to the interface";
    E0601 = Error, "a function whose derivative is needed calls itself";
    E0602 = Error, "a function whose derivative is needed has no body";
    E0603 = Error, "a derivative would flow through something that has none";
    E0604 = Error, "a function needs its own derivative";
    E0605 = Error, "derivatives are nested too deeply";
    E0606 = Error, "a derivative is needed in a mode in which none is given";
    E0607 = Error, "a derivative of a custom derivative is needed, and it has none";
    E0608 = Error, "a differentiable pointer without a derivative part is needed with one";
    E0609 = Error, "a reverse derivative would have to choose a resource again";
    E0610 = Error, "a reverse derivative would need a barrier that may not be passed";
    E0801 = Error, "the program has no parameter of this name";
    E0802 = Error, "a parameter cannot be bound or read so";
    E0803 = Error, "there is no such entry point, or no such function";
    E0804 = Error, "an option cannot be obeyed yet";
    E0805 = Error, "there is nothing of this name to check the gradient of";
    E0851 = Error, "`printf` cannot print a value of this type";
    E0852 = Error, "a value does not fit into memory";
    E0853 = Error, "an operation cannot be compiled for the target";
    E0854 = Error, "the functions of floats for GPUs are not here";
    E0900 = Error, "a part of the language is not supported";
    E9001 = Error, "IR breaks a rule of an op, a type or an attribute";
    E9999 = Error, "the compiler contradicts itself; no program should find it";
    W0113 = Warning "user-warning", "a `#warning` of the program";
    W0114 = Warning "unknown-pragma", "a `#pragma` that means nothing here";
    W0115 = Warning "macro-redefinition", "a macro is defined anew, or one that is not there is undefined";
    W0116 = Warning "missing-condition", "an `#elif` without a condition";
    W0206 = Warning "ignored-initializer", "a shader parameter has an initializer, and its value comes from elsewhere";
    W0210 = Warning "literal-out-of-range", "a literal does not fit into its type and becomes another value";
    W0211 = Warning "lossy-conversion", "an implicit conversion may lose data",
        "The type of the place holds fewer values than that of the value: a float loses its fraction, a wide integer its high bits. Write the conversion if it is meant.",
        wrong ["int f(float x) { return x; }"],
        right ["int f(float x) { return int(x); }"];
    W0212 = Warning "octal-number", "a number with a leading zero is octal";
    W0213 = Warning "void-variable", "a variable is declared of what has no value";
    W0214 = Warning "comma-value", "of several values with commas between them only the last one counts",
        "`(a, b)` is `b`: the other values are computed and dropped. A vector is made by `float2(a, b)`.",
        wrong ["float2 f(float a, float b) { float2 v = (a, b); return v; }"],
        right ["float2 f(float a, float b) { float2 v = float2(a, b); return v; }"];
    W0220 = Warning "idle-attribute", "an attribute or a modifier that may stand here and changes nothing",
        "The attribute or modifier may stand here and changes nothing, often because it stands twice.",
        wrong ["[Differentiable] float f(no_diff no_diff float x, float y) { return x * y; }"],
        right ["[Differentiable] float f(no_diff float x, float y) { return x * y; }"];
    W0221 = Warning "deprecated", "what is used is marked `[deprecated]`";
    W0224 = Warning "unknown-attribute", "an attribute that means nothing here",
        "The attribute has no meaning here: it is misspelled, or another compiler's.",
        wrong ["[Differentiabel] float f(float x) { return x; }"],
        right ["[Differentiable] float f(float x) { return x; }"];
    W0226 = Warning "enum-overflow", "a case follows the greatest value of its enum's type";
    W0241 = Warning "missing-return", "a function may end without returning a value",
        "A path through the function ends without `return`; its result is zero there.",
        wrong ["float f(float x) { if (x > 0.0) return x; }"],
        right ["float f(float x) { if (x > 0.0) return x; return 0.0; }"];
    W0242 = Warning "unreachable-statement", "a statement that is never run",
        "Control never gets there: a `return`, `break` or `continue` stands before the statement.",
        wrong ["float f(float x) { return x; x = 1.0; }"],
        right ["float f(float x) { return x; }"];
    W0243 = Warning "unused-comparison", "nothing is made of the result of `==`",
        "`==` compares; `=` assigns.",
        wrong ["float f(float x) { float y = 1.0; y == x; return y; }"],
        right ["float f(float x) { float y = 1.0; y = x; return y; }"];
    W0244 = Warning "empty-statement", "an `if` or a loop with `;` for a body",
        "A `;` behind the condition is the whole body; the statement that follows is always run. Write `{}` if nothing is meant.",
        wrong ["float f(float x) { if (x > 1.0); x = 1.0; return x; }"],
        right ["float f(float x) { if (x > 1.0) x = 1.0; return x; }"];
    W0245 = Warning "loop-direction", "a loop moves its variable away from where it ends";
    W0246 = Warning "idle-loop", "a loop that never runs";
    W0247 = Warning "endless-recursion", "a function calls itself on every way through it",
        "Nothing ends such calls: the program runs until its time or its stack is used up.",
        wrong ["int f(int n) { return n * f(n - 1); }"],
        right ["int f(int n) { if (n == 0) return 1; return n * f(n - 1); }"];
    W0248 = Warning "unset-variable", "a variable is used before it is set, and is zero",
        "Nothing was assigned to the variable on any way here, so that it is zero.",
        wrong ["float f(float x) { float y; return x * y; }"],
        right ["float f(float x) { float y = 1.0; return x * y; }"];
    W0249 = Warning "unset-result", "a function may end without setting what it gives its caller",
        "An `out` parameter, or a field in a constructor, is set on no way to the end. It is zero.",
        wrong ["void f(float x, out float y) { }"],
        right ["void f(float x, out float y) { y = x; }"];
    W0250 = Warning "aliased-arguments", "two arguments that a function writes are the same place",
        "Each parameter starts from the value before the call, and what is written to one of them is lost.",
        wrong ["void g(inout float a, inout float b) { a += b; }", "void f(inout float x) { g(x, x); }"],
        right ["void g(inout float a, inout float b) { a += b; }", "void f(inout float x) { float y = x; g(x, y); }"];
    W0251 = Warning "changed-copy", "a method changes a parameter that is a copy of what the caller has",
        "A parameter without `inout` is a copy: what a `[mutating]` method changes of it is lost at the end of the function.",
        wrong [
            "struct R { uint s; [mutating] void next() { s = s * 3u + 1u; } }",
            "uint f(R r) { r.next(); return r.s; }",
        ],
        right [
            "struct R { uint s; [mutating] void next() { s = s * 3u + 1u; } }",
            "uint f(inout R r) { r.next(); return r.s; }",
        ];
    W0252 = Warning "shift-too-far", "a shift by a number of bits that the type does not have",
        "A number of bits that is not less than that of the type is taken modulo it: `x << 33` of 32 bits is `x << 1`.",
        wrong ["uint f(uint x) { return x << 33; }"],
        right ["uint f(uint x) { return x << 1; }"];
    W0253 = Warning "compared-comparison", "the result of a comparison is compared with a number",
        "`a < b < c` compares the truth of `a < b` with `c`.",
        wrong ["bool f(float a, float b, float c) { return a < b < c; }"],
        right ["bool f(float a, float b, float c) { return a < b && b < c; }"];
    W0282 = Warning "missing-semantic", "a parameter of an entry point has no semantic, so that it is a shader parameter";
    W0311 = Warning "lost-derivative", "a value with a derivative is used as one of a type that has none";
    W0312 = Warning "constant-parameter", "a differentiable function reads floats of a parameter whose type has no derivative",
        "The struct holds floats and does not conform to `IDifferentiable`, so that derivatives take it for a constant. Let it conform, or write `no_diff` before the parameter.",
        wrong ["struct P { float v; }", "[Differentiable] float f(P p, float x) { return p.v * x; }"],
        right ["struct P : IDifferentiable { float v; }", "[Differentiable] float f(P p, float x) { return p.v * x; }"];
    W0802 = Warning "odd-contents", "the contents for a parameter are probably meant for another type or size";
    W0853 = Warning "dropped-printf", "`printf` is left out, since the language that is written has none";
    W0854 = Warning "left-out-function", "a library has no function of the file, since its language cannot carry it";
    W0855 = Warning "static-begins-anew", "a function of a library begins a static variable anew in each call";
}

/// The row of a code.
pub fn row(code: &str) -> Option<&'static CodeRow> {
    CODES.iter().find(|r| r.code == code)
}

/// The code of the same letter whose number is nearest.
pub fn nearest(code: &str) -> Option<&'static CodeRow> {
    let parts = |code: &str| {
        let letter = code.chars().next()?.to_ascii_uppercase();
        Some((letter, code.get(letter.len_utf8()..)?.parse::<i64>().ok()?))
    };
    let (letter, number) = parts(code)?;
    let distance = |row: &CodeRow| parts(&row.code).filter(|(l, _)| *l == letter).map(|(_, n)| n.abs_diff(number));
    CODES.iter().filter_map(|row| Some((distance(row)?, row))).min_by_key(|(d, _)| *d).map(|(_, row)| row)
}

/// The warnings, which have names.
pub fn warnings() -> impl Iterator<Item = &'static CodeRow> {
    CODES.iter().filter(|r| !r.name.is_empty())
}

/// The page of the book about them.
pub fn book_page() -> String {
    let mut out = String::from(
        "# Diagnostics\n\nEvery diagnostic has a code. Warnings also have a name, by which a host silences them or makes them errors; \
         `all` is every warning. This page is generated from `dialects/ir/src/codes.rs`; \
         `test-suite/cases` has a program for each code but `E9999`.\n",
    );
    let (warnings, errors): (Vec<&CodeRow>, Vec<&CodeRow>) = CODES.iter().partition(|r| !r.name.is_empty());
    out.push_str("\n## Errors\n\n| code | meaning |\n| --- | --- |\n");
    errors.iter().for_each(|r| out.push_str(&format!("| `{}` | {} |\n", r.code, r.meaning)));
    out.push_str("\n## Warnings\n\n| code | name | meaning |\n| --- | --- | --- |\n");
    warnings.iter().for_each(|r| out.push_str(&format!("| `{}` | `{}` | {} |\n", r.code, r.name, r.meaning)));
    out.push_str("\n## The commonest, explained\n\n`caustic explain CODE` prints the same.\n");
    for (row, e) in CODES.iter().filter_map(|r| Some((r, r.explanation?))) {
        out.push_str(&format!("\n### {}: {}\n\n{}\n", row.code, row.meaning, e.text));
        out.push_str(&format!("\n```hlsl\n// wrong\n{}\n// right\n{}```\n", e.wrong, e.right));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_warnings_have_names() {
        assert!(CODES.windows(2).all(|w| w[0].code < w[1].code));
        let named = |r: &&CodeRow| r.code.starts_with('W') != r.name.is_empty();
        assert!(CODES.iter().all(|r| named(&r) && !r.meaning.is_empty()));
        let mut names: Vec<_> = warnings().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), warnings().count());
        let kebab = |n: &str| n != "all" && n.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(names.iter().all(|n| kebab(n)));
    }

    #[test]
    fn rows_are_found() {
        assert_eq!(row("W0211").map(|r| r.name), Some("lossy-conversion"));
        assert!(row("E0000").is_none());
        assert_eq!(nearest("e0298").map(|r| r.code), Some(E0301));
        assert_eq!(nearest("W9").map(|r| r.code), Some(W0113));
        assert!(nearest("").is_none() && nearest("é1").is_none() && nearest("X0201").is_none());
        assert!(book_page().contains("| `E0201` | a name is not declared |"));
    }
}
