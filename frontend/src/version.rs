//! Versions of the language, as `#language slang 2026` and the options name them.

#![warn(missing_docs)]

/// A version; later ones are greater.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Version {
    /// What a file without a word about it is written in.
    #[default]
    Legacy,
    /// `#language slang 2025`.
    V2025,
    /// `#language slang 2026`.
    V2026,
    /// In development.
    Next,
}

const NAMES: &[(&str, Version)] = &[
    ("legacy", Version::Legacy),
    ("default", Version::Legacy),
    ("2018", Version::Legacy),
    ("2025", Version::V2025),
    ("202a", Version::V2025),
    ("2026", Version::V2026),
    ("202b", Version::V2026),
    ("latest", Version::V2026),
    ("202c", Version::Next),
    ("next", Version::Next),
];

impl Version {
    /// The version of this name.
    pub fn named(name: &str) -> Option<Version> {
        NAMES.iter().find(|(n, _)| *n == name).map(|(_, v)| *v)
    }

    /// All names, for a message.
    pub fn names() -> String {
        NAMES.iter().map(|(n, _)| *n).collect::<Vec<_>>().join(", ")
    }
}
