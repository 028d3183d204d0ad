//! Source files for the front end: found in the folder of the importing file, then in each `-I`.

use caustic_frontend::SourceLoader;
use caustic_tool::FileSystem;
use std::sync::Arc;

pub struct Sources<'a> {
    files: &'a dyn FileSystem,
    include_dirs: &'a [String],
    /// What was read, for showing lines in findings; the prelude's files are not on any disk.
    read: Vec<(String, Arc<str>)>,
}

impl<'a> Sources<'a> {
    pub fn new(files: &'a dyn FileSystem, include_dirs: &'a [String]) -> Self {
        Sources { files, include_dirs, read: Vec::new() }
    }

    pub fn keep(&mut self, read: Vec<(String, Arc<str>)>) {
        self.read = read;
    }

    /// The text of a file that was read, by its name.
    pub fn text(&self, name: &str) -> Option<String> {
        self.read.iter().find(|(n, _)| n == name).map(|(_, text)| text.to_string())
    }
}

impl SourceLoader for Sources<'_> {
    fn load(&mut self, name: &str) -> Result<String, String> {
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
        absolute.into_iter().chain(paths).find(|path| self.files.is_file(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    struct Files(&'static [&'static str]);
    impl FileSystem for Files {
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
        let mut sources = Sources::new(&files, &dirs);
        assert_eq!(sources.resolve("x.slang", "a/main.slang").as_deref(), Some("a/x.slang"));
        assert_eq!(sources.resolve("y.slang", "a/main.slang").as_deref(), Some("inc/y.slang"));
        assert_eq!(sources.resolve("z.slang", "main.slang").as_deref(), Some("z.slang"));
        assert_eq!(sources.resolve("/abs.slang", "main.slang").as_deref(), Some("/abs.slang"));
        assert_eq!(sources.resolve("none.slang", "main.slang"), None);
        assert!(sources.load("z.slang").is_err_and(|e| e.contains("UTF-8")));
        assert!(sources.load("none.slang").is_err_and(|e| e.contains("cannot read")));
    }
}
