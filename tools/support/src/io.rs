//! The file system as the tool sees it, so that tests run the whole tool in process over files in
//! memory.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub trait FileSystem: Sync {
    /// The contents of the file at `path`; `-` is standard input.
    fn read(&self, path: &str) -> io::Result<Vec<u8>>;
    /// The contents of the file at `path`, unless there are more bytes of it than that.
    fn read_at_most(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        let bytes = self.read(path)?;
        if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
    }
    /// Whether something can be read at `path`: a file, a pipe, a device.
    fn is_file(&self, path: &str) -> bool;
    fn is_folder(&self, _path: &str) -> bool {
        false
    }
    /// The same for every path of one file.
    fn identity(&self, path: &str) -> String {
        path.to_string()
    }
    /// Whether two paths are of one file, so that who writes to the one changes the other.
    fn is_same(&self, one: &str, other: &str) -> bool {
        one == other
    }
    /// Writes a whole file, and the folders it is in if they do not exist.
    fn write(&self, _path: &str, _bytes: &[u8]) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "these files are read only"))
    }
}

/// What is read of a pipe or a device, which may have no end.
const MOST_OF_STREAMS: u64 = 1 << 30;

fn too_large(most: u64) -> io::Error {
    let most = match most {
        0..=0xF_FFFF => format!("{most} bytes"),
        0x10_0000..=0x3FFF_FFFF => format!("{} MiB", most >> 20),
        _ => format!("{} GiB", most >> 30),
    };
    io::Error::new(io::ErrorKind::FileTooLarge, format!("it has more than {most}"))
}

/// Files in memory, by name: what a tool writes can be read again.
#[derive(Debug, Default)]
pub struct MemoryFiles(Mutex<BTreeMap<String, Vec<u8>>>);

impl MemoryFiles {
    pub fn new<'f>(files: impl IntoIterator<Item = (&'f str, Vec<u8>)>) -> MemoryFiles {
        MemoryFiles(Mutex::new(files.into_iter().map(|(name, bytes)| (name.to_string(), bytes)).collect()))
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.all().len()
    }

    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.all().get(path).cloned().ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn is_file(&self, path: &str) -> bool {
        self.all().contains_key(path)
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        self.all().insert(path.to_string(), bytes.to_vec());
        Ok(())
    }
}

/// The machine's own files.
pub struct RealFiles;

impl FileSystem for RealFiles {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.read_at_most(path, u64::MAX)
    }

    fn read_at_most(&self, path: &str, most: u64) -> io::Result<Vec<u8>> {
        let (source, most): (Box<dyn Read>, u64) = if path == "-" {
            (Box::new(io::stdin()), most.min(MOST_OF_STREAMS))
        } else {
            let file = File::open(path)?;
            let about = file.metadata()?;
            if about.is_file() && about.len() > most {
                return Err(too_large(most));
            }
            (Box::new(file), if about.is_file() { most } else { most.min(MOST_OF_STREAMS) })
        };
        let mut bytes = Vec::new();
        source.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most { Err(too_large(most)) } else { Ok(bytes) }
    }

    fn identity(&self, path: &str) -> String {
        std::fs::canonicalize(path).map_or_else(|_| path.to_string(), |path| path.to_string_lossy().into_owned())
    }
    fn is_file(&self, path: &str) -> bool {
        path == "-" || std::fs::metadata(path).is_ok_and(|about| !about.is_dir())
    }

    fn is_folder(&self, path: &str) -> bool {
        Path::new(path).is_dir()
    }

    fn is_same(&self, one: &str, other: &str) -> bool {
        let about = |path: &str| std::fs::metadata(path).ok().filter(|about| about.is_file());
        let (Some(a), Some(b)) = (about(one), about(other)) else { return one == other };
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt;
            (a.dev(), a.ino()) == (b.dev(), b.ino())
        }
        #[cfg(not(unix))]
        {
            _ = (a, b);
            self.identity(one) == self.identity(other)
        }
    }

    fn write(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = Path::new(path).parent().filter(|f| !f.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder)?;
        }
        std::fs::write(path, bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_given_up() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
        assert!(RealFiles.read_at_most(path, 1 << 20).is_ok_and(|bytes| bytes == std::fs::read(path).unwrap()));
        let message = |path: &str, most| RealFiles.read_at_most(path, most).unwrap_err().to_string();
        assert_eq!(message(path, 9), "it has more than 9 bytes");
        assert!(RealFiles.is_folder("/") && !RealFiles.is_file("/") && !RealFiles.is_file("/nothing"));
        let around = concat!(env!("CARGO_MANIFEST_DIR"), "/src/../Cargo.toml");
        assert!(RealFiles.is_same(path, around) && !RealFiles.is_same(path, "/nothing"));
        if cfg!(unix) {
            assert!(RealFiles.is_file("/dev/zero"));
            assert_eq!(message("/dev/zero", 1 << 20), "it has more than 1 MiB");
        }
    }
}
