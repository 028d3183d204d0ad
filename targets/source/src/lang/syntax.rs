//! How a shading language writes what the printer itself writes: declarations, heads of functions,
//! statements under a condition.

use crate::tree::Passed;

/// A language's ways to write them. Types and values are given as text.
pub struct Syntax {
    /// A parameter: its type and name.
    pub param: fn(&str, &str) -> String,
    /// What is before a function's body: its result, name and parameters.
    pub head: fn(Option<&str>, &str, &[String]) -> String,
    /// A parameter of the program: its type with what stands before it, its name, and how it is
    /// handed over.
    pub passed: fn(&str, &str, Passed) -> String,
    /// A variable: its type and name, and what it holds first.
    pub variable: fn(&str, &str, &str) -> String,
    /// The same of one of the program that nothing is assigned to.
    pub unassigned: fn(&str, &str, &str) -> String,
    /// The same of one that nobody can write.
    pub constant: fn(&str, &str, &str) -> String,
    /// A statement under a condition.
    pub when: fn(&str, &str) -> String,
    /// A statement for each number below a count, which has this name.
    pub repeat: fn(&str, &str, &str) -> String,
    /// A call of a function that updates a place.
    pub update: fn(&str, &str, &str) -> String,
    /// The head of a loop that is left from inside.
    pub forever: &'static str,
    /// One of two values by a condition; both may be evaluated.
    pub choose: fn(&str, &str, &str) -> String,
    /// Whether that is a call, also for vectors and of truth values in a vector.
    pub chooses_by_call: bool,
    /// An array of arrays of a type, by their sizes.
    pub array: fn(&str, &[u64]) -> String,
    /// All scalars of a type zero, where the language can say that of a type.
    pub zero: Option<fn(&str) -> String>,
    /// Whether operators of bits, and comparisons among others, need parentheses in all operators.
    pub strict: bool,
    /// Whether functions for several types may have one name.
    pub overloads: bool,
    /// What stands before variables whose sums and products are not put together.
    pub precise: &'static str,
    /// Whether comparisons and `!` are operators on vectors, too.
    pub compares_vectors: bool,
    /// The operator on vectors of truth values for one on truth values, if there is one, and how
    /// strongly it binds.
    pub on_truths: fn(&str) -> Option<(&'static str, u8)>,
}

/// The way of C.
pub static C: Syntax = Syntax {
    param: |ty, name| format!("{ty} {name}"),
    head: |result, name, params| format!("{} {name}({})", result.unwrap_or("void"), params.join(", ")),
    passed: |ty, name, how| match how {
        Passed::Value => format!("{ty} {name}"),
        Passed::Constant => format!("const {ty} {name}"),
        Passed::InOut => format!("inout {ty} {name}"),
        Passed::Out => format!("out {ty} {name}"),
    },
    variable: |ty, name, value| format!("{ty} {name} = {value};"),
    unassigned: |ty, name, value| format!("{ty} {name} = {value};"),
    constant: |ty, name, value| format!("const {ty} {name} = {value};"),
    when: |condition, statement| format!("if ({condition}) {statement}"),
    repeat: |name, count, statement| format!("for (uint {name} = 0u; {name} < {count}; {name}++) {statement}"),
    update: |function, place, args| format!("{function}({place}, {args})"),
    forever: "while (true)",
    choose: |condition, yes, no| format!("{condition} ? {yes} : {no}"),
    chooses_by_call: false,
    array: |word, sizes| format!("{word}{}", sizes.iter().map(|n| format!("[{n}]")).collect::<String>()),
    zero: None,
    strict: false,
    overloads: true,
    precise: "precise ",
    compares_vectors: false,
    on_truths: |_| None,
};

/// A condition without parentheses around all of it.
pub fn bare(text: &str) -> &str {
    let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) else { return text };
    let mut depth = 0i32;
    for c in inner.chars() {
        depth += i32::from(c == '(') - i32::from(c == ')');
        if depth < 0 {
            return text;
        }
    }
    inner
}
