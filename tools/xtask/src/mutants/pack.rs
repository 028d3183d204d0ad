//! What a machine without Rust and LLVM takes to search for mutants: the tests and this program
//! without their symbols, the list of mutants, and the source tree, which tests read.
//!
//! A pack is one archive. Unpacked beside itself it is a folder `bin`, a folder `tree` and
//! `mutants.txt`. Tests look for the tree where it was when they were built, so a link has to lead
//! from there to `tree`; with another tree they would speak of other programs.

use super::List;
use super::finders::Finders;
use crate::say;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const ARCHIVE: &str = "pack.tar.xz";
const PROGRAMS: &str = "bin";
const TREE: &str = "tree";
const LIST: &str = "mutants.txt";

/// The root of the repository as it was called when this was built.
fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).unwrap_or(package).to_path_buf()
}

/// Writes the archive into a folder.
pub fn pack(finders: &Finders, list: &List, folder: &Path) -> Result<(), String> {
    let stage = folder.join("stage");
    let wrong = |what: &Path| {
        let what = what.display().to_string();
        move |error: std::io::Error| format!("cannot write {what}: {error}")
    };
    if stage.exists() {
        std::fs::remove_dir_all(&stage).map_err(wrong(&stage))?;
    }
    let programs = stage.join(PROGRAMS);
    std::fs::create_dir_all(&programs).map_err(wrong(&programs))?;
    let itself = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let tests = finders.tests.iter().map(|test| (test.name, &test.path));
    for (name, path) in tests.chain([("soak", &finders.soak), ("xtask", &itself)]) {
        let to = programs.join(name);
        let strip = Command::new("strip").arg("-o").arg(&to).arg(path).status();
        if !strip.is_ok_and(|status| status.success()) {
            return Err(format!("cannot strip {}", path.display()));
        }
        needs_no_llvm(&to)?;
    }
    std::fs::write(stage.join(LIST), list.to_text()).map_err(wrong(&stage))?;
    // What git knows or would: no outputs of builds.
    let listed = Command::new("git").args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]).output();
    let listed = listed.map_err(|error| format!("cannot run git: {error}"))?.stdout;
    for file in String::from_utf8_lossy(&listed).split('\0').filter(|file| Path::new(file).is_file()) {
        let to = stage.join(TREE).join(file);
        to.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(wrong(&to))?;
        std::fs::copy(file, &to).map_err(wrong(&to))?;
    }
    let archive = folder.join(ARCHIVE);
    let mut tar = Command::new("tar");
    tar.env("XZ_OPT", "-T0 -6").arg("-C").arg(&stage).arg("-cJf").arg(&archive).args([PROGRAMS, TREE, LIST]);
    if !tar.status().is_ok_and(|status| status.success()) {
        return Err(format!("cannot write {}", archive.display()));
    }
    std::fs::remove_dir_all(&stage).map_err(wrong(&stage))?;
    let size = std::fs::metadata(&archive).map_or(0, |file| file.len());
    say(&format!("{}: {:.1} MB", archive.display(), size as f64 / 1e6));
    Ok(())
}

fn needs_no_llvm(program: &Path) -> Result<(), String> {
    let libraries = Command::new("ldd").arg(program).output().map_err(|error| format!("cannot run ldd: {error}"))?;
    match String::from_utf8_lossy(&libraries.stdout).contains("libLLVM") {
        true => Err(format!("{} needs LLVM", program.display())),
        false => Ok(()),
    }
}

/// The programs and the list of an unpacked archive; makes its tree the current folder.
pub fn open(folder: &Path) -> Result<(Finders, List), String> {
    let wrong = |what: PathBuf| move |error: std::io::Error| format!("cannot read {}: {error}", what.display());
    let folder = std::fs::canonicalize(folder).map_err(wrong(folder.to_path_buf()))?;
    let list = std::fs::read_to_string(folder.join(LIST)).map_err(wrong(folder.join(LIST)))?;
    let (root, tree) = (root(), folder.join(TREE));
    let identity = |path: &Path| std::fs::metadata(path).map(|data| (data.dev(), data.ino())).ok();
    if identity(&root).is_none() || identity(&root) != identity(&tree) {
        let (root, tree) = (root.display(), tree.display());
        return Err(format!("tests look for the tree at {root}: let it be a link to {tree}"));
    }
    std::env::set_current_dir(&tree).map_err(wrong(tree))?;
    let finders = Finders::at(&folder.join(PROGRAMS)).ok_or("the pack does not run here")?;
    Ok((finders, List::parse(&list)))
}
