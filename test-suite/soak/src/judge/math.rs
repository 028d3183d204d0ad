//! Functions of one and two numbers, and their partial derivatives, written from mathematics and
//! not from the rows of the ops.
//!
//! The partials are written once, over any kind of number: over plain floats they tell how errors
//! grow, and over numbers that carry derivatives they give derivatives of any order.
//! [`super::number`] defines which points are singular.

/// A function of one number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Neg,
    Abs,
    Sqrt,
    Rsqrt,
    Cbrt,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Asinh,
    Acosh,
    Atanh,
    Exp,
    Exp2,
    ExpM1,
    Log,
    Log2,
    Log10,
    Log1p,
    Floor,
    Ceil,
    Round,
    RoundEven,
    Trunc,
}

/// A function of two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Min,
    Max,
    Atan2,
    Pow,
    CopySign,
}

impl Unary {
    pub fn of(op: &str) -> Option<Unary> {
        use Unary::*;
        Some(match op {
            "arith.negf" => Neg,
            "math.absf" => Abs,
            "math.sqrt" => Sqrt,
            "math.rsqrt" => Rsqrt,
            "math.cbrt" => Cbrt,
            "math.sin" => Sin,
            "math.cos" => Cos,
            "math.tan" => Tan,
            "math.asin" => Asin,
            "math.acos" => Acos,
            "math.atan" => Atan,
            "math.sinh" => Sinh,
            "math.cosh" => Cosh,
            "math.tanh" => Tanh,
            "math.asinh" => Asinh,
            "math.acosh" => Acosh,
            "math.atanh" => Atanh,
            "math.exp" => Exp,
            "math.exp2" => Exp2,
            "math.expm1" => ExpM1,
            "math.log" => Log,
            "math.log2" => Log2,
            "math.log10" => Log10,
            "math.log1p" => Log1p,
            "math.floor" => Floor,
            "math.ceil" => Ceil,
            "math.round" => Round,
            "math.roundeven" => RoundEven,
            "math.trunc" => Trunc,
            _ => return None,
        })
    }

    pub fn value(self, x: f64) -> f64 {
        use Unary::*;
        match self {
            Neg => -x,
            Abs => x.abs(),
            Sqrt => x.sqrt(),
            Rsqrt => 1.0 / x.sqrt(),
            Cbrt => x.cbrt(),
            Sin => x.sin(),
            Cos => x.cos(),
            Tan => x.tan(),
            Asin => x.asin(),
            Acos => x.acos(),
            Atan => x.atan(),
            Sinh => x.sinh(),
            Cosh => x.cosh(),
            Tanh => x.tanh(),
            Asinh => x.asinh(),
            Acosh => x.acosh(),
            Atanh => x.atanh(),
            Exp => x.exp(),
            Exp2 => x.exp2(),
            ExpM1 => x.exp_m1(),
            Log => x.ln(),
            Log2 => x.log2(),
            Log10 => x.log10(),
            Log1p => x.ln_1p(),
            Floor => x.floor(),
            Ceil => x.ceil(),
            Round => x.round(),
            RoundEven => x.round_ties_even(),
            Trunc => x.trunc(),
        }
    }

    /// Whether it is constant between its jumps.
    pub fn steps(self) -> bool {
        matches!(self, Unary::Floor | Unary::Ceil | Unary::Round | Unary::RoundEven | Unary::Trunc)
    }

    /// The distance of `x` from the nearest jump.
    pub fn to_jump(self, x: f64) -> f64 {
        let to_whole = |x: f64| (x - x.round()).abs();
        match self {
            Unary::Floor | Unary::Ceil => to_whole(x),
            Unary::Round | Unary::RoundEven => to_whole(x - 0.5),
            // It is zero from -1 to 1.
            Unary::Trunc if x.abs() < 0.5 => 1.0 - x.abs(),
            Unary::Trunc => to_whole(x),
            _ => f64::INFINITY,
        }
    }
}

impl Binary {
    pub fn of(op: &str) -> Option<Binary> {
        use Binary::*;
        Some(match op {
            "arith.addf" => Add,
            "arith.subf" => Sub,
            "arith.mulf" => Mul,
            "arith.divf" => Div,
            "arith.remf" => Rem,
            "arith.minimumf" | "arith.minnumf" => Min,
            "arith.maximumf" | "arith.maxnumf" => Max,
            "math.atan2" => Atan2,
            "math.powf" => Pow,
            "math.copysign" => CopySign,
            _ => return None,
        })
    }

