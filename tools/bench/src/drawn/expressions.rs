//! Random differentiable expressions over given values.
//!
//! What is written stays finite: each value has a range, each function is given only arguments for
//! which it and its derivative are bounded, and what could grow is scaled down. A bound (`max`,
//! `clamp`) is never met exactly by many inputs, since compilers disagree about derivatives there.

use super::write::{Helper, Value, Writer, type_of};

/// What a value may reach before it is scaled down.
const LIMIT: f64 = 12.0;

fn ranged(text: String, of: &Value, low: f64, high: f64, flat: bool) -> Value {
    Value { text, width: of.width, low, high, atom: false, plain: false, flat: of.flat || flat }
}

fn call(text: String, of: &Value, low: f64, high: f64) -> Value {
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
                ranged(
                    format!("{text} * {}", self.number(scale)),
                    &value,
                    value.low * scale,
                    value.high * scale,
                    false,
                )
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
    fn spread(&self, literal: &str, beside: &Value) -> String {
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

    /// Of two values, one that depends on both.
    pub fn binary(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.bounded(a), self.bounded(b));
        let (a, b) = match (a.width, b.width) {
            (m, n) if m == n || m == 1 || n == 1 => (a, b),
            _ => {
                let b = self.scalar(b);
                (a, b)
            }
        };
        // The wider first.
        let (a, b) = if a.width < b.width { (b, a) } else { (a, b) };
        let (a, b) = (self.short(a), self.short(b));
        let flat = a.flat || b.flat;
        let (x, y, p, q) = (a.text.clone(), b.text.clone(), a.operand(), b.operand());
        let ends = [a.low * b.low, a.low * b.high, a.high * b.low, a.high * b.high];
        let product = (ends.iter().copied().fold(f64::MAX, f64::min), ends.iter().copied().fold(f64::MIN, f64::max));
        let same = a.width == b.width;
        let made = match self.random.below(14) {
            0 | 1 => ranged(format!("{x} + {y}"), &a, a.low + b.low, a.high + b.high, flat),
            2 => ranged(format!("{p} - {q}"), &a, a.low - b.high, a.high - b.low, flat),
            3 | 4 => ranged(format!("{p} * {q}"), &a, product.0, product.1, flat),
            5 => {
                let (c, d) = self.literal(0.4, 1.2);
                let most = a.most() / d;
                ranged(format!("{p} / ({q} * {q} + {c})"), &a, -most, most, flat)
            }
            6 if same && !flat => {
                let f = self.random.pick(&["max", "min"]);
                call(format!("{f}({x}, {y})"), &a, a.low.min(b.low), a.high.max(b.high))
            }
            7 if same => {
                let (t, _) = self.literal(0.15, 0.85);
                let t = self.spread(&t, &a);
                call(format!("lerp({x}, {y}, {t})"), &a, a.low.min(b.low), a.high.max(b.high))
            }
            8 if same && a.width > 1 => {
                let most = a.most() * b.most() * a.width as f64;
                Value { width: 1, ..call(format!("dot({x}, {y})"), &a, -most, most) }
            }
            9 if same && a.width == 3 => {
                let most = 2.0 * a.most() * b.most();
                call(format!("cross({x}, {y})"), &a, -most, most)
            }
            10 => ranged(format!("{p} * exp(-{q} * {q})"), &a, -a.most(), a.most(), flat),
            11 if same && a.width > 1 && a.plain && b.plain => {
                let most = (a.most() + b.most()) * (a.width as f64).sqrt();
                Value { width: 1, ..call(format!("length({p} - {q})"), &a, 0.0, most) }
            }
            12 | 13 if self.depth < 2 => {
                let width = a.width;
                self.helper(vec![a, b], width)
            }
            _ => {
                let (t, k) = self.literal(0.2, 0.9);
                ranged(
                    format!("{x} + {t} * {q}"),
                    &a,
                    a.low + (k * b.low).min(0.0),
                    a.high + (k * b.high).max(0.0),
                    flat,
                )
            }
        };
        Value { flat: made.flat || flat, ..made }
    }

    /// A scalar that depends on each component.
    pub fn scalar(&mut self, v: Value) -> Value {
        if v.width == 1 {
            return v;
        }
        let v = self.short(v);
        let (x, o, n) = (v.text.clone(), v.operand(), v.width as f64);
        let one = |text, low, high| Value { width: 1, ..call(text, &v, low, high) };
        match self.random.below(4) {
            0 => one(format!("dot({x}, {x})"), 0.0, v.most().powi(2) * n),
            1 => {
                let (c, d) = self.literal(0.01, 0.2);
                one(format!("sqrt(dot({x}, {x}) + {c})"), d.sqrt(), (v.most().powi(2) * n + d).sqrt())
            }
            2 => {
                let weights: Vec<String> = (0..v.width).map(|_| self.literal(0.1, 0.6).0).collect();
                let text = format!("dot({x}, float{}({}))", v.width, weights.join(", "));
                one(text, -v.most() * 0.6 * n, v.most() * 0.6 * n)
            }
            _ => {
                let parts: Vec<String> = ["x", "y", "z", "w"][..v.width].iter().map(|c| format!("{o}.{c}")).collect();
                let most = v.most() * n;
                Value { atom: false, ..one(parts.join(" + "), -most, most) }
            }
        }
    }

    /// The same with another number of components.
    pub fn to_width(&mut self, v: Value, width: usize) -> Value {
        if v.width == width {
            return v;
        }
        if width == 1 {
            return self.scalar(v);
        }
        let v = if v.width == 1 { v } else { self.scalar(v) };
        let v = self.bounded(v);
        let v = self.short(v);
        let text = match self.random.below(3) {
            0 => format!("float{width}({})", v.text),
            1 => {
                let parts: Vec<String> = (0..width).map(|_| format!("{} * {}", v.operand(), self.literal(0.2, 1.0).0)).collect();
                format!("float{width}({})", parts.join(", "))
            }
            _ => {
                let parts: Vec<String> = (0..width)
                    .map(|k| match k % 3 {
                        0 => v.text.clone(),
                        1 => format!("{} + {}", v.text, self.literal(0.1, 0.9).0),
                        _ => format!("{} - {}", self.literal(0.1, 0.9).0, v.operand()),
                    })
                    .collect();
                format!("float{width}({})", parts.join(", "))
            }
        };
        Value { text, width, low: -v.most() - 1.0, high: v.most() + 1.0, atom: true, plain: false, flat: v.flat }
    }

    /// One value that depends on all of these.
    pub fn mix(&mut self, mut values: Vec<Value>, width: usize) -> Value {
        self.random.shuffle(&mut values);
        let alone = values.len() == 1;
        while values.len() > 1 {
            let at = self.random.below(values.len());
            let a = values.swap_remove(at);
            let at = self.random.below(values.len());
            let b = values.swap_remove(at);
            let a = if self.random.chance(45) { self.unary(a) } else { a };
            let mut made = self.binary(a, b);
            if made.text.len() > 60 || self.random.chance(20) {
                made = self.named(made);
            }
            values.push(made);
        }
        let Some(last) = values.pop() else { return Value::variable(self.all(width, 0.5), width, 0.5, 0.5) };
        let last = if alone || self.random.chance(40) { self.unary(last) } else { last };
        let last = self.to_width(last, width);
        self.bounded(last)
    }

    /// The same in one of two ways, by what was read from memory.
    pub fn branch(&mut self, on: &Value, values: &[Value], width: usize) -> Value {
        let component = if on.width == 1 { String::new() } else { ".x".to_string() };
        let middle = on.low + (on.high - on.low) * 0.3;
        let (bound, _) = self.literal(middle, middle + (on.high - on.low) * 0.4);
        if self.random.chance(30) {
            let [a, b] = [(), ()].map(|()| self.mix(values.to_vec(), width));
            let text = format!("{}{component} > {bound} ? {} : {}", on.operand(), a.operand(), b.operand());
            let value = Value { text, atom: false, ..Value::variable("", width, a.low.min(b.low), a.high.max(b.high)) };
            return Value { flat: true, ..self.named(value) };
        }
        let name = self.local();
        self.line(format!("{} {name};", type_of(width)));
        let mut range = (f64::MAX, f64::MIN);
        for head in [format!("if ({}{component} > {bound})", on.operand()), "else".into()] {
            self.open(head);
            let made = self.mix(values.to_vec(), width);
            range = (range.0.min(made.low), range.1.max(made.high));
            self.line(format!("{name} = {};", made.text));
            self.close();
        }
        Value { flat: true, ..Value::variable(name, width, range.0, range.1) }
    }

    /// A call of a function that was written before, if one suits, or of a new one.
    pub fn helper(&mut self, args: Vec<Value>, width: usize) -> Value {
        let suits = |h: &Helper| {
            h.result.width == width
                && h.params.len() == args.len()
                && h.params.iter().zip(&args).all(|(p, a)| p.width == a.width && p.low <= a.low && p.high >= a.high)
        };
        let flat = args.iter().any(|a| a.flat);
        let known: Vec<Helper> = self.helpers.iter().filter(|h| suits(h)).cloned().collect();
        let helper = if !known.is_empty() && (flat || self.depth > 0 || self.random.chance(60)) && !flat {
            self.random.pick(&known)
        } else {
            self.new_helper(&args, width)
        };
        let list: Vec<String> = args.iter().map(|a| a.text.clone()).collect();
        let text = format!("{}({})", helper.name, list.join(", "));
        Value { text, atom: true, ..helper.result }
    }

    fn new_helper(&mut self, args: &[Value], width: usize) -> Helper {
        let name = self.names.function(&mut self.random);
        let params: Vec<Value> = args
            .iter()
            .map(|a| Value { flat: a.flat, ..Value::variable(self.local(), a.width, a.low, a.high) })
            .collect();
        let list: Vec<String> = params.iter().map(|p| format!("{} {}", type_of(p.width), p.text)).collect();
        self.depth += 1;
        let mut result = Value::variable("", width, 0.0, 0.0);
        let signature = format!("[Differentiable]\n{} {name}({})", type_of(width), list.join(", "));
        self.function(&signature, |w| {
            let mut values = params.clone();
            if w.random.chance(40) {
                values.push(params[0].clone());
            }
            let made = if w.depth > 2 && values.len() == 1 { w.plain_unary(values[0].clone()) } else { w.mix(values, width) };
            w.line(format!("return {};", made.text));
            result = Value { text: String::new(), plain: false, ..made };
        });
        self.depth -= 1;
        let helper = Helper { name, params, result };
        self.helpers.push(helper.clone());
        helper
    }

    /// A function of one value that calls none of ours.
    fn plain_unary(&mut self, v: Value) -> Value {
        let text = format!("tanh({})", v.text);
        call(text, &v, -1.0, 1.0)
    }
}
