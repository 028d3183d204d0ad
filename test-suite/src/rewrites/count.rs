//! Counts the ops of a function in its text: a vector op once for each lane; moves, constants,
//! conversions and the ends of blocks are nothing.

/// Ops by name, without their dialect, and how many there are of each.
#[derive(Default, Debug)]
pub struct Counted {
    ops: Vec<(String, usize)>,
    /// Negations count as ops.
    signs: bool,
}

/// What is counted by its own name only.
const FREE: [&str; 17] = [
    "constant",
    "extf",
    "truncf",
    "sitofp",
    "uitofp",
    "fptosi",
    "fptoui",
    "extsi",
    "extui",
    "trunci",
    "index_cast",
    "index_castui",
    "bitcast",
    "yield",
    "return",
    "for",
    "roundtrip",
];

/// The names that a kind stands for.
fn names(kind: &str) -> &[&str] {
    match kind {
        "add" => &["addf", "subf", "addi", "subi"],
        "mul" => &["mulf", "muli", "shli"],
        "div" => &["divf", "divsi", "divui"],
        "neg" => &["negf"],
        "abs" => &["absf", "absi"],
        "root" => &["sqrt", "rsqrt"],
        "cmp" => &["cmpf", "cmpi"],
        "pow" => &["powf"],
        "min" => &["minnumf", "minimumf", "minsi", "minui"],
        "max" => &["maxnumf", "maximumf", "maxsi", "maxui"],
        _ => &[],
    }
}

impl Counted {
    pub fn is_empty(&self) -> bool {
        self.ops.is_empty()
    }

    fn of_name(&self, name: &str) -> usize {
        self.ops.iter().filter(|(n, _)| n == name).map(|(_, count)| count).sum()
    }

    /// How many there are of a kind; `total` is all ops that do something.
    pub fn of(&self, kind: &str) -> usize {
        if kind == "total" {
            let free = |name: &str| FREE.contains(&name) || (name == "negf" && !self.signs);
            return self.ops.iter().filter(|(name, _)| !free(name)).map(|(_, count)| count).sum();
        }
        match names(kind) {
            [] => self.of_name(kind),
            names => names.iter().map(|name| self.of_name(name)).sum(),
        }
    }

    fn add(&mut self, name: &str, lanes: usize) {
        match self.ops.iter_mut().find(|(n, _)| n == name) {
            Some((_, count)) => *count += lanes,
            None => self.ops.push((name.to_string(), lanes)),
        }
    }
}

/// How many ops of a kind there may be, or have to be.
#[derive(Clone, Debug)]
pub struct Limit {
    kind: String,
    least: Option<usize>,
    most: Option<usize>,
}

impl Limit {
    /// `mul 2`: two at most; `if >= 1`: one at least; `fma = 3`: three.
    pub fn parse(text: &str) -> Result<Limit, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |n: &str| n.parse::<usize>().map_err(|_| format!("`{n}` is no number"));
        let (kind, least, most) = match words[..] {
            [kind, n] => (kind, None, Some(number(n)?)),
            [kind, ">=", n] => (kind, Some(number(n)?), None),
            [kind, "=", n] => (kind, Some(number(n)?), Some(number(n)?)),
            _ => return Err(format!("`{text}` is no limit")),
        };
        Ok(Limit { kind: kind.to_string(), least, most })
    }

    /// Whether it says nothing but what there may be at most.
    pub fn is_most(&self) -> bool {
        self.least.is_none()
    }

    /// What is wrong, if the limit is not kept.
    pub fn broken(&self, counted: &Counted) -> Option<String> {
        let found = counted.of(&self.kind);
        match (self.least, self.most) {
            (Some(least), _) if found < least => Some(format!("{found} {}, not {least} or more", self.kind)),
            (_, Some(most)) if found > most => Some(format!("{found} {}, not {most} or fewer", self.kind)),
            _ => None,
        }
    }
}

/// The text of a function, or of all if it is called `*`.
pub fn lines_of(code: &str, function: &str) -> String {
    let mut inside = function == "*";
    let mut out = String::new();
    for line in code.lines() {
        let text = line.trim_start();
        if let Some(rest) = text.strip_prefix("func.func ") {
            let name = rest.trim_start_matches("private ").trim_start_matches('@').trim_start_matches('"');
            let is_wanted = name.strip_prefix(function).is_some_and(|end| end.starts_with(['(', '"']));
            inside = function == "*" || is_wanted;
        }
        if inside {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// The ops of a function; `signs` says whether a negation is one.
pub fn of(code: &str, function: &str, signs: bool) -> Counted {
    let mut out = Counted { ops: Vec::new(), signs };
    let mut indices = Vec::new();
    for line in lines_of(code, function).lines() {
        let text = line.trim_start();
        let after = if text.starts_with('%') { text.split_once(" = ").map_or("", |(_, rest)| rest) } else { text };
        let op = after.split([' ', '(']).next().unwrap_or_default();
        let Some((dialect, name)) = op.split_once('.') else { continue };
        let lanes = lanes(text);
        if (dialect, name) == ("func", "func") {
            indices.clear();
        }
        if name.starts_with("index_cast") && is_cast_of_a_cast(text, &mut indices) {
            out.add("roundtrip", 1);
        }
        match (dialect, name) {
            ("arith" | "math", _) => out.add(name, lanes),
            ("scf", _) => out.add(name, 1),
            ("func", "call") => out.add("call", 1),
            ("vector", "reduction") => out.add("addf", lanes.saturating_sub(1)),
            _ => {}
        }
    }
    out
}

/// Whether a line casts an integer to an index that was one before; `integers` holds the names of
/// those that were.
fn is_cast_of_a_cast<'a>(line: &'a str, integers: &mut Vec<&'a str>) -> bool {
    let Some((name, rest)) = line.split_once(" = ") else { return false };
    let operand = rest.split_whitespace().nth(1).unwrap_or_default();
    if rest.ends_with("to index") {
        return integers.contains(&operand);
    }
    integers.push(name);
    false
}

/// The lanes of the vector type that a line names last.
fn lanes(line: &str) -> usize {
    let Some((_, ty)) = line.rsplit_once("vector<") else { return 1 };
    let sizes = ty.split('x').map_while(|n| n.parse::<usize>().ok());
    sizes.product::<usize>().max(1)
}
