//! `#pragma warning(disable: 30081)`: the numbers of slangc's warnings, and which of ours they are.

use crate::source::Asked;
use caustic_ir::codes::{self, Code};

/// By the number that slangc has for it.
const NUMBERS: &[(u32, Code)] = &[
    (10002, codes::W0212),
    (15400, codes::W0115),
    (15401, codes::W0115),
    (15601, codes::W0114),
    (20101, codes::W0244),
    (30051, codes::W0250),
    (30068, codes::W0251),
    (30081, codes::W0211),
    (30511, codes::W0245),
    (30512, codes::W0245),
    (30514, codes::W0246),
    (31200, codes::W0221),
    (32006, codes::W0226),
    (38040, codes::W0282),
    (40004, codes::W0210),
    (40009, codes::W0210),
    (41000, codes::W0242),
    (41010, codes::W0241),
    (41015, codes::W0248),
    (41016, codes::W0248),
    (41018, codes::W0249),
    (41020, codes::W0249),
    (41024, codes::W0214),
    (41030, codes::W0252),
];

/// What a `#pragma warning` asks for, from where it stands on.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    /// What differs from the default, the last one at the end.
    asked: Vec<(Code, Asked)>,
    /// How much of that was asked for at each open `push`.
    pushed: Vec<usize>,
    /// What holds from an offset of the output on.
    pub changes: Vec<(u32, Code, Asked)>,
}

impl Warnings {
    /// What is asked for a code here.
    pub fn asked_of(&self, code: Code) -> Asked {
        self.asked.iter().rev().find(|(of, _)| *of == code).map_or(Asked::Default, |(_, asked)| *asked)
    }

    /// Obeys the text between the parentheses, at an offset of the output. Returns what of it means
    /// nothing here.
    pub fn obey(&mut self, text: &str, at: u32) -> Vec<String> {
        let mut unknown = Vec::new();
        let mut asked = None;
        let spaced = text.replace(':', " : ").replace(';', " ; ");
        let mut words = spaced.split([' ', '\t', ',']).filter(|w| !w.is_empty()).peekable();
        while let Some(word) = words.next() {
            let named = words.peek() == Some(&":");
            match (word, word.parse::<u32>()) {
                (":" | ";", _) => {}
                ("push", _) => self.pushed.push(self.asked.len()),
                ("pop", _) => {
                    let kept = self.pushed.pop().unwrap_or_default();
                    let ended: Vec<Code> =
                        self.asked.drain(kept.min(self.asked.len())..).map(|(code, _)| code).collect();
                    for code in ended {
                        self.changes.push((at, code, self.asked_of(code)));
                    }
                }
                ("disable", _) if named => asked = Some(Asked::Silence),
                ("default" | "enable" | "once", _) if named => asked = Some(Asked::Default),
                ("error", _) if named => asked = Some(Asked::Error),
                (_, Ok(number)) => match (asked, NUMBERS.iter().find(|(n, _)| *n == number)) {
                    (Some(asked), Some((_, code))) => {
                        self.asked.push((*code, asked));
                        self.changes.push((at, *code, asked));
                    }
                    (Some(_), None) => unknown.push(format!("there is no warning {number} here")),
                    (None, _) => {}
                },
                _ => {
                    asked = None;
                    unknown.push(format!("`#pragma warning` has no `{word}`"));
                }
            }
        }
        unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pushed_is_popped() {
        let mut w = Warnings::default();
        assert!(w.obey("push", 0).is_empty() && w.obey("disable : 41016 30081", 1).is_empty());
        assert_eq!((w.asked_of(codes::W0248), w.asked_of(codes::W0211)), (Asked::Silence, Asked::Silence));
        assert!(w.obey("error: 41016; push", 2).is_empty());
        assert_eq!(w.asked_of(codes::W0248), Asked::Error);
        assert!(w.obey("pop", 3).is_empty() && w.obey("pop", 4).is_empty());
        assert_eq!((w.asked_of(codes::W0248), w.changes.len()), (Asked::Default, 6));
        assert_eq!(w.obey("disable: 1, 41016", 5).len(), 1);
        assert_eq!(w.obey("suppress: 41016", 6).len(), 1);
    }
}
