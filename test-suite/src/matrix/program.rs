//! The programs of the matrix. Each declares a function `f` of one value `x`, makes `x` from two
//! numbers, and compares derivatives along the direction (1, 0.5): those of `f` by the operators
//! (`forward`, `reverse`), those of these two by the operators again, and finite differences.

/// How a function is declared, with the name on the page.
pub const DECLARATIONS: [(&str, &str); 7] = [
    ("free", "a free function"),
    ("static", "a static method"),
    ("member", "a method"),
    ("generic", "a generic function"),
    ("interface", "a method called through an interface"),
    ("inherited", "a method inherited from an interface"),
    ("extension", "a method of an extension"),
];

/// A kind of data with which a function is differentiated.
pub struct Shape {
    pub name: &'static str,
    pub about: &'static str,
    /// Types that the program declares.
    types: &'static str,
    ty: &'static str,
    differential: &'static str,
    /// Statements that make `x` from `a` and `b`, and the differential `d` from `da` and `db`.
    make: &'static str,
    direction: &'static str,
    body: &'static str,
    /// The product of the cotangent `c` and `d`.
    product: &'static str,
    inout: bool,
}

const SCALAR: Shape = Shape {
    name: "scalar",
    about: "`double`",
    types: "",
    ty: "double",
    differential: "double",
    make: "x = a * b;",
    direction: "d = da * b + a * db;",
    body: "return sin(x) * x * x + x;",
    product: "c * d",
    inout: false,
};

pub const SHAPES: [Shape; 7] = [
    SCALAR,
    Shape {
        name: "vector",
        about: "`double3`, with swizzles and writes to components",
        ty: "double3",
        differential: "double3",
        make: "x = double3(a, b, a * b);",
        direction: "d = double3(da, db, da * b + a * db);",
        body: "double3 y = x.zxy * x; y.x += length(x); return dot(y, x) * y.y;",
        product: "dot(c, d)",
        ..SCALAR
    },
    Shape {
        name: "matrix",
        about: "`double2x2`, with products, transposes and determinants",
        ty: "double2x2",
        differential: "double2x2",
        make: "x = double2x2(a, b, a * b, 1.5);",
        direction: "d = double2x2(da, db, da * b + a * db, 0.0);",
        body: "double2x2 y = mul(x, transpose(x)); return y[0][1] * x[1][0] + determinant(y);",
        product: "dot(c[0], d[0]) + dot(c[1], d[1])",
        ..SCALAR
    },
    Shape {
        name: "struct",
        about: "a struct with an integer field and a `no_diff` field",
        types: "struct S : IDifferentiable { double u; double2 v; int n; no_diff double k; }",
        ty: "S",
        differential: "S.Differential",
        make: "x.u = a * b; x.v = double2(a, b); x.n = 3; x.k = 0.5;",
        direction: "d.u = da * b + a * db; d.v = double2(da, db);",
        body: "S y = x; y.u = x.u * x.v.x * x.n; y.v.y *= x.k; return y.u * y.v.y + exp(x.v.x) * x.u;",
        product: "c.u * d.u + dot(c.v, d.v)",
        ..SCALAR
    },
    Shape {
        name: "array",
        about: "`double[3]`, updated in place in a loop at indices that vary",
        ty: "double[3]",
        differential: "double[3]",
        make: "x[0] = a; x[1] = b; x[2] = a * b;",
        direction: "d[0] = da; d[1] = db; d[2] = da * b + a * db;",
        body: "double y[3] = x; double s = 1; \
               for (int i = 0; i < 3; i++) { y[(i + 1) % 3] += y[i] * x[i]; s += y[i] * s; } return s * y[0];",
        product: "c[0] * d[0] + c[1] * d[1] + c[2] * d[2]",
        ..SCALAR
    },
    Shape {
        name: "inout",
        about: "an `inout` parameter instead of a result",
        body: "x = sin(x) * x * x + x; x *= x + 0.5;",
        inout: true,
        ..SCALAR
    },
    Shape {
        name: "buffer",
        about: "a function that reads a buffer, at an index of its own",
        body: "return table[0] * x * x + sin(table[1] * x) * table[int(no_diff(floor(detach(x)))) & 1];",
        ..SCALAR
    },
];

impl Shape {
    /// The declaration of `name` with type `ty`.
    fn declared(ty: &str, name: &str) -> String {
        match ty.split_once('[') {
            Some((elem, size)) => format!("{elem} {name}[{size}"),
            None => format!("{ty} {name}"),
        }
    }

    fn parameter(&self) -> String {
        let x = Shape::declared(self.ty, "x");
        if self.inout { format!("inout {x}") } else { x }
    }

    fn result(&self) -> &'static str {
        if self.inout { "void" } else { "double" }
    }

    /// The function's body, with its result scaled.
    fn scaled(&self, factor: &str) -> String {
        match self.body.rsplit_once("return ") {
            Some((before, value)) => format!("{before}return {factor} * ({});", value.trim_end_matches(';')),
            None => format!("{} x *= {factor};", self.body),
        }
    }
}

