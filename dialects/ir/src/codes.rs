//! The codes of all diagnostics: what each means, and by which name a warning is allowed or denied.
//!
//! A code is declared here and nowhere else; the places that find something give the code, the
//! message and the place. The rule `tidy/diagnostics` holds the tree to it: a code in the sources
//! has a row, a row is used, and a case of the suite shows that it can be found. Groups: `00` files
//! and tools, `01` text and modules, `02` the language, `03` derivatives as declared, `04`
//! normalizing, `05` instances, `06` making derivatives, `08` running, `09` what is not there, `90`
//! IR and the compiler itself.

/// A diagnostic that can be made.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    pub code: Code,
    /// The name of a warning on the command line; empty for errors, which nothing silences.
    pub name: &'static str,
    pub meaning: &'static str,
}

/// The code of a diagnostic: one of the constants below, so that a code without a row does not
/// compile.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(&'static str);

impl Code {
    /// `E0201`; `W0211` for warnings.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
    /// The code of this text, if there is a row for it.
    pub fn named(text: &str) -> Option<Code> {
        CODES.iter().map(|row| row.code).find(|code| code.0 == text)
    }
}
impl std::ops::Deref for Code {
    type Target = str;
    fn deref(&self) -> &str {
        self.0
    }
}
impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.0)
    }
}
impl std::fmt::Debug for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}
impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}
impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}
impl PartialEq<String> for Code {
    fn eq(&self, other: &String) -> bool {
        self.0 == other
    }
}
impl From<Code> for &'static str {
    fn from(code: Code) -> Self {
        code.0
    }
}

