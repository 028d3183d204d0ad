//! Idioms of this field for which the tree has no node. Each is a function `$n` of two reals and an
//! integer, with the declarations that it needs. All are smooth except where `k` chooses.

use super::{FieldDef, Func, FuncKind, Kind, Mode, Node, Param, Program, ROOT, StructDef, Ty};

/// The program that only calls the idiom of a row.
pub fn alone(row: usize) -> Program {
    let fields = |n: usize| (0..n).map(|i| FieldDef { name: format!("f{i}"), ty: Ty::Real, no_diff: false }).collect();
    let structs = [("In", 2), ("Out", 1)]
        .map(|(name, n)| StructDef { name: name.to_string(), fields: fields(n), conforms: false })
        .to_vec();
    let param = |name: &str, ty: Ty| Param { name: name.to_string(), ty, mode: Mode::In };
    let reals = ["x", "y"].map(|n| param(n, Ty::Real));
    let idiom = Func {
        name: "idiom".into(),
        home: None,
        kind: FuncKind::Idiom(row),
        params: [&reals[..], &[param("k", Ty::Int)]].concat(),
        ret: Ty::Real,
        body: Node::block(Vec::new()),
        attrs: Vec::new(),
    };
    let (point, out) = (Node::var("p", Ty::Struct(0)), Ty::Struct(1));
    let part = |i: usize| Node::new(Kind::Field(format!("f{i}")), Ty::Real, vec![point.clone()]);
    let call = Node::new(Kind::Call(0), Ty::Real, vec![part(0), part(1), Node::var("n", Ty::Int)]);
    let value = Node::new(Kind::Braces, out.clone(), vec![call]);
    let statements = vec![
        Node::new(Kind::Decl("r".into()), Ty::Void, vec![value]),
        Node::new(Kind::Return, Ty::Void, vec![Node::var("r", out.clone())]),
    ];
    let root = Func {
        name: ROOT.into(),
        home: None,
        kind: FuncKind::Free,
        params: vec![param("p", Ty::Struct(0)), param("n", Ty::Int), param("m", Ty::Int)],
        ret: out,
        body: Node::block(statements),
        attrs: Vec::new(),
    };
    Program { structs, homes: Vec::new(), funcs: vec![Some(idiom), Some(root)], input: 0, output: 1, second: true }
}