/// The function as declared: the declarations, the operand of the operators, an object to declare
/// before, and a plain call.
fn declare(declaration: &str, shape: &Shape) -> (String, &'static str, &'static str, &'static str) {
    let (result, parameter, body) = (shape.result(), shape.parameter(), shape.body);
    let hand_on = if shape.inout { "" } else { "return " };
    let method = |body: &str| format!("[Differentiable] {result} f({parameter}) {{ {body} }}");
    match declaration {
        "static" => (
            format!("struct K {{ [Differentiable] static {result} f({parameter}) {{ {body} }} }}"),
            "K.f",
            "",
            "K.f(x)",
        ),
        "member" => {
            (format!("struct K {{ double k; {} }}", method(&shape.scaled("k"))), "K.f", "K o; o.k = 1.25;", "o.f(x)")
        }
        "extension" => (
            format!("struct K {{ double k; }}\nextension K {{ {} }}", method(&shape.scaled("k"))),
            "K.f",
            "K o; o.k = 1.25;",
            "o.f(x)",
        ),
        "generic" => (
            format!(
                "interface IGain {{ double gain(); }}\nstruct Gain : IGain {{ double k; double gain() {{ return k; }} }}\n\
                 [Differentiable]\n{result} f<G : IGain>(G o, {parameter}) {{ {} }}",
                shape.scaled("no_diff(o.gain())")
            ),
            "f<Gain>",
            "Gain o; o.k = 1.25;",
            "f<Gain>(o, x)",
        ),
        "interface" => {
            let other = if shape.inout { "x *= n;" } else { "return n;" };
            (
                format!(
                    "interface IFun {{ [Differentiable] {result} f({parameter}); }}\n\
                     struct K : IFun {{ double k; {} }}\nstruct Other : IFun {{ int n; {} }}\n\
                     IFun choose(int n) {{ if (n > 0) {{ K o; o.k = 1.25; return o; }} Other o; o.n = n; return o; }}\n\
                     [Differentiable]\n{result} via(int n, {parameter}) {{ IFun o = choose(n); {hand_on}o.f(x); }}",
                    method(&shape.scaled("k")),
                    method(other)
                ),
                "via",
                "int o = 1;",
                "via(o, x)",
            )
        }
        "inherited" => (
            format!(
                "interface IFun {{ double gain(); {} }}\nstruct K : IFun {{ double k; double gain() {{ return k; }} }}\n\
                 [Differentiable]\n{result} via<G : IFun>(G o, {parameter}) {{ {hand_on}o.f(x); }}",
                method(&shape.scaled("no_diff(gain())"))
            ),
            "via<K>",
            "K o; o.k = 1.25;",
            "via<K>(o, x)",
        ),
        _ => (method(body), "f", "", "f(x)"),
    }
}

/// The program of a cell.
pub fn source(declaration: &str, shape: &Shape) -> String {
    let (function, f, object, call) = declare(declaration, shape);
    let (x, d) = (Shape::declared(shape.ty, "x"), Shape::declared(shape.differential, "d"));
    let (c, pair) = (Shape::declared(shape.differential, "c"), format!("DifferentialPair<{}>", shape.ty));
    let first = if object.is_empty() { "" } else { "o, " };
    let point = format!("{x}; make(a, b, x); {object}");
    let both = format!("{x}; make(a, b, x); {d}; direction(a, b, 1.0, 0.5, d); {object}");
    let (types, make, direction, product) = (shape.types, shape.make, shape.direction, shape.product);
    let (plain, forward, reverse) = if shape.inout {
        (
            format!("{call}; return x;"),
            format!("{pair} p = diffPair(x, d); fwd_diff({f})({first}p); return p.d;"),
            format!("{pair} p = diffPair(x, 1.0); bwd_diff({f})({first}p); {c} = p.d; return {product};"),
        )
    } else {
        (
            format!("return {call};"),
            format!("return fwd_diff({f})({first}diffPair(x, d)).d;"),
            format!("{pair} p = diffPair(x); bwd_diff({f})({first}p, 1.0); {c} = p.d; return {product};"),
        )
    };
    format!(
        "{types}
{function}
RWStructuredBuffer<double> output;
RWStructuredBuffer<double> table;
[Differentiable]
void make(double a, double b, out {x}) {{ {make} }}
[Differentiable]
void direction(double a, double b, no_diff double da, no_diff double db, out {d}) {{ {direction} }}
[Differentiable]
double plain(double a, double b) {{ {point} {plain} }}
[Differentiable]
double forward(double a, double b) {{ {both} {forward} }}
[Differentiable]
double reverse(double a, double b) {{ {both} {reverse} }}
[shader(\"compute\")]
[numthreads(1, 1, 1)]
void computeMain()
{{
    double a = 0.7;
    double b = 1.3;
    double h = 0.001;
    table[0] = 1.5;
    table[1] = 0.75;
    output[0] = forward(a, b);
    output[1] = reverse(a, b);
    output[2] = fwd_diff(forward)(diffPair(a, 1.0), diffPair(b, 0.5)).d;
    var pa = diffPair(a);
    var pb = diffPair(b);
    bwd_diff(forward)(pa, pb, 1.0);
    output[3] = pa.d + 0.5 * pb.d;
    output[4] = fwd_diff(reverse)(diffPair(a, 1.0), diffPair(b, 0.5)).d;
    bwd_diff(reverse)(pa, pb, 1.0);
    output[5] = pa.d + 0.5 * pb.d;
    double near = plain(a + h, b + 0.5 * h) - plain(a - h, b - 0.5 * h);
    double far = plain(a + 2 * h, b + h) - plain(a - 2 * h, b - h);
    output[6] = (8 * near - far) / (12 * h);
    near = forward(a + h, b + 0.5 * h) - forward(a - h, b - 0.5 * h);
    far = forward(a + 2 * h, b + h) - forward(a - 2 * h, b - h);
    output[7] = (8 * near - far) / (12 * h);
}}
"
    )
}
