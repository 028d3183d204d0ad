//! Where texts come from: what the session was given, then a loader.

use caustic_frontend::SourceLoader as FrontEndLoader;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Files that programs import and include, and the programs themselves.
pub trait SourceLoader: Send + Sync {
    /// The contents of the file at `path`.
    ///
    /// # Errors
    /// It cannot be read.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;

    /// Whether there is a file at `path`.
    fn is_file(&self, path: &str) -> bool;

    /// The same for every path of one file: what is imported by several is one module.
    fn identity(&self, path: &str) -> String {
        path.to_string()
    }
}

/// The machine's own files.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileLoader;

impl SourceLoader for FileLoader {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        std::fs::read(path)
    }

    fn is_file(&self, path: &str) -> bool {
        Path::new(path).is_file()
    }

    fn identity(&self, path: &str) -> String {
        std::fs::canonicalize(path).map_or_else(|_| path.to_string(), |path| path.to_string_lossy().into_owned())
    }
}

/// No files: all texts are in memory.
pub(crate) struct NoFiles;

impl SourceLoader for NoFiles {
    fn read(&self, _: &str) -> io::Result<Vec<u8>> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, _: &str) -> bool {
        false
    }
}

/// What the front end reads from: files are looked for in the folder of the importing file, then in
/// each of `include_dirs`.
pub(crate) struct Search<'a> {
    pub(crate) memory: &'a BTreeMap<String, String>,
    pub(crate) files: &'a dyn SourceLoader,
    pub(crate) include_dirs: &'a [String],
    /// The path by which each file was read first.
    known: BTreeMap<String, String>,
}

impl<'a> Search<'a> {
    /// For the program in the file `root`.
    pub(crate) fn new(
        memory: &'a BTreeMap<String, String>,
        files: &'a dyn SourceLoader,
        include_dirs: &'a [String],
        root: &str,
    ) -> Search<'a> {
        let mut search = Search { memory, files, include_dirs, known: BTreeMap::new() };
        search.first_path(root.to_string());
        search
    }

    /// Where it looks for what is included in `from`; an empty name is the folder that one is in.
    fn searched<'f>(&'f self, from: &'f str) -> impl Iterator<Item = &'f str> {
        let beside = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        std::iter::once(beside).chain(self.include_dirs.iter().map(String::as_str))
    }

    /// The path by which the file at this one is known.
    fn first_path(&mut self, path: String) -> String {
        if self.memory.contains_key(&path) {
            return path;
        }
        self.known.entry(self.files.identity(&path)).or_insert(path).clone()
    }
}

impl FrontEndLoader for Search<'_> {
    fn load(&mut self, name: &str) -> Result<String, String> {
        if let Some(text) = self.memory.get(name) {
            return Ok(text.clone());
        }
        let bytes = self.files.read(name).map_err(|error| error.to_string())?;
        if let Some(text) = utf16(&bytes) {
            return text;
        }
        String::from_utf8(bytes).or_else(|error| foreign(error.as_bytes()))
    }

    fn resolve(&mut self, included: &str, from: &str) -> Option<String> {
        let paths = self.searched(from).map(|folder| match folder.trim_end_matches('/') {
            "" if folder.starts_with('/') => format!("/{included}"),
            "" => included.to_string(),
            folder => format!("{folder}/{included}"),
        });
        let absolute = included.starts_with('/').then(|| included.to_string());
        let found = |path: &String| self.memory.contains_key(path) || self.files.is_file(path);
        let path = absolute.into_iter().chain(paths).find(found)?;
        Some(self.first_path(path))
    }

    fn folders(&self, from: &str) -> Vec<String> {
        self.searched(from).map(|folder| if folder.is_empty() { "." } else { folder }.to_string()).collect()
    }
}

/// A text in UTF-16, which its first two bytes tell: a byte order mark, or a character and a zero.
fn utf16(bytes: &[u8]) -> Option<Result<String, String>> {
    let little = match bytes {
        // In UTF-32 two zeros follow.
        [0xff, 0xfe, 0, 0, ..] => return None,
        [0xff, 0xfe, ..] => true,
        [0xfe, 0xff, ..] => false,
        [1..=0xff, 0, 1..=0xff, ..] => true,
        [0, 1..=0xff, 0, 1..=0xff, ..] => false,
        _ => return None,
    };
    if !bytes.len().is_multiple_of(2) {
        return Some(Err("half a character of UTF-16 stands at its end".to_string()));
    }
    let units = bytes.chunks_exact(2).map(|unit| match little {
        true => u16::from_le_bytes([unit[0], unit[1]]),
        false => u16::from_be_bytes([unit[0], unit[1]]),
    });
    let text: Result<String, _> = char::decode_utf16(units).collect();
    Some(text.map_err(|error| format!("0x{:04X} is half a character of UTF-16", error.unpaired_surrogate())))
}

