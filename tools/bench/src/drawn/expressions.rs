//! Random differentiable expressions over given values.
//!
//! What is written stays finite: each value has a range, each function is given only arguments for
//! which it and its derivative are bounded, and what could grow is scaled down. A bound (`max`,
//! `clamp`) is never met exactly by many inputs, since compilers disagree about derivatives there.

use super::write::{Value, Writer, type_of};

/// What a value may reach before it is scaled down.
const LIMIT: f64 = 12.0;

pub fn ranged(text: String, of: &Value, low: f64, high: f64, flat: bool) -> Value {
    Value { text, width: of.width, low, high, atom: false, plain: false, flat: of.flat || flat }
}

pub fn call(text: String, of: &Value, low: f64, high: f64) -> Value {
    Value { atom: true, ..ranged(text, of, low, high, false) }
}

impl Writer {
    /// A variable that holds the value.
    pub fn named(&mut self, value: Value) -> Value {
        let name = self.local();
        let ty = if self.random.chance(85) { type_of(value.width) } else { "let".into() };
        self.line(format!("{ty} {name} = {};", value.text));
        Value { text: name, atom: true, ..value }
    }
    /// The value, with a name if its text is long.
    pub fn short(&mut self, value: Value) -> Value {
        if value.text.len() > 24 || !value.atom && value.text.len() > 14 { self.named(value) } else { value }
    }
    /// The value, or something that follows it but stays within bounds.
    pub fn bounded(&mut self, value: Value) -> Value {
        let most = value.most();
        if most <= LIMIT {
            return value;
        }
        let text = value.operand();
        match self.random.below(3) {
            0 => call(format!("tanh({} * {})", text, self.number(0.2)), &value, -1.0, 1.0),
            1 if value.low >= 0.0 => {
                let value = self.short(value);
                let text = value.operand();
                ranged(format!("{text} / ({} + {text})", self.number(1.0)), &value, 0.0, 1.0, false)
            }
            _ => {
                let scale = (40.0 / most).round().max(1.0) / 10.0;
                let scale = if scale * most > LIMIT * 1.5 { (10.0 / most * 1000.0).round() / 1000.0 } else { scale };
                let scale = scale.max(0.001);
                ranged(format!("{text} * {}", self.number(scale)), &value, value.low * scale, value.high * scale, false)
            }
        }
    }

    fn unary_bound(&mut self, v: &Value) -> Value {
        let (x, l, h) = (&v.text, v.low, v.high);
        let (a, b) = (l + (h - l) * 0.25, l + (h - l) * 0.8);
        let (low, c) = self.literal(a, a + (h - l) * 0.2);
        let (high, d) = self.literal(b - (h - l) * 0.1, b);
        let (low, high) = (self.spread(&low, v), self.spread(&high, v));
        match self.random.below(5) {
            0 if !v.flat && l < -0.1 && h > 0.1 => call(format!("abs({x})"), v, 0.0, v.most()),
            1 if !v.flat && l < 0.9 && h > 0.1 && (l < -0.1 || h > 1.1) => {
                Value { flat: true, ..call(format!("saturate({x})"), v, l.max(0.0), h.min(1.0)) }
            }
            2 => Value { flat: true, ..call(format!("max({x}, {low})"), v, c, h) },
            3 => Value { flat: true, ..call(format!("min({x}, {high})"), v, l, d) },
            _ => Value { flat: true, ..call(format!("clamp({x}, {low}, {high})"), v, c, d) },
        }
    }

    /// A scalar literal as an argument beside a vector.
    pub fn spread(&self, literal: &str, beside: &Value) -> String {
        if beside.width == 1 { literal.into() } else { format!("float{}({literal})", beside.width) }
    }

