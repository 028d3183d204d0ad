//! Names that others see: of a kernel in PTX, of a kernel and its data in C.
//!
//! What the program calls something is kept where the other side takes it. A kernel that cannot
//! have its name there is refused: a launcher and a program in C find it by that. It must not know
//! what a name is of in the program.

use caustic_ir::codes;
use caustic_ir::{Diagnostic, Loc};
use rustc_hash::FxHashSet;

/// What PTX and the functions of GPUs take for themselves.
const TAKEN_IN_PTX: [&str; 4] = ["WARP_SZ", "_", "vprintf", "__assertfail"];

/// Keywords of C and C++, types of the header, and functions that any code may call.
const TAKEN_IN_C: &str = "alignas alignof and and_eq asm atomic_cancel auto bitand bitor bool break case catch char char8_t char16_t char32_t class \
    compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double \
    dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not \
    not_eq nullptr operator or or_eq private protected public register reinterpret_cast requires restrict return short signed sizeof static \
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename typeof union unsigned using \
    virtual void volatile wchar_t while xor xor_eq malloc free memcpy memmove memset int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t";

fn is_taken_in_c(word: &str) -> bool {
    TAKEN_IN_C.split_whitespace().any(|w| w == word)
}

/// A name as C and PTX spell names: a path becomes one word.
pub fn word(name: &str) -> String {
    let mut out: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if out.starts_with(|c: char| c.is_ascii_digit()) || out.is_empty() {
        out.insert(0, '_');
    }
    out
}

fn refused(name: &str, place: &str, loc: Loc) -> Diagnostic {
    Diagnostic::error(codes::E0853, loc, format!("an entry point cannot be called `{name}` {place}"))
        .with_note("the name means something else there; give the entry point another one")
}

/// What a kernel is called in PTX.
pub fn in_ptx(entry: &str, loc: Loc) -> Result<String, Diagnostic> {
    let name = word(entry);
    if TAKEN_IN_PTX.contains(&name.as_str()) { Err(refused(&name, "in PTX", loc)) } else { Ok(name) }
}

/// What a host's program begins with: a kernel makes room for it.
const MAIN: &str = "main";

/// What a kernel is called in C.
pub fn in_c(entry: &str, loc: Loc) -> Result<String, Diagnostic> {
    let mut name = word(entry);
    if name == MAIN {
        name.push('_');
    }
    if is_taken_in_c(&name) { Err(refused_in_c(&name, loc)) } else { Ok(name) }
}

/// Where the code of a kernel needs a function of C that is called like it.
pub fn refused_in_c(name: &str, loc: Loc) -> Diagnostic {
    refused(name, "in C", loc)
}

/// Words of one scope of C, none twice.
#[derive(Default)]
pub struct Scope {
    taken: FxHashSet<String>,
}

impl Scope {
    /// The word for a name that is declared in the scope.
    pub fn declare(&mut self, name: &str) -> String {
        let mut out = word(name);
        while is_taken_in_c(&out) || !self.taken.insert(out.clone()) {
            out.push('_');
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_those_of_the_other_language() {
        let mut scope = Scope::default();
        let words = ["a.b", "a_b", "new", "new_", "1", "x"].map(|n| scope.declare(n));
        assert_eq!(words, ["a_b", "a_b_", "new_", "new__", "_1", "x"]);
        assert_eq!(in_ptx("a.k", Loc::unknown()).ok().as_deref(), Some("a_k"));
        assert!(in_ptx("vprintf", Loc::unknown()).is_err() && in_ptx("new", Loc::unknown()).is_ok());
        assert!(in_c("new", Loc::unknown()).is_err() && in_c("vprintf", Loc::unknown()).is_ok());
        assert_eq!(in_c("main", Loc::unknown()).ok().as_deref(), Some("main_"));
    }
}