/// A text that is no UTF-8, as older editors write it: in comments a byte of another encoding says
/// nothing.
fn foreign(bytes: &[u8]) -> Result<String, String> {
    let mut out = String::with_capacity(bytes.len());
    let mut in_comment = false;
    for (number, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
        let mut rest = line;
        while !rest.is_empty() {
            let (good, bad) = match std::str::from_utf8(rest) {
                Ok(good) => (good, None),
                Err(error) => (std::str::from_utf8(&rest[..error.valid_up_to()]).unwrap_or_default(), Some(error)),
            };
            out.push_str(good);
            let Some(error) = bad else { break };
            in_comment = in_comment || ends_in_comment(&out);
            let at = error.valid_up_to();
            if !in_comment {
                return Err(format!("byte 0x{:02X} in line {} is no UTF-8 text", rest[at], number + 1));
            }
            out.push(char::REPLACEMENT_CHARACTER);
            rest = &rest[at + 1..];
        }
        in_comment = false;
    }
    Ok(out)
}

/// Whether a text ends within a comment.
fn ends_in_comment(text: &str) -> bool {
    let line = text.rsplit('\n').next().unwrap_or_default();
    let block = text.rfind("/*").is_some_and(|open| text[open..].find("*/").is_none());
    line.contains("//") || block
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Files(&'static [&'static str]);
    impl SourceLoader for Files {
        fn read(&self, path: &str) -> io::Result<Vec<u8>> {
            if self.is_file(path) { Ok(vec![0xff]) } else { Err(io::ErrorKind::NotFound.into()) }
        }
        fn is_file(&self, path: &str) -> bool {
            self.0.contains(&path)
        }
    }

    #[test]
    fn folders_are_searched_in_order() {
        let files = Files(&["a/x.slang", "inc/x.slang", "inc/y.slang", "z.slang", "/abs.slang"]);
        let dirs = ["inc/".to_string(), ".".to_string()];
        let memory = BTreeMap::from([("inc/m.slang".to_string(), "m".to_string())]);
        let mut sources = Search::new(&memory, &files, &dirs, "a/main.slang");
        assert_eq!(sources.resolve("x.slang", "a/main.slang").as_deref(), Some("a/x.slang"));
        assert_eq!(sources.resolve("y.slang", "a/main.slang").as_deref(), Some("inc/y.slang"));
        assert_eq!(sources.resolve("m.slang", "a/main.slang").as_deref(), Some("inc/m.slang"));
        assert_eq!(sources.resolve("z.slang", "main.slang").as_deref(), Some("z.slang"));
        assert_eq!(sources.resolve("/abs.slang", "main.slang").as_deref(), Some("/abs.slang"));
        assert_eq!(sources.resolve("none.slang", "main.slang"), None);
        assert_eq!(sources.load("inc/m.slang").as_deref(), Ok("m"));
        assert!(sources.load("z.slang").is_err_and(|e| e.contains("UTF-8")));
        assert!(sources.load("none.slang").is_err_and(|e| e.contains("not found")));
    }

    #[test]
    fn a_file_has_one_path() {
        struct Aliases;
        impl SourceLoader for Aliases {
            fn read(&self, _: &str) -> io::Result<Vec<u8>> {
                Ok(Vec::new())
            }
            fn is_file(&self, path: &str) -> bool {
                self.identity(path) == "/lib/x.slang"
            }
            fn identity(&self, path: &str) -> String {
                path.trim_start_matches("..").to_string()
            }
        }
        let (memory, dirs) = (BTreeMap::new(), ["../lib".to_string(), "/lib".to_string()]);
        let mut sources = Search::new(&memory, &Aliases, &dirs, "main.slang");
        assert_eq!(sources.resolve("x.slang", "main.slang").as_deref(), Some("../lib/x.slang"));
        assert_eq!(sources.resolve("x.slang", "/lib/y.slang").as_deref(), Some("../lib/x.slang"));
    }

    #[test]
    fn bytes_of_other_encodings_stand_in_comments_alone() {
        let comment = foreign(b"// caf\xe9 \xe8\nint x; /* a\n\xe9 */ int y;\n");
        assert!(comment.is_ok_and(|text| text == "// caf\u{fffd} \u{fffd}\nint x; /* a\n\u{fffd} */ int y;\n"));
        let code = foreign(b"// fine\nint \xe9;\n");
        assert!(code.is_err_and(|e| e.contains("byte 0xE9 in line 2")));
    }
}