    pub fn value(self, a: f64, b: f64) -> f64 {
        use Binary::*;
        match self {
            Add => a + b,
            Sub => a - b,
            Mul => a * b,
            Div => a / b,
            Rem => a % b,
            Min if a < b => a,
            Max if a > b => a,
            Min | Max => b,
            Atan2 => a.atan2(b),
            Pow => a.powf(b),
            CopySign => a.copysign(b),
        }
    }
}

/// Arithmetic on one kind of number.
pub trait Numbers {
    type N: Clone;
    fn real(&mut self, value: f64) -> Self::N;
    fn value(&self, x: &Self::N) -> f64;
    fn unary(&mut self, f: Unary, x: &Self::N) -> Self::N;
    fn binary(&mut self, f: Binary, a: &Self::N, b: &Self::N) -> Self::N;
}

/// Plain floats.
pub struct Plain;

impl Numbers for Plain {
    type N = f64;
    fn real(&mut self, value: f64) -> f64 {
        value
    }
    fn value(&self, x: &f64) -> f64 {
        *x
    }
    fn unary(&mut self, f: Unary, x: &f64) -> f64 {
        f.value(*x)
    }
    fn binary(&mut self, f: Binary, a: &f64, b: &f64) -> f64 {
        f.value(*a, *b)
    }
}

/// The derivative of `f` at `x`, where its value is `y`.
pub fn slope<S: Numbers>(s: &mut S, f: Unary, x: &S::N, y: &S::N) -> S::N {
    use Binary::*;
    use Unary::*;
    let one = s.real(1.0);
    let over = |s: &mut S, divisor: &S::N| s.binary(Div, &one, divisor);
    match f {
        Neg => s.real(-1.0),
        Abs => {
            let sign = s.value(x).signum();
            s.real(sign)
        }
        Sqrt => {
            let twice = s.binary(Add, y, y);
            over(s, &twice)
        }
        Rsqrt => {
            // (x^-1/2)' = -1/2 · x^-1/2 / x
            let minus_twice = {
                let twice = s.binary(Add, x, x);
                s.unary(Neg, &twice)
            };
            s.binary(Div, y, &minus_twice)
        }
        Cbrt => {
            let three = s.real(3.0);
            let thrice = s.binary(Mul, &three, x);
            s.binary(Div, y, &thrice)
        }
        Sin => s.unary(Cos, x),
        Cos => {
            let sin = s.unary(Sin, x);
            s.unary(Neg, &sin)
        }
        // Of the two forms, 1 ∓ y² and 1 / cos², derivatives of programs use the first one, which
        // is less exact near ±1. Its terms set the scale for comparing derivatives.
        Tan | Tanh => {
            let square = s.binary(Mul, y, y);
            s.binary(if f == Tan { Add } else { Sub }, &one, &square)
        }
        Asin | Acos => {
            let square = s.binary(Mul, x, x);
            let rest = s.binary(Sub, &one, &square);
            let root = s.unary(Sqrt, &rest);
            let slope = over(s, &root);
            if f == Asin { slope } else { s.unary(Neg, &slope) }
        }
        Atan => {
            let square = s.binary(Mul, x, x);
            let sum = s.binary(Add, &square, &one);
            over(s, &sum)
        }
        Sinh => s.unary(Cosh, x),
        Cosh => s.unary(Sinh, x),
        Asinh | Acosh => {
            let square = s.binary(Mul, x, x);
            let inside = s.binary(if f == Asinh { Add } else { Sub }, &square, &one);
            let root = s.unary(Sqrt, &inside);
            over(s, &root)
        }
        Atanh => {
            let square = s.binary(Mul, x, x);
            let rest = s.binary(Sub, &one, &square);
            over(s, &rest)
        }
        Exp | ExpM1 => s.unary(Exp, x),
        Exp2 => {
            let factor = s.real(std::f64::consts::LN_2);
            s.binary(Mul, y, &factor)
        }
        Log => over(s, x),
        Log2 | Log10 => {
            let base = s.real(if f == Log2 { std::f64::consts::LN_2 } else { std::f64::consts::LN_10 });
            let divisor = s.binary(Mul, x, &base);
            over(s, &divisor)
        }
        Log1p => {
            let sum = s.binary(Add, x, &one);
            over(s, &sum)
        }
        Floor | Ceil | Round | RoundEven | Trunc => s.real(0.0),
    }
}

