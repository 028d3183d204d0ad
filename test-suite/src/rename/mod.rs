//! Renames every name of a program, which must not change a bit of its results.
//!
//! Equal names stay equal, and different ones stay different. So names refer to the same
//! declarations in all scopes, and nothing has to be resolved. The new names are [`traps`].

pub mod scan;
pub mod suite;
pub mod traps;
pub mod vocabulary;

use scan::words;
use std::collections::{BTreeMap, BTreeSet};
use traps::Traps;
use vocabulary::Vocabulary;

/// The new name of each name.
#[derive(Clone, Debug, Default)]
pub struct Renaming {
    new: BTreeMap<String, String>,
    old: BTreeMap<String, String>,
}

impl Renaming {
    /// A renaming for the names of these texts, which make up one program, except for those in
    /// `staying`. No new name is one of `taken`.
    pub fn of(
        texts: &[&str],
        staying: &[&str],
        mut taken: BTreeSet<String>,
        vocabulary: &Vocabulary,
        seed: u64,
    ) -> Renaming {
        let (mut names, mut kept) = (BTreeSet::new(), BTreeSet::new());
        kept.extend(staying.iter().map(|n| n.to_string()));
        for text in texts {
            for word in words(text) {
                let name = &text[word.range.clone()];
                let stays = word.module || vocabulary.knows(name, word.member);
                if stays {
                    kept.insert(name.to_string())
                } else {
                    names.insert(name.to_string())
                };
            }
        }
        // An attribute that the program declares is named after its struct.
        let attributes: Vec<String> =
            names.iter().filter_map(|n| n.strip_suffix("Attribute")).map(str::to_string).collect();
        kept.extend(attributes.into_iter().flat_map(|n| [format!("{n}Attribute"), n]));
        names.retain(|n| !kept.contains(n));
        taken.extend(kept.union(&names).cloned());
        let mut traps = Traps::new(seed, taken);
        let new: BTreeMap<String, String> =
            names.into_iter().map(|name| (traps.draw(&name), name)).map(|(new, name)| (name, new)).collect();
        let old = new.iter().map(|(a, b)| (b.clone(), a.clone())).collect();
        Renaming { new, old }
    }

    pub fn is_empty(&self) -> bool {
        self.new.is_empty()
    }

    /// The old names with the new ones.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.new.iter().map(|(old, new)| (old.as_str(), new.as_str()))
    }

    /// The new name, or the old one if it stays.
    pub fn name<'a>(&'a self, old: &'a str) -> &'a str {
        self.new.get(old).map_or(old, String::as_str)
    }

    /// A program's text with the new names.
    pub fn source(&self, text: &str) -> String {
        let (mut out, mut done) = (String::with_capacity(text.len() * 2), 0);
        for word in words(text).iter().filter(|w| !w.module) {
            out.push_str(&text[done..word.range.start]);
            out.push_str(self.name(&text[word.range.clone()]));
            done = word.range.end;
        }
        out + &text[done..]
    }

    /// Any text with new names in place of old ones.
    pub fn text(&self, text: &str) -> String {
        replace(text, &self.new)
    }

    /// Any text with old names in place of new ones.
    pub fn back(&self, text: &str) -> String {
        replace(text, &self.old)
    }
}

/// The derivative of a kernel is an entry point with a derived name (docs/tensor-views.md).
fn derived(word: &str, by: &BTreeMap<String, String>) -> Option<String> {
    let of = |end: &str| word.strip_suffix(end).and_then(|kernel| by.get(kernel)).map(|new| format!("{new}{end}"));
    of("_bwd_diff").or_else(|| of("_fwd_diff"))
}

fn replace(text: &str, by: &BTreeMap<String, String>) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let (mut out, mut rest) = (String::with_capacity(text.len()), text);
    while !rest.is_empty() {
        let end = rest.find(|c: char| !is_part(c)).unwrap_or(rest.len());
        let word = &rest[..end];
        match by.get(word) {
            Some(other) => out.push_str(other),
            None => out.push_str(&derived(word, by).unwrap_or_else(|| word.to_string())),
        }
        rest = &rest[end..];
        let next = rest.find(is_part).unwrap_or(rest.len());
        out.push_str(&rest[..next]);
        rest = &rest[next..];
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn names_are_changed_and_words_of_the_language_are_not() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let vocabulary = Vocabulary::of_tree(root).unwrap();
        let text = "struct Pos { float x; float speed; } float shade(Pos p) { return length(p.x * p.speed); } // Pos";
        let renaming = Renaming::of(&[text], &[], BTreeSet::new(), &vocabulary, 7);
        let renamed = renaming.source(text);
        let [pos, speed, shade, p] = ["Pos", "speed", "shade", "p"].map(|n| renaming.name(n));
        // `x` stays because it may be a component of a vector.
        let wanted = format!(
            "struct {pos} {{ float x; float {speed}; }} float {shade}({pos} {p}) {{ return length({p}.x * {p}.{speed}); }} // Pos"
        );
        assert_eq!(renamed, wanted);
        assert!(["Pos", "speed", "shade", "p"].iter().all(|n| renaming.name(n) != *n));
        assert_eq!(renaming.back(&renamed), text);
    }
}
