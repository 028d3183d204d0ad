//! The file system as the tool sees it, so that tests run the whole tool in process over files in
//! memory.

use std::io::{self, Read};
use std::path::Path;

pub trait FileSystem: Sync {
    /// The contents of the file at `path`; `-` is standard input.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    fn is_file(&self, path: &str) -> bool;
    /// Writes a whole file, and the folders it is in if they do not exist.
    fn write(&self, _path: &str, _bytes: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "these files are read only"))
    }
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

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = Path::new(path).parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, bytes)
    }
}