/// The partial derivative of `f` with respect to its first or its second operand at `(a, b)`, where
/// its value is `y`.
pub fn partial<S: Numbers>(s: &mut S, f: Binary, first: bool, a: &S::N, b: &S::N, y: &S::N) -> S::N {
    use Binary::*;
    use Unary::*;
    match (f, first) {
        (Add, _) | (Sub | Rem, true) => s.real(1.0),
        (Sub, false) => s.real(-1.0),
        (Mul, true) => b.clone(),
        (Mul, false) => a.clone(),
        (Div, true) => {
            let one = s.real(1.0);
            s.binary(Div, &one, b)
        }
        (Div, false) => {
            // -a / b²
            let square = s.binary(Mul, b, b);
            let ratio = s.binary(Div, a, &square);
            s.unary(Neg, &ratio)
        }
        (Rem, false) => {
            let rounds = (s.value(a) / s.value(b)).trunc();
            s.real(-rounds)
        }
        (Min, _) => {
            let taken = s.value(a) < s.value(b);
            s.real(f64::from(u8::from(taken == first)))
        }
        (Max, _) => {
            let taken = s.value(a) > s.value(b);
            s.real(f64::from(u8::from(taken == first)))
        }
        (Atan2, _) => {
            // The first operand is the y coordinate: its partial is x / r², that of the other is -y
            // / r².
            let (aa, bb) = (s.binary(Mul, a, a), s.binary(Mul, b, b));
            let square = s.binary(Add, &aa, &bb);
            let ratio = s.binary(Div, if first { b } else { a }, &square);
            if first { ratio } else { s.unary(Neg, &ratio) }
        }
        (Pow, true) => {
            let one = s.real(1.0);
            let exponent = s.binary(Sub, b, &one);
            let power = s.binary(Pow, a, &exponent);
            s.binary(Mul, b, &power)
        }
        (Pow, false) => {
            let log = s.unary(Log, a);
            s.binary(Mul, y, &log)
        }
        (CopySign, true) => {
            let same = s.value(a).is_sign_negative() == s.value(b).is_sign_negative();
            s.real(if same { 1.0 } else { -1.0 })
        }
        (CopySign, false) => s.real(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A finite difference of fourth order, which gives ten digits for a smooth function at the
    /// points below.
    fn difference(f: impl Fn(f64) -> f64) -> f64 {
        let h = 1e-3;
        (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
    }

    fn check(what: &str, slope: f64, difference: f64) {
        assert!((slope - difference).abs() < 1e-9 * (1.0 + slope.abs()), "{what}: {slope}, not {difference}");
    }

    #[test]
    fn slopes_are_those_of_differences() {
        let names = [
            "arith.negf",
            "math.absf",
            "math.sqrt",
            "math.rsqrt",
            "math.cbrt",
            "math.sin",
            "math.cos",
            "math.tan",
            "math.asin",
            "math.acos",
            "math.atan",
            "math.sinh",
            "math.cosh",
            "math.tanh",
            "math.asinh",
            "math.atanh",
            "math.exp",
            "math.exp2",
            "math.expm1",
            "math.log",
            "math.log2",
            "math.log10",
            "math.log1p",
            "math.floor",
            "math.ceil",
            "math.round",
            "math.roundeven",
            "math.trunc",
        ];
        for name in names {
            let f = Unary::of(name).expect(name);
            for x in [0.3, 0.7] {
                let slope = slope(&mut Plain, f, &x, &f.value(x));
                check(&format!("{name} at {x}"), slope, difference(|h| f.value(x + h)));
            }
        }
        let x = 1.7;
        let slope = slope(&mut Plain, Unary::Acosh, &x, &x.acosh());
        check("math.acosh", slope, difference(|h| (x + h).acosh()));
    }

    #[test]
    fn partials_are_those_of_differences() {
        let names = [
            "arith.addf",
            "arith.subf",
            "arith.mulf",
            "arith.divf",
            "arith.remf",
            "arith.minnumf",
            "arith.maxnumf",
            "math.atan2",
            "math.powf",
            "math.copysign",
        ];
        for name in names {
            let f = Binary::of(name).expect(name);
            for (a, b) in [(1.3, 0.55), (0.6, 1.4), (2.3, -0.7)] {
                let y = f.value(a, b);
                let first = partial(&mut Plain, f, true, &a, &b, &y);
                check(&format!("{name} at {a}, {b} by the first"), first, difference(|h| f.value(a + h, b)));
                let second = partial(&mut Plain, f, false, &a, &b, &y);
                check(&format!("{name} at {a}, {b} by the second"), second, difference(|h| f.value(a, b + h)));
            }
        }
    }
}
