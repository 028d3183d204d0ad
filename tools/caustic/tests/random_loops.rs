//! Random programs with loops in each other, exits, arrays that change in place, branches and
//! calls: forward mode, reverse mode and differences agree, whatever is stored, computed again,
//! carried forward, or taken from snapshots.

use caustic_tool::FileSystem;
use std::fmt::Write;
use std::io;

struct File(String);

impl FileSystem for File {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Ok(self.0.clone().into_bytes())
    }
    fn is_file(&self, _: &str) -> bool {
        true
    }
}

/// Writes one program. Values stay small, so that differences are exact; conditions are on
/// integers, or far from where they change.
struct Generator {
    seed: u64,
    out: String,
    /// Loops around, with a bound on the product of their trip counts.
    counters: Vec<String>,
    room: u32,
    next: u32,
    /// A single scalar goes in, or many.
    few: bool,
}

impl Generator {
    fn draw(&mut self, n: u64) -> u64 {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) % n
    }
    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.draw(of.len() as u64) as usize]
    }
    fn line(&mut self, text: &str) {
        let depth = 4 * (self.counters.len() + 1);
        let _ = writeln!(self.out, "{:depth$}{text}", "");
    }

    fn int(&mut self) -> String {
        let counter = self.counters.last().cloned().unwrap_or_else(|| "n".into());
        match self.draw(5) {
            0 => "n".into(),
            1 => "hits".into(),
            2 => format!("({counter} * 3 + hits)"),
            3 => "int(seed >> 29)".into(),
            _ => counter,
        }
    }
    fn input(&mut self) -> String {
        let at = self.int();
        if self.few { "x".into() } else { format!("a[{at} & 11]") }
    }
    fn float(&mut self, depth: u32) -> String {
        let at = self.int();
        match self.draw(if depth == 0 { 4 } else { 9 }) {
            0 => self.input(),
            1 => "s".into(),
            2 => "t".into(),
            3 => format!("f[{at} & 3]"),
            4 => format!("0.5 * ({} + {})", self.float(depth - 1), self.float(depth - 1)),
            5 => format!("sin({} * {})", self.float(depth - 1), self.float(depth - 1)),
            6 => format!("({}) / (2.0 + cos({}))", self.float(depth - 1), self.float(depth - 1)),
            7 => format!("mix2({}, {})", self.float(depth - 1), self.input()),
            _ => format!("({at} & 1) == 0 ? {} : {}", self.float(0), self.float(0)),
        }
    }
    fn condition(&mut self) -> String {
        let at = self.int();
        self.pick(&["(K & 1) == 0", "(K % 3) == 1", "K > 2", "(K & 3) != 0"]).replace('K', &at)
    }

    fn block(&mut self, statements: u64) {
        for _ in 0..statements {
            self.statement();
        }
    }
    fn statement(&mut self) {
        let at = self.int();
        let value = self.float(2);
        let deep = self.counters.len() < 3 && self.room > 1;
        match self.draw(if deep { 13 } else { 9 }) {
            0 | 1 => self.line(&format!("s = sin({value}) + 0.25 * s;")),
            2 => self.line(&format!("t = t * 0.5 + sin({value});")),
            3 => self.line(&format!("f[{at} & 3] = sin({value});")),
            4 => self.line(&format!("f[{at} & 3] += 0.25 * sin({value});")),
            5 => self.line("seed = seed * 1664525u + 1013904223u;"),
            6 => self.line("hits++;"),
            7 => self.line(&format!("advance(s, f, {}, {at} & 3);", self.seed % 3)),
            8 => {
                let condition = self.condition();
                let exit = match self.draw(6) {
                    0 if !self.counters.is_empty() => Some("break;"),
                    1 if !self.counters.is_empty() => Some("continue;"),
                    2 => Some("return s + t;"),
                    _ => None,
                };
                match exit {
                    Some(exit) => self.line(&format!("if ({condition} && hits > 3) {exit}")),
                    None => {
                        self.line(&format!("if ({condition})"));
                        self.line("{");
                        self.block(1);
                        self.line("}");
                        self.line("else");
                        self.line("{");
                        self.block(1);
                        self.line("}");
                    }
                }
            }
            kind => {
                self.next += 1;
                let counter = format!("i{}", self.next);
                let bounds = ["2", "3", "n", "n - 3", "(hits & 3)"];
                let bound = match self.counters.last().cloned() {
                    Some(outer) if self.draw(3) == 0 => outer,
                    _ => self.pick(&bounds).to_string(),
                };
                let room = self.room;
                self.room = room / 4;
                if kind == 12 {
                    self.line(&format!("int {counter} = {bound};"));
                    self.line(&format!("while ({counter} > 0 && s < 100.0)"));
                    self.line("{");
                    // The step first, so that `continue` does not leave it out.
                    self.counters.push(counter.clone());
                    self.line(&format!("{counter} -= {};", 1 + self.seed % 2));
                } else {
                    self.line(&format!("for (int {counter} = 0; {counter} < {bound}; {counter}++)"));
                    self.line("{");
                    self.counters.push(counter);
                }
                let statements = 1 + self.draw(3);
                self.block(statements);
                self.counters.pop();
                self.line("}");
                self.room = room;
            }
        }
    }
}

fn program(seed: u64) -> String {
    let mut g = Generator {
        seed: seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1,
        out: String::new(),
        counters: Vec::new(),
        room: 64,
        next: 0,
        few: seed.is_multiple_of(2),
    };
    g.block(5);
    let parameter = if g.few { "float x" } else { "float a[12]" };
    format!(
        "[Differentiable]\nfloat mix2(float p, float q) {{ return p * 0.5 + sin(p * q) * 0.25; }}\n\
         [Differentiable]\nvoid advance(inout float s, inout float f[4], int k, int at)\n{{\n    \
         for (int i = 0; i < k + 1; i++)\n    {{\n        f[at] = 0.5 * f[(at + i) & 3] + 0.25 * s;\n        \
         s = sin(s) + 0.125 * f[at] * s;\n    }}\n}}\n\
         [Differentiable]\nfloat root({parameter}, float y, int n)\n{{\n    float s = y;\n    float t = 0.5;\n    \
         float f[4] = {{ y, 0.5, 0.25, 1.0 }};\n    uint seed = 7u;\n    int hits = 0;\n{}    return s + t * f[hits & 3] + f[0];\n}}\n",
        g.out
    )
}

#[test]
fn all_ways_to_differentiate_a_loop_agree() {
    let programs: u64 = std::env::var("LOOP_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(60);
    let mut loops = 0;
    for seed in 1..=programs {
        let source = program(seed);
        loops += source.matches("for (").count() + source.matches("while (").count() - 1;
        for way in [&[][..], &["--snapshots", "1"], &["--snapshots", "3"]] {
            let words = [&["gradcheck", "p.slang", "--function", "root", "--samples", "2"], way].concat();
            let args: Vec<String> = words.iter().map(|w| w.to_string()).collect();
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = caustic::main_with(&args, &mut out, &mut err, &File(source.clone()));
            let (out, err) = (String::from_utf8_lossy(&out), String::from_utf8_lossy(&err));
            assert_eq!(code, 0, "seed {seed} {way:?}\n{source}\n{out}{err}");
        }
    }
    assert!(loops as u64 > programs, "{loops} loops in {programs} programs: the generator makes too little");
}
