//! The words with a meaning to the front end, read from its sources: a name that does not occur
//! there cannot be special.
//!
//! The words are the string literals in the front end's code, the keywords of its grammar, and the
//! names that its prelude and its own modules declare. The list may contain words without a
//! meaning; then a name is kept that could have been renamed, which does no harm.

use super::scan::{is_word, words};
use crate::tidy::code_lines;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::OnceLock;

#[derive(Clone, Debug, Default)]
pub struct Vocabulary {
    words: BTreeSet<String>,
}

/// Words that the driver recognizes, attributes of other tools, and words of the preprocessor.
const MORE: &[&str] = &["defined", "once", "pragma", "vk", "binding", "push_constant", "Differential", "This", "this"];

/// Words that are only special if nothing else selects a function. The code that renames decides
/// about them.
const LESS: &[&str] = &["computeMain"];

/// The vocabulary of the repository that this is built from, read once.
pub fn shared() -> Result<&'static Vocabulary, String> {
    static READ: OnceLock<Result<Vocabulary, String>> = OnceLock::new();
    let root = || Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap_or(Path::new("."));
    READ.get_or_init(|| Vocabulary::of_tree(root())).as_ref().map_err(String::clone)
}

impl Vocabulary {
    /// The vocabulary of the front end in the repository at `root`.
    pub fn of_tree(root: &Path) -> Result<Vocabulary, String> {
        let mut out = Vocabulary { words: MORE.iter().map(|w| w.to_string()).collect() };
        let mut folders = vec![root.join("frontend/src"), root.join("frontend/prelude"), root.join("frontend/modules")];
        while let Some(folder) = folders.pop() {
            let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
            for entry in entries.flatten() {
                let path = entry.path();
                // The programs in tests have names of their own.
                if path.file_stem().is_some_and(|name| name == "tests") {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
                match path.extension().and_then(|e| e.to_str()) {
                    Some("rs" | "pest") => out.literals(&text),
                    Some("slang") => out.declared(&text),
                    _ => {}
                }
            }
        }
        for name in LESS {
            out.words.remove(*name);
        }
        Ok(out)
    }

    /// Adds the words of string literals. A literal with blanks is a message.
    fn literals(&mut self, source: &str) {
        for (_, code) in code_lines(source) {
            for literal in code.split('"').skip(1).step_by(2).filter(|l| !l.contains(' ')) {
                let words = literal.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
                self.words.extend(words.filter(|w| is_word(w)).map(str::to_string));
            }
        }
    }

    /// Adds the names of functions, types and members that a text in the language declares.
    fn declared(&mut self, source: &str) {
        const BEFORE: [&str; 8] =
            ["struct", "interface", "property", "enum", "typealias", "associatedtype", "typedef", "namespace"];
        let all = words(source);
        for (i, word) in all.iter().enumerate() {
            let text = &source[word.range.clone()];
            let after = source[word.range.end..].trim_start();
            let named = i > 0 && BEFORE.contains(&&source[all[i - 1].range.clone()]);
            let line = source[..word.range.start].rsplit('\n').next().unwrap_or_default();
            let field = after.starts_with([';', '[']) && !line.contains(['=', '(', '.']) && !line.contains("return ");
            // Types and cases of enums.
            let capital = text.len() > 1 && text.starts_with(|c: char| c.is_ascii_uppercase());
            if named || field || capital || after.starts_with(['(', '<', '{']) {
                self.words.insert(text.to_string());
            }
        }
    }

    /// Whether a name with this spelling, possibly after a `.`, may belong to the language.
    pub fn knows(&self, word: &str, member: bool) -> bool {
        // Single letters occur in many literals. They have a meaning as a component of a vector or
        // a part of a pair.
        if word.len() == 1 {
            return member && "xyzwrgbastpqdv".contains(word);
        }
        self.words.contains(word)
            || word.starts_with("SV_")
            || word.starts_with("__")
            || is_shaped(word)
            || member && is_swizzle(word)
    }
}

/// A builtin type with sizes in its name: `float3`, `int16_t2x4`, `Sampler2DArrayShadow`.
fn is_shaped(word: &str) -> bool {
    const RESOURCES: [&str; 5] = ["Sampler", "Texture", "RWTexture", "DepthTexture", "Buffer"];
    if RESOURCES.iter().filter_map(|r| word.strip_prefix(r)).any(|rest| rest.starts_with(['1', '2', '3', 'C'])) {
        return true;
    }
    const SCALARS: [&str; 8] = ["float", "half", "double", "uint", "int", "bool", "vector", "matrix"];
    SCALARS.iter().filter_map(|s| word.strip_prefix(s)).any(|rest| {
        let rest =
            ["8", "16", "32", "64"].iter().find_map(|b| rest.strip_prefix(b)?.strip_prefix("_t")).unwrap_or(rest);
        rest.bytes().all(|b| b.is_ascii_digit() || b == b'x')
    })
}

/// A swizzle or an element: `xyz`, `rgba`, `_m01`, `_0`.
fn is_swizzle(word: &str) -> bool {
    let numbered =
        word.strip_prefix('_').is_some_and(|rest| rest.chars().all(|c| c.is_ascii_digit() || "m_".contains(c)));
    word.len() <= 4 && word.chars().all(|c| "xyzwrgbastpq".contains(c)) || numbered
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_the_language_are_known_and_others_are_not() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let vocabulary = Vocabulary::of_tree(root).unwrap();
        for word in ["struct", "fwd_diff", "dot", "RWStructuredBuffer", "float3x2", "int16_t4", "SV_GroupID", "Load"] {
            assert!(vocabulary.knows(word, false), "{word}");
        }
        for word in ["gOut", "computeMain", "x", "shade", "of1"] {
            assert!(!vocabulary.knows(word, false), "{word}");
        }
        for word in ["x", "xyz", "_m01", "d", "hasValue"] {
            assert!(vocabulary.knows(word, true), "{word}");
        }
    }
}
