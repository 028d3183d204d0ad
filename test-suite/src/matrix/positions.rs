//! The differentiation attributes, and the positions in which they are tried.
//!
//! In the texts, `$` is the number of the cell, `{A}` the attributes before a function, `{R}` the
//! text before its result, `{P}` the text before its parameter, `{B}` the text before a declaration
//! that is no function, and `{D}` the function that the attribute names.

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Modes {
    Both,
    Forward,
    Reverse,
}

/// The derivatives of `x * x` at 3.
pub const TRUTH: (f64, f64) = (6.0, 2.0);

/// The kind of function that an attribute names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Helper {
    Nothing,
    Forward,
    Reverse,
    Substitute,
}

/// The derivative that an attribute asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asks {
    /// The true derivative.
    Truth,
    /// Fifteen times the true derivative.
    Other,
    /// No derivative with respect to the parameter, or of the result.
    Zero,
    /// No derivative with respect to `this`.
    ZeroThis,
}

pub struct Column {
    pub name: &'static str,
    pub attribute: &'static str,
    pub result: &'static str,
    pub parameter: &'static str,
    /// The attribute that is written at the named function instead.
    pub of: Option<&'static str>,
    pub helper: Helper,
    /// Whether the function is also marked as differentiable.
    pub marked: bool,
    pub modes: Modes,
    asks: Asks,
}

impl Column {
    /// Whether there is a custom derivative or a substitute.
    pub fn is_given(&self) -> bool {
        self.helper != Helper::Nothing
    }

    /// The expected first and second derivative at 3.
    pub fn wants(&self, position: &Position) -> (f64, f64) {
        match self.asks {
            Asks::Other => (90.0, 30.0),
            Asks::Zero => (0.0, 0.0),
            Asks::ZeroThis if position.by_this => (0.0, 0.0),
            Asks::Truth | Asks::ZeroThis => TRUTH,
        }
    }
}

const PLAIN: Column = Column {
    name: "",
    attribute: "",
    result: "",
    parameter: "",
    of: None,
    helper: Helper::Nothing,
    marked: false,
    modes: Modes::Both,
    asks: Asks::Truth,
};
const CUSTOM: Column = Column { asks: Asks::Other, ..PLAIN };
const MARKED: Column = Column { marked: true, ..PLAIN };

/// A function with a custom backward derivative only has no other mode; a custom forward derivative
/// is transposed.
pub const COLUMNS: [Column; 18] = [
    Column { name: "Differentiable", attribute: "[Differentiable] ", ..PLAIN },
    Column { name: "ForwardDifferentiable", attribute: "[ForwardDifferentiable] ", modes: Modes::Forward, ..PLAIN },
    Column { name: "BackwardDifferentiable", attribute: "[BackwardDifferentiable] ", ..PLAIN },
    Column { name: "ForwardDerivative", attribute: "[ForwardDerivative(ff$)] ", helper: Helper::Forward, ..CUSTOM },
    Column {
        name: "BackwardDerivative",
        attribute: "[BackwardDerivative(fb$)] ",
        helper: Helper::Reverse,
        modes: Modes::Reverse,
        ..CUSTOM
    },
    Column { name: "ForwardDerivativeOf", of: Some("ForwardDerivativeOf"), helper: Helper::Forward, ..CUSTOM },
    Column {
        name: "BackwardDerivativeOf",
        of: Some("BackwardDerivativeOf"),
        helper: Helper::Reverse,
        modes: Modes::Reverse,
        ..CUSTOM
    },
    Column { name: "PrimalSubstitute", attribute: "[PrimalSubstitute(gs$)] ", helper: Helper::Substitute, ..CUSTOM },
    Column { name: "PrimalSubstituteOf", of: Some("PrimalSubstituteOf"), helper: Helper::Substitute, ..CUSTOM },
    Column { name: "TreatAsDifferentiable", attribute: "[TreatAsDifferentiable] ", asks: Asks::Zero, ..PLAIN },
    Column { name: "NoDiffThis", attribute: "[NoDiffThis] ", asks: Asks::ZeroThis, ..MARKED },
    Column { name: "`no_diff` before it", result: "no_diff ", asks: Asks::Zero, ..MARKED },
    Column { name: "`no_diff` parameter", parameter: "no_diff ", asks: Asks::Zero, ..MARKED },
    Column { name: "PreferRecompute", attribute: "[PreferRecompute] ", ..MARKED },
    Column { name: "PreferCheckpoint", attribute: "[PreferCheckpoint] ", ..MARKED },
    Column { name: "MaxIters", attribute: "[MaxIters(4)] ", ..MARKED },
    Column { name: "ForceUnroll", attribute: "[ForceUnroll] ", ..MARKED },
    Column { name: "DerivativeMember", attribute: "[DerivativeMember(D$.v)] ", ..MARKED },
];

