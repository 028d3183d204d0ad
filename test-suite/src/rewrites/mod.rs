//! Functions and how many ops they may come to: what the e-graph has to find, and what it must
//! leave.
//!
//! The files of `test-suite/rewrites` are blocks of Slang behind lines such as
//!
//! ```text
//! //= x1 exact: mul 2, neg 0, total 2
//! //= n2 exact|contract|fast bits: max >= 1
//! //= r1 exact file=test-suite/bench/normal.slang fn=reverse: select 9
//! ```
//!
//! with an id, the classes of floats, words that say how it is looked at, and limits by kinds of
//! ops ([`count`]). What stands above the first block belongs to each. The function of a block is
//! called `f`; what it computes with the e-graph is compared with what it computes without
//! ([`values`]). `gpu` takes the costs of GPUs, `bits` demands equal bits in any class, and `shape`
//! compares nothing, for what the program gives `f` by other ways than parameters. `missed` limits
//! are goals that are not reached; a test fails once they are, so that the word goes.
//!
//! The limits of nodes on programs that grow, and that nothing decides but the code, are in
//! [`growth`].

pub mod count;
pub mod growth;
pub mod values;

use crate::runner::Suite;
use count::Limit;
use std::sync::Arc;

/// Where the files are.
const FOLDER: &str = "test-suite/rewrites";

/// A block, for one class.
#[derive(Clone)]
pub struct Block {
    pub id: String,
    pub class: String,
    pub gpu: bool,
    /// What it computes keeps every bit.
    pub bits: bool,
    /// Only ops are counted.
    pub shape: bool,
    /// The limits are known to be broken.
    pub missed: bool,
    /// The text is a file with functions of its own, which stay as they are called.
    pub whole: bool,
    /// The program, of which `function` is looked at; all functions if it is `*`.
    pub text: String,
    pub function: String,
    pub limits: Vec<Limit>,
}

type Job = (String, Box<dyn FnOnce() -> Result<(), String> + Send>);

/// A test for each block and class, and those of [`growth`].
pub fn jobs(suite: &Arc<Suite>) -> Vec<Job> {
    let mut out = growth::jobs(suite);
    let blocks = match blocks(suite) {
        Ok(blocks) => blocks,
        Err(why) => {
            out.push(("rewrites/files".into(), Box::new(move || Err(why))));
            Vec::new()
        }
    };
    out.extend(blocks.into_iter().map(|block| -> Job {
        let suite = suite.clone();
        let machine = if block.gpu { "-gpu" } else { "" };
        let name = format!("rewrites/{}-{}{machine}", block.id, block.class);
        (name, Box::new(move || block.check(&suite)))
    }));
    out
}

fn blocks(suite: &Suite) -> Result<Vec<Block>, String> {
    let folder = suite.root.join(FOLDER);
    let read = std::fs::read_dir(&folder).map_err(|e| format!("{FOLDER}: {e}"))?;
    let mut files: Vec<_> = read.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.sort();
    let mut out: Vec<Block> = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let mut parts = text.split("//= ");
        let prelude = parts.next().unwrap_or_default();
        for part in parts {
            let (head, body) = part.split_once('\n').ok_or_else(|| format!("{}: an empty block", file.display()))?;
            let mut parsed = parse(&suite.root, head, &format!("{prelude}{body}"))
                .map_err(|why| format!("{}: `{head}`: {why}", file.display()))?;
            if let Some(twice) = parsed.iter().find(|p| out.iter().any(|o| o.id == p.id && o.class == p.class)) {
                return Err(format!("{}: two blocks are called {}", file.display(), twice.id));
            }
            out.append(&mut parsed);
        }
    }
    Ok(out)
}

/// The blocks, one a class, that a head line stands for.
fn parse(root: &std::path::Path, head: &str, text: &str) -> Result<Vec<Block>, String> {
    let (head, limits) = head.split_once(':').ok_or("no limits behind a colon")?;
    let limits = limits.split(',').filter(|l| !l.trim().is_empty()).map(Limit::parse).collect::<Result<Vec<_>, _>>()?;
    let mut words = head.split_whitespace();
    let id = words.next().ok_or("no id")?.to_string();
    let classes = words.next().ok_or("no class")?;
    let mut block = Block {
        id,
        class: String::new(),
        gpu: false,
        bits: false,
        shape: false,
        whole: false,
        missed: false,
        text: text.to_string(),
        function: "f".to_string(),
        limits,
    };
    for word in words {
        match word.split_once('=') {
            None if word == "gpu" => block.gpu = true,
            None if word == "bits" => block.bits = true,
            None if word == "missed" => block.missed = true,
            None if word == "shape" => block.shape = true,
            Some(("fn", name)) => block.function = name.to_string(),
            Some(("file", path)) => {
                block.text = std::fs::read_to_string(root.join(path)).map_err(|e| format!("{path}: {e}"))?;
                (block.shape, block.whole) = (true, true);
            }
            _ => return Err(format!("`{word}` means nothing")),
        }
    }
    let known = |class: &str| matches!(class, "exact" | "contract" | "fast");
    if let Some(other) = classes.split('|').find(|class| !known(class)) {
        return Err(format!("`{other}` is no class"));
    }
    Ok(classes.split('|').map(|class| Block { class: class.to_string(), ..block.clone() }).collect())
}

/// The passes that a program goes through here, with `rewrite` in the place of the e-graph.
pub fn pipeline(rewrite: &str, inlines_all: bool) -> String {
    let inline = if inlines_all { "inline{small=2000}" } else { "inline" };
    format!(
        "--pass-pipeline=normalize,differentiate,symbol-dce,{inline},tidy,resolve-pointers,\
         choose-aggregation,simplify,any({rewrite}canonicalize,cse,licm,dce),symbol-dce"
    )
}

/// A program as the first level of the representation.
pub fn high_level(suite: &Suite, text: &str) -> Result<String, String> {
    let args = ["emit", "-", "--stage", "hl", "-I", "test-suite/bench"];
    suite.run_text("caustic", &args.map(str::to_string), text)
}

impl Block {
    fn check(&self, suite: &Suite) -> Result<(), String> {
        let costs = match (self.gpu, &self.class[..]) {
            (false, _) => "cpu",
            (true, "fast") => "gpu-fast",
            (true, _) => "gpu",
        };
        let passes = pipeline(&format!("egraph{{class={} costs={costs}}},", self.class), !self.whole);
        let code = suite.run_text("caustic-opt", &[passes, "-".to_string()], &high_level(suite, &self.text)?)?;
        let counted = count::of(&code, &self.function, self.class == "exact");
        let wrong: Vec<String> = self.limits.iter().filter_map(|limit| limit.broken(&counted)).collect();
        let empty = counted.is_empty() && self.limits.iter().any(|limit| !limit.is_most());
        if empty || wrong.is_empty() == self.missed {
            let shown = count::lines_of(&code, &self.function);
            let why =
                if self.missed { "the limits are kept: `missed` is no longer true".into() } else { wrong.join(", ") };
            return Err(format!("{}, {}: {why}\n{shown}", self.id, self.class));
        }
        if self.shape { Ok(()) } else { values::compare(suite, self) }
    }
}
