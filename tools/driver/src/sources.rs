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

/// What the front end reads from: files are looked for in the folder of the importing file, then in each of `include_dirs`.
pub(crate) struct Search<'a> {
    pub(crate) memory: &'a BTreeMap<String, String>,
    pub(crate) files: &'a dyn SourceLoader,
    pub(crate) include_dirs: &'a [String],
}

impl FrontEndLoader for Search<'_> {
    fn load(&mut self, name: &str) -> Result<String, String> {
        if let Some(text) = self.memory.get(name) {
            return Ok(text.clone());
        }
        let bytes = self.files.read(name).map_err(|error| format!("cannot read `{name}`: {error}"))?;
        String::from_utf8(bytes).map_err(|_| format!("`{name}` is not UTF-8 text"))
    }

    fn resolve(&mut self, included: &str, from: &str) -> Option<String> {
        let beside = from.rsplit_once('/').map_or("", |(folder, _)| folder);
        let folders = std::iter::once(beside).chain(self.include_dirs.iter().map(String::as_str));
        let paths = folders.map(|folder| match folder.trim_end_matches('/') {
            "" if folder.starts_with('/') => format!("/{included}"),
            "" => included.to_string(),
            folder => format!("{folder}/{included}"),
        });
        let absolute = included.starts_with('/').then(|| included.to_string());
        absolute.into_iter().chain(paths).find(|path| self.memory.contains_key(path) || self.files.is_file(path))
    }
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
        let mut sources = Search { memory: &memory, files: &files, include_dirs: &dirs };
        assert_eq!(sources.resolve("x.slang", "a/main.slang").as_deref(), Some("a/x.slang"));
        assert_eq!(sources.resolve("y.slang", "a/main.slang").as_deref(), Some("inc/y.slang"));
        assert_eq!(sources.resolve("m.slang", "a/main.slang").as_deref(), Some("inc/m.slang"));
        assert_eq!(sources.resolve("z.slang", "main.slang").as_deref(), Some("z.slang"));
        assert_eq!(sources.resolve("/abs.slang", "main.slang").as_deref(), Some("/abs.slang"));
        assert_eq!(sources.resolve("none.slang", "main.slang"), None);
        assert_eq!(sources.load("inc/m.slang").as_deref(), Ok("m"));
        assert!(sources.load("z.slang").is_err_and(|e| e.contains("UTF-8")));
        assert!(sources.load("none.slang").is_err_and(|e| e.contains("cannot read")));
    }
}
