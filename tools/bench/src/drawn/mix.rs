//! Random expressions over several values: operators, sums over components, branches, calls of
//! functions that are drawn too.

use super::expressions::{call, ranged};
use super::write::{Helper, Value, Writer, type_of};

impl Writer {
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
    pub fn widened(&mut self, v: Value, width: usize) -> Value {
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
                let parts: Vec<String> =
                    (0..width).map(|_| format!("{} * {}", v.operand(), self.literal(0.2, 1.0).0)).collect();
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
        let last = self.widened(last, width);
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
        let helper = if !flat && !known.is_empty() && (self.depth > 0 || self.random.chance(60)) {
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
            let made =
                if w.depth > 2 && values.len() == 1 { w.plain_unary(values[0].clone()) } else { w.mix(values, width) };
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