    /// A function of one value.
    pub fn unary(&mut self, v: Value) -> Value {
        let v = self.bounded(v);
        let v = self.short(v);
        let (x, o, l, h) = (v.text.clone(), v.operand(), v.low, v.high);
        let one = self.number(1.0);
        match self.random.below(19) {
            0 if h <= 2.5 => call(format!("exp({x})"), &v, l.exp(), h.exp()),
            0 | 1 => {
                let (scale, k) = self.literal(0.3, 2.0);
                call(format!("exp(-{o} * {o} * {scale})"), &v, (-k * v.most() * v.most()).exp(), 1.0)
            }
            2 if l > 0.05 => call(format!("sqrt({x})"), &v, l.sqrt(), h.sqrt()),
            2 => {
                let (c, d) = self.literal(0.05, 0.6);
                call(format!("sqrt({o} * {o} + {c})"), &v, d.sqrt(), (h.max(-l).powi(2) + d).sqrt())
            }
            3 if l > 0.05 => call(format!("log({x})"), &v, l.ln(), h.ln()),
            3 => call(format!("log({one} + {o} * {o})"), &v, 0.0, (1.0 + v.most().powi(2)).ln()),
            4 => {
                let (c, _) = self.literal(0.5, 3.0);
                let f = self.random.pick(&["sin", "cos"]);
                call(format!("{f}({o} * {c})"), &v, -1.0, 1.0)
            }
            5 => call(format!("tanh({x})"), &v, l.tanh(), h.tanh()),
            6 => {
                let s = |x: f64| 1.0 / (1.0 + (-x).exp());
                ranged(format!("{one} / ({one} + exp(-{o}))"), &v, s(l), s(h), false)
            }
            7 | 8 => self.unary_bound(&v),
            9 => self.power(&v),
            10 if v.most() < 4.0 => ranged(format!("{o} * {o}"), &v, 0.0, v.most().powi(2), false),
            10 | 11 => ranged(format!("{one} / ({one} + {o} * {o})"), &v, 1.0 / (1.0 + v.most().powi(2)), 1.0, false),
            12 => {
                let ((scale, a), (more, b)) = (self.literal(0.2, 1.6), self.literal(-0.9, 0.9));
                ranged(format!("{o} * {scale} + {more}"), &v, l * a + b, h * a + b, false)
            }
            13 if v.width > 1 && v.plain => call(format!("normalize({x})"), &v, -1.0, 1.0),
            13 if v.width > 1 => {
                let (c, _) = self.literal(0.05, 0.5);
                ranged(format!("{o} / sqrt(dot({x}, {x}) + {c})"), &v, -1.0, 1.0, false)
            }
            14 if h - l > 0.3 => {
                let ((a, _), (b, _)) =
                    (self.literal(l + (h - l) * 0.1, l + (h - l) * 0.4), self.literal(l + (h - l) * 0.6, h));
                let range = Value { text: format!("saturate(({o} - {a}) / ({b} - {a}))"), ..v.clone() };
                let t = self.named(range);
                let (two, three) = (self.number(2.0), self.number(3.0));
                let text = format!("{0} * {0} * ({three} - {two} * {0})", t.text);
                ranged(text, &v, 0.0, 1.0, true)
            }
            15 if self.depth < 2 => self.octaves(&v),
            16 if v.width > 1 => {
                let n = v.width;
                let numbers: Vec<String> = (0..n * n).map(|_| self.literal(-0.7, 0.7).0).collect();
                let most = v.most() * 0.7 * n as f64;
                let product = match self.random.chance(50) {
                    true => format!("mul(float{n}x{n}({}), {x})", numbers.join(", ")),
                    false => format!("mul({x}, float{n}x{n}({}))", numbers.join(", ")),
                };
                call(product, &v, -most, most)
            }
            _ => self.helper(vec![v.clone()], v.width),
        }
    }

    /// A sum of waves of rising frequency, in a loop in a function of its own.
    fn octaves(&mut self, v: &Value) -> Value {
        let name = self.name(&["fbm", "octaves", "waves", "harmonics"]);
        let ty = type_of(v.width);
        let count = self.random.between(2, 6);
        let attribute = if self.random.chance(50) { "[ForceUnroll]".into() } else { format!("[MaxIters({count})]") };
        let (wave, gain) = (self.random.pick(&["sin", "cos", "tanh"]), self.random.pick(&[0.5, 0.6, 0.45]));
        let (zero, half, gain, one) = (self.all(v.width, 0.0), self.number(1.7), self.number(gain), self.number(1.0));
        self.depth += 1;
        self.function(&format!("[Differentiable]\n{ty} {name}({ty} p)"), |w| {
            w.line(format!("{ty} total = {zero};"));
            w.line(format!("float amplitude = {one};"));
            w.line(format!("float frequency = {one};"));
            w.line(attribute);
            w.open(format!("for (int octave = 0; octave < {count}; octave++)"));
            w.line(format!("total += {wave}(p * frequency) * amplitude;"));
            w.line(format!("amplitude *= {gain};"));
            w.line(format!("frequency *= {half};"));
            w.close();
            w.line("return total;");
        });
        self.depth -= 1;
        call(format!("{name}({})", v.text), v, -2.5, 2.5)
    }

    fn power(&mut self, v: &Value) -> Value {
        let (e, k) = if self.random.chance(30) {
            let k = self.random.pick(&[2.0, 3.0, 4.0, 0.5, 2.2]);
            (self.number(k), k)
        } else {
            self.literal(0.4, 2.6)
        };
        let e = self.spread(&e, v);
        if v.low > 0.05 && v.high < 3.0 {
            return call(format!("pow({}, {e})", v.text), v, v.low.powf(k), v.high.powf(k));
        }
        let (c, d) = self.literal(0.06, 0.3);
        let top = v.most().min(3.0);
        if v.most() > 3.0 {
            let inner = format!("saturate({} * {})", v.operand(), self.number(0.1));
            let text = format!("pow({inner} + {c}, {e})");
            return Value { flat: true, ..call(text, v, d.powf(k), (1.0 + d).powf(k)) };
        }
        call(format!("pow(abs({}) + {c}, {e})", v.text), v, d.powf(k), (top + d).powf(k))
    }
}
