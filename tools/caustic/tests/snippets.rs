//! The programs and commands of the book's pages, run. A block ```` ```slang NAME.slang ```` is a
//! file of its page. In a block ```` ```console ````, a line `$ caustic …` is a command, and the
//! lines below it are exactly what it prints. A command must succeed, but for those of a block
//! ```` ```console fails ````, which are rejected; below them is the first line of their messages.
//! Commands may read the page's files only. Must not know: what the programs are about.

use std::path::{Path, PathBuf};

/// A page's fenced blocks: what stands behind the fence, and the text.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open: Option<(String, String)> = None;
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some((_, text)), None) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, Some(info)) => open = Some((info.trim().to_string(), String::new())),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block has no end");
    found
}

/// The commands of a block, each with what it must print.
fn commands(block: &str) -> Vec<(Vec<String>, String)> {
    let mut found: Vec<(Vec<String>, String)> = Vec::new();
    for line in block.lines() {
        if let Some(command) = line.strip_prefix("$ caustic ") {
            found.push((command.split_whitespace().map(str::to_string).collect(), String::new()));
        } else {
            let (_, output) = found.last_mut().unwrap_or_else(|| panic!("no command prints `{line}`"));
            output.push_str(line);
            output.push('\n');
        }
    }
    found
}

/// Runs a page, and says how many commands it has.
fn run_page(path: &Path) -> usize {
    let name = path.file_name().unwrap().to_string_lossy().into_owned();
    let page = std::fs::read_to_string(path).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("snippets-{name}"));
    std::fs::create_dir_all(&folder).unwrap();
    let mut files: Vec<String> = Vec::new();
    let mut count = 0;
    for (info, text) in blocks(&page) {
        if let Some(file) = info.strip_prefix("slang ") {
            std::fs::write(folder.join(file), text).unwrap();
            files.push(file.to_string());
        } else if info == "console" || info == "console fails" {
            for (mut args, expected) in commands(&text) {
                let shown = args.join(" ");
                for arg in args.iter_mut().filter(|a| files.contains(*a)) {
                    *arg = folder.join(&*arg).display().to_string();
                }
                // What a command writes goes into the page's folder.
                for at in 1..args.len() {
                    if let ("--write", Some((name, file))) = (args[at - 1].as_str(), args[at].split_once('=')) {
                        args[at] = format!("{name}={}", folder.join(file).display());
                    }
                }
                let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
                let code = caustic::main_with(&args, &mut stdout, &mut stderr, &caustic_tool::RealFiles);
                let text = |stream| String::from_utf8_lossy(stream).replace(&format!("{}/", folder.display()), "");
                let (output, messages) = (text(&stdout), text(&stderr));
                let fails = info != "console";
                assert_eq!(code, i32::from(fails), "{name}: `caustic {shown}`: {messages}");
                let first = || messages.lines().take(1).map(|l| format!("{l}\n")).collect();
                let printed: String = if fails { first() } else { output };
                assert_eq!(printed, expected, "{name}: `caustic {shown}`");
                count += 1;
            }
        } else {
            assert!(info != "slang", "{name}: a block of Slang has no file name");
        }
    }
    count
}

#[test]
fn the_pages_for_users_run() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    for page in ["getting-started.md", "gradient-cookbook.md", "coming-from-slangc.md", "buffers.md"] {
        assert!(run_page(&docs.join(page)) > 0, "{page} runs nothing");
    }
}
