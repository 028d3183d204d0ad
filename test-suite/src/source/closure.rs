//! HLSL goes back in: what is emitted for a kernel is a program that this compiler takes, and that
//! gives the same. Only kernels are asked whose resources are buffers and keep their names.

use super::{Kernel, Language};
use super::{bounds, launch};
use crate::Suite;
use caustic_runtime::Description;
use caustic_runtime::output::{ReadRequest, default_scalar};

/// Options of a run that a text in HLSL needs as well, all with a value.
const KEPT: [&str; 4] = ["--buffer", "--dispatch", "--groups", "--format"];

/// What is wrong when an emitted text is compiled and run again.
pub fn check(suite: &Suite, kernel: &Kernel<'_>, language: Language) -> Result<(), String> {
    let Some(args) = args(kernel)? else { return Ok(()) };
    let program = |command: &str, rest: &[String]| -> Vec<String> {
        [command, "-"].map(String::from).into_iter().chain(rest.iter().cloned()).collect()
    };
    suite.run_text("caustic", &program("check", &[]), &kernel.text).map_err(|why| format!("it is not HLSL: {why}"))?;
    let given = suite.run_text("caustic", &program("run", &args), &kernel.text);
    let given = given.map_err(|why| format!("its HLSL does not run: {why}"))?;
    let words = &kernel.run.stage.args;
    // Functions that the text has itself are not the interpreter's.
    let stated = bounds::stated(&kernel.json)?;
    let mut first = None;
    for reference in language.references {
        let words: Vec<String> = words.iter().cloned().chain(reference.iter().map(|w| w.to_string())).collect();
        let wanted = suite.run_text("caustic", &words, &kernel.run.text)?;
        if wanted == given || bounds::near(suite, kernel, &words, (&given, &wanted), stated.as_deref()) {
            return Ok(());
        }
        first = first.or(Some(wanted));
    }
    Err(format!("its HLSL gives something else\n--- wanted\n{}--- given\n{given}", first.unwrap_or_default()))
}

/// The options for the text, if its kernel is one of those that are asked.
fn args(kernel: &Kernel<'_>) -> Result<Option<Vec<String>>, String> {
    let interface = Description::parse(&kernel.json)?.interface;
    if interface.params.iter().any(|p| !p.is_buffer() || p.is_pointer()) || !launch::keeps_names(&kernel.json)? {
        return Ok(None);
    }
    let mut args = ["--backend", "interp", "--entry"].map(String::from).to_vec();
    args.push(launch::launcher(&kernel.json)?);
    let mut words = kernel.run.stage.args[1..].iter().filter(|w| *w != "-");
    while let Some(word) = words.next() {
        let (option, value) = match word.split_once('=').filter(|_| word.starts_with("--")) {
            Some((option, value)) => (option, value.to_string()),
            None => match words.next() {
                Some(value) => (word.as_str(), value.clone()),
                None => return Ok(None),
            },
        };
        match option {
            "--entry" | "--backend" => continue,
            "--read" => {
                // Buffers of words are read as what they were.
                let request = ReadRequest::parse(&value)?;
                let Some(param) = interface.params.iter().find(|p| *p.name == request.name) else { return Ok(None) };
                let scalar = request.scalar.unwrap_or(default_scalar(param));
                args.extend(["--read".to_string(), format!("{}:{}", request.name, scalar.name())]);
                continue;
            }
            _ if KEPT.contains(&option) => args.extend([option.to_string(), value]),
            // What else is asked for the text cannot have.
            _ => return Ok(None),
        }
    }
    Ok(Some(args))
}