/// A row each: the code, and for a warning its name, then what it means.
macro_rules! codes {
    ( $( $code:ident = $severity:ident $($name:literal)?, $meaning:literal; )* ) => {
        $( #[doc = $meaning] pub const $code: Code = Code(stringify!($code)); )*

        /// In the order of their numbers, errors first.
        pub const CODES: &[CodeRow] =
            &[ $( CodeRow { code: $code, name: concat!($($name)?), meaning: $meaning } ),* ];
    };
}

codes! {
    E0011 = Error, "a pass pipeline is not written as pipelines are";
    E0100 = Error, "the text does not follow the grammar";
    E0101 = Error, "brackets do not match";
    E0102 = Error, "something is nested too deeply";
    E0103 = Error, "a comment, string or character does not end";
    E0110 = Error, "a file of the program cannot be found, or is no text";
    E0111 = Error, "macros, includes or imports make too much text, or too many files";
    E0112 = Error, "a preprocessor directive is unknown, or not written as it must be";
    E0113 = Error, "an `#error` of the program";
    E0114 = Error, "a module or a part of one cannot be found";
    E0115 = Error, "a file and the module that it says it belongs to do not fit";
    E0116 = Error, "a module imports itself";
    E0201 = Error, "a name is not declared";
    E0202 = Error, "there is nothing that says what type this has";
    E0203 = Error, "a value of one type stands where another is needed";
    E0204 = Error, "a call has too few or too many arguments";
    E0205 = Error, "a name is declared twice";
    E0206 = Error, "an initializer is missing, or stands where none can be";
    E0207 = Error, "a type cannot be used for this, or is too large";
    E0208 = Error, "generic arguments do not fit their parameters";
    E0209 = Error, "a declaration needs itself";
    E0210 = Error, "a literal cannot be read";
    E0212 = Error, "an operator does not take operands of these types";
    E0213 = Error, "this cannot be called, or can only be called";
    E0214 = Error, "there is no object for this member";
    E0215 = Error, "this cannot be indexed, or not with this index";
    E0216 = Error, "a constant index is out of range";
    E0217 = Error, "a value or a type has no such member";
    E0218 = Error, "this cannot be written or read";
    E0219 = Error, "several functions fit a call equally well";
    E0220 = Error, "an attribute's arguments do not fit, or it cannot stand here";
    E0221 = Error, "a parameter without a default value follows one with a default value";
    E0222 = Error, "a resource is an `out` or `inout` parameter";
    E0223 = Error, "an entry point is called, or has parameters that it cannot have";
    E0225 = Error, "an atomic operation that is not there for this type or place";
    E0226 = Error, "an enum cannot be declared so";
    E0227 = Error, "a member or declaration cannot be seen from here";
    E0228 = Error, "an access modifier cannot stand here";
    E0229 = Error, "a declaration can be seen by more than a type in its signature can";
    E0230 = Error, "a name could be one of several declarations";
    E0231 = Error, "a declaration needs instances of itself without end";
    E0232 = Error, "a generic argument does not satisfy a constraint";
    E0233 = Error, "a type lacks what an interface that it conforms to requires";
    E0234 = Error, "a type that is no interface stands where one is needed";
    E0235 = Error, "an associated type stands outside of an interface";
    E0236 = Error, "a field stands in something that has no fields";
    E0237 = Error, "a requirement cannot be called on a value whose type is not known";
    E0238 = Error, "generic code compares values that have no order in this instance";
    E0239 = Error, "a type does not conform to an interface";
    E0240 = Error, "an integer is divided by a constant zero";
    E0242 = Error, "the labels of a `switch` are wrong";
    E0243 = Error, "a jump leads nowhere, or where it may not";
    E0244 = Error, "a `return` and the function's result do not fit";
    E0245 = Error, "a default implementation is replaced without `override`, or `override` replaces none";
    E0246 = Error, "`is` or `as` asks for something that is no single type";
    E0247 = Error, "what is linked or given on the command line is missing or does not fit";
    E0248 = Error, "a variable of an interface's type may hold no value where it is used";
    E0249 = Error, "an assignment stands where a condition is asked for";
    E0260 = Error, "a variable of this kind cannot be declared here";
    E0261 = Error, "a value is not known at compile time";
    E0262 = Error, "a compile-time value is of the wrong type or size";
    E0264 = Error, "`$for` makes too many copies";
    E0265 = Error, "a pack is missing, or stands where none can be";
    E0266 = Error, "a pointer cannot be made or followed here";
    E0270 = Error, "a call that may throw stands without `try`";
    E0271 = Error, "nothing takes an error of this type";
    E0272 = Error, "`try` stands where nothing throws";
    E0281 = Error, "a capability, a target or a stage is unknown";
    E0282 = Error, "requirements of targets and stages do not fit each other, or what programs are run on";
    E0283 = Error, "a modifier cannot stand here";
    E0284 = Error, "a constraint says nothing about the parameters of its declaration";
    E0285 = Error, "a declaration cannot stand here";
    E0286 = Error, "a register is of a class that this sort of resource does not have";
    E0287 = Error, "a type is larger than values of its interface are said to be";
    E0301 = Error, "a type is not differentiable";
    E0302 = Error, "a function is not differentiable, or not in this mode";
    E0303 = Error, "what is run needs a function that is only declared";
    E0304 = Error, "an operator for derivatives is not given the name of a function";
    E0305 = Error, "the derivative of a method lacks the pair for `this`";
    E0306 = Error, "a custom derivative does not have the signature that it must have";
    E0307 = Error, "a derivative cannot be given to this function, or not so";
    E0310 = Error, "a derivative is lost in an assignment";
    E0311 = Error, "a derivative is lost in a call";
    E0312 = Error, "an implementation of a differentiable requirement is not differentiable";
    E0313 = Error, "a type cannot be the differential of this one";
    E0314 = Error, "the fields of a type and of its chosen differential do not correspond";
    E0315 = Error, "a differentiable pointer is an `out` or `inout` parameter";
    E0316 = Error, "`no_diff` stands where it says nothing";
    E0401 = Error, "control flow is nested too deeply";
    E0402 = Error, "a loop to be unrolled runs for a number of times that is not known";
    E0403 = Error, "an unrolled loop is too large";
    E0404 = Error, "a differentiable function calls itself";
    E0405 = Error, "a function to be inlined calls itself";
    E0406 = Error, "inlining makes a function too large";
    E0501 = Error, "generic code needs instances of itself without end";
    E0502 = Error, "generic arguments do not allow an operation";
    E0503 = Error, "a generic size has no value, or no type can have it";
    E0504 = Error, "a value of an interface's type would contain itself";
    E0505 = Error, "a requirement cannot be called on a value of an interface's type";
    E0601 = Error, "a function whose derivative is needed calls itself";
    E0602 = Error, "a function whose derivative is needed has no body";
    E0603 = Error, "a derivative would flow through something that has none";
    E0604 = Error, "a function needs its own derivative";
    E0605 = Error, "derivatives are nested too deeply";
    E0606 = Error, "a derivative is needed in a mode in which none is given";
    E0607 = Error, "a derivative of a custom derivative is needed, and it has none";
    E0608 = Error, "a differentiable pointer without a derivative part is needed with one";
    E0609 = Error, "a reverse derivative would have to choose a resource again";
    E0610 = Error, "a reverse derivative would need a barrier that may not be passed";
    E0801 = Error, "the program has no parameter of this name";
    E0802 = Error, "a parameter cannot be bound or read so";
    E0803 = Error, "there is no such entry point, or no such function";
    E0804 = Error, "an option cannot be obeyed yet";
    E0805 = Error, "there is nothing of this name to check the gradient of";
    E0851 = Error, "`printf` cannot print a value of this type";
    E0852 = Error, "a value does not fit into memory";
    E0853 = Error, "an operation cannot be compiled for the target";
    E0854 = Error, "the functions of floats for GPUs are not here";
    E0900 = Error, "a part of the language is not supported";
    E9001 = Error, "IR breaks a rule of an op, a type or an attribute";
    E9999 = Error, "the compiler contradicts itself; no program should find it";
    W0113 = Warning "user-warning", "a `#warning` of the program";
    W0114 = Warning "unknown-pragma", "a `#pragma` that means nothing here";
    W0115 = Warning "macro-redefinition", "a macro is defined anew, or one that is not there is undefined";
    W0206 = Warning "ignored-initializer", "a shader parameter has an initializer, and its value comes from elsewhere";
    W0210 = Warning "literal-out-of-range", "a floating-point literal becomes zero or infinity in its type";
    W0211 = Warning "lossy-conversion", "an implicit conversion may lose data";
    W0213 = Warning "void-variable", "a variable is declared of what has no value";
    W0220 = Warning "idle-attribute", "an attribute or a modifier that may stand here and changes nothing";
    W0224 = Warning "unknown-attribute", "an attribute that means nothing here";
    W0241 = Warning "missing-return", "a function may end without returning a value";
    W0242 = Warning "unreachable-statement", "a statement of a `switch` before its first label";
    W0243 = Warning "unused-comparison", "nothing is made of the result of `==`";
    W0311 = Warning "lost-derivative", "a value with a derivative is used as one of a type that has none";
    W0312 = Warning "constant-parameter", "a differentiable function reads floats of a parameter whose type has no derivative";
    W0853 = Warning "dropped-printf", "`printf` is left out, since the language that is written has none";
}

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
        "# Diagnostics\n\nEvery diagnostic has a code. Warnings also have a name, by which a host silences them or makes them errors; \
         `all` is every warning. This page is generated from `dialects/ir/src/codes.rs`; \
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
