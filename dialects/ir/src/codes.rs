//! The codes of all findings: what each means, and by which name a warning is allowed or denied.
//!
//! A code is declared here and nowhere else; the places that find something give the code, the message and the place. The rule
//! `tidy/diagnostics` holds the tree to it: a code in the sources has a row, a row is used, and a case of the suite
//! shows that it can be found. Groups: `00` files and tools, `01` text and modules, `02` the language, `03` derivatives as declared,
//! `04` normalizing, `05` instances, `06` making derivatives, `08` running, `09` what is not there, `90` IR and the compiler itself.

/// A finding that can be made.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    /// `E0201`; `W0211` for warnings.
    pub code: &'static str,
    /// The name of a warning on the command line; empty for errors, which nothing silences.
    pub name: &'static str,
    pub meaning: &'static str,
}

const fn error(code: &'static str, meaning: &'static str) -> CodeRow {
    CodeRow { code, name: "", meaning }
}

const fn warning(code: &'static str, name: &'static str, meaning: &'static str) -> CodeRow {
    CodeRow { code, name, meaning }
}

/// In the order of their numbers, errors first.
pub const CODES: &[CodeRow] = &[
    error("E0011", "a pass pipeline is not written as pipelines are"),
    error("E0100", "the text does not follow the grammar"),
    error("E0101", "brackets do not match"),
    error("E0102", "something is nested too deeply"),
    error("E0103", "a comment, string or character does not end"),
    error("E0110", "a file of the program cannot be found, or is no text"),
    error("E0111", "macros, includes or imports make too much text, or too many files"),
    error("E0112", "a preprocessor directive is unknown, or not written as it must be"),
    error("E0113", "an `#error` of the program"),
    error("E0114", "a module or a part of one cannot be found"),
    error("E0115", "a file and the module that it says it belongs to do not fit"),
    error("E0116", "a module imports itself"),
    error("E0201", "a name is not declared"),
    error("E0202", "there is nothing that says what type this has"),
    error("E0203", "a value of one type stands where another is needed"),
    error("E0204", "a call has too few or too many arguments"),
    error("E0205", "a name is declared twice"),
    error("E0206", "an initializer is missing, or stands where none can be"),
    error("E0207", "a type cannot be used for this, or is too large"),
    error("E0208", "generic arguments do not fit their parameters"),
    error("E0209", "a declaration needs itself"),
    error("E0210", "a literal cannot be read"),
    error("E0212", "an operator does not take operands of these types"),
    error("E0213", "this cannot be called, or can only be called"),
    error("E0214", "there is no object for this member"),
    error("E0215", "this cannot be indexed, or not with this index"),
    error("E0216", "a constant index is out of range"),
    error("E0217", "a value or a type has no such member"),
    error("E0218", "this cannot be written or read"),
    error("E0219", "several functions fit a call equally well"),
    error("E0220", "an attribute's arguments do not fit, or it cannot stand here"),
    error("E0221", "a parameter without a default value follows one with a default value"),
    error("E0222", "a resource is an `out` or `inout` parameter"),
    error("E0223", "an entry point is called, or has parameters that it cannot have"),
    error("E0225", "an atomic operation that is not there for this type or place"),
    error("E0226", "an enum cannot be declared so"),
    error("E0227", "a member or declaration cannot be seen from here"),
    error("E0228", "an access modifier cannot stand here"),
    error("E0229", "a declaration can be seen by more than a type in its signature can"),
    error("E0230", "a name could be one of several declarations"),
    error("E0231", "a declaration needs instances of itself without end"),
    error("E0232", "a generic argument does not satisfy a constraint"),
    error("E0233", "a type lacks what an interface that it conforms to requires"),
    error("E0234", "a type that is no interface stands where one is needed"),
    error("E0235", "an associated type stands outside of an interface"),
    error("E0236", "a field stands in something that has no fields"),
    error("E0237", "a requirement cannot be called on a value whose type is not known"),
    error("E0238", "generic code compares values that have no order in this instance"),
    error("E0239", "a type does not conform to an interface"),
    error("E0240", "an integer is divided by a constant zero"),
    error("E0242", "the labels of a `switch` are wrong"),
    error("E0243", "a jump leads nowhere, or where it may not"),
    error("E0244", "a `return` and the function's result do not fit"),
    error("E0245", "a default implementation is replaced without `override`, or `override` replaces none"),
    error("E0246", "`is` or `as` asks for something that is no single type"),
    error("E0247", "what is linked or given on the command line is missing or does not fit"),
    error("E0248", "a variable of an interface's type may hold no value where it is used"),
    error("E0260", "a variable of this kind cannot be declared here"),
    error("E0261", "a value is not known at compile time"),
    error("E0262", "a compile-time value is of the wrong type or size"),
    error("E0264", "`$for` makes too many copies"),
    error("E0265", "a pack is missing, or stands where none can be"),
    error("E0266", "a pointer cannot be made or followed here"),
    error("E0270", "a call that may throw stands without `try`"),
    error("E0271", "nothing takes an error of this type"),
    error("E0272", "`try` stands where nothing throws"),
    error("E0281", "a capability, a target or a stage is unknown"),
    error("E0282", "requirements of targets and stages do not fit each other, or what programs are run on"),
    error("E0283", "a modifier cannot stand here"),
    error("E0284", "a constraint says nothing about the parameters of its declaration"),
    error("E0285", "a declaration cannot stand here"),
    error("E0286", "a register is of a class that this sort of resource does not have"),
    error("E0287", "a type is larger than values of its interface are said to be"),
    error("E0301", "a type is not differentiable"),
    error("E0302", "a function is not differentiable, or not in this mode"),
    error("E0303", "a function without a body is needed"),
    error("E0304", "an operator for derivatives is not given the name of a function"),
    error("E0305", "the derivative of a method lacks the pair for `this`"),
    error("E0306", "a given derivative does not have the signature that it must have"),
    error("E0307", "a derivative cannot be given to this function, or not so"),
    error("E0310", "a derivative is lost in an assignment"),
    error("E0311", "a derivative is lost in a call"),
    error("E0312", "an implementation of a differentiable requirement is not differentiable"),
    error("E0313", "a type cannot be the differential of this one"),
    error("E0314", "the fields of a type and of its chosen differential do not correspond"),
    error("E0315", "a differentiable pointer is an `out` or `inout` parameter"),
    error("E0316", "`no_diff` stands where it says nothing"),
    error("E0401", "control flow is nested too deeply"),
    error("E0402", "a loop to be unrolled runs for a number of times that is not known"),
    error("E0403", "an unrolled loop is too large"),
    error("E0404", "a differentiable function calls itself"),
    error("E0405", "a function to be inlined calls itself"),
    error("E0406", "inlining makes a function too large"),
    error("E0501", "generic code needs instances of itself without end"),
    error("E0502", "generic arguments do not allow an operation"),
    error("E0503", "a generic size has no value, or no type can have it"),
    error("E0504", "a value of an interface's type would contain itself"),
    error("E0505", "a requirement cannot be called on a value of an interface's type"),
    error("E0601", "a function whose derivative is needed calls itself"),
    error("E0602", "a function whose derivative is needed has no body"),
    error("E0603", "a derivative would flow through something that has none"),
    error("E0604", "a function needs its own derivative"),
    error("E0605", "derivatives are nested too deeply"),
    error("E0606", "a derivative is needed in a mode in which none is given"),
    error("E0607", "a derivative of a given derivative is needed, and it has none"),
    error("E0608", "a differentiable pointer without a derivative part is needed with one"),
    error("E0609", "a reverse derivative would have to choose a resource again"),
    error("E0610", "a reverse derivative would need a barrier that may not be passed"),
    error("E0801", "the program has no parameter of this name"),
    error("E0802", "a parameter cannot be bound or read so"),
    error("E0803", "there is no such entry point, or no such function"),
    error("E0804", "an option cannot be obeyed yet"),
    error("E0805", "there is nothing of this name to check the gradient of"),
    error("E0851", "`printf` cannot print a value of this type"),
    error("E0852", "a value does not fit into memory"),
    error("E0853", "an operation cannot be compiled for the target"),
    error("E0854", "the functions of floats for GPUs are not here"),
    error("E0900", "a part of the language is not supported"),
    error("E9001", "IR breaks a rule of an op, a type or an attribute"),
    error("E9999", "the compiler contradicts itself; no program should find it"),
    warning("W0113", "user-warning", "a `#warning` of the program"),
    warning("W0114", "unknown-pragma", "a `#pragma` that means nothing here"),
    warning("W0115", "macro-redefinition", "a macro is defined anew, or one that is not there is undefined"),
    warning(
        "W0206",
        "ignored-initializer",
        "a shader parameter has an initializer, and its value comes from elsewhere",
    ),
    warning("W0210", "literal-out-of-range", "a floating-point literal becomes zero or infinity in its type"),
    warning("W0211", "lossy-conversion", "an implicit conversion may lose data"),
    warning("W0220", "idle-attribute", "an attribute or a modifier that may stand here and changes nothing"),
    warning("W0224", "unknown-attribute", "an attribute that means nothing here"),
    warning("W0241", "missing-return", "a function may end without returning a value"),
    warning("W0311", "lost-derivative", "a value with a derivative is used as one of a type that has none"),
    warning(
        "W0312",
        "constant-parameter",
        "a differentiable function reads floats of a parameter whose type has no derivative",
    ),
];

