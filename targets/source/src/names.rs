//! Names: as the programmer wrote them, unless a language or another name forbids it.
//!
//! A name that is taken becomes `name_`, then `name_2`, `name_3`. No name begins with `_`, holds
//! `__` or ends with a number that was not asked for, so that none is one of the language's own.
//!
//! Invariant: a scope gives no name twice. What it gives depends on the order of asking alone.

use rustc_hash::{FxHashMap, FxHashSet};

/// How a name of the program ends in an unfinished text that a helper of the text has there. No
/// name that is declared ends so.
pub const MARK: &str = "__";

/// The name that a word of an unfinished text is the marked one of. Words of languages that end so
/// begin so, as `__device__`.
pub fn unmarked(word: &str) -> Option<&str> {
    word.strip_suffix(MARK).filter(|name| !name.is_empty() && !name.starts_with('_'))
}

/// Names that are taken.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    taken: FxHashSet<String>,
    /// Names that what the text brings itself has as long as the program has no use for them.
    lent: FxHashSet<String>,
    /// What no name begins with.
    prefix: Option<&'static str>,
}

impl Scope {
    /// A scope in which these words cannot be names.
    pub fn with_reserved<'w>(words: impl Iterator<Item = &'w str>) -> Scope {
        Scope { taken: words.map(str::to_string).collect(), ..Scope::default() }
    }

    /// The same, where no name begins with `prefix`.
    pub fn without(self, prefix: Option<&'static str>) -> Scope {
        Scope { prefix, ..self }
    }

    fn is_free(&self, name: &str) -> bool {
        !self.taken.contains(name) && !self.lent.contains(name)
    }

    fn base(&self, wanted: &str) -> String {
        let mut base = spell(wanted);
        if self.prefix.is_some_and(|prefix| base.starts_with(prefix)) {
            base.insert(0, 'n');
        }
        base
    }

    /// A name for what the program calls `wanted`, to which a lent one is given back: it is marked
    /// ([`MARK`]) until the text is finished.
    pub fn declare_own(&mut self, wanted: &str) -> String {
        let base = self.base(wanted);
        let marked = format!("{base}{MARK}");
        if self.lent.contains(&base) && !self.taken.contains(&base) && self.taken.insert(marked.clone()) {
            return marked;
        }
        self.declare(wanted)
    }

    /// Whether a lent name is given back.
    pub fn is_given_back(&self, name: &str) -> bool {
        self.taken.contains(&format!("{name}{MARK}"))
    }

    /// A name for what the program calls `wanted`.
    pub fn declare(&mut self, wanted: &str) -> String {
        let base = self.base(wanted);
        if self.is_free(&base) {
            self.taken.insert(base.clone());
            return base;
        }
        let base = base.strip_suffix('_').map(str::to_string).unwrap_or(base);
        let first = format!("{base}_");
        let candidates = (2..).map(|n| format!("{base}_{n}"));
        let fresh = std::iter::once(first).chain(candidates).find(|name| self.is_free(name));
        let name = fresh.unwrap_or(base);
        self.taken.insert(name.clone());
        name
    }

    /// Names for all of these, of which two may have one name unless they `meet`, by their numbers.
    /// Those that may stay as they are do, whatever the others become.
    pub fn declare_apart(&mut self, wanted: &[impl AsRef<str>], meet: &dyn Fn(usize, usize) -> bool) -> Vec<String> {
        let stays = |w: &str| spell(w) == w;
        let (first, then): (Vec<usize>, Vec<usize>) = (0..wanted.len()).partition(|&k| stays(wanted[k].as_ref()));
        let mut given: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        let mut names = vec![String::new(); wanted.len()];
        for at in first.into_iter().chain(then) {
            let fits = |name: &String| {
                self.is_free(name) && given.get(name).is_none_or(|all| !all.iter().any(|&other| meet(at, other)))
            };
            let base = self.base(wanted[at].as_ref());
            let stem = base.strip_suffix('_').unwrap_or(&base).to_string();
            let others = std::iter::once(format!("{stem}_")).chain((2..).map(|n| format!("{stem}_{n}")));
            let name = std::iter::once(base.clone()).chain(others).find(fits).unwrap_or(base);
            given.entry(name.clone()).or_default().push(at);
            names[at] = name;
        }
        given.into_keys().for_each(|name| {
            self.taken.insert(name);
        });
        names
    }

    /// Names for all of these, to which lent names are given back. Those that may stay as they are
    /// do, whatever the others become.
    pub fn declare_all_own(&mut self, wanted: &[impl AsRef<str>]) -> Vec<String> {
        let stays = |w: &str| spell(w) == w;
        let first = wanted.iter().map(|w| stays(w.as_ref()).then(|| self.declare_own(w.as_ref())));
        let first: Vec<Option<String>> = first.collect();
        let all = first.into_iter().zip(wanted);
        all.map(|(name, wanted)| name.unwrap_or_else(|| self.declare_own(wanted.as_ref()))).collect()
    }

    /// Names that come marked where the program wants them.
    pub fn lend(&mut self, name: &str) {
        self.lent.insert(name.to_string());
    }

    /// Takes a name that is none of the program's.
    pub fn reserve(&mut self, name: &str) {
        self.taken.insert(name.to_string());
    }
}

