//! The file system as the tool sees it, so that tests run the whole tool in process over files in memory.

use std::io::{self, Read};
use std::path::Path;

pub trait FileSystem: Sync {
    /// The contents of the file at `path`; `-` is standard input.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    fn is_file(&self, path: &str) -> bool;
}

/// The machine's own files.
pub struct RealFiles;

impl FileSystem for RealFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        if path == "-" {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes)?;
            return Ok(bytes);
        }
        std::fs::read(path)
    }

    fn is_file(&self, path: &str) -> bool {
        path == "-" || Path::new(path).is_file()
    }
}
