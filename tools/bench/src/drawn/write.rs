//! The text of a program while it is drawn: what stands before the function that is being written,
//! and that function's lines.

use super::names::Names;
use super::random::Random;

/// A scalar or a vector of floats that the code being written can use.
#[derive(Clone, Debug)]
pub struct Value {
    pub text: String,
    /// 1 to 4.
    pub width: usize,
    /// Between which each component is.
    pub low: f64,
    pub high: f64,
    /// Whether the text needs no parentheses.
    pub atom: bool,
    /// Whether it comes from memory as it is: what compares it branches the same way everywhere.
    pub plain: bool,
    /// Whether many inputs give the same number, as below the bound of a `max`: there a further
    /// bound might be met exactly, where compilers choose different derivatives.
    pub flat: bool,
}

impl Value {
    pub fn variable(name: impl Into<String>, width: usize, low: f64, high: f64) -> Value {
        Value { text: name.into(), width, low, high, atom: true, plain: false, flat: false }
    }
    pub fn plain(self) -> Value {
        Value { plain: true, ..self }
    }
    /// As an operand of `*` or `.`.
    pub fn operand(&self) -> String {
        if self.atom { self.text.clone() } else { format!("({})", self.text) }
    }
    /// The largest magnitude of a component.
    pub fn most(&self) -> f64 {
        self.low.abs().max(self.high.abs())
    }
}

/// A helper function, which later code may call too.
#[derive(Clone, Debug)]
pub struct Helper {
    pub name: String,
    pub params: Vec<Value>,
    pub result: Value,
}

/// How additions to memory that threads share are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Adds {
    Atomic,
    /// By a function of the host, for a target without atomic functions.
    #[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "only comparisons on the CPU ask for it"))]
    Host,
}

/// What the host's function is called by.
const HOST_ADD: &str = "void addTo(__ref float to, float value) { __intrinsic_asm \"addAtomic($0, $1)\"; }\n\n";

pub struct Writer {
    pub random: Random,
    pub names: Names,
    pub adds: Adds,
    /// Everything before the function that is being written.
    pub head: String,
    pub helpers: Vec<Helper>,
    lines: Vec<String>,
    indent: usize,
    /// How many helper functions are being written.
    pub depth: usize,
    /// What follows a literal: `f` or nothing.
    suffix: &'static str,
    /// Whether buffers that threads add to are of `Atomic<float>`.
    atomic: bool,
}

pub fn type_of(width: usize) -> String {
    if width == 1 { "float".into() } else { format!("float{width}") }
}

impl Writer {
    pub fn new(seed: u64, adds: Adds) -> Writer {
        let mut random = Random::new(seed);
        let suffix = random.pick(&["f", "", "f"]);
        let atomic = random.chance(55);
        let head = match adds {
            Adds::Atomic => String::new(),
            Adds::Host => HOST_ADD.into(),
        };
        Writer {
            random,
            names: Names::default(),
            adds,
            head,
            helpers: Vec::new(),
            lines: Vec::new(),
            indent: 1,
            depth: 0,
            suffix,
            atomic,
        }
    }

    pub fn name(&mut self, words: &[&str]) -> String {
        self.names.one_of(&mut self.random, words)
    }
    pub fn local(&mut self) -> String {
        self.names.local(&mut self.random)
    }

    pub fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        self.lines.push(format!("{}{text}", "    ".repeat(self.indent)));
    }
    /// `{` and what follows, one step further to the right.
    pub fn open(&mut self, head: impl AsRef<str>) {
        self.line(head);
        self.line("{");
        self.indent += 1;
    }
    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }
    /// Begins a function apart from the one that is being written, whose lines it gives.
    pub fn begin(&mut self) -> (Vec<String>, usize) {
        (std::mem::take(&mut self.lines), std::mem::replace(&mut self.indent, 1))
    }
    /// Puts the function before the one of which these are the lines.
    pub fn end(&mut self, signature: &str, (lines, indent): (Vec<String>, usize)) {
        let own = std::mem::replace(&mut self.lines, lines);
        self.indent = indent;
        self.head += &format!("{signature}\n{{\n{}\n}}\n\n", own.join("\n"));
    }
    /// Writes a function apart from the one that is being written, and puts it before that.
    pub fn function(&mut self, signature: &str, body: impl FnOnce(&mut Writer)) {
        let kept = self.begin();
        body(self);
        self.end(signature, kept);
    }
    /// A method, as text to put into a struct.
    pub fn method(&mut self, signature: &str, body: impl FnOnce(&mut Writer)) -> String {
        let (lines, indent) = (std::mem::take(&mut self.lines), std::mem::replace(&mut self.indent, 2));
        body(self);
        let own = std::mem::replace(&mut self.lines, lines);
        self.indent = indent;
        format!("    {signature}\n    {{\n{}\n    }}\n", own.join("\n"))
    }
    pub fn top(&mut self, text: impl AsRef<str>) {
        self.head += text.as_ref();
        self.head += "\n";
    }

    /// A literal of few digits, and the number that it is.
    pub fn literal(&mut self, low: f64, high: f64) -> (String, f64) {
        let scale = if high - low < 0.5 { 1000.0 } else { 100.0 };
        let number = (self.random.real(low, high) * scale).round() / scale;
        (self.number(number), number)
    }
    pub fn number(&self, number: f64) -> String {
        let text = format!("{number}");
        let text = if text.contains('.') { text } else { text + ".0" };
        format!("{text}{}", self.suffix)
    }
    /// `float3(0.0)` and the like.
    pub fn all(&self, width: usize, number: f64) -> String {
        let text = self.number(number);
        if width == 1 { text } else { format!("float{width}({text})") }
    }

    /// The type of a buffer that threads add to.
    pub fn sums(&self) -> &'static str {
        match (self.adds, self.atomic) {
            (Adds::Atomic, true) => "RWStructuredBuffer<Atomic<float>>",
            _ => "RWStructuredBuffer<float>",
        }
    }
    /// `to += value`, by all threads; `to` is in a buffer of [`Writer::sums`], or behind a pointer.
    pub fn add(&mut self, to: &str, value: &str, in_buffer: bool) {
        match self.adds {
            Adds::Host => self.line(format!("addTo({to}, {value});")),
            Adds::Atomic if in_buffer && self.atomic => self.line(format!("{to}.add({value});")),
            Adds::Atomic => self.line(format!("InterlockedAdd({to}, {value});")),
        }
    }
}