/// The name and the text of each idiom. In the text `$n` is the function's name, which also makes
/// the names of other declarations unique.
pub const IDIOMS: [(&str, &str); 54] = [
    (
        "subscript",
        "struct $n_Row : IDifferentiable { real v[4]; __subscript(int i) -> real { [Differentiable] get { return v[i & 3]; } \
         [Differentiable] set { v[i & 3] = newValue; } } }
[Differentiable] real $n(real x, real y, int k)
{ $n_Row r = { { x, y, real(0.5), x } }; r[k] = sin(x * y); r[k + 1] += real(0.5) * r[k]; return r[k + 1] * r[k + 2]; }",
    ),
    (
        "property",
        "struct $n_Angle : IDifferentiable { real a; property real turned { [Differentiable] get { return sin(a) * real(2); } \
         [Differentiable] set { a = newValue * real(0.5) + cos(newValue); } } }
[Differentiable] real $n(real x, real y, int k)
{ $n_Angle s = { x }; for (int i = 0; i < (k & 3); i++) s.turned = s.turned + y; return s.turned * s.a * real(0.5); }",
    ),
    (
        "operator",
        "struct $n_C : IDifferentiable { real re; real im; }
[Differentiable] $n_C operator *($n_C p, $n_C q) { $n_C r = { p.re * q.re - p.im * q.im, p.re * q.im + p.im * q.re }; return r; }
[Differentiable] $n_C operator +($n_C p, $n_C q) { $n_C r = { p.re + q.re, p.im + q.im }; return r; }
[Differentiable] real $n(real x, real y, int k)
{ $n_C c = { real(0.5) * sin(x), real(0.5) * cos(y) }; $n_C z = c; for (int i = 0; i < (k & 3); i++) z = z * z + c; return tanh(z.re + z.im); }",
    ),
    (
        "tuple",
        "[Differentiable] real $n(real x, real y, int k)
{ var t = makeTuple(sin(x * y), cos(y), x); real a = t._0 * t._1; if ((k & 1) == 0) a += real(0.5) * t._2; return real(0.5) * a; }",
    ),
    (
        "value parameter",
        "[Differentiable] real $n_power<let N : int>(real x) { real p = real(1); for (int i = 0; i < N; i++) p *= sin(x); return p; }
[Differentiable] real $n(real x, real y, int k) { return $n_power<3>(x) + $n_power<2>(x * y) * $n_power<1>(y); }",
    ),
    (
        "type parameter",
        "[Differentiable] T $n_mix<T : __BuiltinFloatingPointType>(T a, T b) { return a * b - a; }
[Differentiable] real $n(real x, real y, int k) { return real(0.5) * $n_mix<real>(sin(x), $n_mix<real>(y, x)); }",
    ),
    (
        "extension",
        "struct $n_S : IDifferentiable { real a; }
extension $n_S { [Differentiable] real twice(real b) { return a * sin(b); } [Differentiable] [mutating] void add(real b) { a += real(0.5) * b; } }
[Differentiable] real $n(real x, real y, int k)
{ $n_S s = { x }; for (int i = 0; i < 3; i++) { s.add(s.twice(y)); if (i == (k & 3)) break; } return tanh(s.a); }",
    ),
    (
        "array result",
        "[Differentiable] real[3] $n_three(real x, real y) { real r[3] = { sin(x), x * y, cos(y) }; return r; }
[Differentiable] real $n(real x, real y, int k)
{ real a[3] = $n_three(x, y); real s = real(0); for (int i = 0; i < 3; i++) { a = $n_three(a[i], a[((i + k) & 15) % 3]); s += real(0.25) * a[i]; } return s; }",
    ),
    (
        "inout in a loop",
        "[Differentiable] void $n_turn(inout real2 v, real a) { v = real2(cos(a) * v.x - sin(a) * v.y, sin(a) * v.x + cos(a) * v.y); }
[Differentiable] real $n(real x, real y, int k)
{ real2 v = real2(x, y); real2 w[2] = { v, v.yx }; for (int i = 0; i < (k & 3) + 1; i++) { $n_turn(v, x); $n_turn(w[i & 1], v.x); } return real(0.5) * v.x * w[1].y + w[0].x; }",
    ),
    (
        "table of indices",
        "[Differentiable] real $n(real x, real y, int k)
{ int at[4]; for (int i = 0; i < 4; i++) at[i] = (i * 3 + k) & 3; real v[4] = { x, y, x * y, sin(x) }; real s = real(0); \
  for (int i = 0; i < 4; i++) { v[at[i]] = sin(v[at[i]] + real(0.5) * v[(at[i] + 1) & 3]); s += real(0.25) * v[at[i]] * x; } return s; }",
    ),
    (
        "newton",
        "[Differentiable] real $n(real x, real y, int k)
{ real c = real(2) + sin(x * y); real s = real(1.5); real d = real(1); int i = 0; \
  while (i < 8 && abs(d) > real(0.05)) { d = (s * s - c) / (real(2) * s); s -= d; i++; } return s; }",
    ),
    (
        "matrix parts",
        "[Differentiable] real $n(real x, real y, int k)
{ real3x3 m = real3x3(x, y, real(0.5), y, sin(x), real(1), x * y, real(0.25), cos(y)); m[0][k & 1] = sin(m[1][2] * x); m[1] = m[0] * real(0.5) + m[2]; \
  m[2].x += m[1].y * m[0].z; real3 v = mul(m, real3(x, real(1), y)); return real(0.25) * tanh(dot(v, m[2])); }",
    ),
    (
        "fallthrough",
        "[Differentiable] real $n(real x, real y, int k)
{ real s = x; switch (k & 3) { case 0: case 1: s = sin(x * y); break; case 2: { s *= y; if (k > 3) break; s += cos(x); break; } default: return tanh(y); } return real(0.5) * s; }",
    ),
    (
        "labelled break",
        "[Differentiable] real $n(real x, real y, int k)
{ real s = x; outer: for (int i = 0; i < 3; i++) { for (int j = 0; j < 3; j++) { s = sin(s + y); if (((i + j + k) & 3) == 3) break outer; } s *= cos(x); } return s; }",
    ),
    (
        "side effects of conditions",
        "[Differentiable] bool $n_step(inout real s, real x, int k) { s = sin(s + x); return (k & 1) == 0; }
[Differentiable] real $n(real x, real y, int k)
{ real s = x; real t = y; if ($n_step(s, y, k) && $n_step(t, s, k + 1) || $n_step(s, t, 0)) s *= real(0.5); return ($n_step(t, x, k) ? s * t : t); }",
    ),
    (
        "constant table",
        "static const real $n_w[4] = { real(0.5), real(-0.25), real(1), real(0.125) };
[Differentiable] real $n(real x, real y, int k)
{ real s = real(0); for (int i = 0; i < 4; i++) s += $n_w[(i + k) & 3] * sin(x + y * real(i)); return s; }",
    ),
    (
        "constructor",
        "struct $n_P : IDifferentiable { real a; real2 b; [Differentiable] __init(real x, real y) { a = x * y; b = real2(sin(x), y); } \
         [Differentiable] real sum() { return a + b.x * b.y; } [Differentiable] static real norm($n_P p) { return p.a * p.b.x; } }
[Differentiable] real $n(real x, real y, int k) { $n_P p = $n_P(x, y); $n_P q = $n_P(p.sum(), x); return tanh(q.sum() + $n_P.norm(p)); }",
    ),
    (
        "layers",
        "struct $n_Layer : IDifferentiable { real w[3][3]; real b[3]; [Differentiable] real[3] eval(real v[3]) \
         { real r[3]; for (int i = 0; i < 3; i++) { real s = b[i]; for (int j = 0; j < 3; j++) s += real(0.5) * w[i][j] * v[j]; r[i] = tanh(s); } return r; } }
[Differentiable] real $n(real x, real y, int k)
{ $n_Layer l; for (int i = 0; i < 3; i++) { l.b[i] = x * real(0.25); for (int j = 0; j < 3; j++) l.w[i][j] = ((i + j + k) & 1) == 0 ? x : y; } \
  real v[3] = { x, y, real(0.5) }; for (int n = 0; n < 2; n++) v = l.eval(v); return v[0] + v[1] * v[2]; }",
    ),
    (
        "random numbers",
        "[Differentiable] real $n(real x, real y, int k)
{ uint seed = uint(k + 5); real s = x; int hits = 0; for (int i = 0; i < 5; i++) { seed = seed * 1664525u + 1013904223u; real u = real(int(seed >> 28)) * real(0.0625); \
  if (u < real(0.25)) continue; s = sin(s * u + y); hits++; if (hits > 3) break; } return s * real(hits) * real(0.25); }",
    ),
    (
        "method of an element",
        "struct $n_Cell : IDifferentiable { real a; int n; [Differentiable] [mutating] real bump(real x) { a = sin(a + x); n++; return a * real(n) * real(0.25); } }
[Differentiable] real $n(real x, real y, int k)
{ $n_Cell c[2] = { { x, 0 }, { y, 1 } }; real s = real(0); for (int i = 0; i < 4; i++) s += real(0.25) * c[(i + (k & 1)) & 1].bump(s + x); return s * c[0].a; }",
    ),
    (
        "largest",
        "[Differentiable] real $n(real x, real y, int k)
{ real v[4] = { x, y, x * y, sin(x + y) }; real best = v[0]; int at = 0; for (int i = 1; i < 4; i++) { if (v[i] <= best) continue; best = v[i]; at = i; } return best * real(at + 1) * real(0.25); }",
    ),
    (
        "sum and its inverse",
        "[Differentiable] real $n(real x, real y, int k)
{ real e[4]; real sum = real(0); for (int i = 0; i < (k & 3) + 1; i++) { e[i] = exp(sin(x * real(i) + y)); sum += e[i]; } real inverse = real(1) / sum; \
  real s = real(0); for (int i = 0; i < (k & 3) + 1; i++) s += e[i] * inverse * sin(e[i]); return s; }",
    ),
    (
        "read and write next",
        "[Differentiable] real $n(real x, real y, int k)
{ real f[6]; for (int i = 0; i < 6; i++) f[i] = x * real(0.25); f[k & 1] = y; for (int i = 0; i < 5; i++) f[i + 1] = sin(f[i] * y + f[i + 1]); \
  for (int i = 4; i >= 0; i--) f[i] += real(0.5) * f[i + 1] * f[i]; return f[0] + real(0.25) * f[5]; }",
    ),
    (
        "field from field",
        "struct $n_S : IDifferentiable { real a; real b; real2 c; }
[Differentiable] void $n_move(inout $n_S s, real x) { s.a = s.b; s.b = s.c.y * x; s.c = real2(s.a, s.c.x); }
[Differentiable] real $n(real x, real y, int k) { $n_S s = { x, y, real2(x * y, y) }; for (int i = 0; i < (k & 3); i++) $n_move(s, sin(s.a)); return s.a + real(0.5) * s.b * s.c.x; }",
    ),
    (
        "flag and value",
        "[Differentiable] real $n(real x, real y, int k)
{ real s = x; for (int i = 0; i < 3; i++) { bool has = ((i + k) & 1) == 0; real v = real(0); if (has) v = sin(s * y); s = has ? v : s + y * real(0.5); } return tanh(s); }",
    ),
    (
        "pairs of structs",
        "struct $n_A : IDifferentiable { real2 u; real v[2]; }
struct $n_B : IDifferentiable { $n_A a[2]; $n_A b; }
[Differentiable] $n_B $n_make(real x, real y) { $n_B r; for (int i = 0; i < 2; i++) { r.a[i].u = real2(x, y) * real(i + 1); r.a[i].v[0] = x * y; r.a[i].v[1] = sin(y); } r.b = r.a[1]; r.b.u.x = cos(x); return r; }
[Differentiable] real $n(real x, real y, int k) { $n_B r = $n_make(x, y); r.a[k & 1] = r.b; $n_A t = r.a[(k >> 1) & 1]; t.v[k & 1] += t.u.y; return tanh(dot(t.u, r.b.u) + t.v[0] * r.a[0].v[1]); }",
    ),
    (
        "narrow vectors",
        r"[Differentiable] vector<low, 3> $n_mix(vector<low, 3> v, low s) { return v.yzx * s + sin(v) * low(0.5); }
[Differentiable] real $n(real x, real y, int k)
{ vector<low, 3> v = vector<low, 3>(low(x), low(y), low(0.5)); for (int i = 0; i < (k & 3) + 1; i++) { v = $n_mix(v, low(x * y)); v.z += low(0.25) * v.x; if (i == 2) v.x = low(y); }
  return real(v.x) + real(v.y * v.z) * real(0.5); }",
    ),
    (
        "narrow fields",
        r"struct $n_S : IDifferentiable { low a; real b; low c[2]; }
[Differentiable] void $n_step(inout $n_S s, low x, out real y) { s.c[0] = s.a * x; s.b += real(s.c[1]) * real(0.5); s.c[1] = low(s.b) * low(0.5); y = real(s.c[0]) + s.b; }
[Differentiable] real $n(real x, real y, int k)
{ $n_S s = { low(x), y, { low(0.5), low(y) } }; real t = x; for (int i = 0; i < (k & 3); i++) { real u; $n_step(s, low(t), u); t = sin(u); } return tanh(t + real(s.c[k & 1])); }",
    ),
    (
        "wider in between",
        r"[Differentiable] double $n_wide(real x, float y) { double s = double(x); for (int i = 0; i < 3; i++) s = sin(s) + double(y) * s; return s; }
[Differentiable] real $n(real x, real y, int k) { return real($n_wide(x, float(0.5)) * double(y)); }",
    ),
    (
        "float counter",
        r"[Differentiable] real $n(real x, real y, int k)
{ real s = x; for (real t = real(0.125) + y * real(0.001); t < real(1); t += real(0.3)) { s = sin(s + t * y); } return s; }",
    ),
    (
        "endless with exits",
        r"[Differentiable] real $n(real x, real y, int k)
{ real s = x; int i = 0; for (;;) { i += 2; if (i > (k & 7)) return sin(s) * y; s = s * real(0.5) + y * real(i) * real(0.125); if ((i & 4) != 0) break; } while (true) { s = cos(s); i++; if (i > 6) break; } return s * x; }",
    ),
    (
        "counter that the body moves",
        r"[Differentiable] real $n(real x, real y, int k)
{ real s = x; real v[4] = { x, y, x, y }; for (int i = 7, j = 0; i > j; i -= 2, j++) { if ((i + k & 1) == 0) { i++; j++; continue; } v[i & 3] = sin(v[j & 3] * y); s += v[(i + j) & 3] * real(0.25); if ((k & 3) == 2) j++; } return s; }",
    ),
    (
        "swap",
        r"struct $n_S : IDifferentiable { real a; real b[2]; }
[Differentiable] real $n(real x, real y, int k)
{ $n_S p = { x, { y, x } }; $n_S q = { y, { real(0.5), sin(x) } }; for (int i = 0; i < (k & 3) + 1; i++) { $n_S t = p; p = q; q = t; q.a = sin(q.a + p.b[i & 1]); p.b[(i + 1) & 1] *= q.a; } return p.a + q.b[0] * p.b[1]; }",
    ),
    (
        "long loop over an array",
        r"[Differentiable] real $n(real x, real y, int k)
{ real v[16]; for (int i = 0; i < 16; i++) v[i] = sin(x + real(i) * y); real s = real(0); for (int j = 0; j < 20; j++) { for (int i = 0; i < 15; i++) { v[i] = real(0.9) * sin(v[i + 1]) + real(0.05) * v[(i * j + k) & 15]; } s = real(0.9) * s + v[j & 15] * real(0.1); } return s; }",
    ),
    (
        "deep loops",
        r"[Differentiable] real $n(real x, real y, int k)
{ real s = x; for (int a = 0; a < 2; a++) { real t = s; for (int b = 0; b <= a; b++) { for (int c = b; c < 2 + (k & 1); c++) { real u = t * y; for (int d = 0; d < c; d++) { u = sin(u + s); if (d == b) continue; t += real(0.125) * u; } s = cos(s * u); } t *= real(0.5); } s += t * real(0.25); } return s; }",
    ),
    (
        "custom derivative of a method",
        r"struct $n_S : IDifferentiable { real a; [BackwardDerivative($n_bwd)] [ForwardDerivative($n_fwd)] real f(real x) { return sin(a * x); }
    [Differentiable] static void $n_bwd(inout DifferentialPair<$n_S> s, inout DifferentialPair<real> x, real d) { $n_S.Differential g; g.a = cos(s.p.a * x.p) * x.p * d; s = diffPair(s.p, g); x = diffPair(x.p, cos(s.p.a * x.p) * s.p.a * d); }
    [Differentiable] static DifferentialPair<real> $n_fwd(DifferentialPair<$n_S> s, DifferentialPair<real> x) { return diffPair(sin(s.p.a * x.p), cos(s.p.a * x.p) * (s.d.a * x.p + s.p.a * x.d)); } }
[Differentiable] real $n(real x, real y, int k) { $n_S s = { x }; real t = y; for (int i = 0; i < (k & 3); i++) { t = s.f(t + x); s.a += real(0.25) * t; } return t; }",
    ),
    (
        "custom derivative of an inout",
        r"[BackwardDerivative($n_bwd)] [ForwardDerivative($n_fwd)] void $n_update(inout real s, real x) { s = s * sin(x); }
[Differentiable] void $n_bwd(inout DifferentialPair<real> s, inout DifferentialPair<real> x) { real d = s.d; real p = s.p; s = diffPair(p, d * sin(x.p)); x = diffPair(x.p, d * p * cos(x.p)); }
[Differentiable] void $n_fwd(inout DifferentialPair<real> s, DifferentialPair<real> x) { s = diffPair(s.p * sin(x.p), s.d * sin(x.p) + s.p * cos(x.p) * x.d); }
[Differentiable] real $n(real x, real y, int k) { real s = x; for (int i = 0; i < (k & 3) + 1; i++) { $n_update(s, y + s); if (s > real(1)) break; } return s + y; }",
    ),
    (
        "substitute",
        r"[Differentiable] real $n_smooth(real x) { return tanh(x) * x; }
[PrimalSubstitute($n_smooth)] real $n_rough(real x) { return tanh(x) * x; }
[Differentiable] real $n(real x, real y, int k) { return $n_rough(x * y) + y; }",
    ),
    (
        "derivatives in a loop",
        r"[Differentiable] real $n_g(real x, real y, int k) { real s = x; for (int i = 0; i < (k & 1) + 1; i++) s = sin(s * y); return s; }
[Differentiable] real $n(real x, real y, int k)
{ real s = x; for (int i = 0; i < (k & 1) + 1; i++) { var p = diffPair(s); var q = diffPair(y); bwd_diff($n_g)(p, q, k + i, real(0.5)); s = s - real(0.25) * p.d + real(0.125) * fwd_diff($n_g)(diffPair(s, q.d), diffPair(y, real(1)), i).d; } return tanh(s); }",
    ),
    (
        "derivative of a struct function",
        r"struct $n_S : IDifferentiable { real a; real2 b; int n; }
[Differentiable] real $n_f($n_S s, inout real t) { t = sin(t * s.a); return s.b.x * t + s.b.y * real(s.n); }
[Differentiable] real $n(real x, real y, int k)
{ $n_S s = { x, real2(y, x * y), k & 3 }; var p = diffPair(s); var t = diffPair(y, real(0.25)); bwd_diff($n_f)(p, t, real(0.5)); $n_S.Differential d; d.a = p.d.a; d.b = real2(real(1), x);
  var u = diffPair(x, real(0.5)); real r = fwd_diff($n_f)(diffPair(s, d), u).d; return tanh(r + p.d.b.x * t.d); }",
    ),
    (
        "derivative of a method",
        r"struct $n_S : IDifferentiable { real a; [Differentiable] real f(real x) { real s = a; for (int i = 0; i < 2; i++) s = sin(s * x); return s; } }
[Differentiable] real $n_via($n_S s, real x) { return s.f(x) * x; }
[Differentiable] real $n(real x, real y, int k) { $n_S s = { y }; var p = diffPair(s); var q = diffPair(x); bwd_diff($n_via)(p, q, real(1)); return tanh(p.d.a * q.d); }",
    ),
    (
        "gradient descent",
        r"[Differentiable] real $n_loss(real2 w, real x) { real e = w.x * sin(x) + w.y - cos(x); return e * e; }
[Differentiable] real $n(real x, real y, int k)
{ real2 w = real2(x, y); for (int i = 0; i < 3; i++) { var p = diffPair(w); var q = diffPair(real(i) * real(0.5)); bwd_diff($n_loss)(p, q, real(1)); w -= real(0.1) * p.d; } return w.x + w.y * real(0.5); }",
    ),
    (
        "enum and bits",
        r"enum $n_E { A, B, C }
[Differentiable] real $n(real x, real y, int k)
{ $n_E e = (k & 3) == 0 ? $n_E.A : (k & 1) == 1 ? $n_E.B : $n_E.C; int2 at = int2(k, k >> 1) & 1; real m[2][2] = { { x, y }, { sin(x), x * y } }; switch (e) { case $n_E.A: return m[at.x][at.y]; case $n_E.B: m[at.y][at.x] *= y; break; default: m[0] = m[1]; } return m[0][at.x] + m[1][1]; }",
    ),
    (
        "flags in a loop",
        r"[Differentiable] real $n(real x, real y, int k)
{ bool seen[3] = { false, false, false }; real s = x; int left = 3; while (left > 0 && s < real(50)) { int at = (left * (k & 3) + 1) % 3; if (seen[at]) { left--; s = sin(s * y); } else { seen[at] = true; s += real(0.25) * y; if (at == 2 && (k & 4) != 0) return s * x; } } return s; }",
    ),
    (
        "out of a branch",
        r"[Differentiable] bool $n_find(real v[3], int k, out real found) { found = real(0); for (int i = 0; i < 3; i++) { if (i == (k & 3)) { found = v[i] * v[(i + 1) % 3]; return true; } } return false; }
[Differentiable] real $n(real x, real y, int k) { real v[3] = { x, y, sin(x) }; real f; if (!$n_find(v, k, f)) f = y * y; real g = x; $n_find(v, k + 1, g); return f + real(0.5) * g; }",
    ),
    (
        "interface in a struct",
        r"interface $n_I : IDifferentiable { [Differentiable] real f(real x); }
struct $n_A : $n_I { real a; [Differentiable] real f(real x) { return sin(a * x); } }
struct $n_B : $n_I { real a; real b; [Differentiable] real f(real x) { real t = a + x * b; return t * real(0.5); } }
[Differentiable] $n_I $n_pick(real x, real y, int k) { if ((k & 1) == 0) { $n_A r = { x }; return r; } $n_B r = { y, x }; return r; }
[Differentiable] real $n_twice<T : $n_I>(T f, real x) { return f.f(x) + f.f(x * real(0.5)); }
[Differentiable] real $n(real x, real y, int k) { $n_I o = $n_pick(x, y, k); real s = o.f(y); if ((k & 2) != 0) { o = $n_pick(s, x, k + 1); } for (int i = 0; i < (k & 3); i++) { s = sin(o.f(s)); o = $n_pick(s, y, i); } $n_A a = { s }; return tanh($n_twice(a, x) + o.f(s)); }",
    ),
    (
        "generic struct",
        r"struct $n_G<T : IDifferentiable, let N : int> : IDifferentiable { T v[N]; real k; }
[Differentiable] real $n(real x, real y, int k)
{ $n_G<real2, 2> g; g.v[0] = real2(x, y); g.v[1] = real2(y * x, real(0.5)); g.k = x; $n_G<real, 3> h; for (int i = 0; i < 3; i++) h.v[i] = g.v[(i + k) & 1][i & 1] * g.k; h.k = h.v[0]; h.v[1] += h.k * y; return tanh(h.v[1] + h.v[2]); }",
    ),
    (
        "chain of calls",
        r"[Differentiable] [PreferRecompute] real $n_a(real x, inout real s) { s = s * cos(x); return sin(x * s); }
[Differentiable] [PreferCheckpoint] real $n_b(real x, inout real s, int n) { real r = x; for (int i = 0; i < n; i++) r = $n_a(r, s) + s * real(0.25); return r; }
[Differentiable] [PreferRecompute] real $n_c(real x, inout real s, int n) { real r = $n_b(x, s, n); if (n > 1) r *= $n_b(s, r, n - 1); return r; }
[Differentiable] real $n(real x, real y, int k) { real s = y; real r = real(0); for (int i = 0; i < 2; i++) r += $n_c(x + s, s, k & 3); return tanh(r + s); }",
    ),
    (
        "one value many times",
        r"[Differentiable] real3 $n_f(real3 v, real3 w, inout real3 a) { a += v * w; return cross(v, a) * real(0.25); }
[Differentiable] real $n(real x, real y, int k) { real3 v = real3(x, y, x); real3 a = v; a = $n_f(v, v, a); a.xy = a.yx; a.zx += $n_f(a, a, v).xy; v = $n_f(v, a.zzx, a); return real(0.25) * tanh(dot(v, a)); }",
    ),
    (
        "many inputs into a loop",
        r"[Differentiable] real $n(real x, real y, int k)
{ real a = sin(x), b = cos(y), c = x * y, d = x + y, e = x - y, f = sin(a * b), g = c * c, h = d * e, p = x * x * y, q = y * y; real s = real(0); for (int i = 0; i < 6; i++) { real t = i < 3 ? a * b + c : d * e + f; s = real(0.5) * s + sin(t + g * h) * real(0.25); if (((i + k) & 3) == 1) { real z = p; p = q * real(0.5); q = z; } s += p * q * real(0.125); a = b * cos(s); } return s + a; }",
    ),
    (
        "memory that is written",
        r"groupshared real $n_m[4];
[Differentiable] real $n(real x, real y, int k)
{ for (int i = 0; i < 4; i++) $n_m[i] = real((i * 3 + k) & 3) * real(0.25); real s = x; for (int i = 0; i < 4; i++) { s = sin(s * y + $n_m[(i + k) & 3]); if (i == 1) $n_m[2] = real(0.5); } return s * $n_m[2]; }",
    ),
    (
        "arrays in arrays",
        r"struct $n_S : IDifferentiable { real a[2][3]; int at[3]; }
[Differentiable] real $n(real x, real y, int k)
{ $n_S s[2]; for (int i = 0; i < 2; i++) { for (int j = 0; j < 3; j++) { s[i].at[j] = (j * 2 + k) % 3; s[i].a[i][j] = x * real(j); s[i].a[1 - i][j] = y; } }   for (int i = 0; i < 6; i++) { int q = s[i & 1].at[i % 3]; s[(i + k) & 1].a[i & 1][q] += sin(s[i & 1].a[(i + 1) & 1][s[0].at[q]]); s[i & 1].at[q] = (q + i) % 3; }   s[0].a = s[1].a; s[1].a[k & 1] = s[0].a[1]; return tanh(s[k & 1].a[0][2] + s[1].a[1][s[1].at[1]]); }",
    ),
    (
        "bits as an index",
        r"[Differentiable] real $n(real x, real y, int k)
{ uint h = uint(k) * 2654435761u; real v[8]; for (int i = 0; i < 8; i++) v[i] = x * real(i) * real(0.125); real s = y; while (h != 0u) { uint at = h & 7u; v[at] = sin(v[at] + s); s = real(0.5) * s + v[(at * 5u + 1u) & 7u]; h >>= 5; } return s; }",
    ),
    (
        "lanes that change places behind a choice",
        r"[Differentiable] real $n(real x, real y, int k)
{ real4 v = real4(real(0.5), real(0.125) * real(k & 3) - real(0.375), x, real(0.5) + y); v.xzw = max(v.wxy, (real(0.5) * v.ywx * v.zxy).yzx); real2x2 m = max(real2x2(v.z, v.w, y, real(0.75)), real2x2(real(0.3), x * y, v.x, real(0.1))); m = real2x2(m[1].yx, m[0].yx); m = max(m * m, real2x2(real(0.9), y, x, real(0.6))); return v.x + real(2) * v.z + real(4) * v.w + m[0].x + real(2) * m[0].y + real(3) * m[1].x; }",
    ),
];