/// What operators do, by their signs, longer ones first.
const OPERATORS: [(&str, &str); 35] = [
    ("<<=", "shift_left_assign"),
    (">>=", "shift_right_assign"),
    ("+=", "add_assign"),
    ("-=", "sub_assign"),
    ("*=", "mul_assign"),
    ("/=", "div_assign"),
    ("%=", "mod_assign"),
    ("&=", "bit_and_assign"),
    ("|=", "bit_or_assign"),
    ("^=", "bit_xor_assign"),
    ("==", "equal"),
    ("!=", "not_equal"),
    ("<=", "less_equal"),
    (">=", "greater_equal"),
    ("&&", "and"),
    ("||", "or"),
    ("<<", "shift_left"),
    (">>", "shift_right"),
    ("++", "increment"),
    ("--", "decrement"),
    ("()", "call"),
    ("+", "add"),
    ("-", "sub"),
    ("*", "mul"),
    ("/", "div"),
    ("%", "mod"),
    ("<", "less"),
    (">", "greater"),
    ("!", "not"),
    ("~", "bit_not"),
    ("&", "bit_and"),
    ("|", "bit_or"),
    ("^", "bit_xor"),
    ("?:", "choose"),
    (",", "comma"),
];

/// The operation of an operator that is called by its sign, which the rest of a name begins with.
fn operation(before: &str, rest: &str) -> Option<(&'static str, usize)> {
    let found = before.ends_with("operator").then(|| OPERATORS.iter().find(|(sign, _)| rest.starts_with(sign)));
    found.flatten().map(|(sign, name)| (*name, sign.len()))
}

/// A symbol as an identifier: what is no letter or digit parts words, but for operators.
pub fn spell(symbol: &str) -> String {
    let (mut out, mut sign_ends) = (String::new(), 0);
    for (at, c) in symbol.char_indices() {
        if at < sign_ends {
            continue;
        }
        if let Some((name, length)) = operation(&symbol[..at], &symbol[at..]) {
            out.push_str(&format!("_{name}"));
            sign_ends = at + length;
            continue;
        }
        if c.is_ascii_alphanumeric() {
            out.push(c);
        } else if !c.is_ascii() {
            // An identifier of the program may have letters that no target's has.
            out.push_str(&format!("u{:x}", c as u32));
        } else if !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
    }
    out.truncate(out.trim_end_matches('_').len());
    if symbol.ends_with('_') && !out.is_empty() {
        out.push('_');
    }
    if out.is_empty() || out.starts_with(|c: char| c.is_ascii_digit()) {
        out.insert(0, 'n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_programs_where_they_can_be() {
        let mut scope = Scope::with_reserved(["float", "int"].into_iter());
        let given = ["x", "x", "x", "float", "_x", "a__b", "Material.Differential", "bwd_diff(f)", "é", ""];
        let wanted = ["x", "x_", "x_2", "float_", "x_3", "a_b", "Material_Differential", "bwd_diff_f", "ue9", "n"];
        assert_eq!(given.map(|g| scope.declare(g)), wanted);
        assert_eq!(["operator*", "V.operator<=(f)"].map(spell), ["operator_mul", "V_operator_less_equal_f"]);
        let mut scope = Scope::default();
        let given = ["_x", "x_", "x", "x", "y__", "y_", "_"];
        assert_eq!(scope.declare_apart(&given, &|_, _| true), ["x_3", "x_", "x", "x_2", "y_2", "y_", "n"]);
        let mut scope = Scope::with_reserved(["i_2"].into_iter());
        assert_eq!(scope.declare_apart(&["i", "i", "i", "i"], &|a, b| a == 0 || b == 0), ["i", "i_", "i_", "i_"]);
        let mut scope = Scope::with_reserved(["float"].into_iter());
        ["add", "float"].iter().for_each(|name| scope.lend(name));
        assert_eq!(["add", "float", "add_"].map(|g| scope.declare(g)), ["add_", "float_", "add_2"]);
        assert_eq!(["add", "add", "float"].map(|g| scope.declare_own(g)), ["add__", "add_3", "float_2"]);
        assert_eq!(["add", "float"].map(|name| scope.is_given_back(name)), [true, false]);
        assert_eq!(["add__", "__device__", "add_", "__"].map(unmarked), [Some("add"), None, None, None]);
        let mut scope = Scope::default().without(Some("gl_"));
        assert_eq!(["gl_x", "ngl_x", "glow"].map(|g| scope.declare(g)), ["ngl_x", "ngl_x_", "glow"]);
    }
}
