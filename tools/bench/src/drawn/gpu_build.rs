//! Writes what a machine with a GPU needs: for each drawn program our PTX with its description, and
//! the CUDA that `slangc` makes of the same text. Arguments follow from the seed, there too.

use super::gpu::{Manifest, file};
use super::tool::call;
use super::write::Adds;
use super::{Asked, SLANGC, programs};
use std::path::Path;
use std::process::Command;

pub fn build(asked: &Asked) -> Result<String, String> {
    let folder = Path::new(&asked.folder);
    let said = |e: std::io::Error| e.to_string();
    std::fs::create_dir_all(folder).map_err(said)?;
    let itself = std::env::current_exe().map_err(said)?;
    let slangc = asked.slangc.as_deref().unwrap_or(SLANGC);
    let mut refused = String::new();
    let all = programs(asked, Adds::Atomic);
    for (number, drawn) in all.iter().enumerate() {
        let source = file(folder, number, "", "slang");
        std::fs::write(&source, &drawn.text).map_err(said)?;
        for entry in &drawn.entries {
            let mut command = Command::new(&itself);
            command.args(["--caustic", "emit"]).arg(&source).args(["--target", "ptx", "--arch", &asked.arch]);
            command.args(["--fp", &asked.floats, "--entry", entry.name]);
            command.arg("-o").arg(file(folder, number, entry.name, "ptx"));
            if let Err(why) = call(&mut command) {
                refused += &format!("refused: {} {} {}: ours: {why}\n", drawn.kind, drawn.seed, entry.name);
            }
        }
        // What was made of an earlier program of that number.
        let _ = std::fs::remove_file(file(folder, number, "slangc", "ptx"));
        let mut command = Command::new(slangc);
        command.arg(&source).args(["-target", "cuda", "-o"]).arg(file(folder, number, "", "cu"));
        if let Err(why) = call(&mut command) {
            refused += &format!("refused: {} {}: slangc: {why}\n", drawn.kind, drawn.seed);
        }
    }
    std::fs::write(folder.join("manifest"), Manifest::of(asked).to_text()).map_err(said)?;
    Ok(format!("{} programs of seed {} in {}\n{refused}", all.len(), asked.seed, folder.display()))
}