/// The functions that an attribute may name. Their derivatives are fifteen times the true one.
pub struct Helpers {
    forward: &'static str,
    reverse: &'static str,
    substitute: &'static str,
}

impl Helpers {
    pub fn of(&self, helper: Helper) -> &'static str {
        match helper {
            Helper::Nothing => "",
            Helper::Forward => self.forward,
            Helper::Reverse => self.reverse,
            Helper::Substitute => self.substitute,
        }
    }
}

/// From a number to a number.
const VALUE: Helpers = Helpers {
    forward: "{of}[Differentiable] {S}DP ff${G}({T}DP x) { return diffPair(x.p * x.p, 30 * x.p * x.d); }",
    reverse: "{of}[Differentiable] {S}void fb${G}({T}inout DP x, float d) { x = diffPair(x.p, 30 * x.p * d); }",
    substitute: "{of}[Differentiable] {S}float gs${G}({T}float x) { return 15 * x * x; }",
};
/// From `this`, a number, to a number.
const OF_FLOAT: Helpers = Helpers {
    forward: "{of}[Differentiable] static DP ff$(DP x) { return diffPair(x.p * x.p, 30 * x.p * x.d); }",
    reverse: "{of}[Differentiable] static void fb$(inout DP x, float d) { x = diffPair(x.p, 30 * x.p * d); }",
    substitute: "{of}[Differentiable] float gs$() { return 15 * this * this; }",
};
/// From `this` to a number.
const OF_THIS: Helpers = Helpers {
    forward: "{of}[Differentiable] static DP ff$(DifferentialPair<S$> s) { return diffPair(s.p.v * s.p.v, 30 * s.p.v * s.d.v); }",
    reverse: "{of}[Differentiable] static void fb$(inout DifferentialPair<S$> s, float d) \
              { S$.Differential e; e.v = 30 * s.p.v * d; s = diffPair(s.p, e); }",
    substitute: "{of}[Differentiable] float gs$() { return 15 * v * v; }",
};
/// Like [`OF_THIS`], with an index.
const AT_INDEX: Helpers = Helpers {
    forward: "[Differentiable] static DP ff$(DifferentialPair<S$> s, int i) { return diffPair(s.p.v * s.p.v, 30 * s.p.v * s.d.v); }",
    reverse: "[Differentiable] static void fb$(inout DifferentialPair<S$> s, int i, float d) \
              { S$.Differential e; e.v = 30 * s.p.v * d; s = diffPair(s.p, e); }",
    substitute: "[Differentiable] float gs$(int i) { return 15 * v * v; }",
};
/// From a number to `this`, which is written.
const TO_THIS: Helpers = Helpers {
    forward: "{of}[Differentiable] static void ff$(inout DifferentialPair<S$> s, DP x) \
              { S$ r; r.v = x.p * x.p; S$.Differential e; e.v = 30 * x.p * x.d; s = diffPair(r, e); }",
    reverse: "{of}[Differentiable] static void fb$(inout DifferentialPair<S$> s, inout DP x) \
              { x = diffPair(x.p, 30 * x.p * s.d.v); S$.Differential e; e.v = 0; s = diffPair(s.p, e); }",
    substitute: "{of}[Differentiable] [mutating] void gs$(float x) { v = 15 * x * x; }",
};
/// From a number to a struct that is made from it.
const MADE: Helpers = Helpers {
    forward: "[Differentiable] static DifferentialPair<S$> ff$(DP x) \
              { S$ r; r.v = x.p * x.p; S$.Differential e; e.v = 30 * x.p * x.d; return diffPair(r, e); }",
    reverse: "[Differentiable] static void fb$(inout DP x, S$.Differential d) { x = diffPair(x.p, 30 * x.p * d.v); }",
    substitute: "[Differentiable] static S$ gs$(float x) { S$ r; r.v = 15 * x * x; return r; }",
};
/// From a struct to a struct.
const WRAPPED: Helpers = Helpers {
    forward: "[Differentiable] DifferentialPair<S$> ff$(DifferentialPair<S$> x) \
              { S$ r; r.v = x.p.v * x.p.v; S$.Differential e; e.v = 30 * x.p.v * x.d.v; return diffPair(r, e); }",
    reverse: "[Differentiable] void fb$(inout DifferentialPair<S$> x, S$.Differential d) \
              { S$.Differential e; e.v = 30 * x.p.v * d.v; x = diffPair(x.p, e); }",
    substitute: "[Differentiable] S$ gs$(S$ x) { S$ r; r.v = 15 * x.v * x.v; return r; }",
};

