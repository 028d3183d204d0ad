//! `init`: a first kernel.

use caustic_tool::{Console, FileSystem, exit};

const KERNEL: &str = include_str!("init.slang");
const NAME: &str = "kernel.slang";

/// Writes the kernel to the folder, and prints what to do with it.
pub fn init(folder: &str, console: &mut Console<'_>, files: &dyn FileSystem) -> i32 {
    let path = match folder.trim_end_matches('/') {
        "" if folder.starts_with('/') => format!("/{NAME}"),
        "" | "." => NAME.to_string(),
        folder => format!("{folder}/{NAME}"),
    };
    let written = match files.is_file(&path) || files.is_folder(&path) {
        true => Err(format!("there is a `{path}` already")),
        false => files.write(&path, KERNEL.as_bytes()).map_err(|error| format!("cannot write `{path}`: {error}")),
    };
    if let Err(why) = written {
        console.err(&format!("caustic: error: {why}\n"));
        return exit::USAGE;
    }
    let word = if path.contains(char::is_whitespace) { format!("'{path}'") } else { path.clone() };
    console.out(&format!(
        "`{path}` is written. Compare its gradient with differences, and print it:\n\n    caustic gradcheck {word}\n    \
         caustic run {word} --buffer gradient=zero:8 --read gradient\n"
    ));
    exit::SUCCESS
}