/// The row of a code.
pub fn row(code: &str) -> Option<&'static CodeRow> {
    CODES.iter().find(|r| r.code == code)
}

/// The warnings, which have names.
pub fn warnings() -> impl Iterator<Item = &'static CodeRow> {
    CODES.iter().filter(|r| !r.name.is_empty())
}

/// The page of the book about them.
pub fn book_page() -> String {
    let mut out = String::from(
        "# Findings\n\nEvery finding has a code. Warnings also have a name, by which they are silenced (`--allow NAME`) or made errors \
         (`--deny NAME`); `all` is every warning. This page is generated from `dialects/ir/src/codes.rs`; \
         `test-suite/cases` has a program for each code but `E9999`.\n",
    );
    let (warnings, errors): (Vec<&CodeRow>, Vec<&CodeRow>) = CODES.iter().partition(|r| !r.name.is_empty());
    out.push_str("\n## Errors\n\n| code | meaning |\n| --- | --- |\n");
    errors.iter().for_each(|r| out.push_str(&format!("| `{}` | {} |\n", r.code, r.meaning)));
    out.push_str("\n## Warnings\n\n| code | name | meaning |\n| --- | --- | --- |\n");
    warnings.iter().for_each(|r| out.push_str(&format!("| `{}` | `{}` | {} |\n", r.code, r.name, r.meaning)));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_warnings_have_names() {
        assert!(CODES.windows(2).all(|w| w[0].code < w[1].code));
        let named = |r: &&CodeRow| r.code.starts_with('W') != r.name.is_empty();
        assert!(CODES.iter().all(|r| named(&r) && !r.meaning.is_empty()));
        let mut names: Vec<_> = warnings().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), warnings().count());
        let kebab = |n: &str| n != "all" && n.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        assert!(names.iter().all(|n| kebab(n)));
    }

    #[test]
    fn rows_are_found() {
        assert_eq!(row("W0211").map(|r| r.name), Some("lossy-conversion"));
        assert!(row("E0000").is_none());
        assert!(book_page().contains("| `E0201` | a name is not declared |"));
    }
}