pub struct Position {
    pub name: &'static str,
    /// The declarations before the caller, and the statements of the caller.
    pub text: &'static str,
    pub call: &'static str,
    pub helpers: Helpers,
    /// The words before the named function, its generic parameters, and a parameter of their type.
    pub storage: &'static str,
    pub generics: &'static str,
    pub other: &'static str,
    /// The name for inverted attributes; empty if there is none.
    pub function: &'static str,
    /// Whether the argument that is differentiated is `this`.
    pub by_this: bool,
}

const FREE: Position = Position {
    name: "a free function",
    text: "{D} {A}{R}float g$({P}float x) { return x * x; }",
    call: "return g$(x);",
    helpers: VALUE,
    storage: "",
    generics: "",
    other: "",
    function: "g$",
    by_this: false,
};
const METHOD: Position = Position { call: "S$ s; return s.g$(x);", ..FREE };
const BARE: Position = Position { function: "", ..FREE };
const OBJECT: Position = Position { call: "S$ s; s.v = x; return s.g$();", helpers: OF_THIS, by_this: true, ..FREE };

pub const POSITIONS: &[Position] = &[
    FREE,
    Position {
        name: "a prototype",
        text: "{D} {A}{R}float g$({P}float x); [Differentiable] float g$(float x) { return x * x; }",
        ..FREE
    },
    Position {
        name: "an overloaded function",
        text: "[Differentiable] float g$(float x, float y) { return x * y; } [Differentiable] float g$(int x) { return x; } \
               void fb$(int x) { } {D} {A}{R}float g$({P}float x) { return x * x; }",
        ..FREE
    },
    Position {
        name: "a generic function",
        text: "{D} {A}{R}float g$<T>(T t, {P}float x) { return x * x; }",
        call: "return g$(1, x);",
        generics: "<T>",
        other: "T t, ",
        ..FREE
    },
    Position {
        name: "a function of a name space",
        text: "namespace N$ { {D} {A}{R}float g$({P}float x) { return x * x; } }",
        call: "return N$::g$(x);",
        ..FREE
    },
    Position {
        name: "an operator",
        text: "struct S$ : IDifferentiable { float v; } {D} {A}{R}S$ operator~({P}S$ x) { S$ r; r.v = x.v * x.v; return r; }",
        call: "S$ s; s.v = x; return (~s).v;",
        helpers: WRAPPED,
        function: "",
        ..FREE
    },
    Position {
        name: "a static method",
        text: "struct S$ { {D} {A}static {R}float g$({P}float x) { return x * x; } }",
        call: "return S$.g$(x);",
        storage: "static ",
        ..FREE
    },
    Position {
        name: "a method of a struct within a function",
        text: "",
        call: "struct L$ { {D} {A}static {R}float g$({P}float x) { return x * x; } }; return L$.g$(x);",
        storage: "static ",
        ..FREE
    },
    Position { name: "a method", text: "struct S$ { {D} {A}{R}float g$({P}float x) { return x * x; } }", ..METHOD },
    Position {
        name: "a generic method",
        text: "struct S$ { {D} {A}{R}float g$<T>(T t, {P}float x) { return x * x; } }",
        call: "S$ s; return s.g$(1, x);",
        generics: "<T>",
        other: "T t, ",
        ..FREE
    },
    Position {
        name: "a method of a generic struct",
        text: "struct S$<T> { T t; {D} {A}{R}float g$({P}float x) { return x * x; } }",
        call: "S$<int> s; return s.g$(x);",
        ..FREE
    },
    Position {
        name: "a method of a differentiable type",
        text: "struct S$ : IDifferentiable { float v; {D} {A}{R}float g$() { return v * v; } }",
        ..OBJECT
    },
    Position {
        name: "a mutating method",
        text: "struct S$ : IDifferentiable { float v; {D} {A}[mutating] {R}void g$({P}float x) { v = x * x; } }",
        call: "S$ s; s.v = x; s.g$(x); return s.v;",
        helpers: TO_THIS,
        by_this: true,
        ..FREE
    },
    Position {
        name: "a constructor",
        text: "struct S$ : IDifferentiable { float v; {D} {A}{R}__init({P}float x) { v = x * x; } }",
        call: "return S$(x).v;",
        helpers: MADE,
        function: "",
        by_this: true,
        ..FREE
    },
    Position {
        name: "a getter",
        text: "struct S$ : IDifferentiable { float v; {D} property {R}float q { {A}get { return v * v; } } }",
        call: "S$ s; s.v = x; return s.q;",
        function: "",
        ..OBJECT
    },
    Position {
        name: "a setter",
        text: "struct S$ : IDifferentiable { float v; {D} property {R}float q { [Differentiable] get { return v; } {A}set({P}float y) { v = y * y; } } }",
        call: "S$ s; s.v = x; s.q = x; return s.v;",
        helpers: TO_THIS,
        function: "",
        by_this: true,
        ..FREE
    },
    Position {
        name: "a subscript's getter",
        text: "struct S$ : IDifferentiable { float v; {D} __subscript(int i) -> {R}float { {A}get { return v * v; } } }",
        call: "S$ s; s.v = x; return s[0];",
        helpers: AT_INDEX,
        function: "",
        ..OBJECT
    },
    Position {
        name: "a method of an extension",
        text: "struct S$ { } extension S$ { {D} {A}{R}float g$({P}float x) { return x * x; } }",
        ..METHOD
    },
    Position {
        name: "a method of an extension of `float`",
        text: "extension float { {D} {A}{R}float g$() { return this * this; } }",
        call: "return x.g$();",
        helpers: OF_FLOAT,
        by_this: true,
        ..FREE
    },
    Position {
        name: "a method of an extension of a generic type",
        text: "struct S$<T> { T t; } extension<T> S$<T> { {D} {A}{R}float g$({P}float x) { return x * x; } }",
        call: "S$<int> s; return s.g$(x);",
        ..FREE
    },
    Position {
        name: "a method of an extension of all `T : I`",
        text: "interface I$ { } struct S$ : I$ { } extension<T : I$> T { {D} {A}{R}float g$({P}float x) { return x * x; } }",
        ..METHOD
    },
    Position {
        name: "a requirement, called generically",
        text: "interface I$ { {D} {A}{R}float g$({P}float x); } struct S$ : I$ { [Differentiable] float g$(float x) { return x * x; } } \
               [Differentiable] float via$<T : I$>(T t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "a requirement, called dynamically",
        text: "interface I$ { {D} {A}{R}float g$({P}float x); } struct S$ : I$ { [Differentiable] float g$(float x) { return x * x; } } \
               [Differentiable] float via$(I$ t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "a static requirement",
        text: "interface I$ { {D} {A}static {R}float g$({P}float x); } \
               struct S$ : I$ { [Differentiable] static float g$(float x) { return x * x; } } \
               [Differentiable] float via$<T : I$>(float x) { return T.g$(x); }",
        call: "return via$<S$>(x);",
        storage: "static ",
        ..FREE
    },
    Position {
        name: "a requirement with a body",
        text: "interface I$ { {D} {A}{R}float g$({P}float x) { return x * x; } } struct S$ : I$ { } \
               [Differentiable] float via$<T : I$>(T t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "a required getter",
        text: "interface I$ : IDifferentiable { {D} property {R}float q { {A}get; } } \
               struct S$ : I$ { float v; property float q { [Differentiable] get { return v * v; } } } \
               [Differentiable] float via$<T : I$>(T t) { return t.q; }",
        call: "S$ s; s.v = x; return via$(s);",
        function: "",
        ..OBJECT
    },
    Position {
        name: "what a struct implements, called generically",
        text: "interface I$ { [Differentiable] float g$(float x); } struct S$ : I$ { {D} {A}{R}float g$({P}float x) { return x * x; } } \
               [Differentiable] float via$<T : I$>(T t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "what a struct implements, called dynamically",
        text: "interface I$ { [Differentiable] float g$(float x); } struct S$ : I$ { {D} {A}{R}float g$({P}float x) { return x * x; } } \
               [Differentiable] float via$(I$ t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "what an extension implements",
        text: "interface I$ { [Differentiable] float g$(float x); } struct S$ { } \
               extension S$ : I$ { {D} {A}{R}float g$({P}float x) { return x * x; } } \
               [Differentiable] float via$(I$ t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..FREE
    },
    Position {
        name: "a static implementation",
        text: "interface I$ { [Differentiable] static float g$(float x); } \
               struct S$ : I$ { {D} {A}static {R}float g$({P}float x) { return x * x; } } \
               [Differentiable] float via$<T : I$>(float x) { return T.g$(x); }",
        call: "return via$<S$>(x);",
        storage: "static ",
        ..FREE
    },
    Position { name: "a lambda", text: "", call: "let g = ({P}float y) => y * y; return g(x);", ..BARE },
    Position {
        name: "a struct",
        text: "{D} {B}struct S$ { [Differentiable] float g$(float x) { return x * x; } }",
        call: "S$ s; return s.g$(x);",
        ..BARE
    },
    Position {
        name: "an interface",
        text: "{D} {B}interface I$ { [Differentiable] float g$(float x); } struct S$ : I$ { [Differentiable] float g$(float x) { return x * x; } } \
               [Differentiable] float via$<T : I$>(T t, float x) { return t.g$(x); }",
        call: "S$ s; return via$(s, x);",
        ..BARE
    },
    Position {
        name: "an associated type",
        text: "{D} interface I$ { {B}associatedtype A : IDifferentiable; [Differentiable] A g$(float x); } \
               struct S$ : I$ { typealias A = float; [Differentiable] float g$(float x) { return x * x; } }",
        call: "S$ s; return s.g$(x);",
        ..BARE
    },
    Position {
        name: "an extension",
        text: "struct S$ { } {D} {B}extension S$ { [Differentiable] float g$(float x) { return x * x; } }",
        call: "S$ s; return s.g$(x);",
        ..BARE
    },
    Position {
        name: "a name space",
        text: "{D} {B}namespace N$ { [Differentiable] float g$(float x) { return x * x; } }",
        call: "return N$::g$(x);",
        ..BARE
    },
    Position { name: "a type alias", text: "{D} {B}typealias R$ = float;", call: "R$ r = x * x; return r;", ..BARE },
    Position {
        name: "a property",
        text: "struct S$ : IDifferentiable { float v; {D} {B}property float q { [Differentiable] get { return v * v; } } }",
        call: "S$ s; s.v = x; return s.q;",
        helpers: OF_THIS,
        ..BARE
    },
    Position {
        name: "a subscript",
        text: "struct S$ : IDifferentiable { float v; {D} {B}__subscript(int i) -> float { [Differentiable] get { return v * v; } } }",
        call: "S$ s; s.v = x; return s[0];",
        helpers: AT_INDEX,
        by_this: true,
        ..BARE
    },
    Position {
        name: "a field",
        text: "{D} struct D$ : IDifferentiable { float v; } struct S$ : IDifferentiable { {B}float v; }",
        call: "S$ s; s.v = x; return s.v * s.v;",
        ..BARE
    },
    Position {
        name: "a field beside a chosen differential",
        text: "{D} struct D$ : IDifferentiable { float v; } struct S$ : IDifferentiable { typealias Differential = D$; {B}float v; }",
        call: "S$ s; s.v = x; return s.v * s.v;",
        ..BARE
    },
    Position { name: "a global variable", text: "{D} {B}static float k$;", call: "k$ = x * x; return k$;", ..BARE },
    Position { name: "a parameter", text: "{D} [Differentiable] float g$({B}float x) { return x * x; }", ..BARE },
    Position {
        name: "an `inout` parameter",
        text: "{D} [Differentiable] void g$({B}inout float x) { x = x * x; }",
        call: "float y = x; g$(y); return y;",
        ..BARE
    },
    Position {
        name: "an `out` parameter",
        text: "{D} [Differentiable] void g$(float x, {B}out float y) { y = x * x; }",
        call: "float y; g$(x, y); return y;",
        ..BARE
    },
    Position {
        name: "a parameter of an interface's type",
        text: "{D} interface I$ : IDifferentiable { [Differentiable] float g$(); } \
               struct S$ : I$ { float v; [Differentiable] float g$() { return v * v; } } [Differentiable] float via$({B}I$ s) { return s.g$(); }",
        call: "S$ s; s.v = x; return via$(s);",
        ..BARE
    },
    Position { name: "a local variable", text: "{D}", call: "{B}float y = x * x; return y;", ..BARE },
    Position {
        name: "a call",
        text: "{D} [Differentiable] float g$(float x) { return x * x; }",
        call: "return {R}g$(x);",
        ..BARE
    },
    Position {
        name: "a loop",
        text: "{D}",
        call: "float y = x; {B}for (int i = 0; i < 1; i++) y *= x; return y;",
        ..BARE
    },
    Position { name: "an `if`", text: "{D}", call: "float y = x; {B}if (x > 0) { y *= x; } return y;", ..BARE },
    Position { name: "a block", text: "{D}", call: "float y = x; {B}{ y *= x; } return y;", ..BARE },
];
